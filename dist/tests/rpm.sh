# the rpm has the files of the Debian package and asks for the system's libraries alone; installed, upgraded and removed in a folder it runs
# shellcheck shell=bash disable=SC2154
[ "$(id -u)" = 0 ] || skip "needs root"
has rpmbuild || skip "rpmbuild is not installed (Debian: rpm)"
"$top/dist/rpm/build" "$release"/metrics-aggregator_*_"$(dpkg --print-architecture)".deb "$work"
package=$(ls "$work"/metrics-aggregator-*.rpm)
ls -l "$package"
rpm -qp --requires "$package" | tee "$work/requires"
for library in libc.so.6 libstdc++.so.6 libgcc_s.so.1 libz.so.1 systemd /bin/sh; do
    grep -qF "$library" "$work/requires" || fail "does not require $library"
done
if grep -E '^lib(jvm|java|jli|net|nio|zip)\.so' "$work/requires"; then fail "requires libraries of its own runtime"; fi
newest=$(sed -n 's/^libc\.so\.6(GLIBC_\(2\.[0-9]*\)).*/\1/p' "$work/requires" | sort -V | tail -n 1)
[ "$newest" = 2.34 ] || fail "needs glibc $newest, and docs/install.md says 2.34"
if rpm -qp --provides "$package" | grep '\.so'; then fail "provides the libraries of its runtime to others"; fi
rpm -qpc "$package" | tee "$work/configuration"
[ "$(wc -l <"$work/configuration")" = 2 ] || fail "not two configuration files"
for file in /usr/bin/metrics-aggregator /usr/lib/systemd/system/metrics-aggregator@.service /usr/lib/metrics-aggregator/runtime/bin/java \
    /usr/share/man/man1/metrics-aggregator-run.1.gz /usr/share/licenses/metrics-aggregator/LICENSE /usr/share/zsh/site-functions/_metrics-aggregator; do
    rpm -qpl "$package" | grep -x "$file" >/dev/null || fail "lacks $file"
done
# The folder is a Debian, which has the libraries and no database of rpm, hence --nodeps. The scripts of the package run in it.
root=$work/root
fresh_debian "$root"
# shellcheck disable=SC2016
package_manager() {
    unshare --mount --pid --fork sh -ec 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec rpm --root "$0" "$@"' "$root" "$@"
}
package_manager -i --nodeps "$package"
package_manager -V --nodeps metrics-aggregator
inside "$root" sh -ec 'metrics-aggregator --version && getent passwd metrics-aggregator && test -s /usr/lib/metrics-aggregator/classes-*.jsa'
inside "$root" setpriv --reuid 65534 --clear-groups env HOME=/nonexistent metrics-aggregator demo --output-dir /tmp/demo | grep COMPLETE
echo '# changed' >>"$root/etc/default/metrics-aggregator"
package_manager -U --nodeps --force "$package"
grep -q '^# changed' "$root/etc/default/metrics-aggregator" || fail "the upgrade replaced a configuration file that was changed"
inside "$root" metrics-aggregator --version
package_manager -e --nodeps metrics-aggregator
[ ! -e "$root/usr/lib/metrics-aggregator" ] && [ ! -e "$root/usr/bin/metrics-aggregator" ] || fail "left after the removal: $(find "$root/usr/lib/metrics-aggregator")"

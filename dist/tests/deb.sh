# the Debian package is clean for lintian; installed in a fresh Debian without Java it runs, is upgraded, removed and purged
# of: dist/deb dist/conf dist/systemd
# shellcheck shell=bash disable=SC2154
[ "$(id -u)" = 0 ] || skip "needs root"
has dpkg-deb && has unshare || skip "needs dpkg-deb and unshare"
arch=$(dpkg --print-architecture)
package=$(ls "$release"/metrics-aggregator_*_"$arch".deb)
if has lintian; then
    # The project has no address for mail yet.
    lintian --allow-root --fail-on error,warning --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$package"
else
    not_checked "lintian is not installed"
fi
if has systemd-analyze; then
    mkdir "$work/units"
    sed "s#/usr/bin/metrics-aggregator#$top/metrics-aggregator#; s#/usr/lib/metrics-aggregator/bin/#$top/dist/bin/#" \
        "$top/dist/systemd/metrics-aggregator@.service" >"$work/units/metrics-aggregator@.service"
    systemd-analyze verify --man=no "$work/units/metrics-aggregator@.service" 2>&1 | sed -n '/metrics-aggregator/p' | tee "$work/verify"
    [ ! -s "$work/verify" ] || fail "systemd-analyze verify has complaints"
    systemd-analyze security --offline=yes --threshold=15 "$work/units/metrics-aggregator@.service" | tail -n 1
else
    not_checked "systemd-analyze is not installed"
fi

root=$work/root
fresh_debian "$root"
cp "$package" "$root/tmp/one.deb"
# The same content under a later version, with another default of a conffile.
dpkg-deb -R "$package" "$work/later"
sed -i 's/^Version: .*/Version: 99.0/' "$work/later/DEBIAN/control"
echo '# later' >>"$work/later/etc/default/metrics-aggregator"
dpkg-deb --root-owner-group -Znone -b "$work/later" "$root/tmp/two.deb"
rm -r "$work/later"

inside "$root" dpkg -i /tmp/one.deb
inside "$root" sh -ec '
    ! command -v java
    metrics-aggregator --version
    dpkg -V metrics-aggregator
    getent passwd metrics-aggregator
    test -s /usr/lib/metrics-aggregator/classes-*.jsa
    zcat /usr/share/man/man1/metrics-aggregator-run.1.gz >/dev/null 2>&1 || echo "documentation is excluded in this system"
    [ "$(readlink -f /usr/bin/metrics-aggregator)" = /usr/lib/metrics-aggregator/bin/metrics-aggregator ]'
inside "$root" setpriv --reuid 65534 --clear-groups env HOME=/nonexistent metrics-aggregator demo --output-dir /tmp/demo >"$work/demo.txt"
grep -q COMPLETE "$work/demo.txt" || fail "no COMPLETE in the report of the demo"

# As its own user, with a configuration file, over an upgrade: the run continues to its end.
inside "$root" sh -ec '
    echo "# changed by the administrator" >>/etc/default/metrics-aggregator
    mkdir -m 750 /run/metrics-aggregator /var/lib/metrics-aggregator
    chown metrics-aggregator: /run/metrics-aggregator /var/lib/metrics-aggregator
    sed s#/metrics-aggregator/NAME#/metrics-aggregator#g /etc/metrics-aggregator/example.conf >/etc/metrics-aggregator/bench.conf
    as="setpriv --reuid metrics-aggregator --regid metrics-aggregator --clear-groups"
    $as metrics-aggregator run --output-dir /var/lib/metrics-aggregator/out --output-mode 640 \
        --config /etc/metrics-aggregator/bench.conf --log-level warn &
    MAINPID=$! /usr/lib/metrics-aggregator/bin/await-ready /var/lib/metrics-aggregator/out
    metrics-aggregator healthcheck /var/lib/metrics-aggregator/out
    dpkg --force-confold -i /tmp/two.deb
    dpkg-query -W metrics-aggregator | grep 99.0
    grep "changed by the administrator" /etc/default/metrics-aggregator
    $as metrics-aggregator produce --fast --duration 2s --out connect:ipc:///run/metrics-aggregator/events >/dev/null
    wait $!
    metrics-aggregator report /var/lib/metrics-aggregator/out | grep COMPLETE
    dpkg -r metrics-aggregator
    ! command -v metrics-aggregator
    test -s /var/lib/metrics-aggregator/out/final_snapshot.json
    test -e /etc/default/metrics-aggregator
    ! test -e /usr/lib/metrics-aggregator
    dpkg -P metrics-aggregator
    ! test -e /etc/default/metrics-aggregator
    ! test -e /etc/metrics-aggregator/example.conf
    test -s /var/lib/metrics-aggregator/out/final_snapshot.json'

# install.sh installs from an HTTP server as an ordinary user and as root, and leaves nothing when the checksum is wrong
# shellcheck shell=bash disable=SC2154
[ "$(id -u)" = 0 ] && has setpriv || skip "needs root, to become another user"
has curl || skip "curl is not installed"
arch=$(uname -m)
archive=metrics-aggregator-$version-linux-$arch.tar.gz
mkdir "$work/served" "$work/home"
cp "$top/dist/install.sh" "$release/SHA256SUMS" "$release/$archive" "$work/served/"
chown 65534 "$work/home"
chmod a+rx "$scratch" "$work"
serve "$work/served"
as_user() { (cd / && setpriv --reuid 65534 --clear-groups env -i PATH="$user_path" HOME="$work/home" "$@"); }
user_path=/usr/bin:/bin
install() { as_user sh -c 'curl -fsSL "$1/install.sh" | sh -s -- "$@"' sh "$served_url" "$@"; }
# What an installation in the home directory consists of, without the trees' contents.
left() { find "$work/home" -mindepth 1 -maxdepth 3 ! -path '*/.cache*' | sed "s#$work/home/##" | sort | tr '\n' ' '; }

# A script that arrived in part does nothing.
for lines in 20 60 95; do head -n "$lines" "$top/dist/install.sh" | as_user sh -s -- "$served_url" || true; done
[ -z "$(left)" ] || fail "a part of the script left: $(left)"

# A wrong checksum, a missing file, a wrong option, and a platform that is not supported.
echo "$(sha256sum <"$top/dist/install.sh" | cut -c 1-64)  $archive" >"$work/served/SHA256SUMS"
if install 2>"$work/error"; then fail "a wrong checksum was accepted"; else status=$?; fi
[ "$status" = 1 ] || fail "status $status after a wrong checksum"
grep 'does not have the checksum' "$work/error" || fail "$(cat "$work/error")"
[ "$(left)" = ".local " ] || fail "a wrong checksum left: $(left)"
cp "$release/SHA256SUMS" "$work/served/"
mv "$work/served/$archive" "$work/kept"
if install 2>"$work/error"; then fail "installed without an archive"; fi
grep "cannot download $served_url/$archive" "$work/error" || fail "$(cat "$work/error")"
mv "$work/kept" "$work/served/$archive"
if install --version 99 2>"$work/error"; then fail "installed a version that does not exist"; fi
grep 'lists no metrics-aggregator-99-linux' "$work/error" || fail "$(cat "$work/error")"
if install --what 2>"$work/error"; then fail "accepted an unknown option"; fi
mkdir "$work/other"
printf '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo riscv64\n' >"$work/other/uname"
chmod a+rx "$work/other" "$work/other/uname"
if user_path=$work/other:$user_path install 2>"$work/error"; then fail "installed on riscv64"; fi
grep 'Linux on riscv64 is not supported' "$work/error" || fail "$(cat "$work/error")"
[ "$(left)" = ".local " ] || fail "failures left: $(left)"

# The installation, and a second one over it.
tree=metrics-aggregator-$version
whole=".local .local/bin .local/bin/metrics-aggregator .local/opt .local/opt/$tree "
install | tee "$work/output"
grep 'is not in PATH' "$work/output"
[ "$(left)" = "$whole" ] || fail "the installation left: $(left)"
ls "$work/home/.local/opt/$tree"/classes-*.jsa
user_path=$work/home/.local/bin:$user_path
as_user metrics-aggregator demo --output-dir "$work/home/demo" | grep COMPLETE
rm -rf "$work/home/demo"
install --version "$version" | tee "$work/output"
grep 'Try: metrics-aggregator demo' "$work/output"
[ "$(left)" = "$whole" ] || fail "the second installation left: $(left)"
# An archive that does not start: the installation before it stays.
mkdir -p "$work/broken/$tree/bin"
printf '#!/bin/sh\nexit 3\n' >"$work/broken/$tree/bin/metrics-aggregator"
chmod 755 "$work/broken/$tree/bin/metrics-aggregator"
tar -C "$work/broken" -czf "$work/served/$archive" "$tree"
(cd "$work/served" && sha256sum "$archive" >SHA256SUMS)
if install 2>"$work/error"; then fail "installed a program that does not start"; fi
grep 'does not start' "$work/error" || fail "$(cat "$work/error")"
[ "$(left)" = "$whole" ] || fail "the broken installation left: $(left)"
as_user metrics-aggregator --version

# Two versions in a folder.
(cd "$work/served" && sed -i "p; s/  .*/  metrics-aggregator-99.0-linux-$arch.tar.gz/" SHA256SUMS)
if install 2>"$work/error"; then fail "chose one of two versions"; fi
grep 'several versions' "$work/error" || fail "$(cat "$work/error")"

# As root, from a folder, in a system without Java and curl.
root=$work/root
fresh_debian "$root"
mkdir "$root/release"
cp "$top/dist/install.sh" "$release/SHA256SUMS" "$release/$archive" "$root/release/"
inside "$root" sh -ec 'sh /release/install.sh /release
    [ "$(readlink /usr/local/bin/metrics-aggregator)" = /opt/'"$tree"'/bin/metrics-aggregator ]
    [ "$(ls -A /opt)" = '"$tree"' ]
    setpriv --reuid 65534 --clear-groups env HOME=/nonexistent /usr/local/bin/metrics-aggregator --version'

# every installation has its pages without dead links and the wheel of the Python client; checksums and the table of files cover the release
# shellcheck shell=bash disable=SC2154
has python3 || skip "python3 is not installed"
client=$(cd "$release" && ls metrics_aggregator-*-py3-none-any.whl)
unpack "$work/full"
unpack "$work/plain" noruntime
# Of an installation: the folder with README.md, and that with bin and share.
installation() {
    python3 "$top/dist/tests/links.py" "$1" || fail "dead links in $1"
    cmp "$release/$client" "$2/share/python/$client"
}
for tree in "$work/full" "$work/plain"; do
    installation "$tree/metrics-aggregator-$version/share/doc" "$tree/metrics-aggregator-$version"
done
# A page that names a file which is not there is found.
cp -r "$work/plain/metrics-aggregator-$version/share/doc" "$work/broken"
rm "$work/broken/clients/python/README.md"
if python3 "$top/dist/tests/links.py" "$work/broken" >"$work/dead" 2>&1; then fail "a missing page was not found"; fi
grep -qx 'README.md: clients/python/README.md' "$work/dead" || fail "$(cat "$work/dead")"
if has dpkg-deb; then
    dpkg-deb -x "$release"/metrics-aggregator_*.deb "$work/deb"
    installation "$work/deb/usr/share/doc/metrics-aggregator" "$work/deb/usr/lib/metrics-aggregator"
else
    not_checked "the Debian package (dpkg-deb is not installed)"
fi
mkdir "$work/wheel"
python3 -m zipfile -e "$release"/metrics_aggregator_daemon-*_"$(uname -m)".whl "$work/wheel"
python3 "$top/dist/tests/links.py" "$work/wheel/metrics_aggregator_daemon/home/share/doc" || fail "dead links in the wheel"

# The wheel beside an installation measures with the program of that installation: its path is all it needs.
python3 -m zipfile -e "$work/full/metrics-aggregator-$version/share/python/$client" "$work/module"
[ -f "$work/module/metrics_aggregator/__init__.py" ] || fail "the wheel has no module metrics_aggregator"

(cd "$release" && sha256sum --quiet -c SHA256SUMS)
(cd "$release" && diff <(cut -c 67- SHA256SUMS | sort) <(find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | sort)) || fail "SHA256SUMS does not cover the release"
"$top/dist/files" "$release"
mkdir "$work/more"
cp -rs "$release/." "$work/more/"
touch "$work/more/metrics-aggregator-$version.what"
if "$top/dist/files" "$work/more" 2>"$work/error"; then fail "a file that the table lacks was accepted"; fi
grep -q "metrics-aggregator-$version.what is in no row" "$work/error" || fail "$(cat "$work/error")"
sh "$release/install.sh" --help | grep -e --prefix >/dev/null || fail "install.sh --help says nothing of --prefix"
tar -tzf "$release/metrics-aggregator-chart-$version.tgz" | grep -cx metrics-aggregator/Chart.yaml >/dev/null || fail "the chart has no Chart.yaml"

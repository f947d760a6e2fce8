# the archives run from any folder, through links, read-only and without Java on the PATH, and leave nothing in /tmp
# shellcheck shell=bash disable=SC2154
place="$work/a place with spaces"
unpack "$place"
home=$place/metrics-aggregator-$version
cmp "$top/metrics-aggregator" "$home/bin/metrics-aggregator"
(cd "$release" && sha256sum --quiet -c SHA256SUMS)
for file in LICENSE NOTICE sbom.cdx.json share/doc/licences/THIRD-PARTY.txt share/grafana/metrics-aggregator.json \
    share/prometheus/metrics-aggregator.rules.yml share/kubernetes share/systemd/metrics-aggregator@.service conf/example.conf \
    runtime/lib/server/classes.jsa lib/native/"$(uname -m)"/libtokenizers.so; do
    [ -e "$home/$file" ] || fail "the archive lacks $file"
done
# Every library is in the list of licences, with those that dist/pom.xml allows; every jar is in the bill of materials.
licences=$home/share/doc/licences/THIRD-PARTY.txt
allowed='Apache-2.0|BSD-2-Clause|BSD-3-Clause|CC0-1.0|EPL-2.0|LGPL-2.1-only|MIT|MPL-2.0'
if grep '^ *(' "$licences" | grep -vE "^ *(\\(($allowed)\\) )+[^(]"; then fail "a licence is not among $allowed"; fi
for jar in "$home"/lib/*.jar; do
    name=${jar##*/}
    name=${name%.jar}
    case $name in
        metrics-aggregator-*) ;;
        *) grep -q ":${name%%-[0-9]*}:${name#"${name%%-[0-9]*}"-} " "$licences" || fail "the list of licences lacks $name" ;;
    esac
done
for jar in "$home"/lib/*.jar; do
    name=${jar##*/}
    name=${name%.jar}
    grep -q "\"name\" : \"${name%%-[0-9]*}\"" "$home/sbom.cdx.json" || fail "the bill of materials lacks $name"
done
if find "$home/lib" -name "hadoop*" | grep .; then fail "the archive holds Hadoop, which module parquet only compiles against"; fi
grep -q '"name" : "OpenJDK runtime"' "$home/sbom.cdx.json" || fail "the bill of materials lacks the runtime"

# Tools without java and mvn. The link is relative, and the call comes from /.
mkdir "$work/tools" "$work/links" "$work/home" "$work/tmp"
for tool in sh env readlink sed cat mktemp mkdir rm mv chmod sleep wc tr cut tail head ls sha256sum sync uname locale flock umask; do
    if has "$tool" && [ -x "$(command -v "$tool")" ]; then ln -s "$(command -v "$tool")" "$work/tools/$tool"; fi
done
ln -s "../a place with spaces/metrics-aggregator-$version/bin/metrics-aggregator" "$work/links/first"
ln -s first "$work/links/metrics-aggregator"
# The JVM ignores TMPDIR.
run() {
    (cd / && env -i PATH="$work/tools:$work/links" HOME="$work/home" TMPDIR="$work/tmp" \
        METRICS_AGGREGATOR_JAVA_OPTS="-Djava.io.tmpdir=$work/tmp" "$@")
}
run metrics-aggregator --version | tee "$work/version"
grep -q "^metrics-aggregator $version" "$work/version"
ls "$home"/classes-*.jsa
run metrics-aggregator demo --output-dir "$work/demo" >"$work/demo.txt"
grep -q COMPLETE "$work/demo.txt" || fail "no COMPLETE in the report of the demo"
test -s "$work/demo/final_snapshot.json"
rm -rf "$work"/tmp/* /tmp/metrics-aggregator-demo-*

# Native code comes from lib/native: token counts and SQLite without a file in TMPDIR.
run metrics-aggregator run --in "bind:ipc://$work/events" --output-dir "$work/out" --journal "$work/journal" \
    --tokenizer "$top/quality/golden/endpoints/tokenizers/char" 2>"$work/run.log" &
daemon=$!
await test -e "$work/out/.ready"
run metrics-aggregator healthcheck "$work/out"
run metrics-aggregator produce --out "connect:ipc://$work/events" --duration 2s --fast >/dev/null
wait "$daemon"
if run metrics-aggregator healthcheck "$work/out" 2>"$work/health"; then fail "a daemon that has ended is healthy"; fi
cat "$work/health"
run metrics-aggregator export "$work/journal" --format sqlite --tokenizer "$top/quality/golden/endpoints/tokenizers/char" -o "$work/run.sqlite"
test -s "$work/run.sqlite"
left=$(ls -A "$work/tmp")
[ -z "$left" ] || fail "files are left in TMPDIR: $left"

# Read-only, with the archive of classes in the user's cache; as another user where this one may be that.
rm -f "$home"/classes-*.jsa
chmod -R a-w "$home"
chmod a+rx "$scratch" "$work" "$work/tools" "$work/links"
if [ "$(id -u)" = 0 ] && has setpriv; then
    chown 65534 "$work/home"
    (cd / && setpriv --reuid 65534 --clear-groups env -i PATH="$work/tools:$work/links" HOME="$work/home" metrics-aggregator --version)
    find "$work/home/.cache" -name 'classes-*.jsa' -size +1M | grep . || fail "no class archive in the cache of a user without rights"
    find "$home" -name 'classes-*' | grep . && fail "an unprivileged user wrote into the installation" || true
else
    not_checked "an installation that belongs to another user (needs root)"
    run metrics-aggregator --version
fi
chmod -R u+w "$home"

# Without a runtime: the java of the PATH, and none.
unpack "$work/plain" noruntime
plain=$work/plain/metrics-aggregator-$version
"$plain/bin/metrics-aggregator" --version
[ ! -e "$plain/runtime" ]
ls "$plain/lib/native/x86_64/libtokenizers.so" "$plain/lib/native/aarch64/libtokenizers.so"
if run "$plain/bin/metrics-aggregator" --version 2>"$work/nojava"; then fail "ran without Java"; fi
grep -q 'no java found' "$work/nojava"
# Another JVM in place of the bundled one, and a wrong one.
jvm=$(readlink -f "$(command -v java)")
METRICS_AGGREGATOR_JAVA_HOME=${jvm%/bin/java} "$home/bin/metrics-aggregator" --version
if METRICS_AGGREGATOR_JAVA_HOME=/nowhere "$home/bin/metrics-aggregator" --version; then fail "accepted /nowhere as a Java"; fi

if has shellcheck; then
    # ulimit's letters, test -nt and test -O are not POSIX, and every sh at hand has them.
    shellcheck -e SC3045,SC3013,SC3067 "$top/metrics-aggregator" "$top/dist/bin/await-ready" "$top/dist/install.sh" "$top/.mvn/mvnw"
    # The checks run with set -e.
    shellcheck -x -e SC2015,SC2016,SC2164 "$top/.ci/release" "$top/dist/build" "$top/dist/linked-files" "$top/dist/checksums" "$top/dist/action/step" "$top/dist/test" "$top/dist/deb/build" "$top/dist/rpm/build" "$top"/dist/tests/*.sh
else
    not_checked "shellcheck is not installed"
fi

# the aarch64 archive, built on x86-64, runs under an emulator: version, token counts equal to x86-64, SQLite
# shellcheck shell=bash disable=SC2154
has qemu-aarch64-static || skip "qemu-user-static is not installed"
[ "$(uname -m)" = x86_64 ] || skip "this machine is not x86-64"
# Packages of another architecture, without telling the package manager of this machine about it.
packages() {
    local arch=$1 apt=$work/apt-$1
    shift
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/root"
    : >"$apt/status"
    local options=(-qq -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" -o "Dir::State=$apt/state" -o "Dir::Cache=$apt/cache"
        -o "Dir::State::status=$apt/status" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$apt" && apt-get "${options[@]}" download "$@" && for each in *.deb; do dpkg -x "$each" root; done)
}
packages amd64 openjdk-17-jdk-headless openjdk-17-jre-headless
packages arm64 openjdk-17-jdk-headless openjdk-17-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g
host=$work/apt-amd64/root/usr/lib/jvm/java-17-openjdk-amd64
guest=$work/apt-arm64/root/usr/lib/jvm/java-17-openjdk-arm64
export QEMU_LD_PREFIX=$work/apt-arm64/root
JAVA_HOME=$host "$top/dist/build" --skip-maven --arch aarch64 --jdk "$guest" --output "$work/release" >/dev/null
mkdir "$work/aarch64"
tar -C "$work/aarch64" -xzf "$work/release/metrics-aggregator-$version-linux-aarch64.tar.gz"
home=$work/aarch64/metrics-aggregator-$version
file "$home/runtime/bin/java" | grep aarch64
dpkg-deb -f "$work/release"/metrics-aggregator_*_arm64.deb Architecture | grep -x arm64
unpack "$work/x86_64"
native=$home/lib/native/aarch64
emulated() {
    qemu-aarch64-static "$home/runtime/bin/java" -XX:+UseSerialGC -Xshare:auto "-DRUST_LIBRARY_PATH=$native/libtokenizers.so" \
        "-Dorg.sqlite.lib.path=$native" -cp "$(echo "$home"/lib/metrics-aggregator-cli-*.jar)" io.metricsaggregator.cli.Main "$@"
}
emulated --version | tee "$work/version"
grep aarch64 "$work/version"
program=$work/x86_64/metrics-aggregator-$version/bin/metrics-aggregator
"$program" run --in "bind:ipc://$work/events" --output-dir "$work/out" --journal "$work/journal" 2>/dev/null &
daemon=$!
await test -e "$work/out/.ready"
"$program" produce --fast --duration 2s --out "connect:ipc://$work/events" >/dev/null
wait "$daemon"
tokenizer=$top/quality/golden/endpoints/tokenizers/char
"$program" export "$work/journal" --format csv --tokenizer "$tokenizer" -o "$work/x86_64.csv"
emulated export "$work/journal" --format csv --tokenizer "$tokenizer" -o "$work/aarch64.csv"
same "$work/x86_64.csv" "$work/aarch64.csv"
[ "$(wc -l <"$work/aarch64.csv")" -gt 10 ] || fail "no samples"
emulated export "$work/journal" --format sqlite -o "$work/run.sqlite"
test -s "$work/run.sqlite"

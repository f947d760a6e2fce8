# run takes flag, environment and file in this order, --print-config names every option of the help, and logs are JSON on request
# shellcheck shell=bash disable=SC2154
unpack "$work"
program=$work/metrics-aggregator-$version/bin/metrics-aggregator
cat >"$work/bench.conf" <<C
in = bind:ipc://$work/events
publish-interval = 1
hdr-sig-figs = 2
strict = true
C
run="env METRICS_AGGREGATOR_PUBLISH_INTERVAL=2 METRICS_AGGREGATOR_HDR_SIG_FIGS=4 $program run --config $work/bench.conf --hdr-sig-figs 5"
$run --print-config >"$work/settings"
grep -A 1 '^# command line' "$work/settings" | grep '^hdr-sig-figs = 5$'
grep -A 1 '^# METRICS_AGGREGATOR_PUBLISH_INTERVAL' "$work/settings" | grep '^publish-interval = 2$'
grep -A 1 "^# $work/bench.conf:4" "$work/settings" | grep '^strict = true$'
"$program" run --help-all | grep -o -E '^ .{0,6}--[a-z][a-z0-9-]+' | grep -o -E '[a-z][a-z0-9-]+$' | sort -u | grep -v -x -E 'help|help-all|version|config|print-config' >"$work/options"
[ "$(wc -l <"$work/options")" -ge 50 ] || fail "found only $(wc -l <"$work/options") options of run"
sed -n 's/^\(# \)\{0,1\}\([a-z][a-z0-9-]*\) =.*/\2/p' "$work/settings" | sort -u >"$work/printed"
same "$work/options" "$work/printed"
# Every setting of the example exists.
sed "s/^# \([a-z-]* = \)/\1/; s#/metrics-aggregator/NAME#$work#" "$top/dist/conf/example.conf" >"$work/example.conf"
"$program" run --config "$work/example.conf" --print-config >"$work/example"
grep -q '^publish-interval = 0.25' "$work/example"
status=0
METRICS_AGGREGATOR_INN=x "$program" run --config "$work/bench.conf" 2>"$work/error" || status=$?
[ "$status" = 2 ] || fail "an unknown variable ended with status $status"
grep 'METRICS_AGGREGATOR_INN' "$work/error"
# A run from a file and the environment alone, with logs as JSON.
METRICS_AGGREGATOR_OUTPUT_DIR=$work/out METRICS_AGGREGATOR_LOG_FORMAT=json "$program" run --config "$work/bench.conf" 2>"$work/log" &
daemon=$!
await test -e "$work/out/.ready"
METRICS_AGGREGATOR_OUTPUT_DIR=$work/out "$program" healthcheck
kill "$daemon"
wait "$daemon"
python3 -c 'import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert len(lines) >= 2 and all({"time", "level", "logger", "message"} <= line.keys() for line in lines), lines' "$work/log"
METRICS_AGGREGATOR_OUTPUT_DIR=$work/out "$program" run --quiet --config "$work/bench.conf" 2>"$work/quiet" &
daemon=$!
await "$program" healthcheck "$work/out"
kill "$daemon"
wait "$daemon"
[ ! -s "$work/quiet" ] || { cat "$work/quiet" && fail "--quiet logs without need"; }

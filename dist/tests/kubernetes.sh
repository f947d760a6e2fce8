# the manifests of the sidecar build and match the schemas of Kubernetes, a planted mistake does not, and chart and component agree
# of: dist/kubernetes dist/tests/monitors.py
# shellcheck shell=bash disable=SC2154
has kubectl || skip "kubectl is not installed"
kubectl kustomize "$top/dist/kubernetes/example" >"$work/component.yaml"
grep -q 'restartPolicy: Always' "$work/component.yaml" || fail "the component adds no native sidecar"
cache=${DIST_CACHE:-$top/.ci/out}
python=$cache/kubernetes/bin/python
if [ ! -x "$cache/kubernetes/bin/kubernetes-validate" ]; then
    python3 -m venv "$cache/kubernetes" && "$python" -m pip install --quiet 'kubernetes-validate==1.37.0' || true
fi
# The custom resources of the Prometheus operator: their schemas are in its Go module.
monitoring=
if has go; then
    monitoring=$(go mod download -json github.com/prometheus-operator/prometheus-operator@v0.85.0 | sed -n 's/^.*"Dir": "\(.*\)".*/\1/p') || true
    monitoring=${monitoring:+$monitoring/example/prometheus-operator-crd}
fi
[ -d "$monitoring" ] || { not_checked "schemas of PodMonitor and ServiceMonitor (the module of the Prometheus operator needs go)" && monitoring=; }
# Validates a file with manifests. $1: the version of Kubernetes, $2: the file.
valid() {
    "$python" "$top/dist/tests/monitors.py" "$2" "$work/builtin.yaml" ${monitoring:+"$monitoring"} &&
        "$cache/kubernetes/bin/kubernetes-validate" --strict -k "$1" "$work/builtin.yaml"
}
# A file is valid, and with one change it is not. $1: the version, $2: the file, then sed expressions that each plant a mistake.
validates() {
    local api=$1 file=$2 mistake
    shift 2
    valid "$api" "$file" || fail "$file does not match the schemas of Kubernetes $api"
    for mistake; do
        sed "$mistake" "$file" >"$work/mistake.yaml"
        ! cmp -s "$file" "$work/mistake.yaml" || fail "$mistake changes nothing in $file"
        if valid "$api" "$work/mistake.yaml"; then fail "a mistake passed for Kubernetes $api: $mistake"; fi
    done
}
typo=s/readOnlyRootFilesystem/readOnlyRootFileSystem/
if [ -x "$cache/kubernetes/bin/kubernetes-validate" ]; then
    validates 1.29 "$work/component.yaml" "$typo" s/periodSeconds:/periodSecond:/
    validates 1.33 "$work/component.yaml" "$typo" 's/containerPort: .*/containerPort: many/'
    validates 1.33 "$top/dist/kubernetes/monitor.yaml" ${monitoring:+s/podMetricsEndpoints:/podMetricsEndpoint:/} \
        ${monitoring:+'s/interval: 5s/interval: often/'}
else
    not_checked "schemas of Kubernetes (kubernetes-validate cannot be installed)"
    valid() { :; }
    validates() { :; }
fi

helm=$(helm_path)
if [ -x "$helm" ]; then
    chart=$top/dist/kubernetes/chart
    "$helm" lint --strict "$chart"
    # The versions of an own build say nothing of a cluster.
    template() { "$helm" template benchmark "$chart" --kube-version 1.33.0 "$@"; }
    template >"$work/chart.yaml"
    template --set image.tag=t,serviceMonitor.enabled=true,resultsClaim=claim,benchmark.image=other \
        --set 'benchmark.command={run,it},settings.in={bind:ipc:///run/metrics-aggregator/s/events,bind:tcp://127.0.0.1:5600}' \
        --set settings.insecure-bind=false >"$work/everything.yaml"
    validates 1.29 "$work/chart.yaml" "$typo"
    validates 1.33 "$work/chart.yaml" "$typo"
    validates 1.33 "$work/everything.yaml" "$typo" ${monitoring:+'s/interval: 5s/interval: often/'}
    template --set podMonitor.enabled=true >"$work/pod-monitor.yaml"
    validates 1.33 "$work/pod-monitor.yaml" ${monitoring:+s/podMetricsEndpoints:/podMetricsEndpoint:/}
    grep -qx 'kind: PodMonitor' "$work/pod-monitor.yaml" || fail "the chart does not render the PodMonitor"
    if template --set podMonitor.enabled=true,serviceMonitor.enabled=true 2>"$work/both"; then
        fail "the chart renders two monitors, which scrape each pod twice"
    fi
    grep -q 'Enable one of podMonitor and serviceMonitor' "$work/both"
    grep -x ' *image: metrics-aggregator:'"$version" "$work/chart.yaml" || fail "appVersion of the chart is not $version"
    for line in 'image: metrics-aggregator:t' 'image: other' 'claimName: claim' 'kind: ServiceMonitor' \
        '- "--in=bind:tcp://127.0.0.1:5600"'; do
        grep -qFx -- "$line" <(sed 's/^ *//' "$work/everything.yaml") || fail "the chart does not render: $line"
    done
    # Only an installation prints the notes, so they are rendered as a manifest of a copy.
    cp -r "$chart" "$work/notes"
    mv "$work/notes/templates/NOTES.txt" "$work/notes/"
    echo 'notes: {{ tpl (.Files.Get "NOTES.txt") . | toJson }}' >"$work/notes/templates/notes.yaml"
    "$helm" template benchmark "$work/notes" --kube-version 1.33.0 --show-only templates/notes.yaml >"$work/notes.yaml"
    grep -q 'logs job/benchmark -c metrics-aggregator-results > final_snapshot.json' <(sed 's/.u003e/>/g' "$work/notes.yaml") ||
        fail "the notes do not say how to copy the result"
    if grep -e --insecure-bind "$work/everything.yaml"; then fail "a setting that is false became an option"; fi
    # Chart and component are the same pod. Only the policy of pulling is a value of the chart.
    [ ! -x "$python" ] || "$python" "$top/dist/tests/monitors.py" --same-sidecar "$work/chart.yaml" "$work/component.yaml"
    if template --kube-version 1.28.0 2>"$work/old"; then fail "the chart installs on Kubernetes 1.28, which has no native sidecars"; fi
    grep -i 'kubeVersion' "$work/old"
else
    not_checked "the chart (helm is not installed, and building it needs go)"
fi
# The sidecar that copies the result out: on TERM it logs the file and nothing else.
mapfile -t copy < <("$python" - "$work/component.yaml" <<'EOF'
import sys, yaml
pod = next(each for each in yaml.safe_load_all(open(sys.argv[1])) if each["kind"] == "Job")["spec"]
assert pod["ttlSecondsAfterFinished"] > 0
names = [each["name"] for each in pod["template"]["spec"]["initContainers"]]
# Sidecars end in the reverse order of their start.
assert names.index("metrics-aggregator-results") < names.index("metrics-aggregator"), names
print(*pod["template"]["spec"]["initContainers"][names.index("metrics-aggregator-results")]["command"], sep="\n")
EOF
)
[ "${#copy[@]}" = 3 ] || fail "no sidecar copies the result out"
mkdir -p "$work/copied/run"
"${copy[@]//\/results/$work/copied}" >"$work/copied/log" &
copying=$!
await grep -q . "/proc/$copying/task/$copying/children"
echo '{"state": "complete"}' >"$work/copied/run/final_snapshot.json"
kill "$copying"
wait "$copying" || fail "the sidecar that copies the result ended with status $?"
cmp "$work/copied/run/final_snapshot.json" "$work/copied/log" || fail "the log of the sidecar is not the result"
# The arguments of the sidecar, without a kubelet. It stays after the end of the run with the result in place; killed and started again, as
# the kubelet would, it serves the same result; on TERM it ends with status 0.
unpack "$work"
export PATH=$work/metrics-aggregator-$version/bin:$PATH
mapfile -t arguments < <(sed -n '/^ *- run$/,/^ *[a-z]*:/s/^ *- //p' "$work/component.yaml" |
    sed -e "s#/run/metrics-aggregator/s#$work/s#" -e "s#/results#$work#" -e 's#0\.0\.0\.0:9464#127.0.0.1:19464#')
printf '%s\n' "${arguments[@]}" | grep -x -e '--after-end=stay' || fail "the sidecar does not stay"
metrics-aggregator --version
sidecar() {
    metrics-aggregator "${arguments[@]}" 2>>"$work/log" &
    sidecar=$!
}
file=$work/run/final_snapshot.json
sidecar
await metrics-aggregator healthcheck "$work/run"
metrics-aggregator produce --fast --duration 2s --out "connect:ipc://$work/s/events" >/dev/null
await grep -q '"state": *"complete"' "$file"
await grep -q 'result is served' "$work/log"
cp "$file" "$work/result.json"
for restart in first second; do
    kill -KILL "$sidecar"
    wait "$sidecar" || true
    if metrics-aggregator healthcheck "$work/run" 2>/dev/null; then fail "a killed sidecar is healthy"; fi
    sidecar
    await metrics-aggregator healthcheck "$work/run"
    cmp "$work/result.json" "$file" || fail "the $restart restart changed the result"
done
metrics-aggregator wait "ipc://$work/s/metrics" >"$work/waited" || fail "no result for a subscriber after the restart: $(cat "$work/waited")"
kill "$sidecar"
wait "$sidecar" || fail "the sidecar ended with status $?"
cmp "$work/result.json" "$file"
ls "$work/run/"*stale* 2>/dev/null && fail "the result was set aside" || true
# TERM during a run ends it as INTERRUPTED; the result before is set aside.
sidecar
await metrics-aggregator healthcheck "$work/run"
kill "$sidecar"
wait "$sidecar" || fail "the sidecar ended with status $?"
grep -q '"state": *"interrupted"' "$file"
cmp "$work/result.json" "$work/run/"final_snapshot.json.stale-*

# the manifests of the sidecar build and match the schemas of Kubernetes, a planted mistake does not, and chart and component agree
# shellcheck shell=bash disable=SC2154
has kubectl || skip "kubectl is not installed"
kubectl kustomize "$top/dist/kubernetes/example" >"$work/component.yaml"
grep -q 'restartPolicy: Always' "$work/component.yaml" || fail "the component adds no native sidecar"
validate=$(command -v kubernetes-validate || true)
if [ -z "$validate" ]; then
    python3 -m venv "${DIST_CACHE:-$top/.ci/out}/kubernetes" && "${DIST_CACHE:-$top/.ci/out}/kubernetes/bin/pip" install --quiet 'kubernetes-validate==1.37.0' || true
    validate=${DIST_CACHE:-$top/.ci/out}/kubernetes/bin/kubernetes-validate
fi
if [ -x "$validate" ]; then
    sed 's/readOnlyRootFilesystem/readOnlyRootFileSystem/' "$work/component.yaml" >"$work/typo.yaml"
    for api in 1.29 1.33; do
        "$validate" --strict -k "$api" "$work/component.yaml"
        if "$validate" --strict -k "$api" "$work/typo.yaml"; then fail "a mistyped field passed for Kubernetes $api"; fi
    done
else
    not_checked "schemas of Kubernetes (kubernetes-validate cannot be installed)"
fi
if has helm; then
    helm lint --strict "$top/dist/kubernetes/chart"
    helm template benchmark "$top/dist/kubernetes/chart" --kube-version 1.33.0 --set image.tag=t --set podMonitor.enabled=true \
        --set serviceMonitor.enabled=true >"$work/chart.yaml"
    helm template benchmark "$top/dist/kubernetes/chart" --kube-version 1.33.0 --set image.tag=t >"$work/job.yaml"
    if [ -x "$validate" ]; then "$validate" --strict -k 1.33 "$work/job.yaml"; fi
else
    not_checked "the chart (helm is not installed)"
fi
# Both give the same script to the sidecar.
for file in component/sidecar.yaml chart/templates/_sidecar.tpl; do
    sed -n "/^ *status=\$/,/done\$/s/^ *//p" "$top/dist/kubernetes/$file" >"$work/${file##*/}.script"
done
same "$work/sidecar.yaml.script" "$work/_sidecar.tpl.script"
[ "$(wc -l <"$work/sidecar.yaml.script")" -ge 5 ] || fail "no script in the sidecar"

# The script, without a kubelet: it stays after the end of the run with the result in place, and ends on TERM with status 0.
unpack "$work"
export PATH=$work/metrics-aggregator-$version/bin:$PATH
mkdir -m 700 "$work/s"
sh -c "$(cat "$work/sidecar.yaml.script")" sh --in="bind:ipc://$work/s/events" --output-dir="$work/run" 2>"$work/log" &
sidecar=$!
await test -e "$work/run/.ready"
metrics-aggregator produce --fast --duration 2s --out "connect:ipc://$work/s/events" >/dev/null
await grep -q '"state": *"complete"' "$work/run/final_snapshot.json"
kill -0 "$sidecar" || fail "the sidecar ended with the run"
kill "$sidecar"
wait "$sidecar" || fail "the sidecar ended with status $?"
grep -q '"state": *"complete"' "$work/run/final_snapshot.json"
ls "$work/run/"*stale* 2>/dev/null && fail "the result was set aside" || true
# TERM during a run ends it as INTERRUPTED.
sh -c "$(cat "$work/sidecar.yaml.script")" sh --in="bind:ipc://$work/s/events" --output-dir="$work/second" 2>>"$work/log" &
sidecar=$!
await metrics-aggregator healthcheck "$work/second"
kill "$sidecar"
wait "$sidecar" || fail "the sidecar ended with status $?"
grep -q '"state": *"interrupted"' "$work/second/final_snapshot.json"

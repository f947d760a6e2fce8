# the image is built without a registry; read-only, without capabilities and not as root it runs, is healthy, and ends on TERM as PID 1
# of: dist/container dist/conf
# shellcheck shell=bash disable=SC2154
[ "$(id -u)" = 0 ] || skip "needs root"
has podman && has runc || skip "podman and runc are not installed"
cached=${DIST_CACHE:-$top/.ci/out}/debian-slim.tar
fresh_debian "$work/root"
rm -rf --one-file-system "$work/root"
export CONTAINERS_CONF=$work/containers.conf
cat >"$CONTAINERS_CONF" <<C
[containers]
default_ulimits = ["nofile=16384:16384", "nproc=16384:16384"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
C
podman() { command podman --root "$work/storage" --runroot "$work/runroot" --storage-driver vfs --tmpdir "$work/tmpdir" "$@"; }
trap 'podman rm -fa >/dev/null 2>&1; for m in $(grep -o "$work/[^ ]*" /proc/mounts | sort -r); do umount "$m"; done' EXIT
podman import "$cached" localhost/debian:bookworm-slim
mkdir "$work/context"
cp "$release/metrics-aggregator-$version-linux-$(uname -m).tar.gz" "$work/context/archive.tar.gz"
podman build --pull=never --network=none --format docker --timestamp 1700000000 --build-arg BASE=localhost/debian:bookworm-slim \
    --build-arg ARCHIVE=archive.tar.gz --build-arg VERSION="$version" -f "$top/dist/container/Containerfile" -t localhost/ma "$work/context"
# As the file of a release: saved, removed, loaded, it has its health check, which OCI's format would lose.
podman save --quiet --format docker-archive -o "$work/image.tar" localhost/ma
podman rmi localhost/ma >/dev/null
podman load --quiet -i "$work/image.tar"
podman image inspect localhost/ma | grep -A 6 '"Healthcheck"'
size=$(podman image inspect --format '{{.Size}}' localhost/ma)
echo "the image has $size bytes"
[ "$size" -lt 150000000 ] || fail "the image has $size bytes"
safe="--read-only --cap-drop=ALL --security-opt=no-new-privileges --memory=512m --pids-limit=200 --network=none --user 65532:65532"
mkdir -m 700 "$work/sockets" "$work/results"
chown 65532:65532 "$work/sockets" "$work/results"
volumes="-v $work/sockets:/run/metrics-aggregator -v $work/results:/var/lib/metrics-aggregator"
# shellcheck disable=SC2086
start() {
    podman run -d --name "$1" $safe $volumes localhost/ma run --in bind:ipc:///run/metrics-aggregator/events --out ipc:///run/metrics-aggregator/metrics
}
start daemon
await podman exec daemon metrics-aggregator healthcheck
podman healthcheck run daemon
podman exec daemon cat /proc/1/comm | grep -x java
[ "$(podman exec daemon sh -c 'sed -n "s/^Uid:[^0-9]*\([0-9]*\).*/\1/p" /proc/1/status')" = 65532 ]
podman exec daemon cat /proc/1/maps | grep 'classes-.*\.jsa' >/dev/null || fail "the class archive is not used"
if podman exec daemon sh -c ': >/opt/x' 2>/dev/null; then fail "the root file system can be written"; fi
# shellcheck disable=SC2086
podman run --rm $safe $volumes localhost/ma produce --fast --duration 2s --out connect:ipc:///run/metrics-aggregator/events
podman wait daemon
[ "$(podman inspect --format '{{.State.ExitCode}}' daemon)" = 0 ] || { podman logs daemon && fail "the daemon failed"; }
# shellcheck disable=SC2086
podman run --rm $safe $volumes localhost/ma report /var/lib/metrics-aggregator/run | grep COMPLETE
# shellcheck disable=SC2086
podman run --rm $safe --tmpfs /tmp localhost/ma demo --output-dir /tmp/out | grep COMPLETE
start second
await podman exec second metrics-aggregator healthcheck
begin=$(date +%s)
podman stop -t 10 second
seconds=$(($(date +%s) - begin))
[ "$(podman inspect --format '{{.State.ExitCode}}' second)" = 0 ] || fail "status after TERM is not 0"
[ "$seconds" -le 8 ] || fail "TERM took $seconds s"
grep -q '"interrupted"' "$work/results/run/final_snapshot.json"

# under a booted systemd the unit starts ready, fails on a bad file, resumes after kill -9, stops as INTERRUPTED, survives an upgrade
# of: dist/systemd dist/deb dist/conf
# shellcheck shell=bash disable=SC2154
[ "$(id -u)" = 0 ] || skip "needs root"
has mmdebstrap && has systemd-nspawn && has nsenter || skip "mmdebstrap, systemd-nspawn and nsenter are needed"
root=$work/root
fresh_debian "$root" debian-system "$system_packages"
cp "$release"/metrics-aggregator_*_"$(dpkg --print-architecture)".deb "$root/root/one.deb"
# The same content as a later version.
dpkg-deb -R "$root/root/one.deb" "$work/later"
sed -i 's/^Version: .*/Version: 99.0/' "$work/later/DEBIAN/control"
dpkg-deb --root-owner-group -Znone -b "$work/later" "$root/root/two.deb"
rm -r "$work/later"
# Its own network: another check, or a daemon of this machine, may have the port of the example.
systemd-nspawn -D "$root" -b --private-network --register=no --keep-unit --console=pipe --machine="ma$$" >"$work/boot.log" 2>&1 </dev/null &
container=$!
trap 'kill -KILL "$container" 2>/dev/null; wait' EXIT
leader() { pgrep -P "$container" -x systemd; }
await leader
at() { nsenter --target "$(leader)" --mount --uts --ipc --net --pid --cgroup env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
running() { at systemctl is-system-running --wait; }
await running
cat >"$root/root/functions" <<'F'
set -eu
unit=metrics-aggregator@bench
results=/var/lib/metrics-aggregator/bench
fail() {
    echo "FAILED: $*"
    journalctl --no-pager -n 60 -u "$unit" -u metrics-aggregator@bad
    exit 1
}
shows() { [ "$(systemctl show -P "$2" "$1")" = "$3" ] || fail "$2 of $1 is $(systemctl show -P "$2" "$1"), not $3"; }
# Waits up to 30 s for a state in the final snapshot.
ended() {
    for _ in $(seq 150); do
        if grep -q "\"state\": *\"$2\"" "$1/final_snapshot.json" 2>/dev/null; then return; fi
        sleep 0.2
    done
    fail "no final snapshot in state $2 in $1"
}
F
part() {
    echo "== $1"
    cat >"$root/root/part"
    at sh -c '. /root/functions; . /root/part' || fail "$1"
}

part "a wrong configuration fails the start with status 2, and systemd does not restart the daemon" <<'P'
dpkg -i /root/one.deb
echo "inn = x" >/etc/metrics-aggregator/bad.conf
if systemctl start metrics-aggregator@bad; then fail "the start succeeded"; fi
shows metrics-aggregator@bad ExecMainStatus 2
shows metrics-aggregator@bad ActiveState failed
shows metrics-aggregator@bad NRestarts 0
journalctl -u metrics-aggregator@bad --no-pager | grep "bad.conf:1: .*--inn" || fail "no message names the line"
P
part "the start returns when the daemon is ready" <<'P'
sed "s/NAME/bench/" /etc/metrics-aggregator/example.conf >/etc/metrics-aggregator/bench.conf
echo "journal = $results/journal" >>/etc/metrics-aggregator/bench.conf
systemctl start $unit || fail "$unit did not start"
test -e $results/.ready
metrics-aggregator healthcheck $results
shows $unit User metrics-aggregator
[ "$(stat -c %a:%U:%G $results /run/metrics-aggregator/bench | sort -u)" = 750:metrics-aggregator:metrics-aggregator ] || fail "modes"
P
part "a connected input delays the start until its time is over, and a drop-in without ExecStartPost does not wait" <<'P'
echo "in = ipc:///run/metrics-aggregator/late/events" >/etc/metrics-aggregator/late.conf
mkdir -p /etc/systemd/system/metrics-aggregator@late.service.d
printf '[Service]\nTimeoutStartSec=4\nRestart=no\n' >/etc/systemd/system/metrics-aggregator@late.service.d/test.conf
systemctl daemon-reload
if systemctl start metrics-aggregator@late; then fail "started without a producer"; fi
shows metrics-aggregator@late Result timeout
printf '[Service]\nExecStartPost=\n' >>/etc/systemd/system/metrics-aggregator@late.service.d/test.conf
systemctl daemon-reload
systemctl start metrics-aggregator@late
shows metrics-aggregator@late ActiveState active
systemctl stop metrics-aggregator@late
P
part "after kill -9 systemd starts the daemon again, and it resumes the run from the journal" <<'P'
metrics-aggregator produce --duration 12s --out connect:tcp://127.0.0.1:5600 >/root/produce.log 2>&1 &
sleep 4
kill -KILL "$(systemctl show -P MainPID $unit)"
wait
ended $results complete
journalctl -u $unit --no-pager | grep "run resumed" || fail "the journal was not resumed"
# systemd forgets the counters of a unit that has ended well.
[ "$(journalctl -u $unit --no-pager | grep -c "Scheduled restart job")" = 1 ] || fail "not restarted once"
metrics-aggregator report $results | grep -E "COMPLETE|outages"
[ "$(stat -c %a $results/final_snapshot.json)" = 640 ] || fail "the group cannot read the result"
P
part "an upgrade leaves a run alone, and stopping it writes INTERRUPTED and exits with 0" <<'P'
systemctl start $unit || fail "$unit did not start"
before=$(systemctl show -P MainPID $unit)
dpkg -i /root/two.deb
[ "$(dpkg-query -W -f '${Version}' metrics-aggregator)" = 99.0 ] || fail "not upgraded"
shows $unit MainPID "$before"
as="setpriv --reuid metrics-aggregator --regid metrics-aggregator --clear-groups"
$as metrics-aggregator produce --duration 60s --out connect:ipc:///run/metrics-aggregator/bench/events >/root/produce.log 2>&1 &
producer=$!
for _ in $(seq 100); do
    if journalctl -u $unit --no-pager --since -20s | grep "to=live" >/dev/null; then break; fi
    sleep 0.2
done
systemctl stop $unit
kill $producer || true
journalctl -u $unit --no-pager -n 5 | grep "Deactivated successfully" || fail "the daemon did not exit with status 0"
ended $results interrupted
P
part "the service admits a producer of another user in its group, as docs/install.md says" <<'P'
useradd -m alice
usermod -aG metrics-aggregator alice
printf 'in = bind:ipc:///run/metrics-aggregator/shared/events\nsocket-mode = 660\nallow-uid = %s\n' "$(id -u alice)" \
    >/etc/metrics-aggregator/shared.conf
mkdir -p /etc/systemd/system/metrics-aggregator@shared.service.d
printf '[Service]\nPrivateUsers=no\n' >/etc/systemd/system/metrics-aggregator@shared.service.d/test.conf
systemctl daemon-reload
systemctl start metrics-aggregator@shared
timeout 30 setpriv --reuid alice --regid alice --init-groups env HOME=/home/alice \
    metrics-aggregator produce --fast --duration 2s --allow-uid "$(id -u metrics-aggregator)" \
    --out connect:ipc:///run/metrics-aggregator/shared/events
ended /var/lib/metrics-aggregator/shared complete
P
part "a user's own unit runs with the sockets in the runtime directory" <<'P'
useradd -m -s /bin/sh someone
loginctl enable-linger someone
uid=$(id -u someone)
for _ in $(seq 100); do
    if [ -S "/run/user/$uid/systemd/private" ]; then break; fi
    sleep 0.2
done
as="setpriv --reuid someone --regid someone --init-groups env HOME=/home/someone XDG_RUNTIME_DIR=/run/user/$uid"
$as mkdir -p /home/someone/.config/metrics-aggregator
echo "in = bind:ipc:///run/user/$uid/metrics-aggregator/bench/events" |
    $as tee /home/someone/.config/metrics-aggregator/bench.conf
$as systemctl --user start metrics-aggregator@bench || fail "$(journalctl --no-pager -n 40 _UID="$uid")"
home=$($as systemctl --user show -P StateDirectory metrics-aggregator@bench)
# systemd 252 keeps the state of a user's services below ~/.config, and 254 below ~/.local/state.
for place in .config .local/state; do
    if [ -e "/home/someone/$place/$home/.ready" ]; then own=/home/someone/$place/$home; fi
done
echo "results are in ${own:?the user daemon is not ready}"
$as metrics-aggregator produce --fast --duration 2s --out "connect:ipc:///run/user/$uid/metrics-aggregator/bench/events"
ended "$own" complete
P
part "the unit's exposure is at most 1.5" <<'P'
systemd-analyze security --no-pager --threshold=15 metrics-aggregator@bench | tail -n 1
P
part "removal stops the daemon and keeps results; purge deletes the configuration and the cache" <<'P'
systemctl start $unit || fail "$unit did not start"
dpkg -r metrics-aggregator
shows $unit ActiveState inactive
test -e /etc/metrics-aggregator/example.conf
if test -e /usr/lib/metrics-aggregator; then fail "$(find /usr/lib/metrics-aggregator)"; fi
dpkg -P metrics-aggregator
if test -e /etc/metrics-aggregator/example.conf || test -e /var/cache/metrics-aggregator; then fail "purge left files"; fi
test -s $results/final_snapshot.json
P
at systemctl poweroff || true

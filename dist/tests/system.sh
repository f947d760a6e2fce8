# under a booted systemd the unit starts ready, fails on a bad file, resumes after kill -9, stops as INTERRUPTED, survives an upgrade
# shellcheck shell=bash disable=SC2154
[ "$(id -u)" = 0 ] || skip "needs root"
has mmdebstrap && has systemd-nspawn && has nsenter || skip "mmdebstrap, systemd-nspawn and nsenter are needed"
root=$work/root
fresh_debian "$root" debian-system systemd,systemd-sysv,dbus,libpam-systemd
cp "$release"/metrics-aggregator_*_"$(dpkg --print-architecture)".deb "$root/root/one.deb"
systemd-nspawn -D "$root" -b --register=no --keep-unit --console=pipe >"$work/boot.log" 2>&1 </dev/null &
container=$!
trap 'kill -KILL "$container" 2>/dev/null; wait' EXIT
leader() { pgrep -P "$container" -f 'systemd|init' | head -n 1; }
await leader
at() { nsenter --target "$(leader)" --mount --uts --ipc --net --pid --cgroup env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
await at systemctl is-system-running --wait
at dpkg -i /root/one.deb
at sh -ec 'sed "s/NAME/bench/; /^in = bind:tcp/d" /etc/metrics-aggregator/example.conf >/etc/metrics-aggregator/bench.conf
    echo "journal = /var/lib/metrics-aggregator/bench/journal" >>/etc/metrics-aggregator/bench.conf
    echo "inn = x" >/etc/metrics-aggregator/bad.conf
    ! systemctl start metrics-aggregator@bad
    systemctl show -p ExecMainStatus -p Result -p NRestarts metrics-aggregator@bad
    journalctl -u metrics-aggregator@bad --no-pager
    journalctl -u metrics-aggregator@bad --no-pager | grep -q "bad.conf:1: run has no option --inn"
    [ "$(systemctl show -P ExecMainStatus metrics-aggregator@bad)" = 2 ]
    systemctl start metrics-aggregator@bench
    test -e /var/lib/metrics-aggregator/bench/.ready
    as="setpriv --reuid metrics-aggregator --regid metrics-aggregator --clear-groups"
    $as metrics-aggregator produce --duration 30s --out connect:ipc:///run/metrics-aggregator/bench/events >/root/produce.log 2>&1 &
    sleep 5
    kill -KILL "$(systemctl show -P MainPID metrics-aggregator@bench)"
    wait
    for i in $(seq 100); do [ ! -s /var/lib/metrics-aggregator/bench/final_snapshot.json ] || break; sleep 0.2; done
    grep -q complete /var/lib/metrics-aggregator/bench/final_snapshot.json
    journalctl -u metrics-aggregator@bench --no-pager | tail -n 20
    systemctl start metrics-aggregator@bench
    dpkg -i /root/one.deb
    systemctl is-active metrics-aggregator@bench
    systemctl stop metrics-aggregator@bench
    [ "$(systemctl show -P ExecMainStatus metrics-aggregator@bench)" = 0 ]
    grep -q interrupted /var/lib/metrics-aggregator/bench/final_snapshot.json
    dpkg -P metrics-aggregator
    test -s /var/lib/metrics-aggregator/bench/final_snapshot.json'
at systemctl poweroff || true

# Functions of the checks. Each runs in its own shell with: top, release (the files to test), work (an empty folder).
# A reader at the end of a pipe reads to the end: `| grep -q` or `| head` would end the writer by SIGPIPE, and with it the check.
# shellcheck shell=bash disable=SC2154
version=$(sed -n "s/.*<version>\(.*\)<\/version>.*/\1/p;T;q" "$top/pom.xml")

fail() { echo "FAILED: $*" && exit 1; }
skip() { echo "$*" && exit 77; }
not_checked() { echo "not checked: $*"; }
has() { command -v "$1" >/dev/null; }

# Waits up to 60 s for a command to succeed.
await() {
    local end=$(($(date +%s) + 60))
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt "$end" ] || fail "waited 60 s for: $*"
        sleep 0.1
    done
}

# The same text in both, or a failure with the difference.
same() { diff "$1" "$2" || fail "$1 and $2 differ"; }

# Unpacks the archive for this machine into a folder. $1: the folder, $2: the variant, such as noruntime.
unpack() {
    mkdir -p "$1"
    tar -C "$1" -xzf "$release/metrics-aggregator-$version-linux-${2:-$(uname -m)}.tar.gz"
}

# A fresh Debian without Java as a folder; made once by mmdebstrap and kept beside the other outputs of the gate. $1: the folder, $2: the
# name it is kept under, $3: its packages.
fresh_debian() {
    local cached=${DIST_CACHE:-$top/.ci/out}/${2:-debian-slim}.tar
    mkdir -p "${cached%/*}"
    # Two checks may want it at a time.
    exec 9>"$cached.lock"
    flock 9
    if [ ! -s "$cached" ]; then
        has mmdebstrap || skip "mmdebstrap is not installed"
        mmdebstrap --quiet --variant=minbase --include="${3:-systemd-standalone-sysusers,busybox-static}" bookworm "$cached.part.tar"
        mv "$cached.part.tar" "$cached"
    fi
    exec 9>&-
    mkdir -p "$1"
    tar -C "$1" --exclude='./dev/*' -xf "$cached"
}

# The packages of a Debian that boots.
# shellcheck disable=SC2034
system_packages=systemd,systemd-sysv,dbus,libpam-systemd

# The path of helm, built from its module if it is not installed: that takes minutes, once. The file does not exist where neither is possible.
helm_path() {
    local built=${DIST_CACHE:-$top/.ci/out}/bin
    if has helm; then command -v helm && return; fi
    if [ ! -x "$built/helm" ] && has go; then GOBIN=$built go install helm.sh/helm/v3/cmd/helm@v3.22.0 >&2 || true; fi
    echo "$built/helm"
}

# Runs a command in such a folder, with its own processes and mounts. $1: the folder, then the command.
inside() {
    local root=$1
    shift
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --uts --kill-child sh -c 'root=$1; shift
        mount --make-rprivate / && mount -t proc proc "$root/proc" && mount -t tmpfs -o mode=755 dev "$root/dev" &&
        for device in null zero full random urandom tty; do touch "$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"; done &&
        ln -s /proc/self/fd "$root/dev/fd" && ln -s fd/0 "$root/dev/stdin" && ln -s fd/1 "$root/dev/stdout" && ln -s fd/2 "$root/dev/stderr" &&
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"' sh "$root" "$@"
}

# Serves a folder over HTTP on the loopback interface until the check ends; sets served_url. $1: the folder.
serve() {
    python3 -u -c 'import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_port)
sys.stdout.flush()
server.serve_forever()' "$1" >"$work/served.port" 2>"$work/served.log" &
    server=$!
    trap 'kill "$server" 2>/dev/null || true' EXIT
    await test -s "$work/served.port"
    # shellcheck disable=SC2034
    served_url=http://127.0.0.1:$(cat "$work/served.port")
}

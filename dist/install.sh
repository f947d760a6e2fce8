#!/bin/sh
# Installs metrics-aggregator for this machine from a folder of release files, over HTTP or on disk.
#
#   curl -fsSL URL/install.sh | sh -s -- URL [--version VERSION] [--prefix DIR]
#   sh install.sh DIRECTORY
#
# Downloads SHA256SUMS and the archive of this platform, compares the checksum, unpacks the archive into PREFIX/opt and links the command in
# PREFIX/bin. PREFIX is ~/.local; for root the archive goes to /opt and the link to /usr/local/bin. Needs sha256sum, tar, gzip, and curl or
# wget for URLs. Exits with 1 if a download, a checksum or the first start fails; then an earlier installation is still in place.
set -eu

# Everything is in a function, so that a script that arrived in part does nothing.
main() {
    source=
    version=
    prefix=
    while [ $# -gt 0 ]; do
        case $1 in
            --version) version=${2:?--version needs a version} && shift 2 ;;
            --prefix) prefix=${2:?--prefix needs a directory} && shift 2 ;;
            -h | --help) usage && exit 0 ;;
            -*) fail "unknown option $1; known are --version, --prefix and --help" ;;
            *) source=${1%/} && shift ;;
        esac
    done
    [ -n "$source" ] || fail "give the URL or the directory of the release files: install.sh URL"
    case $(uname -s)-$(uname -m) in
        Linux-x86_64 | Linux-amd64) arch=x86_64 ;;
        Linux-aarch64 | Linux-arm64) arch=aarch64 ;;
        *) fail "$(uname -s) on $(uname -m) is not supported; Linux on x86_64 and aarch64 are" ;;
    esac
    libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || fail "needs glibc 2.34 or later, and this system has another C library"
    case ${libc#glibc } in
        2.[0-9] | 2.[0-2][0-9] | 2.3[0-3] | [01].*) fail "needs glibc 2.34 or later; this system has $libc" ;;
    esac
    if [ -n "$prefix" ]; then
        opt=$prefix/opt bin=$prefix/bin
    elif [ "$(id -u)" = 0 ]; then
        opt=/opt bin=/usr/local/bin
    else
        opt=${HOME:?}/.local/opt bin=$HOME/.local/bin
    fi

    umask 022
    created=
    [ -d "$opt" ] || created=$opt
    mkdir -p "$opt"
    # Beside its place, so that moving it there is one step.
    scratch=$(mktemp -d "$opt/.metrics-aggregator.XXXXXX") || fail "cannot write to $opt"
    trap 'rm -rf "$scratch"; [ -z "$created" ] || rmdir "$created" 2>/dev/null || :' EXIT
    trap 'exit 1' HUP INT TERM
    fetch SHA256SUMS
    names=$(sed -n "s/^[0-9a-f]\{64\} [ *]\(metrics-aggregator-${version:-[0-9][^ ]*}-linux-$arch\.tar\.gz\)$/\1/p" "$scratch/SHA256SUMS")
    case $names in
        '') fail "$source/SHA256SUMS lists no metrics-aggregator-${version:-VERSION}-linux-$arch.tar.gz" ;;
        *[![:graph:]]*) fail "$source has several versions; choose one with --version: $(echo "$names" | tr '\n' ' ')" ;;
    esac
    fetch "$names"
    (cd "$scratch" && grep -F " $names" SHA256SUMS | sha256sum -c - >/dev/null 2>&1) ||
        fail "$names does not have the checksum in SHA256SUMS; nothing was installed"
    tree=${names%-linux-"$arch".tar.gz}
    gzip -dc "$scratch/$names" | (cd "$scratch" && tar -xf -)
    [ -x "$scratch/$tree/bin/metrics-aggregator" ] || fail "$names contains no $tree/bin/metrics-aggregator"

    if [ -e "$opt/$tree" ]; then mv "$opt/$tree" "$scratch/before"; fi
    mv "$scratch/$tree" "$opt/$tree"
    # The first start creates the class archive, which speeds up later ones. Other users may be unable to create it here.
    if ! "$opt/$tree/bin/metrics-aggregator" --version >"$scratch/version"; then
        rm -rf "${opt:?}/$tree"
        if [ -e "$scratch/before" ]; then mv "$scratch/before" "$opt/$tree"; fi
        fail "the installed program does not start"
    fi
    mkdir -p "$bin"
    ln -sf "$opt/$tree/bin/metrics-aggregator" "$bin/metrics-aggregator"
    echo "Installed $(head -n 1 "$scratch/version") in $opt/$tree."
    case :$PATH: in
        *:"$bin":*) echo "Try: metrics-aggregator demo" ;;
        *) echo "$bin is not in PATH. Try: $bin/metrics-aggregator demo" ;;
    esac
    echo "To uninstall: rm -rf '$opt/$tree' '$bin/metrics-aggregator' ~/.cache/metrics-aggregator"
}

usage() {
    cat <<U
Installs metrics-aggregator for this machine from a folder of release files.

  install.sh [--version VERSION] [--prefix DIR] SOURCE

SOURCE            URL or directory that has SHA256SUMS and the archives
--version VERSION version to install; needed if SOURCE has several
--prefix DIR      install into DIR/opt and link DIR/bin/metrics-aggregator. Default: ~/.local; for root /opt and /usr/local/bin
U
}

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

# Copies a release file into the scratch folder. $1: its name.
fetch() {
    case $source in
        http://* | https://*)
            if command -v curl >/dev/null; then
                curl -fsSL -o "$scratch/$1" "$source/$1"
            elif command -v wget >/dev/null; then
                wget -q -O "$scratch/$1" "$source/$1"
            else
                fail "needs curl or wget"
            fi
            ;;
        *) cp "$source/$1" "$scratch/$1" ;;
    esac || fail "cannot download $source/$1"
}

main "$@"

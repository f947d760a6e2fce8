# in a system with a JDK and nothing else, the first command of a checkout downloads Maven by the wrapper, builds and runs
# shellcheck shell=bash disable=SC2154
[ "$(id -u)" = 0 ] || skip "needs root"
has mmdebstrap || skip "mmdebstrap is not installed"
fresh_debian "$work/root" debian-jdk openjdk-17-jdk-headless,ca-certificates-java
cp /etc/resolv.conf "$work/root/etc/"
# A proxy of this network may have its own certificate authority.
cp /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/" 2>/dev/null || true
if [ -e /etc/ssl/certs/java/cacerts ]; then cp /etc/ssl/certs/java/cacerts "$work/root/etc/ssl/certs/java/cacerts"; fi
git clone --quiet "$top" "$work/root/root/checkout"
! inside "$work/root" sh -c 'command -v mvn || command -v curl || command -v wget'
inside "$work/root" sh -ec 'cd /root/checkout && ./metrics-aggregator --version'

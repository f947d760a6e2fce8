# a second build from a clone in another folder and time zone gives the same bytes
# shellcheck shell=bash disable=SC2154
[ -z "$(git -C "$top" status --porcelain)" ] || skip "the checkout has changes that a clone lacks"
git clone --quiet "$top" "$work/another folder"
TZ=Pacific/Auckland DIST_MAVEN_FLAGS="-Duser.timezone=Pacific/Auckland" "$work/another folder/dist/build" --output "$work/again" >/dev/null
diff <(cd "$release" && sha256sum metrics[-_]aggregator*) <(cd "$work/again" && sha256sum metrics[-_]aggregator*) || {
    for each in tar.gz deb; do
        for first in "$release"/*."$each"; do cmp "$first" "$work/again/${first##*/}" || true; done
    done
    fail "the builds differ"
}
cat "$work/again/SHA256SUMS"

# the release script refuses what is not ready; its dry run makes every file of the release and leaves the repository as it is
# of: .ci/release dist/files dist/bom dist/checksums dist/licences dist/NOTICE dist/provenance dist/wheel dist/rpm
# shellcheck shell=bash disable=SC2154
git clone --quiet "$top" "$work/checkout"
cd "$work/checkout"
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
number=${version%-SNAPSHOT}
refuses() {
    local why=$1
    shift
    if .ci/release "$@" >"$work/refused" 2>&1; then fail "the release script accepted: $*"; fi
    grep -q -- "$why" "$work/refused" || fail "no '$why' in: $(cat "$work/refused")"
}
refuses 'VERSION is MAJOR.MINOR.PATCH' 1.0 --dry-run
refuses 'no heading' 99.0.0 --dry-run
refuses 'ends in -SNAPSHOT' "$number" --dry-run --next 99.0.0
touch new-file
refuses 'has changes' "$number" --dry-run
rm new-file
git tag "v$number"
refuses 'the tag' "$number" --dry-run
git tag --delete "v$number" >/dev/null

options=
if has gpg; then
    export GNUPGHOME=$work/gpg
    mkdir -m 700 "$GNUPGHOME"
    trap 'gpgconf --kill gpg-agent' EXIT
    gpg --batch --quiet --passphrase '' --quick-generate-key test@example.org
    options="--key test@example.org"
else
    not_checked "the signature (gpg is not installed)"
fi
before=$(git rev-parse HEAD)
begin=$(date +%s)
# shellcheck disable=SC2086
.ci/release "$number" --dry-run --output "$work/files" $options | tee "$work/dry-run"
echo "dry run: $(($(date +%s) - begin)) s"
[ "$(git rev-parse HEAD)" = "$before" ] && [ -z "$(git tag)" ] && [ -z "$(git status --porcelain)" ] || fail "the dry run changed the repository"
[ -s "$work/files/metrics-aggregator-$number-linux-$(uname -m).sbom.cdx.json" ] || fail "no bill of materials"
(cd "$work/files" && sha256sum --quiet -c SHA256SUMS)
if [ -n "$options" ]; then gpg --batch --verify "$work/files/SHA256SUMS.asc" "$work/files/SHA256SUMS"; fi
"$top/dist/files" "$work/files"
statement=$work/files/metrics-aggregator-$number.unsigned.intoto.json
if has jq; then
    jq -r '.subject[] | .digest.sha256 + "  " + .name' "$statement" | sort >"$work/subjects"
    diff "$work/subjects" <(grep -v intoto "$work/files/SHA256SUMS" | sort) || fail "the provenance names other files than SHA256SUMS"
    jq -r '.predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit' "$statement" | grep -qxE '[0-9a-f]{40}' || fail "the provenance has no commit"
else
    not_checked "the provenance (jq is not installed)"
fi
(cd "$work/files" && diff <(cut -c 67- SHA256SUMS | sort) <(find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | sort)) || fail "SHA256SUMS does not cover the release"
sed -n 's/^release: left out:/not checked: what the dry run left out:/p' "$work/dry-run"

# every sub-command has a man page that renders without a warning, and bash, zsh and fish complete every option of run
# shellcheck shell=bash disable=SC2154
unpack "$work"
home=$work/metrics-aggregator-$version
"$home/bin/metrics-aggregator" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\{2,\}\) .*/\1/p' >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 15 ] || fail "found only $(wc -l <"$work/commands") commands in the help"
while read -r command; do
    [ -s "$home/share/man/man1/metrics-aggregator-$command.1.gz" ] || fail "no man page of $command"
done <"$work/commands"
if has man; then
    for page in "$home"/share/man/man1/*.gz; do
        MANWIDTH=100 man --warnings -E UTF-8 -l "$page" >"$work/page" 2>"$work/warnings"
        [ ! -s "$work/warnings" ] || { cat "$work/warnings" && fail "$page renders with warnings"; }
    done
    MANWIDTH=100 man -E UTF-8 -l "$home/share/man/man1/metrics-aggregator-run.1.gz" | grep -- '--scrape=URL,OPTION…' >/dev/null ||
        fail "the synopsis of run is broken"
else
    not_checked "man is not installed"
fi
"$home/bin/metrics-aggregator" run --help-all | grep -o -E '(^| )--[a-z][a-z0-9-]+' | tr -d ' ' | sort -u >"$work/options"
[ "$(wc -l <"$work/options")" -ge 50 ] || fail "found only $(wc -l <"$work/options") options of run"
# shellcheck disable=SC2016
bash --norc -c '. "$1"; COMP_WORDS=(metrics-aggregator run --); COMP_CWORD=2; COMP_LINE="metrics-aggregator run --"; COMP_POINT=${#COMP_LINE}
    _complete_metrics-aggregator 2>/dev/null; printf "%s\n" "${COMPREPLY[@]}"' bash \
    "$home/share/bash-completion/completions/metrics-aggregator" | tr -d " '" | sed 's/=$//' | sort -u >"$work/bash"
comm -23 "$work/options" "$work/bash" >"$work/missing"
[ ! -s "$work/missing" ] || fail "bash does not complete: $(tr '\n' ' ' <"$work/missing")"
# completes COMMAND OPTION: the values that bash offers
# shellcheck disable=SC2016
values() {
    bash --norc -c '. "$1"; COMP_WORDS=(metrics-aggregator "$2" "$3" ""); COMP_CWORD=3; COMP_LINE="metrics-aggregator $2 $3 "; COMP_POINT=${#COMP_LINE}
        _complete_metrics-aggregator 2>/dev/null; echo "${COMPREPLY[*]}"' bash \
        "$home/share/bash-completion/completions/metrics-aggregator" "$1" "$2"
}
case $(values report --format) in *html*junit*) ;; *) fail "bash completes report --format with: $(values report --format)" ;; esac
case $(values report --log-format) in *text*json*) ;; *) fail "bash completes report --log-format with: $(values report --log-format)" ;; esac
case $(values run --token-source) in *usage*) ;; *) fail "bash completes run --token-source with: $(values run --token-source)" ;; esac
if has fish; then
    # shellcheck disable=SC2016
    HOME=$work fish --no-config -c 'source $argv[1]; complete -C "metrics-aggregator run --"' \
        "$home/share/fish/vendor_completions.d/metrics-aggregator.fish" | cut -f 1 | sed 's/=$//' | sort -u >"$work/fish"
    comm -23 "$work/options" "$work/fish" >"$work/missing"
    [ ! -s "$work/missing" ] || fail "fish does not complete: $(tr '\n' ' ' <"$work/missing")"
else
    not_checked "fish is not installed"
fi
if has zsh; then
    zsh -f -c 'autoload -U compinit && compinit -u -D; fpath=("$1" $fpath); . "$1/_metrics-aggregator"; whence _complete_metrics-aggregator' \
        zsh "$home/share/zsh/site-functions" 2>"$work/zsh" || { cat "$work/zsh" && fail "zsh cannot load its completion"; }
    [ ! -s "$work/zsh" ] || { cat "$work/zsh" && fail "zsh's completion prints errors"; }
else
    not_checked "zsh is not installed"
fi

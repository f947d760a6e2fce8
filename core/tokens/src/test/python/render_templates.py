"""Renders chat templates with transformers' own environment: render_templates.py > ../resources/templates/cases.json

The templates below resemble those of published models. Needs transformers and jinja2, and no model.
"""
import json

from transformers.utils.chat_template_utils import _compile_jinja_template

CHAT = [
    {"role": "system", "content": "  You are brief.\n"},
    {"role": "user", "content": "What's 2 < 3 & \"more\"? naïve 😀"},
    {"role": "assistant", "content": "<think>hm\n</think>\n\nYes", "reasoning_content": "because"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": {"city": "Zürich", "n": 3, "x": 1.5}}},
            {"id": "c2", "type": "function", "function": {"name": "clock", "arguments": {}}},
        ],
    },
    {"role": "tool", "content": "12", "name": "look"},
    {"role": "user", "content": [{"type": "text", "text": "and "}, {"type": "image"}, {"type": "text", "text": "now"}]},
]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "look",
            "description": "Looks.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]
BASE = {"messages": CHAT, "tools": TOOLS, "documents": None, "add_generation_prompt": True, "bos_token": "<s>", "eos_token": "</s>"}
PLAIN = dict(BASE, tools=None, messages=[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}])

cases = []


def case(name, template, variables=BASE):
    try:
        result = {"text": _compile_jinja_template(template).render(**variables)}
    except Exception as error:  # noqa: BLE001 failing templates are cases too
        result = {"error": type(error).__name__}
    cases.append({"name": name, "template": template, "variables": variables, **result})


def expr(expression, **variables):
    case(expression, "{{ " + expression + " }}", variables)


case(
    "im frames",
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
)
case(
    "system first, turns checked",
    """{{- bos_token }}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set rest = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
    {%- set rest = messages %}
{%- endif %}
{%- for message in rest %}
    {%- if message.role == 'user' and message.content is string %}
        {{- '[INST] ' + (system_message + '\\n\\n' if loop.first and system_message else '') + message.content + ' [/INST]' }}
    {%- elif message.role == 'assistant' and message.content %}
        {{- ' ' ~ message.content ~ eos_token }}
    {%- endif %}
{%- endfor %}
""",
)
case(
    "tools and calls",
    """{%- if tools %}
    {{- '# Tools\\n' }}
    {%- for tool in tools %}
        {{- tool | tojson(indent=4) }}
        {{- "\\n" }}
    {%- endfor %}
{%- endif %}
{%- for message in messages %}
    {%- if message.tool_calls is defined and message.tool_calls %}
        {%- for call in message.tool_calls %}
            {%- if call.function %}{% set call = call.function %}{% endif %}
            {{- '\\n<tool_call>\\n{"name": "' + call.name + '", "arguments": ' }}
            {{- call.arguments | tojson }}
            {{- '}\\n</tool_call>' }}
        {%- endfor %}
    {%- elif message.role == "tool" %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}{{- '<|user|>' }}{%- endif %}
        {{- '\\n<tool_response>' ~ message.content ~ '</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}{{- '<|end|>' }}{%- endif %}
    {%- endif %}
{%- endfor %}""",
)
case(
    "namespace, reverse slices, last query",
    """{%- set ns = namespace(multi_step=true, last=messages|length - 1, seen=[]) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step and message.role == "user" and message.content is string and not(message.content.startswith('<tool')) %}
        {%- set ns.multi_step = false %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{{- ns.last }}|{{ ns.multi_step }}
{%- for message in messages %}
    {%- if message.role == "assistant" and message.content %}
        {%- set content = message.content %}
        {%- set thought = '' %}
        {%- if '</think>' in content %}
            {%- set thought = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {{- '[' ~ thought ~ '|' ~ content ~ '|' ~ (message.reasoning_content or '') ~ ']' }}
    {%- endif %}
{%- endfor %}""",
)
case(
    "content parts",
    """{% for message in messages %}
{% if message['content'] is string %}
{{ message['content'] }}
{% elif message['content'] is iterable and message['content'] is not none %}
    {% for item in message['content'] %}
        {% if item['type'] == 'image' %}<image>{% elif 'text' in item %}{{ item['text'] }}{% endif %}
    {% endfor %}
{% endif %}
{% endfor %}""",
)
case(
    "macro with defaults",
    """{%- macro frame(role, text='', end='<e>') -%}
<{{ role }}>{{ text }}{{ end }}
{%- endmacro -%}
{{ frame('a') }}{{ frame('b', 'x y') }}{{ frame('c', end='!') }}{{ frame('d') | upper }}""",
)
case(
    "json schema to types by a recursive macro",
    """{%- macro kind(p) -%}
{%- if p.type == 'array' -%}list[{{ kind(p['items']) }}]{%- elif p.type == 'object' -%}
{ {%- for k, v in p.properties.items() %}{{ k }}: {{ kind(v) }}{% if not loop.last %}, {% endif %}{% endfor -%} }
{%- elif p.type is iterable and p.type is not string -%}{{ p.type | join(' | ') }}{%- else -%}{{ p.type }}{%- endif -%}
{%- endmacro -%}
{{ kind({'type': 'object', 'properties': {'a': {'type': 'array', 'items': {'type': ['string', 'null']}}, 'b': {'type': 'integer'}}}) }}""",
)
case("safe text in a variable", "{% set s = '<'|safe %}{% set t = s + '>' %}{{ t }}{{ s ~ '>' }}{% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(*['<', '>']) }}{{ m(**{'a': 1, 'b': 2}) }}", {})
case("generation", "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}\n{{ m.content }}{% endgeneration %}{% endif %}{% endfor %}", PLAIN)
case("raise_exception", "{% if messages[0].role != 'system' %}{{ raise_exception('system first') }}{% endif %}", PLAIN)
case("not raised", "{% if false %}{{ raise_exception('no') }}{% endif %}ok", PLAIN)
case("break and continue", "{% for i in range(10) %}{% if i == 2 %}{% continue %}{% endif %}{% if i > 5 %}{% break %}{% endif %}{{ i }}{% endfor %}", {})
case("loop variables", "{% for x in 'abc' %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.cycle('o', 'e') }};{% endfor %}", {})
case("loop filter and else", "{% for x in [1, 2, 3, 4] if x is even %}{{ x }}{{ loop.index }}{% else %}none{% endfor %}{% for x in [] %}{% else %}empty{% endfor %}", {})
case("loop over items", "{% for k, v in {'b': 1, 'a': 2} | dictsort %}{{ k }}={{ v }} {% endfor %}{% for k, v in d.items() %}{{ k }}{{ v }}{% endfor %}", {"d": {"x": [1, None, True], "y": {"z": "q'"}}})
case("scopes", "{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}{% if true %}{% set x = 9 %}{% endif %}{{ x }}", {})
case("set block and filter block", "{% set x %}  a\n b {% endset %}[{{ x | trim }}]{% filter upper %}abc{{ 1 }}{% endfilter %}", {})
case("with", "{% with a = 1, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}", {"a": 7})
case("tuple set", "{% set a, b = 1, 'x' %}{{ a }}{{ b }}", {})
case("raw", "{% raw %}{{ not }} {% this %}{% endraw %}!", {})
case("comments", "a {# gone #}\nb\n  {# gone too #}\nc{#- x -#} d", {})
case("trim and lstrip", "x\n  {% if true %}\n    y\n  {% endif %}\nz {% if true %} w {% endif %}\n{%- if true %}\n  v{% endif +%}\n end\n\n", {})
case("plus keeps the indent", "a\n  {%+ if true %}b{% endif %}\n\tc", {})
case("stripping prints", "a  {{- 1 -}}  b\n {{ 2 }} \n {{- 3 }}", {})
case("undefined attribute", "{{ messages[0].nothing.more }}", PLAIN)
case("undefined prints as nothing", "[{{ nothing }}{{ messages[0].nothing }}{{ messages[9] }}]{{ 'y' if nothing else 'n' }}", PLAIN)
case("undefined in a sum", "{{ nothing + 1 }}", {})
case("unknown filter", "{{ 1 | nosuch }}", {})
case("a sandbox", "{{ messages.append(1) }}", PLAIN)
case("a long range", "{% for i in range(1000000000) %}{% endfor %}", {})
case("syntax error", "{% if x %}", {})
for expression in [
    "1 + 2 * 3 - 4", "7 // 2 ~ 7 % 3 ~ -7 // 2 ~ -7 % 3", "7 / 2", "2 ** 3 ** 2", "1.0", "1e3", "1e-7", "0.1 + 0.2", "100000000000000000.0", "12345678.9",
    "'a' 'b' + 'c'", "'ab' * 3", "[1, 'a', None, true, 1.5]", "{'a': [1], 'b': none}", "(1, 2)", "(1,)", "'it\\'s'", "['it\\'s', \"q\\\"\"]",
    "1 < 2 < 3", "1 < 2 > 3", "1 in [1, 2]", "3 not in [1, 2]", "'a' in 'cat'", "not 1 == 2", "1 if 0 else 2", "1 if false", "none is none", "x is defined",
    "'a' is string and 1 is number and [] is iterable and {} is mapping", "true is boolean", "3 is odd", "4 is divisibleby 2", "2 is in [1, 2]", "1 is not none",
    "true + true", "1 == 1.0", "'a' < 'b'", "none == false", "[1, 2] == [1, 2]", "none or 'x' and 'y'", "'' or none or 0",
    "'abcdef'[1:4] ~ 'abcdef'[::-1] ~ 'abcdef'[-2:] ~ 'abcdef'[:-2] ~ 'abcdef'[4:1:-1] ~ 'abcdef'[10:]", "[1, 2, 3, 4][::2]", "[1, 2, 3][-1] ~ 'abc'[1] ~ 'abc'[-1]",
    "'  x '.strip() ~ '|' ~ 'xxaxx'.strip('x') ~ '|' ~ 'ab'.upper() ~ 'hello world'.title() ~ 'HELLO'.capitalize()",
    "'a,b,,c'.split(',')", "' a  b '.split()", "'a b c'.split(' ', 1)", "'a.b.c'.rsplit('.', 1)", "'a\\nb'.splitlines()", "'a-b'.partition('-')", "'-'.join(['a', 'b'])",
    "'aXbX'.replace('X', '') ~ 'aXbX'.replace('X', 'y', 1)", "'abc'.find('c') ~ 'abc'.find('z') ~ 'abcabc'.count('b')", "'abc'.startswith('ab') ~ 'abc'.endswith(('x', 'c'))",
    "'abc'.removeprefix('a').removesuffix('c')", "'12'.isdigit() ~ 'a1'.isalpha() ~ ' '.isspace()", "'{} and {}'.format(1, 'x')", "'%s is %d' % ('a', 3)", "'5'.zfill(3) ~ 'a'.ljust(3) ~ '|'",
    "[3, 1, 2] | sort ~ '' ~ [3, 1, 2] | sort(reverse=true) | join(',')", "['b', 'A', 'c'] | sort | join", "[1, 2, 3] | sum ~ [1, 2, 3] | max ~ [1, 2, 3] | min", "[1, 2, 2, 1] | unique | list",
    "[1, 2, 3] | first ~ [1, 2, 3] | last ~ [1, 2, 3] | length", "[1, 2, 3] | reverse | list", "'abc' | reverse", "['a', 'b'] | map('upper') | list", "[{'n': 1}, {'n': 2}] | map(attribute='n') | list",
    "[1, 2, 3, 4] | select('even') | list", "[1, 2, 3] | reject('equalto', 2) | list", "[{'r': 'u'}, {'r': 'a'}] | selectattr('r', 'equalto', 'u') | list", "[{'r': 1}, {}] | selectattr('r') | list", "[{'r': 1}, {}] | rejectattr('r', 'defined') | list",
    "x | default('d') ~ '' | default('d') ~ '' | default('d', true)", "'3' | int + 1 ~ 'x' | int(5)", "'2.5' | float", "3.7 | int", "2.5 | round ~ 3.14159 | round(2) ~ 2.1 | round(0, 'ceil')", "-3 | abs",
    "'a\\nb\\n\\nc' | indent(2)", "'a\\nb' | indent(2, true)", "'<a>&\\'\"' | e", "'<a>' | safe", "'hello world foo bar' | truncate(11)", "'a b c' | wordcount", "'x' | center(5) ~ '|'",
    "{'b': 1, 'a': {'z': 'é'}} | tojson", "{'b': 1, 'a': 2} | tojson(sort_keys=true)", "[1, {'a': []}, {}] | tojson(indent=2)", "{'a': 1} | tojson(separators=(',', ':'))", "'é\"\\n' | tojson(ensure_ascii=true)", "[1.0, 1e20, none, true] | tojson",
    "[1, 2, 3, 4, 5] | batch(2) | list", "[1, 2, 3, 4, 5] | slice(2) | list", "[{'k': 'a', 'v': 1}, {'k': 'b', 'v': 2}, {'k': 'a', 'v': 3}] | groupby('k') | list | length",
    "'AbC' | lower ~ 'AbC' | upper ~ 'ab cd' | title ~ 'aB' | capitalize", "'  a ' | trim", "'aba' | replace('a', 'x')", "[1, [2]] | string", "range(3) | list", "range(5, 1, -2) | list", "dict(a=1, b='x')",
    "{'a': 1}.get('a') ~ {'a': 1}.get('b') ~ {'a': 1}.get('b', 2)", "{'a': 1}.items() | list", "{'a': 1}.keys() | list", "'a' ~ none ~ true ~ 1.5", "1 | string + 'x'", "-2 ** 2", "- 3 | abs", "[[1, 2], [3]] | sum(start=[])", "'a' is in 'abc'",
    "strftime_now('%%')", "1 / 0", "[] | first", "'x'.nosuch()", "none.x", "none | length", "5 | length", "'abc' | list", "(1, 2) + (3,)", "[1] + [2]", "'%5d' % 3", "1 is eq 1 and 2 is gt 1",
    # Filters on members treat None as empty; other filters reject it.
    "none | select | list", "none | reject | list", "none | selectattr('a') | list", "none | rejectattr('a') | list", "none | map('upper') | list", "none | map(attribute='a') | list",
    "none | list", "none | join", "none | first", "none | unique | list", "none | sort", "none | sum", "none | reverse | list", "x | select | list", "x | map('upper') | list", "0 | select | list",
    # Generators: no JSON form, no length, true, iterated once.
    "['a'] | map('upper') | tojson", "[1] | select | tojson", "[1] | unique | tojson", "[1, 2] | batch(1) | tojson", "{'a': 1} | items | tojson", "[1] | reverse | tojson", "range(3) | tojson",
    "{'a': 1}.items() | tojson", "{'a': 1}.keys() | tojson", "{'a': 1} | dictsort | tojson", "['a'] | map('upper') | length", "[1] | map('string') | list | tojson", "([] | select) and 1", "'y' if [] | map('upper') else 'n'",
    "[1, 2] | select | first", "[1, 2] | select | last", "([1, 2] | select)[0]", "([1, 2] | select)[0:1]", "[1] | map('abs') is iterable", "[1] | map('abs') is sequence", "range(2) is sequence", "{'a': 1}.items() is sequence", "{'a': 1}.items() is iterable",
    "([1] | map('abs')) + [2]", "[1] + (2,)", "{'a': 1}.items()", "{'a': 1}.keys()", "{'a': 1}.values()", "range(3)", "range(1, 9, 2)", "range(3)[1]", "range(3) | length", "{'a': 1}.items() | length", "{'a': 1}.items()[0]", "range(3) == range(3)", "2 in range(3)", "{'a': 1}.keys() | list | tojson",
    "[[1, 2], [3]] | map('length') | list", "[1, 2, 3] | map('string') | join('-')", "[{'a': {'b': 1}}, {}] | map(attribute='a.b') | list | length", "[{'a': 1}, {}] | map(attribute='a', default=0) | list", "'abc' | select('in', 'ac') | list", "[1, 'a', none] | select('string') | list", "{'b': 1, 'a': 2} | map('upper') | list", "[1, 2, 3, 4] | select('divisibleby', 2) | list",
    "{'a': 1} | items | list", "x | items | list", "none | items | list", "[1] | items | list", "['a', 'A'] | unique | list", "['a', 'A'] | unique(true) | list", "[3, 1] | sort | tojson", "{'a': none}.a | default('d', true)", "[none, 1] | first | tojson",
    # None as content beside tool calls.
    "none ~ 'x'", "none | trim", "none | string", "none | length > 0", "'a' in none", "none + 'a'", "none | upper", "none is string or none is mapping", "none is iterable", "none[0]", "none['a']", "none.a", "none == x", "(none or '') | trim", "none | replace('N', 'x')", "none | default('')", "none | tojson", "none.split('a')", "'a' ~ (none if true else '')",
    # tojson of transformers, and dictionary keys.
    "{'a': 1} | tojson(4)", "'é' | tojson(4)", "[1, 2] | tojson(indent=0)", "[1] | tojson(indent='--')", "(1, 2) | tojson", "{1: 'a', none: 'b', false: 'c', 1.5: 'd'} | tojson", "{(1, 2): 3} | tojson", "{(1, 2): 3}", "{[1]: 2}", "{'a': 1}[[1]]", "[1] in {'a': 1}", "{none: 1}[none]", "{none: 1}", "x | tojson", "[x] | tojson", "namespace(a=1) | tojson", "1e400 | tojson", "dict([('a', 1)], b=2) | tojson",
    # Methods and filters of text.
    "'a\\u2028b\\x85c\\x1cd' .splitlines()", "'a\\n\\nb'.splitlines(true)", "'a b  c'.split(none, 1)", "'  a b '.split(none, 1)", "'abcabc'.rfind('b') ~ 'abcabc'.rindex('b') ~ 'abc'.index('c')", "'abc'.index('z')", "'-'.join([1, 2])", "'aaa'.count('') ~ 'aaaa'.count('aa')", "'abc'.rpartition('b')", "'a--b--c'.rsplit('--', 1)", "'a--b--c'.rsplit('--')", "'xyxy'.strip('xy') ~ '|'", "'abcdefghijklmnopqrstuvwxyz' in 'xx abcdefghijklmnopqrstuvwxyz'", "'abcdefghijklmnopqrstuvwxyz'.find('bcdefghijklmnopqrstuvw')", "'aaaaaaaaaaaaaaaaaaaab'.find('aaaaaaaaaaaaaaaaaab')", "'abab'.replace('ab', 'abab')", "'😀a'[1] ~ '😀a'[0:1] ~ '😀a'[::-1] ~ '😀a' | length", "['\\u00ad\\u200b\\ue000']", "'a' < '😀' and '\\uffff' < '😀'", "'ab'.center(5) ~ '|' ~ 'abc'.center(6) ~ '|' ~ 'abc'.center(8, '.')", "'x'.ljust(3, '.') ~ 'x'.rjust(3, '.')", "'x'.ljust(3, 'ab')", "'a1'.isalnum() ~ 'A'.isupper() ~ 'a'.islower() ~ '1'.isupper()", "'A' is upper ~ 'a' is lower ~ '1' is lower", "'a\\nb\\n' | indent(2)", "'a,b' | replace(',', ';') | list", "'a  b-c' | wordcount", "[1, 2] * 2", "(1,) * 2", "[] == ()", "{'a': [1]} == {'a': [1]}", "[1] < [2] and [1] < [1, 0]", "namespace(a=1).a", "joiner(',')()",
    "'a'|safe + '<b>'", "'<a>' + '<b>'|safe", "'<a>'|safe ~ '<b>' ~ 1", "('<a>'|safe) == '<a>'", "'<a>'|safe|upper", "'<'|e + '<'", "'<a>'|safe|tojson", "('<' if true else '')|safe + '>'",
    "'{} {}'.format(*['a', 'b'])", "dict(**{'a': 1})", "dict(*[[('a', 1)]], b=2)", "namespace(**{'a': 1}).a", "range(*(1, 3)) | list", "dict(**1)",
    "messages is defined", "x is undefined or y", "'a' not in ['b'] and not x",
]:
    expr(expression)
print(json.dumps({"cases": cases}, ensure_ascii=False, indent=1))

"""Writes token counts of chats as MLCommons endpoints computes them: chat_tokens.py > ../resources/chat/cases.json

Counts with transformers (5.5.0) and byte-level and Llama-like BPE tokenizers that it trains and writes beside the cases, so that the
order of keys and repeated names affect the counts. Needs transformers, tokenizers and msgspec.
"""

import json
import pathlib

import msgspec
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

HERE = pathlib.Path(__file__).resolve().parent.parent / "resources" / "chat"
TEMPLATE = (
    "{% if tools %}<tools>{% for t in tools %}{{ t | tojson }}{% endfor %}</tools>{% endif %}"
    "{% for m in messages %}<|start|>{{ m.role }}\n{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>\n{% endif %}"
    "{{ m.content }}{% for c in m.tool_calls or [] %}<call>{{ c | tojson }}</call>{% endfor %}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
CORPUS = [
    '{"type": "function", "function": {"arguments": {"city": "Berlin", "days": 3}, "name": "get_weather"}, "id": "call_0"}',
    '{"type":"function","function":{"arguments":"{\\"city\\": \\"Berlin\\"}","name":"get_weather"},"id":"call_0"}',
    "the quick brown fox jumps over the lazy dog and runs away", "<|start|>assistant\n<think>because of that</think>\nYes<|end|>\n",
    "What is the weather in Berlin? It is warm today, and it will be warm tomorrow.",
] * 20


def train(name, normalizer, pre_tokenizer, alphabet):
    tokenizer = Tokenizer(models.BPE(unk_token=None, byte_fallback=False))
    if normalizer:
        tokenizer.normalizer = normalizer
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    trainer = trainers.BpeTrainer(vocab_size=500, special_tokens=["<s>", "</s>"], initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    folder = HERE / name
    folder.mkdir(parents=True, exist_ok=True)
    if name == "llama":
        # Words are split only for training: like that of Llama 2, the tokenizer treats the whole text as one word.
        tokenizer.pre_tokenizer = None
        tokenizer = Tokenizer.from_str(json.dumps({**json.loads(tokenizer.to_str()), "pre_tokenizer": None}))
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "tokenizer_config.json").write_text(json.dumps({"bos_token": "<s>", "eos_token": "</s>"}))
    return tokenizer


def piece(index, name=None, arguments=None, **more):
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {"index": index, **more, "function": function}


ONCE = [[piece(0, "get_weather", "", id="call_0", type="function")], [piece(0, None, '{"city": ')], [piece(0, None, '"Berlin"}')]]
REPEATED = [[piece(0, "get_weather", "", id="call_0", type="function")], [piece(0, "get_weather", '{"city": ', id="", type="")], [piece(0, "", '"Berlin"}', id="", type="")]]
RENAMED = [[piece(0, "get", "")], [piece(0, "get_weather", '{"days": 3}')]]
SEVERAL = [[piece(0, "get_weather", "{}", id="a"), piece(1, "clock", "", id="b")], [piece(1, "clock", "{}")], [piece(2, "run", "not json")]]
WHOLE = [{"id": "call_0", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Berlin", "days": 3}'}}]
TEXT = ["the quick ", "brown fox ", "jumps"]
THOUGHT = ["because ", "of that"]
OUTPUTS = [
    [TEXT, None, None], ["the quick brown fox", None, None], [TEXT, THOUGHT, None], ["the quick brown fox", THOUGHT, None],
    [TEXT, "because of that", None], ["the quick brown fox", "because of that", None], [TEXT, ["because"], None], ["", ["because"], None],
    ["", THOUGHT, None], [TEXT, [""], None], ["", [""], None], ["", "", None], [[""], None, None], [["only"], None, None],
    ["", None, ONCE], ["", None, REPEATED], ["", None, RENAMED], ["", None, SEVERAL], ["", None, WHOLE], [TEXT, None, WHOLE], [TEXT, None, REPEATED],
    ["so", None, ONCE], [["so"], None, ONCE], [TEXT, THOUGHT, SEVERAL], ["so", "because", WHOLE], ["", THOUGHT, REPEATED], ["", None, ONCE[:1]],
    ["", None, [[piece(0)]]], ["", None, []],
]
USER = {"role": "user", "content": "What is the weather in Berlin?"}
CALLED = {"role": "assistant", "content": "", "tool_calls": WHOLE}
PROMPTS = [
    [[USER], None, None, None, None], [[USER, CALLED, {"role": "tool", "content": "warm"}], [{"type": "function", "function": {"name": "get_weather"}}], None, None, None],
    [[USER], None, {"extra": "the fox"}, "{{ messages[0].content }}{{ extra }}{{ tool_choice }}", "auto"], [[USER], [], {"tools": ["x"]}, None, None],
    [[USER, {"role": "assistant", "content": None, "tool_calls": WHOLE}], None, {"add_generation_prompt": False}, None, None],
    [[USER], None, None, "{{ raise_exception('no') }}", None], [[], None, None, None, None],
]


def joined(calls):
    """Joins streamed calls: the last non-empty name, id and type, and concatenated arguments, with keys in this order."""
    if not calls or not isinstance(calls[0], list):
        return calls or []
    made = {}
    for chunk in calls:
        for part in chunk:
            call = made.setdefault(part["index"], {"type": "function", "function": {"arguments": ""}})
            for key in ("id", "type"):
                if part.get(key):
                    call[key] = part[key]
            if part["function"].get("name"):
                call["function"]["name"] = part["function"]["name"]
            call["function"]["arguments"] += part["function"].get("arguments") or ""
    return [made[index] for index in sorted(made)]


def parsed(calls):
    made = []
    for call in calls:
        try:
            arguments = json.loads(call["function"]["arguments"])
        except ValueError:
            arguments = None
        made.append({**call, "function": {**call["function"], "arguments": arguments}} if isinstance(arguments, dict) else call)
    return made


class Counter:
    def __init__(self, tokenizer):
        self.tokenizer = tokenizer
        try:
            self.frame = len(self.chat([{"role": "user", "content": ""}, {"role": "assistant", "content": ""}]))
        except ValueError:
            self.frame = 0

    def chat(self, messages, opened=False, **more):
        return self.tokenizer.apply_chat_template(messages, tokenize=True, add_generation_prompt=opened, return_dict=False, **more)

    def text(self, text):
        return len(self.tokenizer.encode(text, add_special_tokens=False))

    def message(self, content, reasoning, calls):
        calls = joined(calls)
        message = {"role": "assistant", "content": content}
        if reasoning:
            message["reasoning_content"] = reasoning
        if calls:
            message["tool_calls"] = parsed(calls)
        try:
            return max(0, len(self.chat([{"role": "user", "content": ""}, message])) - self.frame)
        except Exception:  # noqa: BLE001 the tool catches everything too
            tail = msgspec.json.encode(calls).decode() if calls else None
            return self.text("\n".join(part for part in (content, reasoning, tail) if part))

    def output(self, output, reasoning, calls):
        """Returns the tokens and the tokens after the first chunk; None where nothing is recorded."""
        text = "".join(output)
        thought = "".join(reasoning or "")
        if not (reasoning or calls):
            rest = "".join(output[1:]) if isinstance(output, list) else ""
            return (self.text(text) if text else None), (self.text(rest) if rest else None)
        if reasoning:
            after = "".join(reasoning[1:]) if isinstance(reasoning, list) else ""
            content = text if isinstance(reasoning, list) or isinstance(output, list) else ""
            tail = calls
        elif text:
            after, content, tail = "", "".join(output[1:]) if isinstance(output, list) else "", calls
        else:
            after, content, tail = "", "", calls[1:] if isinstance(calls[0], list) else calls
        return self.message(text, thought, calls), self.message(content, after, tail)

    def prompt(self, messages, tools, variables, template, choice):
        more = dict(variables or {})
        more.pop("add_generation_prompt", None)
        for key, value in (("tools", tools), ("chat_template", template), ("tool_choice", choice)):
            if value is not None:
                more[key] = value
        normal = [{**m, "tool_calls": parsed(m["tool_calls"])} if m.get("tool_calls") else m for m in messages]
        try:
            return len(self.chat(normal, True, **more))
        except Exception:  # noqa: BLE001 the tool catches everything too
            return self.text(msgspec.json.encode({"messages": normal, **({"tools": tools} if tools is not None else {})}).decode())


def main():
    bytelevel = train("bytelevel", None, pre_tokenizers.ByteLevel(add_prefix_space=False), pre_tokenizers.ByteLevel.alphabet())
    train(
        "llama", normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
        pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="never"), [chr(c) for c in range(33, 127)] + ["▁", "\n", "é"],
    )
    (HERE / "bytelevel" / "chat_template.jinja").write_text(TEMPLATE)
    cases = []
    for template in (TEMPLATE, None):
        fast = transformers.PreTrainedTokenizerFast(tokenizer_object=bytelevel, bos_token="<s>", eos_token="</s>")
        fast.chat_template = template
        counter = Counter(fast)
        for output in OUTPUTS:
            tokens, after = counter.output(*output)
            cases.append({"template": bool(template), "output": output, "tokens": tokens, "after_first": after})
        for prompt in PROMPTS:
            cases.append({"template": bool(template), "prompt": prompt, "tokens": counter.prompt(*prompt)})
    print(json.dumps({"transformers": transformers.__version__, "cases": cases}, indent=1))


if __name__ == "__main__":
    main()

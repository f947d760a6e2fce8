"""Renders chat templates with transformers' own apply_chat_template: chat_templates.py [FOLDER...]

The templates are those that installed packages (trl, axolotl; not imported) contain for models, and all *.jinja in the given
folders. Prints JSON: the version of transformers, and for each case the template, its variables, and the text or the error.
"""

import importlib.metadata
import json
import pathlib
import sys

import transformers
from tokenizers import Tokenizer, models

transformers.logging.set_verbosity_error()
TOKENIZER = transformers.PreTrainedTokenizerFast(
    tokenizer_object=Tokenizer(models.WordLevel({"<unk>": 0}, unk_token="<unk>")),
    bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>",
)
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "look",
            "description": "Looks.\nIn \"detail\".",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Which. é"},
                    "unit": {"type": "string", "enum": ["c", "f"], "default": "c"},
                    "days": {"type": ["integer", "null"]},
                    "places": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "number"}}}},
                },
                "required": ["city"],
            },
        },
    },
    {"type": "function", "function": {"name": "clock", "description": "Tells the time.", "parameters": {"type": "object", "properties": {}}}},
]
SYSTEM = {"role": "system", "content": "  You are brief.\n"}
USER = {"role": "user", "content": "What's 2 < 3 & \"more\"? naïve 😀 "}
EMPTY = {"role": "user", "content": ""}
YES = {"role": "assistant", "content": "<think>hm\n</think>\n\nYes\n"}
THOUGHT = {"role": "assistant", "content": "Yes", "reasoning_content": "because\nof that"}
CALL = {"type": "function", "function": {"arguments": {"city": "Zürich", "days": 3, "x": 1.5, "deep": {"a": [1, None, True]}}, "name": "look"}, "id": "callabcde"}
SECOND = {"type": "function", "function": {"arguments": {}, "name": "clock"}, "id": "callfghij"}
RESULT = {"role": "tool", "content": "12 °", "name": "look", "tool_call_id": "callabcde"}
PARTS = {"role": "user", "content": [{"type": "text", "text": "and "}, {"type": "image"}, {"type": "text", "text": "now"}]}


def calls(content, *several, **more):
    message = {"role": "assistant", "tool_calls": list(several), **more}
    return message if content is ... else {**message, "content": content}


CONVERSATIONS = {
    "user": ([USER], {}),
    "system": ([SYSTEM, USER], {}),
    "turns": ([USER, YES, USER, THOUGHT, USER], {}),
    "tools": ([SYSTEM, USER], {"tools": TOOLS}),
    "no tools": ([USER], {"tools": []}),
    "call, content none": ([USER, calls(None, CALL), RESULT, USER], {"tools": TOOLS}),
    "call, content empty": ([SYSTEM, USER, calls("", CALL), RESULT], {"tools": TOOLS}),
    "call, content missing": ([USER, calls(..., CALL), RESULT], {"tools": TOOLS}),
    "calls, content, reasoning": ([USER, calls("So", CALL, SECOND, reasoning_content="hm"), RESULT, {**RESULT, "content": "13"}, THOUGHT, USER], {"tools": TOOLS}),
    "call without tools": ([USER, calls(None, CALL), RESULT], {}),
    "call, arguments text": ([USER, calls("", {**CALL, "function": {"name": "look", "arguments": "not json"}}), RESULT], {"tools": TOOLS}),
    "parts": ([PARTS], {}),
    "parts of a tool": ([USER, calls("", CALL), {**RESULT, "content": [{"type": "text", "text": "12"}]}], {"tools": TOOLS}),
    "thinking off": ([USER, THOUGHT, USER], {"enable_thinking": False}),
    "thinking on": ([USER, THOUGHT, USER], {"enable_thinking": True, "reasoning_effort": "high"}),
    "documents": ([USER], {"documents": [{"title": "T", "text": "body"}]}),
    "other names": ([USER, {"role": "assistant", "content": "x", "reasoning": "r"}, USER, {"role": "assistant", "content": "y", "thinking": "t"}, USER], {}),
    "frame": ([EMPTY, {"role": "assistant", "content": ""}], {"open": False}),
    "answer": ([EMPTY, {"role": "assistant", "content": "Yes"}], {"open": False}),
    "answer, reasoning": ([EMPTY, THOUGHT], {"open": False}),
    "answer, reasoning alone": ([EMPTY, {**THOUGHT, "content": ""}], {"open": False}),
    "answer, calls": ([EMPTY, calls("", CALL, SECOND)], {"open": False}),
    "answer, all": ([EMPTY, calls("So", CALL, reasoning_content="hm")], {"open": False}),
    "two systems": ([SYSTEM, SYSTEM, USER], {}),
    "assistant first": ([YES, USER], {}),
    "unknown role": ([{"role": "judge", "content": "x"}], {}),
}


def packaged():
    for package in ("trl", "axolotl"):
        try:
            files = importlib.metadata.files(package) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for file in files:
            if file.suffix == ".jinja":
                yield f"{package} {file.name}", pathlib.Path(file.locate())


def main():
    files = list(packaged())
    for folder in sys.argv[1:]:
        files += [(file.name, file) for file in sorted(pathlib.Path(folder).rglob("*.jinja"))]
    cases = []
    for name, file in files:
        template = file.read_text(encoding="utf-8")
        for conversation, (messages, more) in CONVERSATIONS.items():
            more = dict(more)
            opened = more.pop("open", True)
            try:
                text = TOKENIZER.apply_chat_template(
                    messages, chat_template=template, add_generation_prompt=opened, tokenize=False, **more
                )
                result = {"text": text}
            except Exception as error:  # noqa: BLE001 failing templates are cases too
                result = {"error": f"{type(error).__name__}: {error}"[:200]}
            variables = {"tools": None, "documents": None, **more, "messages": messages, "add_generation_prompt": opened}
            variables.update(TOKENIZER.special_tokens_map)
            cases.append({"name": f"{name}: {conversation}", "template": template, "variables": variables, **result})
    print(json.dumps({"transformers": transformers.__version__, "templates": len(files), "cases": cases}))


if __name__ == "__main__":
    main()

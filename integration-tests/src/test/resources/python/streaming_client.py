"""An agent that nobody wrote a rule for: streaming_client.py REQUESTS [STATUS] reads OPENAI_BASE_URL and streams chat completions.

It offers a tool, answers each call of it, and asks anew after an answer in text. Ends with STATUS, or on SIGINT with 42.
"""
import json
import os
import signal
import sys
import urllib.request

signal.signal(signal.SIGINT, lambda *_: os._exit(42))
base = os.environ["OPENAI_BASE_URL"]
messages = [{"role": "user", "content": "What is the weather?"}]
chunks = calls = 0
for turn in range(int(sys.argv[1])):
    body = {"model": "synthetic", "messages": messages, "stream": True, "stream_options": {"include_usage": True}}
    body["tools"] = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}]
    request = urllib.request.Request(
        base + "/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    call, text, reason = None, "", None
    with urllib.request.urlopen(request) as answer:
        for line in answer:
            if not line.startswith(b"data: {"):
                continue
            chunks += 1
            for choice in json.loads(line[6:])["choices"]:
                delta = choice["delta"]
                text += delta.get("content") or ""
                reason = choice["finish_reason"] or reason
                for piece in delta.get("tool_calls", []):
                    if call is None:
                        call = {"id": piece["id"], "type": "function", "function": {"name": piece["function"]["name"], "arguments": ""}}
                    call["function"]["arguments"] += piece["function"]["arguments"]
    if reason == "tool_calls":
        calls += 1
        json.loads(call["function"]["arguments"])
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "sunny"})
    else:
        messages.append({"role": "assistant", "content": text})
        messages.append({"role": "user", "content": "And tomorrow?"})
    print(turn + 1, flush=True)
print("calls", calls, "chunks", chunks)
sys.exit(int(sys.argv[2]) if len(sys.argv) > 2 else 0)

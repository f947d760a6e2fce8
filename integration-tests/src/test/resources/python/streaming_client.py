"""A client that nobody wrote a rule for: streaming_client.py REQUESTS [STATUS] reads OPENAI_BASE_URL and streams chat completions.

Every second request answers a tool call, as an agent does. Ends with STATUS, or on SIGINT with 42.
"""
import json
import os
import signal
import sys
import urllib.request

signal.signal(signal.SIGINT, lambda *_: os._exit(42))
base = os.environ["OPENAI_BASE_URL"]
messages = [{"role": "user", "content": "What is the weather?"}]
chunks = 0
for turn in range(int(sys.argv[1])):
    body = {"model": "synthetic", "messages": messages, "stream": True, "stream_options": {"include_usage": True}}
    body["tools"] = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}]
    request = urllib.request.Request(
        base + "/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        for line in answer:
            chunks += line.startswith(b"data: {")
    if turn % 2:
        call = {"id": f"call-{turn}", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "sunny"})
    print(turn + 1, flush=True)
print("chunks", chunks)
sys.exit(int(sys.argv[2]) if len(sys.argv) > 2 else 0)

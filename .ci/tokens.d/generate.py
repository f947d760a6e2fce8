"""Writes frames of samples with text, and the texts alone: generate.py SAMPLES WORDS FRAMES TEXTS"""
import random
import struct
import sys

import msgspec

count, length, frames, texts = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
encode = msgspec.msgpack.Encoder().encode
random.seed(1)
words = ["".join(random.choices("etaoinshrdlu", k=random.randint(2, 9))) for _ in range(500)]


def record(event_type, nanos, sample="", data=None):
    return {
        "event_type": event_type,
        "timestamp_ns": nanos,
        "sample_uuid": sample,
        "conversation_id": "",
        "turn": None,
        "data": data,
    }


with open(frames, "wb") as out, open(texts, "w") as lines:

    def frame(topic, payload):
        content = topic.encode().ljust(40, b"\0") + payload
        out.write(struct.pack(">I", len(content)) + content)

    for number, name in enumerate(("session.started", "session.start_performance_tracking")):
        frame(name, encode(record(name, number)))
    batch = []
    for i in range(count):
        sample = f"{i:032x}"
        prompt = " ".join(random.choices(words, k=length))
        chunks = [" ".join(random.choices(words, k=max(1, length // 2))) + " " for _ in range(4)]
        lines.write(prompt + "\n" + "".join(chunks) + "\n" + "".join(chunks[1:]) + "\n")
        now = 1000 + 1000 * i
        batch.append(encode(record("sample.issued", now, sample, ["PromptData", prompt])))
        batch.append(encode(record("sample.recv_first", now + 300, sample)))
        batch.append(encode(record("sample.complete", now + 900, sample, ["TextModelOutput", chunks])))
        if len(batch) >= 999 or i + 1 == count:
            frame("batch", encode(batch))
            batch = []
    frame("session.ended", encode(record("session.ended", 1000 + 1000 * count)))

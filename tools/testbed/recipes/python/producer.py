"""Producer in Python: pip install pyzmq msgspec. Runs one case of check-producer; keeps level 5."""

import json
import os
import sys
import time

import msgspec
import zmq

BATCH = 1000
SOURCE = f"python-{os.getpid()}"
LIFE = time.time_ns()


class Publisher:
    """Publishes records in batches over an XPUB socket; waits for the first subscriber."""

    def __init__(self, endpoint):
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.XPUB)
        self.socket.sndhwm = 0  # Without this, records beyond the 1000th that a slow subscriber has not read are dropped.
        self.socket.linger = -1  # Terminating the context waits until everything is sent.
        self.socket.bind(endpoint)
        self.socket.recv()  # A subscription: from now on nothing is lost.
        self.encoder = msgspec.msgpack.Encoder()
        self.seq = 0
        self.buffer, self.topic = [], ""

    def publish(self, event_type, sample="", **fields):
        record = {"event_type": event_type, "timestamp_ns": time.monotonic_ns(), "sample_uuid": sample, **fields}
        record.update(source_id=SOURCE, seq=self.seq, life=LIFE)
        self.seq += 1
        self.topic = event_type
        self.buffer.append(self.encoder.encode(record))
        if len(self.buffer) >= BATCH or event_type.startswith("session."):
            self.flush()

    def flush(self):
        if len(self.buffer) == 1:
            self.socket.send(self.topic.encode().ljust(40, b"\0") + self.buffer[0])
        elif self.buffer:
            self.socket.send(b"batch".ljust(40, b"\0") + self.encoder.encode(self.buffer))
        self.buffer = []

    def close(self):
        self.flush()
        self.socket.close()
        self.context.term()


def flood(publisher, step):
    start = time.monotonic()
    rate = step["samples_per_s"]
    for i in range(step["samples"]):
        sample = f"{step['prefix']}{i}"
        publisher.publish("sample.issued", sample)
        publisher.publish("sample.complete", sample, finish_reason="stop")
        if rate and i % 500 == 0:
            time.sleep(max(0.0, start + i / rate - time.monotonic()))


def main():
    case = json.load(sys.stdin)
    publisher = Publisher(os.environ["MA_ENDPOINT"])
    zero = time.monotonic_ns()
    streamed = set()
    for step in case["steps"]:
        wait = zero / 1e9 + step["at_ms"] / 1e3 - time.monotonic()
        if wait > 0:
            publisher.flush()
            time.sleep(wait)
        match step["do"]:
            case "session":
                publisher.publish(step["event"])
            case "issue":
                fields = {"data": ["PromptData", step["prompt"]], "conversation_id": step.get("conversation", "")}
                if "turn" in step:
                    fields["turn"] = step["turn"]
                if "scheduled_ms" in step:
                    fields["scheduled_ns"] = zero + step["scheduled_ms"] * 1_000_000
                publisher.publish("sample.issued", step["sample"], **fields)
            case "chunk":
                kind = "recv_non_first" if step["sample"] in streamed else "recv_first"
                streamed.add(step["sample"])
                publisher.publish(f"sample.{kind}", step["sample"], data=["TextModelOutput", step["text"]])
            case "complete":
                fields = {key: step[key] for key in ("finish_reason", "usage") if key in step}
                data = ["TextModelOutput", step["text"]] if "text" in step else None
                publisher.publish("sample.complete", step["sample"], data=data, **fields)
            case "error":
                data = ["ErrorData", step["type"], step["message"]]
                publisher.publish(step["event"], step.get("sample", ""), data=data)
            case "flood":
                flood(publisher, step)
    publisher.close()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the vectors and the subscriber cases of the conformance kit: pip install msgspec msgpack.

The canonical bytes come from msgspec, the other encodings from the small packer below, and each of them is decoded with msgpack, a second
library, before it is written. Nothing of metrics-aggregator takes part, except in captured_snapshot,
the last frame and the file of a run of the daemon with the case 02_streaming. Usage: tools/testbed/vectors/generate.py [GOLDEN], where GOLDEN is
quality/golden/endpoints/codec_vectors.json.
"""

import itertools
import json
import pathlib
import random
import struct
import sys

import msgpack
import msgspec

KIT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else KIT.parent.parent / "quality" / "golden" / "endpoints" / "codec_vectors.json"
canonical = msgspec.msgpack.encode


class Raw(bytes):
    """Bytes to write as they are."""


class Packer:
    """Writes msgpack with chosen widths: an integer, string, array and map each in the form that the width names."""

    def __init__(self, ints="min", strings="min", containers="min"):
        self.ints, self.strings, self.containers = ints, strings, containers

    def pack(self, value):
        match value:
            case Raw():
                return bytes(value)
            case None:
                return b"\xc0"
            case bool():
                return b"\xc3" if value else b"\xc2"
            case int():
                return self.integer(value)
            case float():
                return b"\xcb" + struct.pack(">d", value)
            case str():
                return self.string(value.encode())
            case bytes():
                return b"\xc6" + struct.pack(">I", len(value)) + value
            case list():
                return self.header(len(value), 0x90, 0xDC) + b"".join(map(self.pack, value))
            case dict():
                return self.header(len(value), 0x80, 0xDE) + b"".join(
                    self.pack(each) for pair in value.items() for each in pair
                )
        raise TypeError(type(value))

    def integer(self, value):
        if self.ints == "int64" and value < 2**63:
            return b"\xd3" + struct.pack(">q", value)
        if self.ints == "uint64" and value >= 0:
            return b"\xcf" + struct.pack(">Q", value)
        for code, form, low, high in (
            (None, "b", -32, 127),
            (0xCC, "B", 0, 2**8 - 1),
            (0xD0, "b", -(2**7), 2**7 - 1),
            (0xCD, "H", 0, 2**16 - 1),
            (0xD1, "h", -(2**15), 2**15 - 1),
            (0xCE, "I", 0, 2**32 - 1),
            (0xD2, "i", -(2**31), 2**31 - 1),
            (0xCF, "Q", 0, 2**64 - 1),
            (0xD3, "q", -(2**63), 2**63 - 1),
        ):
            signed = form.islower()
            if low <= value <= high and not (self.ints == "signed" and not signed):
                return (b"" if code is None else bytes([code])) + struct.pack(">" + form, value)
        raise ValueError(value)

    def string(self, data):
        size = len(data)
        if self.strings == "min" and size < 32:
            return bytes([0xA0 | size]) + data
        if self.strings in ("min", "str8") and size < 2**8:
            return b"\xd9" + bytes([size]) + data
        if self.strings in ("min", "str8", "str16") and size < 2**16:
            return b"\xda" + struct.pack(">H", size) + data
        return b"\xdb" + struct.pack(">I", size) + data

    def header(self, size, small, wide):
        if self.containers == "min" and size < 16:
            return bytes([small | size])
        if self.containers in ("min", "16") and size < 2**16:
            return bytes([wide]) + struct.pack(">H", size)
        return bytes([wide + 1]) + struct.pack(">I", size)


MINIMAL = Packer()


def tagged(value):
    """JSON with numbers as objects, since many JSON libraries read every number as float64."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return {"$int": str(value)}
        case float():
            return {"$float": repr(value)}
        case bytes():
            return {"$bin": value.hex()}
        case list():
            return [tagged(each) for each in value]
        case dict():
            return {key: tagged(each) for key, each in value.items()}
    raise TypeError(type(value))


def record(event_type, timestamp_ns=1_000_000_000, sample="", data=None, conversation="", turn=None, **more):
    return {
        "event_type": event_type,
        "timestamp_ns": timestamp_ns,
        "sample_uuid": sample,
        "conversation_id": conversation,
        "turn": turn,
        "data": data,
        **more,
    }


def map_of(pairs, packer=MINIMAL):
    """A map with these pairs, which may repeat a key."""
    return packer.header(len(pairs), 0x80, 0xDE) + b"".join(packer.pack(each) for pair in pairs for each in pair)


def others(value):
    """Other legal encodings of a record: name, bytes."""
    for name, packer in {
        "every integer as int64": Packer(ints="int64"),
        "every integer as uint64 where it is not negative": Packer(ints="uint64"),
        "signed integers only": Packer(ints="signed"),
        "strings as str8": Packer(strings="str8"),
        "strings as str16": Packer(strings="str16"),
        "strings as str32": Packer(strings="str32"),
        "array16 and map16": Packer(containers="16"),
        "array32 and map32": Packer(containers="32"),
        "everything as wide as possible": Packer("int64", "str32", "32"),
    }.items():
        yield name, packer.pack(value)
    pairs = list(value.items())
    yield "keys in reverse order", map_of(pairs[::-1])
    yield "keys in another order", map_of(random.Random(repr(pairs)).sample(pairs, len(pairs)))
    defaults = {"sample_uuid": "", "conversation_id": "", "turn": None, "data": None}
    short = [(key, each) for key, each in pairs if not (key in defaults and defaults[key] == each)]
    if len(short) < len(pairs):
        yield "default values absent", map_of(short)
    unknown = [("x", {"nested": [1, 2.5, None]}), ("y", Raw(b"\xc7\x03\x05abc")), ("z", Raw(b"\xa2\xff\xfe"))]
    yield "unknown keys before", map_of(unknown + pairs)
    yield "unknown keys between", map_of(pairs[:2] + unknown + pairs[2:])
    yield "unknown keys after", map_of(pairs + unknown)
    yield "an unknown key whose map has keys that are not strings", map_of(pairs + [("x", Raw(b"\x82\x01\x02\xc0\xc3"))])
    yield "a repeated key, of which the last counts", map_of([("sample_uuid", "another")] + pairs)
    data = value["data"]
    if isinstance(data, list) and data[0] != "PhaseData":
        longer = {**value, "data": data + [None] * (8 - len(data)) + ["more", 1]} if data[0] == "PromptData" else None
        longer = longer or {**value, "data": data + [None] * (4 - len(data)) + ["more", 1]}
        if data[0] != "ErrorData" or len(data) == 3:
            if data[0] == "ErrorData":
                longer = {**value, "data": data + ["more", 1]}
            yield "data with further elements", canonical(longer)


def records():
    long_id = "0123456789abcdef0123456789abcdef"
    prompt = ["PromptData", "Say hello.", None, None, None, None, None, None]
    output = ["TextModelOutput", ["Hel", "lo."], None, None]
    yield "session started", record("session.started")
    yield "session ended", record("session.ended", 2**62)
    for name in ("stop_loadgen", "start_performance_tracking", "stop_performance_tracking", "interrupted"):
        yield f"session {name}", record(f"session.{name}")
    yield "phase", record("session.phase_start", data=["PhaseData", "performance", True, 6])
    yield "issue with a prompt", record("sample.issued", sample=long_id, data=prompt)
    yield "issue with token ids", record(
        "sample.issued", sample="s2", data=["PromptData", None, [101, 7592, 2**31], None, None, None, None, None]
    )
    yield "issue with messages", record(
        "sample.issued",
        sample="s3",
        data=["PromptData", None, None, [{"role": "user", "content": "Hi"}], [{"type": "function"}], None, None, "auto"],
    )
    yield "conversation and turn", record("sample.issued", sample="s4", conversation="Grüße", turn=3)
    yield "timestamp at the top of int64", record("sample.issued", 2**63 - 1, sample="s5")
    yield "timestamp above 2^53, which a JavaScript Number cannot hold", record("sample.issued", 2**53 + 1, sample="s5")
    yield "timestamp negative", record("sample.issued", -5, sample="s5")
    yield "an id beyond ASCII", record("sample.issued", sample="🙂-世界")
    yield "first chunk", record("sample.recv_first", sample=long_id, data=["TextModelOutput", "Hel", None, None])
    yield "later chunk", record("sample.recv_non_first", sample=long_id, data=["TextModelOutput", "lo.", "thinks", None])
    yield "complete", record("sample.complete", sample=long_id, data=output, finish_reason="stop")
    yield "complete with tool calls", record(
        "sample.complete",
        sample="s6",
        data=["TextModelOutput", "", ["a", "b"], [[{"id": "1"}], [{"arguments": "{}"}]]],
        finish_reason="tool_calls",
    )
    yield "complete without data", record("sample.complete", sample="s7")
    yield "error", record("error.client", sample="s7", data=["ErrorData", "Timeout", "no answer after 30 s"])
    yield "error without a sample", record("error.generic")
    yield "worker", record("sample.issued", sample="s8", worker_id=70_000)
    yield "ours: sequence number and life", record("sample.issued", sample="s9", worker_id=1, seq=12, life=1_790_000_000)
    yield "ours: scheduled time", record("sample.issued", sample="s10", scheduled_ns=999_000_000)
    yield "ours: named source", record("sample.issued", sample="s11", source_id="client-2", seq=0, life=5)
    yield "ours: usage", record(
        "sample.complete",
        sample="s12",
        finish_reason="stop",
        usage={"prompt_tokens": 12, "completion_tokens": 300, "cached_tokens": 0, "reasoning_tokens": 7, "by": "server"},
    )
    yield "ours: speculative decoding", record(
        "sample.complete",
        sample="s14",
        usage={"spec_drafts": 43, "spec_draft_tokens": 129, "spec_accepted_tokens": 10, "spec_histogram": [39, 1, 0, 3]},
    )
    yield "ours: server times", record(
        "sample.complete",
        sample="s13",
        server={"queue_ns": 12_300_000, "ttft_ns": 85_200_000, "source": "body", "prefill_node": "gpu-7"},
    )


def write(path, document):
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def lenient(data):
    return msgpack.unpackb(
        data, strict_map_key=False, unicode_errors="surrogateescape", ext_hook=lambda code, content: (code, content)
    )


def write_records():
    vectors = []
    for name, value in records():
        encoded = canonical(value)
        assert msgpack.unpackb(encoded) == value, name
        forms = []
        for how, data in others(value):
            decoded = lenient(data)
            known = {key: each for key, each in decoded.items() if key in value}
            if "further elements" not in how:
                assert all(value[key] == known.get(key, value[key]) for key in value), (name, how)
            if data != encoded:
                forms.append({"how": how, "hex": data.hex()})
        vectors.append({"name": name, "value": tagged(value), "canonical": encoded.hex(), "other": forms})
    write(KIT / "vectors" / "records.json", {"records": vectors})
    return vectors


def invalid():
    good = record("sample.issued", sample="s")
    pairs = list(good.items())

    def with_value(key, raw):
        return map_of([(k, Raw(raw) if k == key else v) for k, v in pairs])

    def extra(key, raw, event_type="sample.issued"):
        return map_of([(k, event_type if k == "event_type" else v) for k, v in pairs] + [(key, Raw(raw))])

    yield "an array instead of a map", "not_a_map", canonical(list(good.values()))
    yield "a string", "not_a_map", canonical("sample.issued")
    yield "nil", "not_a_map", b"\xc0"
    yield "cut in the middle", "truncated", canonical(good)[:-10]
    yield "a map that declares one pair too many", "truncated", bytes([0x80 | 7]) + canonical(good)[1:]
    yield "a string that declares 4 GiB", "truncated", with_value("sample_uuid", b"\xdb\xff\xff\xff\xff")
    yield "a byte after the record", "trailing_bytes", canonical(good) + b"\x00"
    yield "the whole buffer instead of the bytes written", "trailing_bytes", canonical(good) + bytes(64)
    yield "two records without a batch", "trailing_bytes", canonical(good) * 2
    yield "the reserved byte", "reserved_byte", extra("x", b"\xc1")
    yield "129 nested arrays", "too_deep", extra("x", b"\x91" * 129 + b"\xc0")
    yield "an integer as key", "key_not_string", map_of(pairs + [(1, 2)])
    yield "a bin as key", "key_not_string", map_of([(Raw(b"\xc4\x04turn"), 1)] + pairs)
    yield "no event_type", "event_type_missing", map_of(pairs[1:])
    yield "an empty map", "event_type_missing", b"\x80"
    yield "event_type as integer", "event_type_invalid", with_value("event_type", b"\x05")
    yield "event_type nil", "event_type_invalid", with_value("event_type", b"\xc0")
    yield "event_type as bin", "event_type_invalid", with_value("event_type", b"\xc4\x0dsample.issued")
    yield "timestamp_ns as float64", "timestamp_ns_invalid", with_value("timestamp_ns", b"\xcb" + struct.pack(">d", 1e15))
    yield "timestamp_ns as float32", "timestamp_ns_invalid", with_value("timestamp_ns", b"\xca" + struct.pack(">f", 1e9))
    yield "timestamp_ns as string", "timestamp_ns_invalid", with_value("timestamp_ns", b"\xa11")
    yield "timestamp_ns nil", "timestamp_ns_invalid", with_value("timestamp_ns", b"\xc0")
    yield "timestamp_ns above int64", "timestamp_ns_invalid", with_value("timestamp_ns", b"\xcf" + b"\xff" * 8)
    yield "timestamp_ns as msgpack's timestamp", "timestamp_ns_invalid", with_value("timestamp_ns", b"\xd6\xff\x5a\x4a\xf6\xa5")
    yield "sample_uuid as bin", "sample_uuid_invalid", with_value("sample_uuid", b"\xc4\x01s")
    yield "sample_uuid as integer", "sample_uuid_invalid", with_value("sample_uuid", b"\x07")
    yield "sample_uuid nil", "sample_uuid_invalid", with_value("sample_uuid", b"\xc0")
    yield "sample_uuid not UTF-8", "sample_uuid_invalid", with_value("sample_uuid", b"\xa2\xff\xfe")
    yield "conversation_id nil", "conversation_id_invalid", with_value("conversation_id", b"\xc0")
    yield "turn as float", "turn_invalid", with_value("turn", b"\xcb" + struct.pack(">d", 1.0))
    yield "turn as string", "turn_invalid", with_value("turn", b"\xa11")
    yield "data as map", "data_invalid", with_value("data", canonical({"type": "PromptData", "text": "x"}))
    yield "data as string", "data_invalid", with_value("data", canonical("text"))
    yield "data with an unknown tag", "data_invalid", with_value("data", canonical(["Prompt", "x"]))
    yield "data without a tag", "data_invalid", with_value("data", b"\x90")
    yield "text as bin", "data_invalid", with_value("data", canonical(["TextModelOutput", b"x"]))
    yield "token ids as floats", "data_invalid", with_value("data", canonical(["PromptData", None, [1.0]]))
    yield "finish_reason as integer", "finish_reason_invalid", extra("finish_reason", b"\x01", "sample.complete")
    yield "finish_reason nil", "finish_reason_invalid", extra("finish_reason", b"\xc0", "sample.complete")
    yield "worker_id as string", "worker_id_invalid", extra("worker_id", b"\xa11")
    yield "worker_id as float", "worker_id_invalid", extra("worker_id", b"\xca\x3f\x80\x00\x00")


def write_invalid():
    write(
        KIT / "vectors" / "invalid.json",
        {"invalid": [{"name": name, "hex": data.hex(), "reason": reason} for name, reason, data in invalid()]},
    )


def topic(name):
    return name.encode().ljust(40, b"\0")


def frames():
    one, two = canonical(record("sample.issued", sample="a")), canonical(record("sample.complete", sample="a"))
    yield "a record under its topic", topic("sample.issued") + one, [one], ""
    yield "a batch", topic("batch") + canonical([one, two]), [one, two], ""
    yield "a batch of one", topic("batch") + canonical([one]), [one], ""
    yield "a batch with bin32", topic("batch") + Packer().pack([one, two]), [one, two], ""
    yield "a batch with array32", topic("batch") + Packer(containers="32").pack([one, two]), [one, two], ""
    yield "a batch with an empty element", topic("batch") + canonical([one, b"", two]), [one, two], "batch_elements_empty"
    yield "a batch without elements", topic("batch") + canonical([]), [], ""
    yield "a batch without payload", topic("batch"), [], "frames_empty"
    yield "a batch of maps", topic("batch") + canonical([record("sample.issued", sample="a")]), [], "batches_malformed"
    yield "a batch of strings", topic("batch") + canonical(["a"]), [], "batches_malformed"
    yield "a batch with bytes after it", topic("batch") + canonical([one]) + b"\0", [], "batches_malformed"
    yield "a batch cut off", topic("batch") + canonical([one, two])[:-3], [], "batches_malformed"
    yield "a record under the topic of another type", topic("sample.complete") + one, [one], ""
    yield "a record under an unknown topic", topic("anything") + one, [one], ""
    yield "a topic alone", topic("sample.issued"), [], "frames_empty"
    yield "an empty frame", b"", [], "frames_empty"
    yield "a topic that is not padded", b"sample.issued" + one, None, "malformed"


def write_frames():
    write(
        KIT / "vectors" / "frames.json",
        {
            "frames": [
                {
                    "name": name,
                    "hex": frame.hex(),
                    "records": None if found is None else [each.hex() for each in found],
                    "counter": counter,
                }
                for name, frame, found, counter in frames()
            ]
        },
    )


def positional(snapshot):
    """A snapshot in JSON form as the array on the wire."""
    metrics = []
    for metric in snapshot["metrics"]:
        if metric["type"] == "counter":
            metrics.append(["counter", metric["name"], metric["value"]])
        else:
            keys = ("count", "total", "min", "max", "sum_sq", "percentiles", "histogram")
            metrics.append(
                ["series", metric["name"], *(metric[key] for key in keys), metric.get("early_stopping_percentiles")]
            )
    return [*(snapshot[key] for key in ("counter", "timestamp_ns", "state", "n_pending_tasks")), metrics]


def expected(snapshot):
    """What a subscriber prints for a snapshot."""
    metrics = {}
    for metric in snapshot["metrics"]:
        if metric["type"] == "counter":
            metrics[metric["name"]] = metric["value"]
        else:
            fields = {key: each for key, each in metric.items() if key not in ("type", "name")}
            metrics[metric["name"]] = {"early_stopping_percentiles": None, **fields}
    return tagged({**{key: snapshot[key] for key in ("counter", "timestamp_ns", "state", "n_pending_tasks")}, "metrics": metrics})


def counters(number, state, pending=0, **values):
    return {
        "counter": number,
        "timestamp_ns": 5_000_000_000 + number,
        "state": state,
        "n_pending_tasks": pending,
        "metrics": [{"type": "counter", "name": name, "value": value} for name, value in values.items()],
    }


def series(name, **changes):
    metric = {
        "type": "series",
        "name": name,
        "count": 2,
        "total": 300,
        "min": 100,
        "max": 200,
        "sum_sq": 50000.0,
        "percentiles": {"99.9": 200.0, "50.0": 150.0, "1.0": 100.0},
        "histogram": [[[100.0, 150.0], 1], [[150.0, 200.0], 1]],
    }
    return {**metric, **changes}


def subscriber_case(name, frames, lines):
    folder = KIT / "subscriber" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "snapshots.bin").write_bytes(b"".join(struct.pack(">I", len(each)) + each for each in frames))
    (folder / "expected.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")


def write_subscriber(golden):
    met = topic("MET")

    def wire(snapshot, *more):
        return met + canonical([*positional(snapshot), *more])

    first, last = counters(1, "live", total_samples_issued=3), counters(2, "complete", total_samples_issued=5)
    subscriber_case("01_minimal", [wire(first), wire(last)], [expected(first), expected(last)])
    real = [{**each["decoded"], "counter": i + 1} for i, each in enumerate(golden) if each["decoded"]["state"] in ("live", "draining")]
    end = next(each["decoded"] for each in golden if each["name"] == "complete with early stopping")
    real.append({**end, "counter": len(real) + 1})
    subscriber_case("02_reference", [wire(each) for each in real], [expected(each) for each in real])
    live, done = counters(1, "initialize"), counters(4, "interrupted", pending=2, records_malformed=1)
    subscriber_case("03_states", [wire(live), wire(done)], [expected(live), expected(done)])
    detailed = counters(1, "live", total_samples_issued=2)
    detailed["metrics"].append(series("ttft_ns"))
    added = positional(detailed)
    captured = msgspec.msgpack.decode((KIT / "vectors" / "captured_snapshot.bin").read_bytes())
    detail = next(each[10] for each in captured[4] if each[0] == "series")
    added[4][-1] += [{**detail, "a_later_key": [1, {"x": None}]}, "an element of a later version"]
    additions = {**captured[6], "a_later_key": {"x": 1}}
    frames = [met + canonical([*added, None, additions, "an element of a later version"]), wire(last, None, additions)]
    subscriber_case("04_additions", frames, [expected(detailed), expected(last)])
    steady = [wire(first, {"windows": 3}), wire(last, additions)]
    subscriber_case("05_other_versions", steady, [expected(first), expected(last)])
    big = counters(2**40, "live", total_samples_issued=2**53 + 1)
    big["timestamp_ns"] = 2**62 + 1
    big["metrics"].append(series("sample_latency_ns", total=2**64 - 1, max=2**63 - 1, sum_sq=1e300))
    over = {**counters(2**40 + 1, "complete"), "metrics": [series("sample_latency_ns", total=1.8446744073709552e20)]}
    subscriber_case("06_large_numbers", [wire(big), wire(over)], [expected(big), expected(over)])
    empty = {**counters(1, "live"), "metrics": [series("tpot_ns", count=0, total=0.0, min=0, max=0, sum_sq=0.0, histogram=[], percentiles={"99.9": 0.0})]}
    unknown_name = counters(2, "complete", a_counter_of_a_later_version=7)
    subscriber_case("07_empty_and_unknown", [wire(empty), wire(unknown_name)], [expected(empty), expected(unknown_name)])
    foreign = [
        b"",
        met,
        met + b"\xc1",
        met + canonical(positional(first))[:-4],
        met + canonical({"counter": 1}),
        met + canonical([1, 2]),
        topic("session.started") + canonical(record("session.started")),
        b"METX".ljust(40, b"\0") + canonical(positional(first)),
        b"MET" + canonical(positional(first)),
    ]
    mixed = list(itertools.chain([wire(first)], foreign, [wire({**last, "counter": 9})]))
    subscriber_case("08_foreign_frames", mixed, [expected(first), expected({**last, "counter": 9})])
    captured_json = json.loads((KIT / "vectors" / "captured_snapshot.json").read_text(encoding="utf-8"))
    write(
        KIT / "vectors" / "snapshots.json",
        {"snapshots": [{"name": each["name"], "hex": each["hex"], "json": each["decoded"]} for each in golden]
         + [{"name": "additions of a later version", "hex": frames[0][40:].hex(), "json": detailed},
            {"name": "the last snapshot of a daemon", "hex": canonical(captured).hex(), "json": captured_json}]},
    )


def main():
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["metrics_snapshots"]
    vectors = write_records()
    write_invalid()
    write_frames()
    write_subscriber(golden)
    print(f"{len(vectors)} records in {sum(1 + len(each['other']) for each in vectors)} encodings")


main()

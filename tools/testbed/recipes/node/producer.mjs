// Producer in JavaScript with zeromq.js and @msgpack/msgpack. Runs one case of check-producer.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Encoder } from "@msgpack/msgpack";
import { XPublisher } from "zeromq";

// process.hrtime.bigint() is CLOCK_MONOTONIC; Date.now() is the wall clock. A Number above 2^53 (104 days of uptime) would be
// rounded, and an integral Number above 2^32 may be written as a float: timestamps stay BigInt.
const monotonic = () => process.hrtime.bigint();
const encoder = new Encoder({ useBigInt64: true });
const life = BigInt(Date.now()) * 1_000_000n + (monotonic() % 1_000_000n);
const source = `node-${process.pid}`;

const socket = new XPublisher({ sendHighWaterMark: 0, linger: -1 });
let batch = [];
let seq = 0;

async function publish(event, sample = "", fields = {}) {
  const record = { event_type: event, timestamp_ns: monotonic(), sample_uuid: sample, ...fields };
  Object.assign(record, { source_id: source, seq: seq++, life });
  for (const key in record) if (record[key] === undefined) delete record[key];
  batch.push(encoder.encode(record)); // a Uint8Array becomes bin
  if (batch.length === 1000 || event.startsWith("session.")) await flush();
}

async function flush() {
  if (batch.length === 0) return;
  const payload = encoder.encode(batch);
  batch = [];
  const frame = Buffer.alloc(40 + payload.length); // zeros pad the topic
  frame.write("batch");
  frame.set(payload, 40);
  await socket.send(frame);
}

async function sleepUntil(time) {
  while (time > monotonic()) await sleep(Math.ceil(Number(time - monotonic()) / 1e6));
}

async function flood(step) {
  const start = monotonic();
  for (let i = 0; i < step.samples; i++) {
    const sample = `${step.prefix}${i}`;
    await publish("sample.issued", sample);
    await publish("sample.complete", sample, { finish_reason: "stop" });
    if (step.samples_per_s && i % 500 === 0) await sleepUntil(start + BigInt(Math.floor((i / step.samples_per_s) * 1e9)));
  }
}

const script = JSON.parse(readFileSync(0, "utf8"));
await socket.bind(process.env.MA_ENDPOINT);
await socket.receive(); // the subscription
const zero = monotonic();
const streamed = new Set();
for (const step of script.steps) {
  const time = zero + BigInt(step.at_ms) * 1_000_000n;
  if (time > monotonic()) {
    await flush();
    await sleepUntil(time);
  }
  const output = step.text === undefined ? undefined : ["TextModelOutput", step.text];
  switch (step.do) {
    case "session":
      await publish(step.event);
      break;
    case "issue":
      await publish("sample.issued", step.sample, {
        data: ["PromptData", step.prompt],
        conversation_id: step.conversation,
        turn: step.turn,
        scheduled_ns: step.scheduled_ms === undefined ? undefined : zero + BigInt(step.scheduled_ms) * 1_000_000n,
      });
      break;
    case "chunk":
      await publish(streamed.has(step.sample) ? "sample.recv_non_first" : "sample.recv_first", step.sample, { data: output });
      streamed.add(step.sample);
      break;
    case "complete":
      await publish("sample.complete", step.sample, { data: output, finish_reason: step.finish_reason, usage: step.usage });
      break;
    case "error":
      await publish(step.event, step.sample, { data: ["ErrorData", step.type, step.message] });
      break;
    case "flood":
      await flood(step);
  }
}
await flush();
socket.close(); // the process ends when everything is sent, as linger says

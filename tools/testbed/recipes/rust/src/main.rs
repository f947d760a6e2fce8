//! Producer in Rust with zeromq (no libzmq) and rmp-serde. Runs one case of check-producer.

use serde_json::{json, Map, Value};
use std::collections::HashSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use zeromq::{Socket, SocketRecv, SocketSend, XPubSocket};

type Error = Box<dyn std::error::Error>;

/// CLOCK_MONOTONIC in nanoseconds. SystemTime is the wall clock, and Instant does not show its value.
fn monotonic() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) }, 0);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

struct Publisher {
    socket: XPubSocket,
    batch: Vec<serde_bytes::ByteBuf>, // Vec<u8> would become an array of integers instead of bin
    seq: u64,
    life: u64,
    source: String,
}

impl Publisher {
    async fn publish(&mut self, event: &str, sample: &str, fields: Value) -> Result<(), Error> {
        let mut record = json!({"event_type": event, "timestamp_ns": monotonic(), "sample_uuid": sample,
            "source_id": self.source, "seq": self.seq, "life": self.life});
        let map = record.as_object_mut().expect("an object");
        map.extend(fields.as_object().cloned().unwrap_or_default());
        map.retain(|_, value| !value.is_null());
        self.seq += 1;
        self.batch.push(serde_bytes::ByteBuf::from(rmp_serde::to_vec_named(&record)?));
        if self.batch.len() == 1000 || event.starts_with("session.") {
            self.flush().await?;
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), Error> {
        if !self.batch.is_empty() {
            let mut frame = b"batch".to_vec();
            frame.resize(40, 0);
            frame.extend(rmp_serde::to_vec(&self.batch)?);
            self.batch.clear();
            self.socket.send(frame.into()).await?; // drops silently when the queue of a subscriber is full
        }
        Ok(())
    }

    async fn flood(&mut self, step: &Value) -> Result<(), Error> {
        let (start, rate) = (monotonic(), step["samples_per_s"].as_u64().unwrap_or(0));
        for i in 0..step["samples"].as_u64().unwrap_or(0) {
            let sample = format!("{}{}", step["prefix"].as_str().unwrap_or(""), i);
            self.publish("sample.issued", &sample, json!({})).await?;
            self.publish("sample.complete", &sample, json!({"finish_reason": "stop"})).await?;
            if rate > 0 && i % 500 == 0 {
                sleep_until(start + i * 1_000_000_000 / rate).await;
            }
        }
        Ok(())
    }
}

async fn sleep_until(time: u64) {
    tokio::time::sleep(Duration::from_nanos(time.saturating_sub(monotonic()))).await;
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let case: Value = serde_json::from_reader(std::io::stdin())?;
    let mut socket = XPubSocket::new();
    socket.bind(&std::env::var("MA_ENDPOINT")?).await?;
    socket.recv().await?; // the subscription
    let life = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos() as u64;
    let source = format!("rust-{}", std::process::id());
    let mut publisher = Publisher { socket, batch: vec![], seq: 0, life, source };
    let (zero, mut streamed) = (monotonic(), HashSet::new());
    for step in case["steps"].as_array().into_iter().flatten() {
        let time = zero + step["at_ms"].as_u64().unwrap_or(0) * 1_000_000;
        if time > monotonic() {
            publisher.flush().await?;
            sleep_until(time).await;
        }
        let sample = step["sample"].as_str().unwrap_or("");
        let output = step.get("text").map(|text| json!(["TextModelOutput", text]));
        let (event, fields): (&str, Map<String, Value>) = match step["do"].as_str().unwrap_or("") {
            "issue" => ("sample.issued", issue(step, zero)),
            "chunk" if streamed.insert(sample) => ("sample.recv_first", one("data", json!(output))),
            "chunk" => ("sample.recv_non_first", one("data", json!(output))),
            "complete" => ("sample.complete", complete(step, json!(output))),
            "error" => (step["event"].as_str().unwrap_or(""), one("data", json!(["ErrorData", step["type"], step["message"]]))),
            "flood" => { publisher.flood(step).await?; continue }
            _ => (step["event"].as_str().unwrap_or(""), Map::new()),
        };
        publisher.publish(event, sample, Value::Object(fields)).await?;
    }
    publisher.flush().await?;
    tokio::time::sleep(Duration::from_secs(1)).await; // the crate has no linger
    publisher.socket.close().await;
    Ok(())
}

fn one(key: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(key.to_string(), value)])
}

fn issue(step: &Value, zero: u64) -> Map<String, Value> {
    let mut fields = one("data", json!(["PromptData", step["prompt"]]));
    fields.insert("conversation_id".into(), json!(step["conversation"].as_str().unwrap_or("")));
    fields.insert("turn".into(), step["turn"].clone());
    fields.insert("scheduled_ns".into(), json!(step["scheduled_ms"].as_u64().map(|ms| zero + ms * 1_000_000)));
    fields
}

fn complete(step: &Value, output: Value) -> Map<String, Value> {
    let mut fields = one("data", output);
    fields.insert("finish_reason".into(), step["finish_reason"].clone());
    fields.insert("usage".into(), step["usage"].clone());
    fields
}

"""Sends GenAI spans with the OpenTelemetry SDK and its OTLP/HTTP exporter: URL SPANS ENCODING.

Prints what it sent, as JSON, once the exporter has delivered it.
"""

import json
import sys
import time

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

url, count, compression = sys.argv[1], int(sys.argv[2]), sys.argv[3]
exporter = OTLPSpanExporter(
    endpoint=url + "/v1/traces", compression=Compression.Gzip if compression == "gzip" else Compression.NoCompression
)
provider = TracerProvider(resource=Resource.create({"service.name": "exporter"}))
provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=100_000, max_export_batch_size=100, schedule_delay_millis=200))
tracer = provider.get_tracer("test")

MS = 1_000_000
start = time.time_ns() - 5_000 * MS
sent = {"requests": 0, "failed": 0, "other": 0, "input_tokens": 0, "output_tokens": 0, "ttft_ms": [], "latency_ms": []}
for i in range(count):
    # An agent's span around each request, and a span of the HTTP client within it: neither is a request to the model.
    begin = start + i * 10 * MS
    agent = tracer.start_span("invoke_agent", start_time=begin - MS)
    agent.set_attribute("gen_ai.operation.name", "invoke_agent")
    around = trace.set_span_in_context(agent)
    request = tracer.start_span("chat m", context=around, kind=SpanKind.CLIENT, start_time=begin)
    ttft, latency = 20 + i % 7, 100 + i % 13
    request.set_attributes(
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "m",
            "gen_ai.request.stream": True,
            "gen_ai.response.time_to_first_chunk": ttft / 1000,
            "gen_ai.usage.input_tokens": 10 + i,
            "gen_ai.usage.output_tokens": 5,
            "gen_ai.usage.cache_read.input_tokens": 4,
            "gen_ai.response.finish_reasons": ["stop"],
            "gen_ai.conversation.id": f"c{i % 20}",
            "gen_ai.input.messages": '[{"role": "user", "parts": []}]',
        }
    )
    http = tracer.start_span("POST", context=trace.set_span_in_context(request), kind=SpanKind.CLIENT, start_time=begin + MS)
    http.end(end_time=begin + (latency - 1) * MS)
    failed = i % 20 == 0
    if failed:
        request.set_attribute("error.type", "timeout")
        request.set_status(Status(StatusCode.ERROR, "no answer"))
    request.end(end_time=begin + latency * MS)
    agent.end(end_time=begin + (latency + 1) * MS)
    sent["requests"] += 1
    sent["failed"] += failed
    sent["other"] += 2
    sent["input_tokens"] += 10 + i
    sent["output_tokens"] += 5
    sent["ttft_ms"].append(ttft)
    sent["latency_ms"].append(latency)
provider.shutdown()
print(json.dumps(sent), flush=True)

"""Receives OTLP/HTTP metrics with the protocol's own definitions: otlp_receiver.py PORT; prints a line of JSON for each push."""
import gzip, http.server, json, sys, threading
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as service

# Pushes can overlap, so each line is written in one piece.
writing = threading.Lock()

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        request = service.ExportMetricsServiceRequest.FromString(body)
        out = {}
        for rm in request.resource_metrics:
            for sm in rm.scope_metrics:
                for m in sm.metrics:
                    kind = m.WhichOneof("data")
                    points = getattr(m, kind).data_points
                    if kind == "exponential_histogram":
                        p = points[0]
                        exemplars = [[e.trace_id.hex(), e.span_id.hex(), e.as_double] for e in p.exemplars]
                        out[m.name] = [kind, p.count, p.scale, p.positive.offset, sum(p.positive.bucket_counts) + p.zero_count, p.sum, exemplars]
                    else:
                        out[m.name] = [kind, len(points), points[0].as_double]
        with writing:
            sys.stdout.write(json.dumps(out) + "\n")
            sys.stdout.flush()
        self.send_response(200); self.send_header("Content-Type", "application/x-protobuf"); self.end_headers()
    def log_message(self, *a): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()

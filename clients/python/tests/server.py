"""A server whose answers the tests write: hostile streams that a well-behaved server does not send."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

Write = Callable[[bytes], None]


def data(*events: dict[str, Any] | str) -> list[bytes]:
    """Server-sent events, one read each."""
    return [b"data: " + (each if isinstance(each, str) else json.dumps(each)).encode() + b"\n\n" for each in events]


def delta(finish_reason: str | None = None, usage: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A chunk of a chat completion."""
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {
        **chunk,
        "choices": [{"index": 0, "delta": fields, "finish_reason": finish_reason}],
        **({"usage": usage} if usage else {}),
    }


class Server:
    """Answers each POST with the pieces that `answer` holds, as one chunk of the transfer encoding each.

    A piece `wait` waits until the test calls `go_on`; `break` closes the connection without the end of the answer.
    """

    def __init__(self) -> None:
        self.answer: Sequence[bytes | str] = ()
        self.status = 200
        self.content_type = "text/event-stream"
        self.requests: list[dict[str, Any]] = []
        self._may = threading.Semaphore(0)
        test = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                test.requests.append(json.loads(body))
                self.send_response(test.status)
                self.send_header("content-type", test.content_type)
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for piece in test.answer:
                    if piece == "wait":
                        test._may.acquire(timeout=30)
                    elif piece == "break":
                        self.close_connection = True
                        return
                    else:
                        assert isinstance(piece, bytes)
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                        self.wfile.flush()
                self.wfile.write(b"0\r\n\r\n")

            def log_message(self, *_arguments: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def go_on(self) -> None:
        self._may.release()

    def close(self) -> None:
        self._may.release(1000)
        self._server.shutdown()
        self._server.server_close()

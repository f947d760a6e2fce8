"""Parses endpoints, sizes and key files that callers and the environment give; no state."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import NamedTuple

from .errors import MetricsAggregatorError

_UNITS = {"": 1, "B": 1, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "KB": 10**3, "MB": 10**6, "GB": 10**9}


class Endpoint(NamedTuple):
    """A ZeroMQ address and whether this side binds it."""

    address: str
    bind: bool

    def __str__(self) -> str:
        return f"{'bind' if self.bind else 'connect'}:{self.address}"


def parse_endpoint(text: str, *, bind: bool) -> Endpoint:
    """Parse `ipc://PATH` or `tcp://HOST:PORT`, optionally after `bind:` or `connect:`, which wins over `bind`.

    Raises:
        MetricsAggregatorError: another scheme, an abstract ipc name, or a path that no Unix socket can have.
    """
    address = text
    for prefix in ("bind:", "connect:"):
        if text.startswith(prefix):
            address, bind = text[len(prefix) :], prefix == "bind:"
    if not address.startswith(("ipc://", "tcp://")) or address in ("ipc://", "tcp://"):
        raise MetricsAggregatorError(f"Cannot use endpoint {text!r}: write ipc://PATH or tcp://HOST:PORT.")
    if address.startswith("ipc://@"):
        raise MetricsAggregatorError(f"Cannot use endpoint {text!r}: the daemon has no abstract sockets; use a path.")
    if address.startswith("ipc://") and len(address[6:].encode()) > 106:
        raise MetricsAggregatorError(f"Cannot use endpoint {text!r}: the path exceeds 106 bytes; use a shorter one.")
    return Endpoint(address, bind)


def require_free(endpoint: Endpoint) -> None:
    """Refuse to bind an ipc path on which another process listens; libzmq would replace its socket without an error."""
    if not endpoint.bind or not endpoint.address.startswith("ipc://"):
        return
    path = endpoint.address[6:]
    if Path(path).is_socket():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(1)
            try:
                probe.connect(path)
            except OSError:
                return
        raise MetricsAggregatorError(
            f"Cannot bind {endpoint.address}: another process listens on it. Stop it, or use connect=True with a "
            "daemon that binds (--in bind:…)."
        )
    if Path(path).exists():
        raise MetricsAggregatorError(f"Cannot bind {endpoint.address}: the path exists and is not a socket.")


def parse_size(size: int | str) -> int:
    """Return a number of bytes from an int, or from text such as `256MiB`.

    Raises:
        MetricsAggregatorError: not a size, or below 1.
    """
    number = 0
    if isinstance(size, int):
        number = size
    elif found := re.fullmatch(r"\s*(\d+)\s*([A-Za-z]*)\s*", size):
        number = int(found.group(1)) * _UNITS.get(found.group(2).upper(), 0)
    if number < 1:
        raise MetricsAggregatorError(f"Cannot use max_queue={size!r}: write a number of bytes, or text such as 256MiB.")
    return number


def read_curve_key(path: str | Path) -> tuple[bytes, bytes]:
    """Return public and secret key from a file of two lines, as the daemon's --curve-key has it.

    Raises:
        MetricsAggregatorError: the file cannot be read, or does not hold two keys of 40 characters.
    """
    try:
        lines = Path(path).read_text("ascii").split()
    except (OSError, UnicodeDecodeError) as e:
        raise MetricsAggregatorError(f"Cannot read the CURVE key {path}: {e}") from e
    if len(lines) != 2 or any(len(line) != 40 for line in lines):
        raise MetricsAggregatorError(
            f"Cannot use the CURVE key {path}: it must hold the public and the secret key, 40 characters each."
        )
    return lines[0].encode(), lines[1].encode()

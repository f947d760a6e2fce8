"""Publishes recorded frames from a real libzmq PUB: publish_frames.py ENDPOINT bind|connect FILE [COPIES]

Waits for a subscription (an XPUB is a PUB that receives them), then sends every frame unchanged, and exits when all are sent.
"""
import struct
import sys

import zmq

endpoint, side, path = sys.argv[1:4]
copies = int(sys.argv[4]) if len(sys.argv) > 4 else 1

context = zmq.Context()
socket = context.socket(zmq.XPUB)
socket.setsockopt(zmq.SNDHWM, 0)
socket.setsockopt(zmq.LINGER, 30_000)
(socket.bind if side == "bind" else socket.connect)(endpoint)
if not socket.poll(30_000):
    sys.exit("nobody subscribed")
subscription = socket.recv()
assert subscription == b"\x01", subscription

with open(path, "rb") as file:
    data = file.read()
frames = []
position = 0
while position < len(data):
    (length,) = struct.unpack_from(">I", data, position)
    frames.append(data[position + 4 : position + 4 + length])
    position += 4 + length
first, middle, last = frames[:1], frames[1:-1], frames[1:][-1:]
for frame in first + middle * copies + last:
    socket.send(frame)
socket.close()
context.term()
print("sent", len(first) + len(middle) * copies + len(last))

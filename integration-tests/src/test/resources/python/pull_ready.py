"""Binds a PULL and prints the ready signal: pull_ready.py ENDPOINT"""
import sys

import msgspec
import zmq

context = zmq.Context()
socket = context.socket(zmq.PULL)
socket.bind(sys.argv[1])
print("listening", flush=True)
if not socket.poll(30_000):
    sys.exit("no ready signal within 30 s")
print("ready", msgspec.msgpack.decode(socket.recv()), flush=True)
socket.close(linger=0)
context.term()

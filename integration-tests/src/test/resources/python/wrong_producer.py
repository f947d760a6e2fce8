"""A producer that makes one mistake. Usage: wrong_producer.py RECIPE MISTAKE, with the environment and input of check-producer."""

import importlib.util
import os
import sys

import zmq

spec = importlib.util.spec_from_file_location("recipe", sys.argv[1])
recipe = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recipe)
mistake = sys.argv[2]
Right = recipe.Publisher


class Wrong(Right):
    def __init__(self, endpoint):
        if mistake == "does-not-wait":
            self.context = zmq.Context()
            self.socket = self.context.socket(zmq.PUB)
            self.socket.bind(endpoint)
            self.encoder = recipe.msgspec.msgpack.Encoder()
            self.seq, self.buffer, self.topic = 0, [], ""
            return
        super().__init__(endpoint)

    def flush(self):
        if mistake == "gives-up" and self.socket.poll(0):
            os._exit(0)  # The subscriber has disconnected.
        if mistake == "drops-untold" and self.buffer and self.seq > 3000 and self.seq < 400_000:
            self.seq -= len(self.buffer)  # Numbers only what it sends.
            self.buffer = []
        super().flush()

    def close(self):
        if mistake == "no-linger":
            self.flush()
            self.socket.close(linger=0)
            self.context.term()
            return
        super().close()


recipe.Publisher = Wrong
if mistake == "same-life":
    recipe.LIFE, recipe.SOURCE = 1, "python"
recipe.main()
sys.exit(3 if mistake == "bad-status" else 0)

"""The load of test_locust.py; run by a locust process."""

import os
import time

from locust import constant, events, task

from metrics_aggregator.locust import SseUser, attach, publisher_of


@events.init.add_listener
def record(environment, **_):
    attach(environment, wait=60)


class ChatUser(SseUser):
    wait_time = constant(0.01)
    # What a user needs to stop; while it does, a sample of its is in flight.
    seconds_to_stop = float(os.environ.get("SECONDS_TO_STOP", "0"))

    def on_start(self):
        if self.seconds_to_stop:
            self.whole = publisher_of(self.environment).sample(labels={"name": "whole"})

    def on_stop(self):
        if self.seconds_to_stop:
            time.sleep(self.seconds_to_stop)
            self.whole.complete()

    @task
    def chat(self):
        body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": True}
        for event in self.stream("POST", "/v1/chat/completions", json=body, name="chat"):
            assert event.data

    @task
    def models(self):
        self.client.get("/v1/models", name="models")

    @task
    def missing(self):
        list(self.stream("POST", "/v1/nothing", json={}, name="missing"))

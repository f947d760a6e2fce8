"""The load of test_locust.py; run by a locust process."""

from locust import constant, events, task

from metrics_aggregator.locust import SseUser, attach


@events.init.add_listener
def record(environment, **_):
    attach(environment, wait=60)


class ChatUser(SseUser):
    wait_time = constant(0.01)

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

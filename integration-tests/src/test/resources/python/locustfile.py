"""Users of the tests that stream chat completions with Locust."""
from locust import HttpUser, constant, task


class Chat(HttpUser):
    wait_time = constant(0.05)

    @task
    def chat(self):
        body = {"model": "synthetic", "messages": [{"role": "user", "content": "Hello"}], "stream": True}
        self.client.post("/v1/chat/completions", json=body)

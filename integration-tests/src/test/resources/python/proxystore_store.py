"""Forwards the metrics of a real ProxyStore Store by the recipe: proxystore_store.py ENDPOINT RECIPES; prints the store's own figures as JSON."""
import json
import sys
import time

endpoint, recipes = sys.argv[1:3]
sys.path.insert(0, recipes)

import zmq
from proxystore.connectors.local import LocalConnector
from proxystore.store import Store, register_store
from proxystore_forward import forward

store = Store("it", LocalConnector(), metrics=True, cache_size=4)
register_store(store)
out = forward(store, endpoint, source="it")
# A PUB drops messages that have no subscriber.
monitor = out._socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
assert monitor.poll(30_000), "no subscriber connected"
time.sleep(0.3)
keys = [store.put({"n": i}) for i in range(10)]
for key in keys + keys[-3:]:
    store.get(key)
batch = store.put_batch([1, 2, 3])
proxy = store.proxy("hello", populate_target=False)
assert proxy + "!" == "hello!"
store.exists(keys[0])
store.evict(keys[0])
assert store.get(keys[0]) is None
times = {name: stats.as_dict() for name, stats in store.metrics.aggregate_times().items()}
out.close()
store.close()
print(json.dumps(times))

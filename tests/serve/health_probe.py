"""Ask /health again and again until standard input ends; print the seconds of each answer as JSON.

A process of its own: clients in the same process would make the server seem slower than it is.
"""

import http.client
import json
import sys
import threading
import time

stopped = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), stopped.set()), daemon=True).start()
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=30)
seconds = []
while not stopped.is_set():
    began = time.perf_counter()
    connection.request("GET", "/health")
    answer = connection.getresponse()
    answer.read()
    seconds.append(time.perf_counter() - began)
    assert answer.status == 200, answer.status
    time.sleep(0.005)
print(json.dumps(seconds))

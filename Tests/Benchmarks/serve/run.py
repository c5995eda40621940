#!/usr/bin/env python3
"""Measures `edit serve` on this machine alone: requests each second, processor time and memory for each request, and
whether clients that behave badly cost the others anything.

Starts its own server on 127.0.0.1 with copies of a photo, in a folder that is removed afterwards, and sends nothing
anywhere else. Every part is bounded in time and in requests. Writes one JSON object to a line.

    python3 Tests/Benchmarks/serve/run.py --edit .build/release/edit --photo beach.jpg

Needs `wrk` (Debian's package of this name) for the parts that count requests each second, and `vipsthumbnail` (Debian's
package `libvips-tools`) for what the codec takes.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parents[3]


class Server:
    """A server of a folder, with what the system says of its process."""

    def __init__(self, edit, folder, state):
        environment = dict(os.environ, XDG_DATA_HOME=str(state))
        self.process = subprocess.Popen(
            [edit, "serve", "--json", str(folder)], stdout=subprocess.PIPE, env=environment, text=True)
        said = json.loads(self.process.stdout.readline())
        self.port, self.token = said["port"], said["token"]

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        fields = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        if body is not None:
            fields["Content-Type"] = "application/json"
        connection.request(method, path, body if body is None else json.dumps(body), fields)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def photos(self, count):
        """Waits until all photos are there."""
        end = time.time() + 120
        while time.time() < end:
            page = json.loads(self.ask("GET", "/v1/photos?limit=1000")[1])
            if page["total"] >= count:
                return page["photos"]
            time.sleep(0.1)
        sys.exit("The photos were not taken in.")

    def seconds(self):
        """Processor time of the server itself; decoders have their own."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, key="VmRSS"):
        """Megabytes."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(key + r":\s+(\d+)", text)[1]) / 1024

    def stop(self, number=signal.SIGTERM):
        """Ends it; gives the seconds and the exit code."""
        start = time.time()
        self.process.send_signal(number)
        code = self.process.wait(60)
        return time.time() - start, code


def say(name, **values):
    rounded = {key: round(value, 3) if isinstance(value, float) else value for key, value in values.items()}
    print(json.dumps({"part": name, **rounded}), flush=True)


def load(server, path, seconds, connections=32, body=None):
    """Asks for one path again and again."""
    script = tempfile.NamedTemporaryFile("w", suffix=".lua")
    script.write(f'wrk.headers["Authorization"] = "Bearer {server.token}"\n')
    script.flush()
    before = server.seconds()
    output = subprocess.run(
        ["wrk", "-t", "1", "-c", str(connections), "-d", str(seconds), "--latency", "-s", script.name,
         f"http://127.0.0.1:{server.port}{path}"], capture_output=True, text=True, check=True).stdout
    requests = int(re.search(r"(\d+) requests in", output)[1])
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return dict(
        requests_per_second=rate, microseconds_per_request=(server.seconds() - before) / max(requests, 1) * 1e6,
        median=re.search(r"50%\s+(\S+)", output)[1], slowest_1_percent=re.search(r"99%\s+(\S+)", output)[1],
        wrong=int(wrong[1]) if wrong else 0, server_megabytes=server.memory())


def latency(server, path, count=50):
    """Milliseconds of single requests on new connections: median and 95 %."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        status, _ = server.ask("GET", path)
        assert status == 200, status
        times.append((time.perf_counter() - start) * 1000)
    return dict(median_ms=statistics.median(times), p95_ms=statistics.quantiles(times, n=20)[18])


def pictures_of_noir(server, listed, folder, side=1600):
    """Pictures of noir, each of a photo that was not asked for before, by two clients; beside them one process of
    vipsthumbnail that makes pictures of the same size, without an edit, of the same files."""

    def seconds(work):
        left, lock = list(listed), threading.Lock()

        def client():
            while True:
                with lock:
                    if not left:
                        return
                    photo = left.pop()
                status, content = work(photo)
                assert status == 200, content

        start = time.perf_counter()
        threads = [threading.Thread(target=client) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return (time.perf_counter() - start) / len(listed)

    start = time.perf_counter()
    subprocess.run(["vipsthumbnail", "--size", str(side), "-o", str(folder) + "/%s.jpg",
                    *(photo["path"] for photo in listed)], check=True)
    codec = (time.perf_counter() - start) / len(listed)

    def say_ratio(name, work):
        took = seconds(work)
        say(name, ms=took * 1000, vipsthumbnail_ms=codec * 1000, ratio=took / codec)

    say_ratio("picture of noir at 1600", lambda photo: server.ask(
        "GET", f"/v1/photos/{photo['id']}/picture?fit={side}&filter=noir"))
    filters = json.loads(server.ask("GET", "/v1/filters")[1])["filters"]
    noir = next(one["steps"] for one in filters if one["name"] == "noir")
    say_ratio("first preview of noir at 1600", lambda photo: server.ask(
        "POST", f"/v1/photos/{photo['id']}/preview",
        {"adjustments": noir, "fit": side, "session": photo["id"]}))


def connected(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=30)


def bad_clients(server, path):
    """Crowds of clients that behave badly, and what one that behaves well sees meanwhile."""
    say("alone", **latency(server, path))
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"

    before = server.memory()
    crowd = [connected(server) for _ in range(1000)]
    for one in crowd:
        one.sendall(request.encode())
    say("1,000 half requests", **latency(server, path), more_megabytes=server.memory() - before)
    for one in crowd:
        one.sendall(b"\r\n")
    say("1,000 idle connections", **latency(server, path))
    for one in crowd:
        one.close()

    before = server.memory()
    slow = [connected(server) for _ in range(200)]
    for one in slow:
        one.sendall((request + "\r\n").encode() * 40)
    say("200 slow readers", **latency(server, path), more_megabytes=server.memory() - before)
    for one in slow:
        one.close()

    stop = threading.Event()

    def huge():
        while not stop.is_set():
            try:
                with connected(server) as one:
                    one.sendall(b"GET / HTTP/1.1\r\nX: " + b"a" * 4_000_000)
                    one.recv(100)
            except OSError:
                pass

    before = server.memory()
    threads = [threading.Thread(target=huge) for _ in range(2)]
    for thread in threads:
        thread.start()
    say("huge headers", **latency(server, path, 20), more_megabytes=server.memory() - before)
    stop.set()
    for thread in threads:
        thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edit", default=str(HERE / ".build/release/edit"))
    parser.add_argument("--photo", default=str(HERE / "Fixtures/beach.jpg"))
    parser.add_argument("--photos", type=int, default=200, help="how many copies are served")
    parser.add_argument("--seconds", type=int, default=5, help="for each part that counts requests")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    top = pathlib.Path(tempfile.mkdtemp(prefix="safelight-serve-"))
    try:
        photos = top / "photos"
        photos.mkdir()
        for number in range(options.photos):
            shutil.copy(options.photo, photos / f"{number:05}.jpg")
        start = time.time()
        server = Server(options.edit, photos, top / "state")
        say("until it answers", seconds=time.time() - start)
        listed = server.photos(options.photos)
        say("until all photos are listed", photos=len(listed), seconds=time.time() - start)

        start, size = time.time(), 0
        for photo in listed:
            status, content = server.ask("GET", f"/v1/photos/{photo['id']}/thumbnail?size=320&v={photo['revision']}")
            assert status == 200, content
            size += len(content)
        say("thumbnails made one by one", per_second=len(listed) / (time.time() - start), mean_bytes=size / len(listed))

        photo = listed[0]
        base = f"/v1/photos/{photo['id']}"
        thumbnail = f"{base}/thumbnail?size=320&v={photo['revision']}"
        say("thumbnail by revision", **load(server, thumbnail, options.seconds))
        say("thumbnail without revision", **load(server, f"{base}/thumbnail?size=320", options.seconds))
        say("page of 100 photos", **load(server, "/v1/photos?limit=100", options.seconds))
        say("original file", **load(server, f"{base}/file", options.seconds))

        times = []
        for number in range(20):
            start = time.perf_counter()
            body = {"adjustments": [{"id": "exposure", "version": 1, "amount": number / 20}], "fit": 1600}
            status, content = server.ask("POST", f"{base}/preview", body)
            assert status == 200, content
            times.append((time.perf_counter() - start) * 1000)
        say("preview at 1600", median_ms=statistics.median(times), slowest_ms=max(times))

        few = top / "few"
        few.mkdir()
        pictures_of_noir(server, listed[:24], few)

        bad_clients(server, thumbnail)
        say("memory", server_megabytes=server.memory(), most_megabytes=server.memory("VmHWM"))
        seconds, code = server.stop()
        say("stop", seconds=seconds, exit_code=code)
    finally:
        shutil.rmtree(top)


if __name__ == "__main__":
    main()

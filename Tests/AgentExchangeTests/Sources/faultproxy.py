"""A server between an agent and its calendar server that makes the faults of bad networks and busy servers.

usage: faultproxy.py PORT FOLDER SEED PERCENT FAULT...

It passes requests on to PORT, and prints its own port. With so many requests in a hundred it makes one of the faults,
chosen by the seed: see `Proxy.answer`. A file FOLDER/calm ends that, a file FOLDER/offline ends each connection at
once, and a file FOLDER/held holds back the answers to PUT. It writes each request that it was sent as a line of JSON to
FOLDER/requests: "method", "path", "body" (a hash), "status" (what the server answered; 0: it was not asked), "fault",
and "full": whether it asks for a full listing.
"""
import hashlib
import http.client
import http.server
import io
import json
import os
import random
import sys
import threading
import time

PORT, FOLDER, PERCENT, FAULTS = int(sys.argv[1]), sys.argv[2], int(sys.argv[4]), sys.argv[5:]
RANDOM, LOCK = random.Random(sys.argv[3]), threading.Lock()
REQUESTS = open(os.path.join(FOLDER, "requests"), "a", buffering=1)


def exists(name):
    return os.path.exists(os.path.join(FOLDER, name))


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with LOCK:
            fault = RANDOM.choice(FAULTS) if RANDOM.random() * 100 < PERCENT else ""
            pause = RANDOM.random() * 0.02
        if exists("calm"):
            fault = ""
        if exists("offline"):
            fault = "lost-request"
        status, answer = 0, None
        if fault == "unstable":
            # A server whose ETags change with each look.
            fault = {"PUT": "412", "GET": "other-etag"}.get(self.command, "")
        if fault == "scheduling":
            # Guests answer all the time: an item has another ETag each time, but the same Schedule-Tag.
            fault = "412" if self.command == "PUT" and "If-Match" in self.headers else "schedule-tag"
        if fault == "small":
            # A server that takes no large items.
            fault = "413" if self.command == "PUT" and len(body) > 10_000 else ""
        if fault == "full":
            fault = "507" if self.command == "PUT" else ""
        if fault == "vanish":
            # Items that are listed are not there when they are fetched.
            isReport = b"calendar-multiget" in body
            fault = "404" if self.command == "GET" else "nothing" if isReport else ""
        if fault == "lost-put":
            # Nor can the client look whether its change was kept.
            fault = {"PUT": "lost-answer", "GET": "lost-request"}.get(self.command, "")
        if fault == "rewrite" and self.command != "GET":
            fault = ""
        refused = ("429", "500", "503", "404", "412", "413", "507")
        if fault not in refused + ("lost-request", "nothing"):
            if fault == "delay":
                time.sleep(pause)
            answer = self.ask(body)
            status = answer.status
            if fault == "rewrite":
                # A server that does not keep what it is sent.
                answer.body = answer.body.replace(b"SUMMARY:", b"SUMMARY:The ")
        self.note(body, status, fault)
        while self.command == "PUT" and exists("held"):
            time.sleep(0.005)
        if fault in ("lost-request", "lost-answer"):
            self.close_connection = True
        elif fault == "nothing":
            headers = [("Content-Type", "application/xml; charset=utf-8")]
            self.send(207, headers, b'<d:multistatus xmlns:d="DAV:"/>')
        elif answer is None:
            headers = [("Retry-After", "300")] if fault == "429" else []
            self.send(int(fault), headers, b"not now")
        elif fault.startswith("late-"):
            self.send(int(fault[5:]), [], b"not now")
        else:
            headers = answer.getheaders()
            if fault == "other-etag":
                headers = [(n, f'"{pause}"' if n.lower() == "etag" else v) for n, v in headers]
            if fault == "schedule-tag":
                headers.append(("Schedule-Tag", '"s1"'))
            if fault == "doubled":
                # The body is there twice.
                answer.body += answer.body
            self.send(status, headers, answer.body, isCut=fault == "cut", isTwice=fault == "twice")

    def ask(self, body):
        connection = http.client.HTTPConnection("127.0.0.1", PORT)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in ("connection", "expect"):
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        answer.body = answer.read()
        connection.close()
        return answer

    def send(self, status, headers, body, isCut=False, isTwice=False):
        # In one go, so that what comes twice is there before the next request.
        output, self.wfile = self.wfile, io.BytesIO()
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if isCut else body)
        octets, self.wfile = self.wfile.getvalue(), output
        self.wfile.write(octets * 2 if isTwice else octets)
        if isCut:
            self.close_connection = True

    def note(self, body, status, fault):
        line = {
            "method": self.command,
            "path": self.path,
            "body": hashlib.sha1(body).hexdigest(),
            "status": status,
            "fault": fault,
            "full": b"<d:sync-token></d:sync-token>" in body,
        }
        with LOCK:
            REQUESTS.write(json.dumps(line) + "\n")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        # Clients go away in the middle: they are killed.
        pass


for method in ["GET", "PUT", "DELETE", "PROPFIND", "REPORT", "MKCALENDAR"]:
    setattr(Proxy, f"do_{method}", Proxy.answer)
server = Server(("127.0.0.1", 0), Proxy)
print(server.server_port, flush=True)
server.serve_forever()

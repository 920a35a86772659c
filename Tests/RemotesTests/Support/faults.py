"""Web servers that answer what they are told to. It prints the port that it takes its orders on.

POST / has a JSON object with "exchanges" and the path of a "certificate" with its key ("": no TLS), and is answered
with the port of a new server. GET /PORT is answered with what that server was asked, as a JSON array.

An exchange has "on" ("GET /path"), "when" (words in the body or the headers of the request), "status", "headers",
"body", "cut" (the connection ends after so many octets of the body), "silent" (it ends without an answer) and "twice" (the
answer comes once more). Exchanges are used in their order; the last that fits is used again and again.
"""
import gzip
import http.server
import io
import json
import ssl
import threading

SERVERS = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0))).decode("utf-8", "replace")

    def log_message(self, *_):
        pass


class Orders(Handler):
    def do_POST(self):
        server = Server(("127.0.0.1", 0), Scripted)
        order = json.loads(self.body())
        server.exchanges, server.requests = order["exchanges"], []
        if order["certificate"]:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(order["certificate"])
            context.set_alpn_protocols(["h2", "http/1.1"])
            server.socket = context.wrap_socket(server.socket, server_side=True)
        SERVERS[server.server_port] = server
        threading.Thread(target=server.serve_forever, args=[60], daemon=True).start()
        self.say(server.server_port)

    def do_GET(self):
        self.say(SERVERS[int(self.path[1:])].requests)

    def say(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Scripted(Handler):
    def answer(self):
        body = self.body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = {"method": self.command, "path": self.path, "headers": headers, "body": body}
        # Asked for HTTP/2, the client would not understand the answer.
        self.server.requests.append(request | {"version": self.request_version})
        words = body + json.dumps(headers)
        on = f"{self.command} {self.path}"
        exchanges = self.server.exchanges
        fitting = [each for each in exchanges if each["on"] == on and each["when"] in words]
        if not fitting:
            return self.send({"status": 500, "headers": {}, "body": f"unexpected: {on}", "cut": None})
        if len(fitting) > 1:
            exchanges.remove(fitting[0])
        if fitting[0]["silent"]:
            self.close_connection = True
        else:
            self.send(fitting[0])

    def send(self, exchange):
        body = exchange["body"].encode()
        if exchange["headers"].get("Content-Encoding") == "gzip":
            body = gzip.compress(body)
        # In one go, so that what comes twice is there before the next request.
        output, self.wfile = self.wfile, io.BytesIO()
        self.send_response(exchange["status"])
        names = {name.lower() for name in exchange["headers"]}
        for name, value in exchange["headers"].items():
            self.send_header(name, value)
        if "content-type" not in names:
            self.send_header("Content-Type", "application/xml; charset=utf-8")
        if "connection" in names:
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if exchange["cut"] is not None:
            body = body[: exchange["cut"]]
            self.close_connection = True
        self.wfile.write(body)
        answer, self.wfile = self.wfile.getvalue(), output
        self.wfile.write(answer * 2 if exchange.get("twice") else answer)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


for method in ["GET", "POST", "PUT", "DELETE", "PROPFIND", "REPORT", "MKCALENDAR"]:
    setattr(Scripted, f"do_{method}", Scripted.answer)
orders = Server(("127.0.0.1", 0), Orders)
print(orders.server_port, flush=True)
orders.serve_forever()

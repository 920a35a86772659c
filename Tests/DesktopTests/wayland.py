"""As much of Wayland as the desktop tests need, spoken over the socket: no library of Debian does it for Python."""

import os
import socket
import struct
import sys

DISPLAY = 1


class Wayland:
    """A connection to the compositor of WAYLAND_DISPLAY."""

    def __init__(self):
        path = os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"])
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(path)
        self.received = b""
        self.last_id = DISPLAY
        self.registry = self.new_id()
        self.send(DISPLAY, 1, self.registry)
        # Interface to the name of the first global that has it.
        self.globals = {}
        for target, opcode, body in self.roundtrip():
            if target == self.registry and opcode == 0:
                name, size = struct.unpack_from("=II", body)
                self.globals.setdefault(body[8 : 8 + size - 1].decode(), name)

    def new_id(self):
        """A compositor takes them in their order only."""
        self.last_id += 1
        return self.last_id

    def send(self, target, opcode, *words, descriptor=None):
        """Words are 32 bits; octets are sent as they are."""
        body = b"".join(
            word if isinstance(word, bytes) else struct.pack("=I", word & 0xFFFFFFFF) for word in words
        )
        message = struct.pack("=IHH", target, opcode, 8 + len(body)) + body
        socket.send_fds(self.connection, [message], [] if descriptor is None else [descriptor])

    def bind(self, interface, version):
        """The first global of an interface."""
        if interface not in self.globals:
            sys.exit("this compositor has no " + interface)
        octets = interface.encode() + b"\0"
        text = struct.pack("=I", len(octets)) + octets + b"\0" * (-len(octets) % 4)
        bound = self.new_id()
        self.send(self.registry, 0, self.globals[interface], text, version, bound)
        return bound

    def event(self):
        """The next one: its object, its opcode and its octets."""
        while True:
            if len(self.received) >= 8:
                target, opcode, size = struct.unpack_from("=IHH", self.received)
                if len(self.received) >= size:
                    body, self.received = self.received[8:size], self.received[size:]
                    if target == DISPLAY and opcode == 0:
                        sys.exit("the compositor refuses: %r" % body)
                    return target, opcode, body
            more = self.connection.recv(65536)
            if not more:
                sys.exit("the compositor has gone")
            self.received += more

    def roundtrip(self):
        """Waits until the compositor has read all that was sent; returns the events that came meanwhile."""
        callback = self.new_id()
        self.send(DISPLAY, 0, callback)
        events = []
        while True:
            event = self.event()
            if event[0] == callback:
                return events
            events.append(event)

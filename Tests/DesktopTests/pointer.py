#!/usr/bin/python3
"""A mouse for a headless sway, which has none: zwlr_virtual_pointer_v1, spoken over the socket.

usage: pointer.py WIDTH HEIGHT     of the screen, in the units in which the lines of standard input are:
  move X Y          to there
  click BUTTON      1 left, 2 middle, 3 right
  wheel STEPS       down; up when negative
Each line is answered with "done" when sway has taken it."""

import os
import socket
import struct
import sys
import time

WIDTH, HEIGHT = int(sys.argv[1]), int(sys.argv[2])
DISPLAY = 1
LEFT_BUTTON = 0x110
BUTTONS = {1: LEFT_BUTTON, 2: LEFT_BUTTON + 2, 3: LEFT_BUTTON + 1}
# In 1/256: what a mouse sends for one step of its wheel.
STEP = 15 * 256

path = os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"])
connection = socket.socket(socket.AF_UNIX)
connection.connect(path)
received = b""
last_id = DISPLAY


def send(target, opcode, *words, text=None):
    """Words before a text, and those after it in a tuple of their own."""
    body = b"".join(struct.pack("=I", word & 0xFFFFFFFF) for word in words)
    if text is not None:
        name, after = text
        octets = name.encode() + b"\0"
        body += struct.pack("=I", len(octets)) + octets + b"\0" * (-len(octets) % 4)
        body += b"".join(struct.pack("=I", word) for word in after)
    connection.sendall(struct.pack("=IHH", target, opcode, 8 + len(body)) + body)


def event():
    global received
    while True:
        if len(received) >= 8:
            target, opcode, size = struct.unpack_from("=IHH", received)
            if len(received) >= size:
                body, received = received[8:size], received[size:]
                if target == DISPLAY and opcode == 0:
                    sys.exit("pointer.py: sway refuses: %r" % body)
                return target, opcode, body
        more = connection.recv(65536)
        if not more:
            sys.exit("pointer.py: sway has gone")
        received += more


def new_id():
    """A compositor takes them in their order only."""
    global last_id
    last_id += 1
    return last_id


def roundtrip():
    """Until sway has read all that was sent; returns the globals that it told."""
    callback = new_id()
    send(DISPLAY, 0, callback)
    found = []
    while True:
        target, opcode, body = event()
        if target == callback:
            return found
        if target == REGISTRY and opcode == 0:
            name, size = struct.unpack_from("=II", body)
            found.append((body[8 : 8 + size - 1].decode(), name))


def now():
    return int(time.monotonic() * 1000)


REGISTRY = new_id()
send(DISPLAY, 1, REGISTRY)
globals_ = dict(roundtrip())
wanted = "zwlr_virtual_pointer_manager_v1"
if wanted not in globals_:
    sys.exit("pointer.py: this compositor has no " + wanted)
MANAGER = new_id()
send(REGISTRY, 0, globals_[wanted], text=(wanted, (1, MANAGER)))
POINTER = new_id()
send(MANAGER, 0, 0, POINTER)
roundtrip()

for line in sys.stdin:
    word, *numbers = line.split()
    numbers = [int(number) for number in numbers]
    if word == "move":
        send(POINTER, 1, now(), numbers[0], numbers[1], WIDTH, HEIGHT)
        send(POINTER, 4)
    elif word == "click":
        for state in (1, 0):
            send(POINTER, 2, now(), BUTTONS[numbers[0]], state)
            send(POINTER, 4)
    elif word == "wheel":
        send(POINTER, 5, 0)
        send(POINTER, 7, now(), 0, numbers[0] * STEP, numbers[0])
        send(POINTER, 4)
    else:
        sys.exit("pointer.py: there is no " + word)
    roundtrip()
    print("done", flush=True)

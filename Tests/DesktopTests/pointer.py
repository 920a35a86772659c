#!/usr/bin/python3
"""A mouse for a headless sway, which has none: zwlr_virtual_pointer_v1.

usage: pointer.py WIDTH HEIGHT     of the screen, in the units in which the lines of standard input are:
  move X Y          to there
  click BUTTON      1 left, 2 middle, 3 right
  wheel STEPS       down; up when negative
Each line is answered with "done" when sway has taken it."""

import sys
import time

from wayland import Wayland

WIDTH, HEIGHT = int(sys.argv[1]), int(sys.argv[2])
# Of linux/input-event-codes.h.
BUTTONS = {1: 0x110, 2: 0x112, 3: 0x111}
# In 1/256: what a mouse sends for one step of its wheel.
STEP = 15 * 256

screen = Wayland()
manager = screen.bind("zwlr_virtual_pointer_manager_v1", 1)
pointer = screen.new_id()
screen.send(manager, 0, 0, pointer)
screen.roundtrip()


def now():
    return int(time.monotonic() * 1000)


def frame():
    screen.send(pointer, 4)


for line in sys.stdin:
    word, *numbers = line.split()
    numbers = [int(number) for number in numbers]
    if word == "move":
        screen.send(pointer, 1, now(), numbers[0], numbers[1], WIDTH, HEIGHT)
        frame()
    elif word == "click":
        for state in (1, 0):
            screen.send(pointer, 2, now(), BUTTONS[numbers[0]], state)
            frame()
    elif word == "wheel":
        screen.send(pointer, 5, 0)
        screen.send(pointer, 7, now(), 0, numbers[0] * STEP, numbers[0])
        frame()
    else:
        sys.exit("pointer.py: there is no " + word)
    screen.roundtrip()
    print("done", flush=True)

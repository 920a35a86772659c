"""Expands rules with python-dateutil, for `Benchmarks peers`.

usage: dateutil_rules.py CASES --case NAME --min-ms N

CASES is as main.swift describes it; what is printed too."""
import sys
import time
from datetime import datetime
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

FORM = "%Y%m%dT%H%M%S"


def digits(moment):
    date = moment.year * 10000 + moment.month * 100 + moment.day
    return date * 1000000 + moment.hour * 10000 + moment.minute * 100 + moment.second


def expand(rule, limit, end, zone):
    found = total = 0
    for moment in rule:
        if found == limit or moment.replace(tzinfo=None) >= end:
            break
        total += int(moment.timestamp()) if zone else digits(moment)
        found += 1
    return found, total % 2**64


_, cases, _, name, _, milliseconds = sys.argv
for line in open(cases, encoding="utf-8"):
    fields = line.rstrip("\n").split("\t")
    if len(fields) != 7 or fields[0] != name:
        continue
    zone = None if fields[2] == "-" else ZoneInfo(fields[2])
    start = datetime.strptime(fields[3], FORM).replace(tzinfo=zone)
    rule = rrulestr(fields[4], dtstart=start)
    end = datetime.strptime(fields[6], FORM)
    repetitions, begin = 0, time.monotonic()
    while True:
        found, total = expand(rule, int(fields[5]), end, zone)
        repetitions += 1
        elapsed = time.monotonic() - begin
        if elapsed * 1e3 >= float(milliseconds):
            break
    print(name, found, total, repetitions, f"{elapsed:.9f}", sep="\t")

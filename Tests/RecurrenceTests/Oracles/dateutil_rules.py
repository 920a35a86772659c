"""Expands rules with python-dateutil, for OracleTests: reads lines of START TAB RULE TAB LIMIT, writes
one line each with what the rule gives from the start on, or "error"."""
import itertools
import sys
from datetime import datetime

from dateutil.rrule import rrulestr

for line in sys.stdin:
    start, rule, limit = line.rstrip("\n").split("\t")
    try:
        times = rrulestr(rule, dtstart=datetime.strptime(start, "%Y%m%dT%H%M%S"))
        found = [time.strftime("%Y%m%dT%H%M%S") for time in itertools.islice(times, int(limit))]
        print(" ".join(found), flush=True)
    except (ValueError, TypeError):
        print("error", flush=True)

# SPDX-License-Identifier: GPL-2.0
"""Hardware counters through perf stat, and what it means to have none.

A reading is a number or one of four reasons why there is none. A reason is
never turned into 0.
"""
import os
import re
import shutil
import subprocess

NO_PERF = "no perf"
NO_PERMISSION = "no permission"
NO_PMU = "no PMU"
NOT_COUNTED = "not counted"

EVENTS = ("instructions", "branches", "cycles", "branch-misses",
          "L1-icache-load-misses", "iTLB-load-misses", "task-clock")


class PerfError(Exception):
    """The text is not the output of perf stat, or perf failed."""


class Reading:
    """One event: value (None when absent), reason, deviation in percent."""

    def __init__(self, value=None, reason=None, deviation=None, unit=""):
        self.value = value
        self.reason = reason
        self.deviation = deviation
        self.unit = unit

    def __str__(self):
        if self.value is None:
            return self.reason
        return f"{self.value:g}" if self.unit else str(int(self.value))


_MISSING = {"<not supported>": NO_PMU, "<not counted>": NOT_COUNTED}


def _split(line):
    """Separate the fields; a decimal comma is not a separator."""
    if ";" in line:
        return line.split(";")
    fields = line.split(",")
    if len(fields) > 3 and fields[2] in ("msec", "ns") and \
            fields[0].isdigit() and fields[1].isdigit():
        fields[0:2] = [fields[0] + "." + fields[1]]
    return fields


def _number(text):
    return float(text.replace(",", "."))


def _deviation(fields):
    if len(fields) > 3 and fields[3].endswith("%"):
        return _number(fields[3][:-1])
    return None


def _event(name):
    return re.sub(r":[ukhGHpP]+$", "", name)


def parse(text, where="perf stat"):
    """Return {event: Reading} of the output of "perf stat -x,".

    Modifiers such as :u are dropped from the names, since perf adds :u by
    itself when only user mode may be counted. Raises PerfError on anything
    perf would not write.
    """
    readings = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = _split(line)
        if len(fields) < 3:
            raise PerfError(f"{where}:{number}: not perf stat: {line[:60]!r}")
        value, unit, name = fields[0].strip(), fields[1], fields[2].strip()
        if not name and len(fields) > 5:
            continue            # a further metric of the line before
        if not re.fullmatch(r"[A-Za-z][\w.:/=,-]*", name):
            raise PerfError(f"{where}:{number}: no event: {line[:60]!r}")
        if value in _MISSING:
            readings[_event(name)] = Reading(reason=_MISSING[value])
            continue
        if not value:
            readings[_event(name)] = Reading(reason=NOT_COUNTED)
            continue
        try:
            readings[_event(name)] = Reading(_number(value), None,
                                             _deviation(fields), unit)
        except ValueError:
            raise PerfError(f"{where}:{number}: not a number: {value!r}") \
                from None
    if not readings:
        raise PerfError(f"{where}: no events; perf stat printed nothing")
    return readings


def missing(reason):
    """Readings of all events for one reason."""
    return {event: Reading(reason=reason) for event in EVENTS}


def works(perf):
    """Is it perf, and not a wrapper that has no perf to call?"""
    if not perf or not os.path.exists(perf):
        return False
    version = subprocess.run([perf, "--version"], capture_output=True,
                             text=True, check=False)
    return not version.returncode and \
        version.stdout.startswith("perf version")


def _refused(text):
    return re.search(r"perf_event_paranoid|[Pp]ermission|Access to perf|"
                     r"Operation not permitted", text)


def judge(status, text, where="perf stat"):
    """{event: Reading} of what perf stat wrote and its exit status."""
    text = "\n".join(line for line in text.splitlines()
                     if not line.startswith("#"))
    if status and _refused(text):
        return missing(NO_PERMISSION)
    if status:
        raise PerfError(f"{where}: status {status}: {text.strip()[-200:]}")
    readings = parse(text, where)
    return {event: readings.get(event, Reading(reason=NOT_COUNTED))
            for event in EVENTS}


def measure(command, repeat, path=None, environment=None):
    """Run a command under perf stat here; return {event: Reading}.

    command      list of words
    repeat       how many times
    path         of perf; None looks for it
    environment  for the command
    """
    perf = path or shutil.which("perf")
    if not works(perf):
        return missing(NO_PERF)
    env = dict(environment or os.environ, LC_ALL="C")
    result = subprocess.run(
        [perf, "stat", "--repeat", str(repeat), "-x,", "-e",
         ",".join(EVENTS), "-o", "/dev/fd/2", "--"] + command,
        capture_output=True, text=True, check=False, env=env)
    return judge(result.returncode, result.stderr)

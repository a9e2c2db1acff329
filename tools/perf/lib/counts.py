# SPDX-License-Identifier: GPL-2.0
"""Read what the counting plugin wrote; report.h describes the records."""

BRANCHES = ("conditional", "unconditional", "calls", "returns")


class CountsError(Exception):
    """The file is not a complete result of the plugin."""


class Region:
    """The counters of one passage through a region.

    count[name][level]      number, level being "user" or "kernel"
    misses[geometry][what][level]
    sets[geometry]          misses by set, a list
    fights[geometry][set]   [(misses, function)], most first
    functions[level, name]  (instructions, branches)
    hits[symbol]            number of entries
    """

    def __init__(self, number):
        self.number = number
        self.count = {}
        self.fetches = {}
        self.misses = {}
        self.sets = {}
        self.fights = {}
        self.functions = {}
        self.hits = {}

    def total(self, name):
        """Sum over user and kernel of one counter."""
        return sum(self.count[name].values())

    def total_misses(self, geometry, what="l1i"):
        """Sum over user and kernel of one model's misses."""
        return sum(self.misses[geometry][what].values())


def _add(region, record, fields):
    if record == "count":
        name, level, n = fields
        region.count.setdefault(name, {})[level] = int(n)
    elif record == "fetches":
        level, n = fields
        region.fetches[level] = int(n)
    elif record == "misses":
        geometry, what, level, n = fields
        by_level = region.misses.setdefault(geometry, {})
        by_level.setdefault(what, {})[level] = int(n)
    elif record == "set":
        geometry, number, n = fields
        sets = region.sets.setdefault(geometry, [])
        if int(number) != len(sets):
            raise ValueError("sets out of order")
        sets.append(int(n))
    elif record == "fight":
        geometry, number, name, n = fields
        fight = region.fights.setdefault(geometry, {})
        fight.setdefault(int(number), []).append((int(n), name))
    elif record == "function":
        level, name, instructions, branches = fields
        old = region.functions.get((level, name), (0, 0))
        region.functions[level, name] = (old[0] + int(instructions),
                                         old[1] + int(branches))
    elif record == "hit":
        name, n = fields
        region.hits[name] = int(n)
    else:
        raise ValueError("unknown record " + record)


class _Reader:
    def __init__(self):
        self.regions = []
        self.open = None
        self.closed = None

    def line(self, fields):
        """Take one record; ValueError when it does not belong here."""
        record = fields[0]
        if self.closed is not None:
            raise ValueError("text after the end")
        if record == "closed":
            self.closed = int(fields[1])
        elif record == "begin":
            if self.open:
                raise ValueError("region inside a region")
            self.open = Region(int(fields[1]))
        elif not self.open or int(fields[1]) != self.open.number:
            raise ValueError("record outside its region")
        elif record == "end":
            if "instructions" not in self.open.count:
                raise ValueError("region without instructions")
            self.regions.append(self.open)
            self.open = None
        else:
            _add(self.open, record, fields[2:])


def parse(path):
    """Return the regions of a result file, in the order they ended.

    Raises CountsError, with file and line, unless the file is whole.
    """
    try:
        with open(path, encoding="ascii", errors="strict") as file:
            lines = file.read().split("\n")
    except OSError as error:
        raise CountsError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CountsError(f"{path}: not a result of the plugin") from None
    if lines == [""]:
        raise CountsError(f"{path}: empty; did the emulator start?")
    if lines[0].split("\t")[:2] != ["counts", "1"]:
        raise CountsError(f"{path}:1: not a result of the plugin")
    reader = _Reader()
    for number, line in enumerate(lines[1:-1], 2):
        try:
            reader.line(line.split("\t"))
        except (ValueError, IndexError) as error:
            raise CountsError(f"{path}:{number}: {error}: {line[:60]!r}") \
                from None
    if reader.closed is None or lines[-1]:
        raise CountsError(
            f"{path}: ends after {len(reader.regions)} whole regions; "
            "the guest did not come to an orderly end")
    if reader.closed != len(reader.regions):
        raise CountsError(f"{path}: {reader.closed} regions were written, "
                          f"{len(reader.regions)} are here")
    return reader.regions

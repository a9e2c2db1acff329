# SPDX-License-Identifier: GPL-2.0
"""Samples of many runs, and the tables and files made of them."""
import csv
import os
import statistics

PERF_STAT_NAMES = {"instructions": "instructions", "branches": "branches",
                   "conditional": "conditional-branches", "loads": "loads",
                   "stores": "stores"}


class Samples:
    """Numbers by (kernel, group, workload, region, event).

    event is a counter's name, with ":u" or ":k" for one privilege level, or
    "l1i-misses.GEOMETRY" and "itlb-misses.GEOMETRY".
    """

    def __init__(self):
        self.values = {}

    def add(self, key, value):
        """Append one run's number."""
        self.values.setdefault(key, []).append(value)

    def add_region(self, kernel, matched):
        """Append all the numbers of one passage through a region."""
        group, workload, number, _, region = matched
        key = (kernel, group, workload, number)
        for name, levels in region.count.items():
            self.add(key + (name,), sum(levels.values()))
            for level, value in levels.items():
                self.add(key + (f"{name}:{level[0]}",), value)
        for geometry, kinds in region.misses.items():
            for what, levels in kinds.items():
                self.add(key + (f"{what}-misses.{geometry}",),
                         sum(levels.values()))

    def mean(self, *key):
        """Mean over the runs, None when it was not measured."""
        values = self.values.get(key)
        return statistics.fmean(values) if values else None

    def median(self, *key):
        """Median over the runs, None when it was not measured."""
        values = self.values.get(key)
        return statistics.median(values) if values else None

    def deviation(self, *key):
        """Standard deviation in percent of the mean, None below two runs."""
        values = self.values.get(key)
        if not values or len(values) < 2:
            return None
        mean = statistics.fmean(values)
        return 100 * statistics.stdev(values) / mean if mean else 0.0

    def spread(self, *key):
        """Largest less smallest in percent, None below two runs."""
        values = self.values.get(key)
        if not values or len(values) < 2:
            return None
        return 100 * (max(values) / min(values) - 1) if min(values) else None

    def percent(self, key, base):
        """Difference of two medians in percent of the second, or None."""
        value, other = self.median(*key), self.median(*base)
        if value is None or not other:
            return None
        return 100 * (value / other - 1)


def millions(value):
    """A count for people."""
    return f"{value / 1e6:,.3f} M" if value >= 1e5 else f"{value:,.0f}"


def cell(samples, key, base=None):
    """"mean (difference) ± deviation", or a dash when not measured."""
    value = samples.mean(*key)
    if value is None:
        return "not measured"
    text = millions(value)
    if base and base != key:
        difference = samples.percent(key, base)
        if difference is not None:
            text += f" ({difference:+.2f} %)"
    deviation = samples.deviation(*key)
    return text if deviation is None else f"{text} ± {deviation:.3f} %"


def markdown(head, rows):
    """A table as lines of Markdown."""
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def write(path, text):
    """Write a whole file or none."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def write_csv(path, rows):
    """Write rows, the first being the head."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    os.replace(path + ".new", path)


def write_samples(directory, samples):
    """counts.csv with every run, and one perf-stat-like file a cell."""
    rows = [("kernel", "group", "workload", "region", "event", "run", "value")]
    cells = {}
    for key in sorted(samples.values, key=str):
        for run, value in enumerate(samples.values[key], 1):
            rows.append(key + (run, value))
        cells.setdefault(key[:4], []).append(key)
    write_csv(os.path.join(directory, "counts.csv"), rows)
    for (kernel, group, workload, region), keys in cells.items():
        name = f"{kernel}.{group.replace('/', '-')}.{workload}.{region}.csv"
        write(os.path.join(directory, "perf-stat", name),
              "".join(perf_stat_line(samples, key) for key in keys))


def perf_stat_line(samples, key):
    """One line as "perf stat -x, --repeat" writes it."""
    event = key[4]
    return (f"{samples.mean(*key):.0f},,{event},"
            f"{samples.deviation(*key) or 0:.2f}%,0,100.00,,\n")


def read_summary(directory):
    """Merge DIRECTORY/*.csv; (rows, complaint)."""
    rows, seen = [], {}
    for name in sorted(os.listdir(directory)):
        if not name.endswith(".csv"):
            continue
        path = os.path.join(directory, name)
        with open(path, encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
        for number, row in enumerate(lines, 1):
            if number == 1 and row == ["metric", "stock", "ours", "unit"]:
                continue
            if len(row) != 4 or not row[0]:
                return None, (f"{path}:{number}: not the four fields metric,"
                              f"stock,ours,unit: {','.join(row)}")
            if row[0] in seen:
                return None, (f"{path}:{number}: {row[0]} is already in "
                              f"{seen[row[0]]}")
            seen[row[0]] = path
            rows.append(row)
    return rows, None

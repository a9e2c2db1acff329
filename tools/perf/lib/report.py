# SPDX-License-Identifier: GPL-2.0
"""The report: headlines, tables laid out like those of 2011, plots."""
import hashlib
import os
import platform
import re
import subprocess

import guest
import order
import perfstat
import plot
import table

NEVER = "10000000000/1000000"
NEVER_SHORT = "10000000000/1000"
HERE = "this machine"
CHURNED, CHURNED_NEVER = "churned+none", "churned+" + NEVER
GROUPS = ("none", "group", NEVER_SHORT, NEVER, CHURNED, CHURNED_NEVER)
GEOMETRIES = ("core2", "westmere", "barcelona", "zen3")
TRIPS, CALLS, ITERATIONS = 20000, 100000, 1000000

HEADING = """# Measurements

## How to read this

Each figure says where it comes from:

- **counted**: every instruction a guest executed between two markers was
  counted by the plugin `tools/perf/plugin` under QEMU (`-icount shift=0`, one
  CPU). User and kernel mode, all processes and interrupts are included. A
  count is exact; it is not a time. A repeated string instruction counts once
  an element, a 32 byte access as several.
- **modelled**: misses of a first-level instruction cache (or TLB) fed with
  the counted instructions' addresses: LRU, virtually indexed, physically
  tagged, empty when the region begins. core2 and zen3 are 32K/8-way,
  westmere 32K/4-way, barcelona 64K/2-way, all with 64 byte lines.
- **perf stat**: the counters that perf finds, on this machine with the kernel
  it runs, or inside a guest.

"not measured" means that this run did not include it; "no perf", "no
permission", "no PMU" and "not counted" are what perf stat had to say. None of
them is a 0. Tables give the mean, headlines and percentages the median. "±"
is the standard deviation over the repeats in percent of the mean, the
percentage in brackets the difference from the baseline named above the table.

What runs:

- **pipe-test**: 20000 round trips of one byte between two processes. Only
  the loop is counted.
- **W1**: a shell that runs pipe-test with 20000 round trips five times.
  **W2**, **W3**: 100000 round trips once, with and without a further command
  in the shell. Counted as by `perf stat COMMAND`: shell, fork, exec and exit
  are included.
- **getppid**: 100000 system calls, the loop only.
- **jump_test**: 1000000 iterations over one jump label in user space, the
  loop only, first with the site off, then on; user mode only in the
  headlines. It is the same program under every kernel and shows what a site
  costs, not what a kernel does.

Where it runs: "none" is the root group, "group" a group of its own without a
quota, the others a group with that quota/period in microseconds, which is
never reached. "churned+" before it: the same after 1000 groups with a quota
had come and gone.
"""


def _output(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False)
    except OSError:
        return "unknown"
    return (done.stdout or "unknown").splitlines()[0]


def _cpu():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"model name\s*: (.*)", file.read())
            return found.group(1) if found else "unknown"
    except OSError:
        return "unknown"


def _config(out, option):
    with open(os.path.join(out, ".config"), encoding="utf-8") as file:
        return "in" if re.search(rf"^CONFIG_{option}=y", file.read(), re.M) \
            else "out"


def _kernel_row(kernel):
    out = guest.out_dir(kernel)
    with open(guest.vmlinux(kernel), "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()[:12]
    with open(os.path.join(out, "include/config/kernel.release"),
              encoding="ascii") as file:
        release = file.read().strip()
    order = guest.split_order(kernel)[1] or "as the tree has it"
    return (kernel, release, _config(out, "CFS_BANDWIDTH"),
            _config(out, "JUMP_LABEL"), order, digest)


def _machine(kernels):
    lines = ["## On what", ""]
    lines += table.markdown(("kernel", "release", "bandwidth control",
                             "jump labels", "jump_label.o",
                             "sha256 of vmlinux"),
                            [_kernel_row(kernel) for kernel in kernels])
    return lines + ["", f"Emulator: {_output(['qemu-system-x86_64', '--version'])}."
                    f" Compiler: {_output(['gcc', '--version'])}."
                    f" This machine: {_cpu()}, Linux {platform.release()}."]


def _other(kernel, suffix):
    """The kernel of the same tree with another suffix."""
    return kernel.split("-")[0] + "-" + suffix


def _workload_table(samples, kernels, workload, region):
    head = ("kernel, group", "instructions", "of them kernel", "branches",
            "cycles", "source")
    rows = []
    for group in GROUPS:
        base_group = "none" if group in ("none", CHURNED) else "group"
        base = ("stock-nobwc", base_group, workload, region)
        for kernel in kernels:
            key = (kernel, group, workload, region)
            if samples.mean(*key, "instructions") is None:
                continue
            rows.append((f"{kernel}, {group}",
                         table.cell(samples, key + ("instructions",),
                                    base + ("instructions",)),
                         table.cell(samples, key + ("instructions:k",),
                                    base + ("instructions:k",)),
                         table.cell(samples, key + ("branches",),
                                    base + ("branches",)),
                         "not measured", "counted"))
    if not rows:
        return []
    return ["", f"### {workload}" + (
        {3: ", site off", 4: ", site on"}.get(region, "")), "",
        "Baseline: stock-nobwc in the same kind of group.", ""] + \
        table.markdown(head, rows)


def _workloads(samples, kernels):
    lines = ["", "## Workloads"]
    for workload, regions in guest.REGIONS.items():
        for region in regions:
            lines += _workload_table(samples, kernels, workload, region)
    return lines


def _misses(samples, kernels):
    lines = ["", "## Instruction cache", "",
             "Misses per round trip of pipe-test in the root group, kernel "
             "and user. Source: modelled.", ""]
    rows = []
    for kernel in kernels:
        row = [kernel]
        for what in ("l1i", "itlb"):
            for geometry in GEOMETRIES:
                value = samples.mean(kernel, "none", "pipe-test", 1,
                                     f"{what}-misses.{geometry}")
                row.append("not measured" if value is None else
                           f"{value / TRIPS:.2f}")
        rows.append(row)
    head = ["kernel"] + [f"L1I {g}" for g in GEOMETRIES] + \
        [f"iTLB {g}" for g in GEOMETRIES]
    return lines + table.markdown(head, rows)


def _hardware(readings):
    lines = ["", "## Hardware counters", "",
             "The scripts under `perf stat`: on this machine, whose own "
             f"kernel, Linux {platform.release()}, is none of those above; "
             "and in the guests, which have the counters that the emulator "
             "gives them. task-clock is in ms; in a guest it is the time of "
             "an emulator and says nothing about a processor. Source: perf "
             "stat.", ""]
    if not readings:
        return lines + ["Not measured."]
    rows = [[f"{workload}, {where}"] +
            [str(values[event]) for event in perfstat.EVENTS]
            for (where, workload), values in readings.items()]
    return lines + table.markdown(("workload, where",) + perfstat.EVENTS,
                                  rows)


def _percent(samples, tree, event, group, base_group):
    return samples.percent((f"{tree}-small", group, "pipe-test", 1, event),
                           (f"{tree}-nobwc", base_group, "pipe-test", 1,
                            event))


def headlines(samples):
    """Rows of summary.csv; what was not measured is an empty field."""
    rows = []

    def add(metric, unit, figure):
        values = [figure(tree) for tree in ("stock", "ours")]
        rows.append([metric] + ["" if value is None else f"{value:.4f}"
                                for value in values] + [unit])

    for name, group, base in (("unused", "none", "none"),
                              ("unreached", NEVER, "group"),
                              ("churned", CHURNED, "none"),
                              ("churned_unreached", CHURNED_NEVER, "group")):
        for event in ("instructions", "branches"):
            add(f"pipe_test.{name}.{event}_pct", "%",
                lambda tree, e=event, g=group, b=base:
                _percent(samples, tree, e, g, b))
    for name, group in (("unused", "none"), ("unreached", NEVER)):
        for event in ("instructions", "branches"):
            add(f"pipe_test.{name}.{event}", f"{event}/round trip",
                lambda tree, e=event, g=group: _per(
                    samples.median(f"{tree}-small", g, "pipe-test", 1, e),
                    TRIPS))
    for geometry in GEOMETRIES:
        add(f"pipe_test.l1i_misses.{geometry}", "misses/round trip",
            lambda tree, g=geometry: _per(
                samples.median(f"{tree}-small", "none", "pipe-test", 1,
                             f"l1i-misses.{g}"), TRIPS))
    add("getppid.instructions", "instructions/call", lambda tree: _per(
        samples.median(f"{tree}-small", "none", "getppid", 2, "instructions"),
        CALLS))
    for state, region in (("off", 3), ("on", 4)):
        for event in ("instructions", "branches"):
            add(f"jump_test.{state}.{event}", f"{event}/iteration",
                lambda tree, r=region, e=event: _per(
                    samples.median(f"{tree}-small", "none", "jump_test", r,
                                 e + ":u"), ITERATIONS))
    return rows


def _per(value, n):
    return None if value is None else value / n


def _spread(samples):
    """How far the runs of pipe-test under one condition lie apart."""
    worst = [(samples.spread(*key), f"{key[0]}, {key[1]}")
             for key in samples.values
             if key[2:] == ("pipe-test", 1, "instructions")]
    worst = [(spread, where) for spread, where in worst
             if spread is not None]
    if not worst:
        return []
    spread, where = max(worst)
    return ["", "The runs of pipe-test with one kernel and in one group "
            f"differ by at most {spread:.3f} % in instructions ({where})."]


def _headline_table(rows):
    return ["", "## Headlines", "",
            "The percentages compare with the same tree, the same group and "
            "bandwidth control compiled out: `unused` in the root group, "
            "`unreached` in a group with a quota that is never reached, "
            "`churned` the same two after 1000 groups with a quota had come "
            "and gone. "
            "Source: counted; cache misses: modelled.", ""] + table.markdown(
                ("metric", "stock", "ours", "unit"),
                [[field or "not measured" for field in row] for row in rows])


def plots(directory, samples, rows, orders):
    """Write the SVG files; orders is {kernel: Region} with cache models."""
    def figure(row, column):
        return float(row[column]) if row[column] else None

    for name, words, unit in (
            ("overhead", "_pct", "% over bandwidth control compiled out"),
            ("l1i-misses", "l1i_misses", "misses a round trip")):
        chosen = [row for row in rows if words in row[0]]
        table.write(os.path.join(directory, name + ".svg"), plot.bars(
            "pipe-test: " + unit, unit,
            [re.sub(r"pipe_test\.(l1i_misses\.)?|_pct", "",
                    row[0]).replace(".", "\n") for row in chosen],
            [("stock", [figure(row, 1) for row in chosen]),
             ("ours", [figure(row, 2) for row in chosen])]))
    for geometry in GEOMETRIES:
        series = [(kernel, [n / TRIPS for n in region.sets[geometry]])
                  for kernel, region in orders.items()]
        if series:
            sets = len(series[0][1])
            table.write(
                os.path.join(directory, f"sets-{geometry}.svg"), plot.bars(
                    f"pipe-test: misses a round trip by set, {geometry}",
                    "misses a round trip",
                    [str(n) if n % (sets // 16) == 0 else ""
                     for n in range(sets)], series))


def write(directory, samples, kernels, hardware, orders):
    """Write everything; returns the headlines."""
    rows = headlines(samples)
    table.write_samples(directory, samples)
    table.write_csv(os.path.join(directory, "summary.d/perf.csv"),
                    [("metric", "stock", "ours", "unit")] + rows)
    plots(directory, samples, rows, orders)
    lines = [HEADING] + _machine(kernels) + _headline_table(rows) + \
        _spread(samples) + _workloads(samples, kernels) + \
        _misses(samples, kernels) + \
        order.section(orders, GEOMETRIES, TRIPS) + _hardware(hardware) + \
        ["", "## Plots", "", "![overhead](overhead.svg)",
         "![misses](l1i-misses.svg)"]
    lines += [f"![misses by set](sets-{geometry}.svg)"
              for geometry in GEOMETRIES if orders]
    table.write(os.path.join(directory, "report.md"), "\n".join(lines) + "\n")
    return rows

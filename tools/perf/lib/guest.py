# SPDX-License-Identifier: GPL-2.0
"""Build kernels, run cells of measurements in them, give back the counters."""
import hashlib
import os
import re
import shutil
import subprocess
import time

import counts

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
PERF = os.path.join(TOP, "build/perf")
WORKLOADS = os.path.join(TOP, "tools/perf/workloads")
PROGRAMS = ("pipe-test", "getppid", "jump_test", "region", "churn", "warm-up")
SCRIPTS = ("W1", "W2", "W3", "cells")

# The regions a workload leaves behind, in order.
REGIONS = {"pipe-test": (1,), "getppid": (2,), "jump_test": (3, 4),
           "W1": (5,), "W2": (5,), "W3": (5,)}


class GuestError(Exception):
    """A measurement could not be made."""


class Cell:
    """One workload in one group: what to run and what it needs.

    group     "none", "group" or "QUOTA/PERIOD" in microseconds; "churned+" in
              front: after a thousand groups with a quota came and went
    workload  a key of REGIONS
    argument  its loop count
    """

    def __init__(self, group, workload, argument):
        self.group = group
        self.workload = workload
        self.argument = argument

    def __str__(self):
        return f"{self.group}:{self.workload}:{self.argument}"


class Plan:
    """What one boot of a guest measures.

    name     for progress and file names
    cells    list of Cell
    repeat   runs of each cell
    options  further options of the plugin, a list of "key=value"
    timeout  seconds of real time
    """

    def __init__(self, name, cells, repeat, options=(), timeout=3600):
        self.name = name
        self.cells = cells
        self.repeat = repeat
        self.options = list(options)
        self.timeout = timeout


def build_tools():
    """Compile workloads and plugin."""
    done = subprocess.run(["make", "-s", "-C",
                           os.path.join(TOP, "tools/perf")], check=False)
    if done.returncode:
        raise GuestError("the workloads and the plugin could not be built")


def out_dir(kernel):
    """Where a kernel is built; a name with a slash is a directory itself."""
    if "/" in kernel:
        return os.path.abspath(kernel)
    return os.path.join(TOP, "build/out", kernel)


def vmlinux(kernel):
    """Path of the uncompressed image."""
    return os.path.join(out_dir(kernel), "vmlinux")


def split_order(kernel):
    """("stock-small", "last") of stock-small-last; None without an order."""
    base, _, order = kernel.rpartition("-")
    return (base, order) if order in ("first", "last") else (kernel, None)


def _run(command, what):
    done = subprocess.run(["nice"] + command, cwd=TOP, check=False)
    if done.returncode:
        raise GuestError(f"{what}: {' '.join(command)} failed with status "
                         f"{done.returncode}")


def build(kernel):
    """Build a kernel unless it is there.

    A grafted kernel is always handed to make, as its source may have
    changed. A new variant starts as a copy of the kernel whose name it
    prolongs, or of its tree's small one: most objects can be kept.
    """
    base, order = split_order(kernel)
    tree = kernel.split("-")[0]
    if tree == "stock" and os.path.exists(vmlinux(kernel)):
        return
    if order:
        build(base)
        _run([os.path.join(TOP, "tools/perf/relink"), base, order], kernel)
        return
    if not os.path.exists(out_dir(kernel)):
        _seed(kernel, (kernel.rpartition("-")[0], tree + "-small"))
    _run(["scripts/kbuild", kernel], kernel)


def _seed(kernel, candidates):
    """Start a kernel's directory as a copy of the first that is built."""
    for seed in candidates:
        if not os.path.exists(vmlinux(seed)):
            continue
        print(f"bench: {kernel}: starting from a copy of {seed}", flush=True)
        new = out_dir(kernel) + ".new"
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(out_dir(seed), new, symlinks=True)
        # An image is the sign of a build that is over; this one is to come.
        for name in ("vmlinux", "arch/x86/boot/bzImage"):
            if os.path.exists(os.path.join(new, name)):
                os.unlink(os.path.join(new, name))
        os.rename(new, out_dir(kernel))
        return


def image(kernel):
    """The argument of scripts/boot --kernel; raises when there is none."""
    if not os.path.exists(vmlinux(kernel)):
        raise GuestError(f"{kernel}: there is no kernel image "
                         f"{vmlinux(kernel)}")
    return vmlinux(kernel) if "/" in kernel else kernel


def _command(kernel, plan, result):
    plugin = [os.path.join(PERF, "count.so"), "out=" + result,
              "symbols=" + os.path.join(out_dir(kernel), "System.map")]
    command = [os.path.join(TOP, "scripts/boot"), "--kernel", image(kernel),
               "--icount", "--timeout", str(plan.timeout),
               "--plugin", ",".join(plugin + plan.options)]
    for program in PROGRAMS:
        command += ["--file", os.path.join(PERF, program)]
    for script in SCRIPTS:
        command += ["--file", os.path.join(WORKLOADS, script)]
    cells = [str(cell) for cell in plan.cells]
    return command + ["--", "/cells", str(plan.repeat)] + cells


def _match(plan, said, regions, where):
    """Give each region to its cell and run, checking that all agree."""
    ran = re.findall(r"^cell (\S+) (\S+) (\d+)$", said, re.M)
    asked = [(cell.group, cell.workload, str(run + 1)) for cell in plan.cells
             for run in range(plan.repeat)]
    if ran != asked or "cells: done" not in said:
        raise GuestError(f"{where}: the guest ran {len(ran)} of "
                         f"{len(asked)} measurements")
    wanted = [number for _, workload, _ in asked
              for number in REGIONS[workload]]
    if [region.number for region in regions] != wanted:
        raise GuestError(f"{where}: the regions do not fit the cells")
    results, at = [], 0
    for group, workload, run in asked:
        for number in REGIONS[workload]:
            results.append((group, workload, number, int(run), regions[at]))
            at += 1
    return results


def measure(kernel, plan, directory):
    """Boot once; return [(group, workload, region number, run, Region)].

    directory  for the plugin's result and the guest's output, which stay
    """
    os.makedirs(directory, exist_ok=True)
    stem = os.path.join(directory, plan.name)
    result, began = stem + ".counts", time.time()
    for path in (result, stem + ".key"):
        if os.path.exists(path):
            os.unlink(path)
    done = subprocess.run(_command(kernel, plan, result), cwd=TOP,
                          capture_output=True, text=True, check=False)
    with open(stem + ".out", "w", encoding="utf-8") as file:
        file.write(done.stdout)
    where = f"{kernel}, {plan.name}"
    if done.returncode:
        raise GuestError(
            f"{where}: the guest failed with status {done.returncode}\n"
            f"{(done.stdout[-400:] + done.stderr[-1200:]).rstrip()}")
    try:
        regions = counts.parse(result)
    except counts.CountsError as error:
        raise GuestError(f"{where}: {error}") from None
    matched = _match(plan, done.stdout, regions, where)
    with open(stem + ".key", "w", encoding="ascii") as file:
        file.write(_key(kernel, plan))
    print(f"bench: {where}: {len(matched)} regions in "
          f"{time.time() - began:.0f} s", flush=True)
    return matched


def _key(kernel, plan):
    """What a result depends on: the kernel, the tools, the plan."""
    digest = hashlib.sha256()
    for path in [vmlinux(kernel), os.path.join(PERF, "count.so")] + \
            [os.path.join(PERF, program) for program in PROGRAMS] + \
            [os.path.join(WORKLOADS, script) for script in SCRIPTS]:
        with open(path, "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    digest.update(repr((plan.options, plan.repeat,
                        [str(cell) for cell in plan.cells])).encode())
    return digest.hexdigest()


def reuse(kernel, plan, directory):
    """The result of an earlier measure() of the same, or None."""
    stem = os.path.join(directory, plan.name)
    try:
        with open(stem + ".key", encoding="ascii") as file:
            if file.read() != _key(kernel, plan):
                return None
        with open(stem + ".out", encoding="utf-8") as file:
            said = file.read()
        return _match(plan, said, counts.parse(stem + ".counts"), kernel)
    except (OSError, counts.CountsError, GuestError):
        return None

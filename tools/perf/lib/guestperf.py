# SPDX-License-Identifier: GPL-2.0
"""perf stat inside a guest: the same scripts, the guest's own counters."""
import os
import re
import shutil
import subprocess

import guest
import perfstat


def _libraries(program):
    """What a dynamic program loads: paths as ldd names them, with aliases."""
    done = subprocess.run(["ldd", program], capture_output=True, text=True,
                          check=False)
    return re.findall(r"(?:^|=>)\s*(/\S+) \(0x", done.stdout, re.M)


def _command(kernel, perf, repeat, cells):
    command = [os.path.join(guest.TOP, "scripts/boot"), "--kernel",
               guest.image(kernel), "--cpus", "1", "--timeout", "3600",
               "--file", perf + ":/bin/perf"]
    for library in _libraries(perf):
        command += ["--file", f"{library}:{library}"]
    for program in guest.PROGRAMS:
        command += ["--file", os.path.join(guest.PERF, program)]
    for script in guest.SCRIPTS + ("perf-cells",):
        command += ["--file", os.path.join(guest.WORKLOADS, script)]
    return command + ["--", "/perf-cells", ",".join(perfstat.EVENTS),
                      str(repeat)] + cells


def measure(kernel, cells, repeat, path=None):
    """Boot a kernel and run cells; {workload: {event: Reading}}.

    cells  list of "WORKLOAD:ARGUMENT"
    path   of perf; None looks for it
    """
    names = [cell.split(":")[0] for cell in cells]
    perf = path or shutil.which("perf")
    if not perfstat.works(perf):
        return {name: perfstat.missing(perfstat.NO_PERF) for name in names}
    done = subprocess.run(_command(kernel, perf, repeat, cells),
                          cwd=guest.TOP, capture_output=True, text=True,
                          check=False)
    where = f"{kernel}, perf stat"
    if done.returncode:
        raise guest.GuestError(
            f"{where}: the guest failed with status {done.returncode}\n"
            f"{(done.stdout[-400:] + done.stderr[-1200:]).rstrip()}")
    found = re.findall(r"^perf begin (\S+)\n(.*?)^perf end \1 (\d+)$",
                       done.stdout.replace("\r", ""), re.M | re.S)
    if [name for name, _, _ in found] != names:
        raise guest.GuestError(f"{where}: the guest ran {len(found)} of "
                               f"{len(names)} measurements")
    return {name: perfstat.judge(int(status), text, f"{where}, {name}")
            for name, text, status in found}

# SPDX-License-Identifier: GPL-2.0
"""What the place of one object in the link does to the instruction cache."""
import table


def _fights(region, geometry, number, per):
    """The functions that miss most in a set, as text."""
    fight = sorted(region.fights.get(geometry, {}).get(number, []),
                   reverse=True)
    return ", ".join(f"{name} {n / per:.2f}" for n, name in fight[:5]
                     if n / per >= 0.005) or "none"


def _spread(regions, geometry, number):
    counts = [region.sets[geometry][number] for region in regions.values()]
    return max(counts) - min(counts)


def _geometry(regions, geometry, per):
    lines = ["", f"### {geometry}", ""]
    rows = []
    for kernel, region in regions.items():
        sets = region.sets[geometry]
        rows.append((kernel, f"{region.total_misses(geometry) / per:.2f}",
                     str(sum(1 for n in sets if n / per >= 0.01)),
                     f"{max(sets) / per:.2f}"))
    lines += table.markdown(("kernel", "misses a round trip",
                             "sets that miss", "worst set"), rows)
    worst = sorted(range(len(sets)), reverse=True,
                   key=lambda n: _spread(regions, geometry, n))[:6]
    rows = [(str(number), kernel,
             f"{region.sets[geometry][number] / per:.2f}",
             _fights(region, geometry, number, per))
            for number in worst if _spread(regions, geometry, number)
            for kernel, region in regions.items()]
    return lines + ["", "The sets that differ most, and who misses in them "
                    "(misses a round trip):", ""] + table.markdown(
                        ("set", "kernel", "misses", "functions"), rows)


def _moved(regions, per):
    """Instructions by function: the same whatever the order?"""
    first, *others = regions.values()
    lines = ["", "### Instructions", ""]
    rows = []
    for kernel, region in regions.items():
        rows.append((kernel, f"{region.total('instructions') / per:.2f}",
                     f"{region.total('branches') / per:.2f}",
                     f"{region.total('taken') / per:.2f}"))
    lines += table.markdown(("kernel", "instructions", "branches", "taken"),
                            rows)
    changed = {name for other in others for name in
               set(first.functions) | set(other.functions)
               if abs(first.functions.get(name, (0, 0))[0] -
                      other.functions.get(name, (0, 0))[0]) / per >= 0.5}
    return lines + ["", "Functions whose instructions differ by half an "
                    "instruction a round trip or more: " +
                    (", ".join(sorted(name for _, name in changed)) or
                     "none") + "."]


def section(regions, geometries, per):
    """Markdown lines comparing {kernel: Region with cache models}."""
    if len(regions) < 2:
        return []
    lines = ["", "## Link order", "",
             "pipe-test in the root group. The kernels differ in where "
             "jump_label.o is linked among the objects of kernel/, or in "
             "the tree. Source: modelled."]
    lines += _moved(regions, per)
    for geometry in geometries:
        lines += _geometry(regions, geometry, per)
    return lines

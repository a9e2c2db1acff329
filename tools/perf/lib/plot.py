# SPDX-License-Identifier: GPL-2.0
"""Bar charts as SVG."""
from xml.sax.saxutils import escape

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 900, 435, 70, 75, 60


def _text(x, y, text, anchor="middle", size=13):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
            f'font-size="{size}">{escape(text)}</text>')


def _axis(low, high, unit):
    parts, span = [], high - low
    for step in range(5):
        value = low + span * step / 4
        y = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * step / 4
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{y:.1f}" '
                     f'y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{value:.4g}", "end", 11))
    parts.append(_text(LEFT, TOP - 12, unit, "start", 12))
    return parts


def _legend(names):
    parts, x = [], LEFT
    for number, name in enumerate(names):
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<rect x="{x}" y="{HEIGHT - 22}" width="12" '
                     f'height="12" fill="{colour}"/>')
        parts.append(_text(x + 17, HEIGHT - 12, name, "start", 12))
        x += 40 + 8 * len(name)
    return parts


def bars(title, unit, labels, series):
    """A chart of grouped bars.

    labels  one a group of bars, of one or more lines; an empty one is not
            written
    series  [(name, values)], a value being a number, or None when it was
            not measured, which leaves a gap
    """
    known = [value for _, values in series for value in values
             if value is not None]
    low, high = min(known + [0]), max(known + [0])
    high = high if high > low else low + 1
    scale = (HEIGHT - BOTTOM - TOP) / (high - low)
    zero = HEIGHT - BOTTOM + low * scale
    room = (WIDTH - LEFT - 10) / max(1, len(labels))
    bar = room * (0.8 if room > 6 else 1) / len(series)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
             f'height="{HEIGHT}" font-family="sans-serif">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             _text(WIDTH / 2, 24, title, size=16)]
    parts += _axis(low, high, unit)
    for group, label in enumerate(labels):
        x = LEFT + group * room
        parts += [_text(x + room / 2, HEIGHT - BOTTOM + 18 + 14 * line, text,
                        size=12)
                  for line, text in enumerate(label.split("\n")) if text]
        for number, (_, values) in enumerate(series):
            value = values[group]
            if value is None:
                continue
            top = zero - max(value, 0) * scale
            parts.append(
                f'<rect x="{x + room * 0.1 + number * bar:.1f}" '
                f'y="{top:.1f}" width="{bar:.2f}" '
                f'height="{abs(value) * scale:.1f}" '
                f'fill="{COLOURS[number % len(COLOURS)]}"/>')
    parts += _legend([name for name, _ in series])
    return "\n".join(parts + ["</svg>", ""])

"""A horizontal bar chart as SVG, for light and dark backgrounds, drawn without a library."""

import math
from xml.sax.saxutils import escape

WIDTH = 760
ROW = 30
BAR = 20
TOP = 78
BOTTOM = 46
RIGHT = 78
LETTER = 7.5  # a little more than a letter is wide at 13 pixels
LONGEST_NAME = 32

# Attributes hold the light colours, for viewers that ignore style sheets.
STYLE = """
  @media (prefers-color-scheme: dark) {
    .paper { fill: #16181d } .ink { fill: #eceef2 } .quiet { fill: #9aa1ad } .grid { stroke: #2b2f37 }
    .bar { fill: #5b9dff } .axis { stroke: #565d69 }
  }"""


def bar_chart(title, subtitle, bars):
    """`bars` is a list of (name, value), the first on top; values are not negative."""
    names = [shorten(name) for name, _ in bars]
    left = 34 + max(len(name) for name in names) * LETTER
    height = TOP + ROW * len(bars) + BOTTOM
    ticks = nice_ticks(max(value for _, value in bars))
    scale = (WIDTH - left - RIGHT) / ticks[-1]
    bottom = height - BOTTOM

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title" font-family="system-ui, -apple-system, Segoe UI, sans-serif">',
        f'<title id="title">{escape(title)}. {escape(subtitle)}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="12" fill="#ffffff"/>',
        text(24, 34, title, "ink", "#1b1f27", size=18, weight=600),
        text(24, 55, subtitle, "quiet", "#6a7280"),
    ]
    for tick in ticks:
        x = left + tick * scale
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}" stroke="#e6e8ec"/>')
        parts.append(text(x, bottom + 22, compact(tick), "quiet", "#6a7280", anchor="middle", size=12))
    for row, (name, (_, value)) in enumerate(zip(names, bars)):
        y = TOP + row * ROW + (ROW - BAR) / 2
        middle = y + BAR / 2 + 4.5
        width = max(value * scale, 1)
        parts.append(text(left - 10, middle, name, "ink", "#1b1f27", anchor="end"))
        parts.append(f'<rect class="bar" x="{left:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" rx="3" fill="#2f74d0"/>')
        parts.append(text(left + width + 8, middle, compact(value), "quiet", "#6a7280"))
    parts.append(f'<path class="axis" d="M{left:.1f} {TOP}V{bottom}" stroke="#9aa1ad"/>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def text(x, y, content, kind, colour, anchor="start", size=13, weight=400):
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{escape(content)}</text>'
    )


def shorten(name):
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def nice_ticks(largest):
    """From 0 to at least `largest` in steps of 1, 2, 2.5 or 5 times a power of ten: four to six of them."""
    if largest <= 0:
        return [0, 1]
    rough = largest / 5
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)
    return [step * number for number in range(math.ceil(largest / step - 1e-9) + 1)]


def compact(value):
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if value >= size * 0.9995:
            return f"{three_digits(value / size)}{letter}"
    return three_digits(value)


def three_digits(value):
    """At most three digits that matter, never in the form 1e+03."""
    places = 0 if value >= 100 else 1 if value >= 10 else 2
    number = f"{value:.{places}f}"
    return number.rstrip("0").rstrip(".") if "." in number else number

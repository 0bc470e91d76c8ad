"""Reads a table of countries and ranks them: a summary as JSON, a chart as SVG."""

import argparse
import csv
import json
import os
import sys

from chart import bar_chart

MEASURES = {
    "population": ("Population", "people"),
    "area": ("Area", "km²"),
    "density": ("Population density", "people per km²"),
}
COLUMNS = ("code", "name", "region", "area_km2", "population")


def progress(share, message):
    """Shown as the run's progress; not a line of its log."""
    print(f"::progress {share} {message}", file=sys.stderr, flush=True)


def log(message):
    print(message, file=sys.stderr, flush=True)


def read_countries(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file)
        missing = [name for name in COLUMNS if name not in (table.fieldnames or [])]
        if missing:
            sys.exit(f"{os.path.basename(path)} has no column {', '.join(missing)}; needed are {', '.join(COLUMNS)}")
        return [read_country(row, table.line_num) for row in table]


def read_country(row, line):
    try:
        area, population = float(row["area_km2"]), int(row["population"])
    except (TypeError, ValueError):
        sys.exit(f"line {line}: area_km2 and population must be numbers")
    if area <= 0:
        sys.exit(f"line {line}: area_km2 must be more than 0")
    return {
        "code": row["code"],
        "name": row["name"],
        "region": row["region"],
        "area": area,
        "population": population,
        "density": population / area,
    }


def by_region(countries):
    totals = {}
    for country in countries:
        region = totals.setdefault(country["region"], {"countries": 0, "population": 0, "area": 0})
        region["countries"] += 1
        region["population"] += country["population"]
        region["area"] += country["area"]
    return {name: {**totals[name], "area": tidy(totals[name]["area"])} for name in sorted(totals)}


def tidy(number):
    """Three places after the point, and none where there is nothing to say with them."""
    return int(number) if number == int(number) else round(number, 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("countries", help="a CSV file with the columns " + ", ".join(COLUMNS))
    parser.add_argument("--region", help="only countries of this region")
    parser.add_argument("--measure", choices=MEASURES, default="population")
    parser.add_argument("--top", type=int, default=10, help="how many bars the chart has")
    parser.add_argument("--outputs", default="/outputs", help="where the files go")
    options = parser.parse_args()

    progress(0.1, "reading the table")
    everything = read_countries(options.countries)
    log(f"read {len(everything)} rows from {os.path.basename(options.countries)}")

    countries = [each for each in everything if options.region in (None, each["region"])]
    if not countries:
        known = ", ".join(sorted({each["region"] for each in everything}))
        sys.exit(f"no country is in the region {options.region}; the table has: {known or 'no rows'}")
    log(f"kept {len(countries)} of them: {options.region or 'all regions'}")

    progress(0.5, f"ranking {len(countries)} countries")
    ranked = sorted(countries, key=lambda each: each[options.measure], reverse=True)[: options.top]
    title, unit = MEASURES[options.measure]
    summary = {
        "measure": options.measure,
        "unit": unit,
        "region": options.region,
        "countries": len(countries),
        "population": sum(each["population"] for each in countries),
        "area": tidy(sum(each["area"] for each in countries)),
        "regions": by_region(countries),
        "top": [
            {"code": each["code"], "name": each["name"], "value": tidy(each[options.measure])} for each in ranked
        ],
    }

    progress(0.8, "drawing the chart")
    chart = bar_chart(
        title=f"{title}: the first {len(ranked)} of {len(countries)}",
        subtitle=f"{options.region or 'The world'}, {unit}",
        bars=[(each["name"], each[options.measure]) for each in ranked],
    )
    write(options.outputs, "summary.json", json.dumps(summary, ensure_ascii=False, indent=2) + "\n")
    write(options.outputs, "chart.svg", chart)

    progress(1, "done")
    print(json.dumps(summary, ensure_ascii=False))


def write(directory, name, text):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(text)
    log(f"wrote {name}, {len(text.encode('utf-8'))} bytes")


if __name__ == "__main__":
    main()

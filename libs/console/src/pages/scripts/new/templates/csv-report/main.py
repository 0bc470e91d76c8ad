"""Reports what the columns of a CSV file hold, and writes the report as a file of the run."""

import csv
import json
import os
import sys
from statistics import fmean


def numbers_of(values):
    """The values as numbers, or None where one of them is something else."""
    try:
        return [float(value) for value in values]
    except ValueError:
        return None


def report_on(name, values):
    filled = [value for value in values if value not in ("", None)]
    numbers = numbers_of(filled) if filled else None
    return {
        "column": name,
        "filled": len(filled),
        "empty": len(values) - len(filled),
        "different": len(set(filled)),
        "smallest": min(numbers) if numbers else min(filled, default=None),
        "largest": max(numbers) if numbers else max(filled, default=None),
        "average": round(fmean(numbers), 3) if numbers else None,
    }


with open(os.environ["GATEHOUSE_INPUTS"], encoding="utf-8") as file:
    inputs = json.load(file)

# A file input is the path of the file.
with open(inputs["table"], encoding="utf-8-sig", newline="") as file:
    reader = csv.DictReader(file, delimiter=inputs["separator"])
    rows = list(reader)
    columns = reader.fieldnames or []

if not rows:
    sys.exit("the file has no rows below its header")
print(f"{len(rows)} rows, {len(columns)} columns", file=sys.stderr)

report = [report_on(name, [row[name] for row in rows]) for name in columns]

# What is in /outputs when the script ends are the files of the run.
with open("/outputs/report.csv", "w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, fieldnames=report[0].keys())
    writer.writeheader()
    writer.writerows(report)

print(json.dumps(report))

"""Checks which of the things in renewals.csv have to be renewed soon.

Put it on a schedule. It fails when something is due, and a failed run is an event: a webhook or a
trigger can tell somebody about it.
"""

import csv
import json
import os
import sys
from datetime import date

with open(os.environ["GATEHOUSE_INPUTS"], encoding="utf-8") as file:
    inputs = json.load(file)

with open("renewals.csv", encoding="utf-8", newline="") as file:
    renewals = list(csv.DictReader(file))

checked = []
for renewal in renewals:
    days = (date.fromisoformat(renewal["until"]) - date.today()).days
    checked.append({"name": renewal["name"], "until": renewal["until"], "days": days})
    print(f"{renewal['name']}: {days} days left", file=sys.stderr)

due = [renewal for renewal in checked if renewal["days"] <= inputs["warn_days"]]
if due:
    sys.exit("to be renewed: " + ", ".join(f"{renewal['name']} (until {renewal['until']})" for renewal in due))

print(json.dumps(checked))

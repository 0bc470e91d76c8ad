"""Counts the words of a text.

The inputs are in the file that GATEHOUSE_INPUTS names. What is printed last, as JSON, is the output
of the run; everything that is written to standard error is its log.
"""

import json
import os
import sys
from collections import Counter

with open(os.environ["GATEHOUSE_INPUTS"], encoding="utf-8") as file:
    inputs = json.load(file)

words = inputs["text"].lower().split()
print(f"{len(words)} words to count", file=sys.stderr)

# Shown as a progress bar, from 0 to 1.
print("::progress 0.5 counting", file=sys.stderr)
most_frequent = Counter(words).most_common(inputs["top"])

print(json.dumps([{"word": word, "times": times} for word, times in most_frequent]))

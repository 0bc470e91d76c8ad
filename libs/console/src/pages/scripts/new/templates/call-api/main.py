"""Reads the newest issues of a repository from GitHub's API.

The token is not here: it is attached to the requests on their way out, to the hosts that the settings
of this script name and to no others.
"""

import json
import os
import sys
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

with open(os.environ["GATEHOUSE_INPUTS"], encoding="utf-8") as file:
    inputs = json.load(file)

url = f"https://api.github.com/repos/{quote(inputs['repository'])}/issues?per_page={inputs['count']}"
request = Request(url, headers={"accept": "application/vnd.github+json", "user-agent": "gatehouse-script"})

try:
    with urlopen(request, timeout=20) as response:
        issues = json.load(response)
except HTTPError as error:
    sys.exit(f"GitHub said {error.code} {error.reason}")

print(f"{len(issues)} issues", file=sys.stderr)
print(json.dumps([{"number": issue["number"], "title": issue["title"]} for issue in issues]))

#!/usr/bin/env bash
# Says how many days are left until a date.
#
# The command is `bash main.sh {date}`: each input is one argument, whatever it holds. What is printed
# last, as JSON, is the output of the run; standard error is its log.
set -euo pipefail

date="$1"
today=$(date -u +%F)
echo "From $today to $date" >&2

seconds=$(($(date -u -d "$date" +%s) - $(date -u -d "$today" +%s)))
echo "{\"today\": \"$today\", \"date\": \"$date\", \"days\": $((seconds / 86400))}"

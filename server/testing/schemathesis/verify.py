"""Fails where a run of Schemathesis left something untried: each check and phase must have seen cases, and each operation
must have succeeded at least once, since a server that refuses everything conforms, too."""

import json
import sys
from collections import Counter
from pathlib import Path

from schemathesis.checks import CHECKS

summary = json.loads(Path("summary.json").read_text())
cases = Counter()
with open("events.ndjson") as events:
    for line in events:
        scenario = json.loads(line).get("ScenarioFinished", {"recorder": {}})
        for checks in scenario["recorder"].get("checks", {}).values():
            cases.update([scenario["phase"], *(check["name"] for check in checks)])

problems = [json.dumps(error) for error in summary["errors"]]
# It has no limit to compare with.
expected = {"examples", "coverage", "fuzzing", "stateful", *CHECKS.get_all_names()} - {"max_response_time"}
problems += [f"{name} saw no case" for name in sorted(expected) if cases[name] == 0]
total = summary["operations"]["total"]
served = [rates for rates in summary["valid_rates"].values() if any(rate["accepted"] for rate in rates.values())]
if not summary["complete"] or summary["operations"]["tested"] != total:
    problems.append("it did not test everything that it had planned")
if len(served) != total:
    problems.append(f"{len(served)} of {total} operations succeeded at least once")

print(*(f"{count:7} {name}" for name, count in sorted(cases.items())), sep="\n")
print(*(f"FAIL  {problem}" for problem in problems), sep="\n")
sys.exit(1 if problems else 0)

"""Classroom 50's runner starts this for each submission, in the learner's checkout: it grades lab @LAB@ and writes result.json and release-body.md.

What could not be graded is 0 of 0 with the status `error`, as the runner itself writes of errors: then it publishes no score. The grader is in the image
that the assignment's `runtime` block names; where it is not, this ends with an error, and the runner says so.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GRADER = pathlib.Path(os.environ.get("THIRTY_TWO", "/opt/thirty-two"), "src/export/grade")


def fenced(text):
    """The text as Markdown shows it unchanged, whatever is in it."""
    fence = "`" * (1 + max([2] + [len(run) for run in re.findall("`+", text)]))
    return f"{fence}\n{text}\n{fence}\n"


def main():
    environ = os.environ
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report")
        grade = subprocess.run([GRADER, "classroom50", "@LAB@", ".", report], stdout=subprocess.PIPE, check=False)
        result = json.loads(grade.stdout)
        text = report.read_text(errors="replace")
    result |= {
        "classroom": environ["CLASSROOM"],
        "assignment": environ["ASSIGNMENT"],
        "submission": environ["SUBMISSION_TAG"],
        "commit": environ["COMMIT_URL"],
        "release": environ["RELEASE_URL"],
        "review": environ.get("REVIEW_URL") or environ["COMMIT_URL"],
        "datetime": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    pathlib.Path("result.json").write_text(json.dumps(result, indent=2))
    pathlib.Path("release-body.md").write_text(fenced(text))
    print(text)
    if grade.returncode != 0:
        with open(environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as outputs:
            print("status=error", "summary=Lab @LAB@ could not be graded: no points were given or taken", sep="\n", file=outputs)


if __name__ == "__main__":
    sys.exit(main())

"""What the tests with several copies share: the older version of the code."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.served import ROOT, environment


@pytest.fixture(scope="session")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree of the release before this, or this one where there is no history."""
    headings = re.findall(r"^## \d\S* \(.*", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    # The commit that wrote the heading of that release is the release.
    log = ["git", "log", "-1", "--format=%H", f"-S{headings[1]}", "--", "CHANGELOG.md"]
    asked = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False)
    if not asked.stdout.strip():
        return ROOT
    tree = tmp_path_factory.mktemp("older")
    archive = ["git", "archive", asked.stdout.strip()]
    packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(tree)], input=packed, check=True)
    # It has static files of its own: pages of each version name others.
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(collect, cwd=tree, env=environment(), check=True)
    return tree

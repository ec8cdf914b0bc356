"""What all tests share."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from parity.scratch import scratch

settings.register_profile("tests", deadline=None)  # a busy machine is no fault
settings.load_profile("tests")

# A shell lets what runs in the background ignore Ctrl-C, and every process started from there would too.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def case_directories() -> Iterator[None]:
    """Keep the directories of cases for as long as the doors of this process remember them."""
    with scratch():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let no test be skipped: Hypothesis does that to one whose search had nothing to run."""
    report = yield
    if report.skipped:
        report.outcome = "failed"
    return report

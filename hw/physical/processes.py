# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Tools as processes that end with the flow, with all that they have started."""
import contextlib
import os
import signal
import subprocess
import sys

TERMINATED = 128 + signal.SIGTERM  # the flow's exit status then
late = {"starting": False, "asked": False}


def end_when_asked():
    """Lets SIGTERM end the flow as an exception does."""
    signal.signal(signal.SIGTERM, end)


def end(*_):
    """Ends the flow; while a tool starts, as soon as it can be killed."""
    if late["starting"]:
        late["asked"] = True
    else:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the end itself is not ended
        sys.exit(TERMINATED)


@contextlib.contextmanager
def running(arguments, **options):
    """A tool in a session of its own. What runs of it at the end is killed."""
    late["starting"] = True
    try:
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    except BaseException:
        late["starting"] = False
        raise
    with process:
        try:
            late["starting"] = False
            if late["asked"]:
                end()
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):  # its group outlives a tool that has left others behind
                os.killpg(process.pid, signal.SIGKILL)

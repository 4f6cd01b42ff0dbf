# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""What Snakemake asks of Slurm: slurm.py submit [SBATCH OPTION...] SCRIPT, slurm.py status JOB."""
import subprocess
import sys
import time

WAITING = {"PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "REQUEUED", "RESIZING",
           "SIGNALING", "STAGE_OUT", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT"}
PATIENCE_S = 120


def submit(words):
    """Prints the number of the job; waits for a controller that is being restarted."""
    end = time.time() + PATIENCE_S
    while True:
        run = subprocess.run(["sbatch", "--parsable", "--job-name=ppu-explore", "--requeue",
                              "--output=/dev/null", *words], capture_output=True, text=True)
        if run.returncode == 0:
            print(run.stdout.strip().split(";")[0])
            return 0
        if time.time() > end:
            sys.stderr.write(run.stderr)
            return 1
        time.sleep(2)


def status(job):
    """Prints success, failed or running. A controller that does not answer says nothing of the job."""
    run = subprocess.run(["scontrol", "--oneliner", "show", "job", job], capture_output=True, text=True)
    words = dict(word.split("=", 1) for word in run.stdout.split() if "=" in word)
    state = words.get("JobState")
    if state is None:
        print("failed" if "Invalid job id" in run.stderr else "running")
    elif state in WAITING:
        print("running")
    else:
        print("success" if state == "COMPLETED" else "failed")
    return 0


if __name__ == "__main__":
    sys.exit(submit(sys.argv[2:]) if sys.argv[1] == "submit" else status(sys.argv[2]))

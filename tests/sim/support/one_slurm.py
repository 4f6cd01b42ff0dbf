# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""A Slurm of one machine, for tests: controller and node daemon with all their files in one folder."""
import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel")
CONFIG = """
ClusterName=test
SlurmctldHost={host}
SlurmctldPort={port}
SlurmdPort={node_port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def reason_to_skip():
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        return (f"no {missing[0]}: apt-get install --no-install-recommends slurmctld slurmd "
                "slurm-client munge")
    return "" if os.geteuid() == 0 else "Slurm's daemons need root"


class OneSlurm:
    def __init__(self, folder, cpus=2):
        self.folder = pathlib.Path(folder)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        os.chmod(self.folder, 0o755)
        self.config = self.folder / "slurm.conf"
        self.config.write_text(CONFIG.format(
            host=socket.gethostname().split(".")[0], folder=self.folder, cpus=cpus,
            port=free_port(), node_port=free_port()))
        self.environment = {**os.environ, "SLURM_CONF": str(self.config)}
        self.daemons = {}

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.run("munge", "munged", "--foreground", "--force", f"--key-file={key}",
                 f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
                 f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
        self.wait(lambda: (self.folder / "munge.socket").exists(), "munged")
        self.start_controller()
        self.run("slurmd", "slurmd", "-D", "-f", str(self.config))
        self.wait(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%t"), "an idle node")

    def start_controller(self):
        self.run("slurmctld", "slurmctld", "-D", "-f", str(self.config))
        self.wait(lambda: "UP" in self.ask("scontrol", "ping"), "slurmctld")

    def run(self, name, *words):
        with open(self.folder / f"{name}.out", "a") as log:
            self.daemons[name] = subprocess.Popen(words, env=self.environment, stdout=log, stderr=log,
                                                  stdin=subprocess.DEVNULL)

    def kill_controller(self):
        self.daemons["slurmctld"].kill()
        self.daemons["slurmctld"].wait()

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True).stdout

    def wait(self, holds, what, seconds=30):
        end = time.time() + seconds
        while not holds():
            if time.time() > end:
                logs = "".join(path.read_text(errors="replace")[-1500:]
                               for path in self.folder.glob("*.out"))
                raise RuntimeError(f"no {what} after {seconds} s:\n{logs}")
            time.sleep(0.1)

    def stop(self):
        self.ask("scancel", "--user=root")
        for name in ("slurmd", "slurmctld", "munge"):
            daemon = self.daemons.get(name)
            if daemon:
                daemon.terminate()
                try:
                    daemon.wait(10)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]

"""A Slurm cluster of one node on this machine, for as long as a test runs: its configuration, key,
state and sockets are in the test's folder."""

import os
import pathlib
import re
import shutil
import socket
import subprocess

from processes import wait_for

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=1
JobRequeue=1
KillWait=5
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=photos Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Cluster:
    def __init__(self, folder: pathlib.Path, path: str):
        self.folder, self.daemons = folder, []
        for name in ("state", "spool"):
            (folder / name).mkdir(parents=True)
        # munge wants no folder above its files that others can write to, or to be forced.
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o400)
        host = socket.gethostname().split(".")[0]
        user = subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=folder, host=host, user=user, ports=[free_port(), free_port()],
            cores=len(os.sched_getaffinity(0))))
        # Slurm looks for plugins' configuration beside its own file.
        (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
        self.environment = os.environ | {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": path}
        try:
            self.start("munged", "--foreground", "--force", f"--key-file={folder}/munge.key",
                       f"--socket={folder}/munge.socket", f"--pid-file={folder}/munge.pid",
                       f"--seed-file={folder}/munge.seed", f"--log-file={folder}/munge.log")
            wait_for("munge", lambda: (folder / "munge.socket").exists(), 20)
            self.start("slurmctld", "-D", "-f", folder / "slurm.conf")
            wait_for("slurmctld", lambda: "UP" in self.output("scontrol", "ping"), 30)
            self.start("slurmd", "-D", "-f", folder / "slurm.conf", "-N", host)
            wait_for("the node", lambda: "idle" in self.output("sinfo", "-h", "-o", "%t"), 30)
        except BaseException:
            self.end()
            raise

    def start(self, name: str, *words) -> None:
        program = shutil.which(name) or f"/usr/sbin/{name}"
        with open(self.folder / f"{name}.out", "wb") as log:
            self.daemons.append(subprocess.Popen(
                [program, *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log))

    def output(self, *words) -> str:
        run = subprocess.run(list(map(str, words)), env=self.environment, capture_output=True,
                             text=True, cwd=self.folder)
        return run.stdout + run.stderr

    def submit(self, *words) -> str:
        """Hands a job in and gives its number."""
        return re.search(r"\d+", self.output("sbatch", "--parsable", *words)).group()

    def states(self, job: str) -> dict[str, tuple[str, str]]:
        """State and exit code of each task of a job array; a task that waits stands for others."""
        found = {}
        for block in self.output("scontrol", "show", "job", job).split("\n\n"):
            fields = dict(re.findall(r"(\w+)=(\S+)", block))
            if "ArrayTaskId" in fields:
                found[fields["ArrayTaskId"]] = fields["JobState"], fields["ExitCode"]
        return found

    def end(self) -> None:
        self.output("scancel", "--user", str(os.getuid()))
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

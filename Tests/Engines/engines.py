"""The engines: what each needs, how its recipe is started, and how it is harmed half way."""

import importlib.util
import os
import pathlib
import shutil
import sys

import hosts
from processes import Run, kill, parent, running, wait_for
from slurm_cluster import Cluster

RECIPES = pathlib.Path(__file__).resolve().parent / "recipes"
COMMAND = ["apply", "noir"]


class Engine:
    """One engine, with the folders of one test. `program` is the test's own copy of `edit`."""

    def __init__(self, scratch: pathlib.Path, program: pathlib.Path, photos: pathlib.Path):
        self.scratch, self.program, self.photos = scratch, program, photos
        self.path = f"{program.parent}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        self.environment = os.environ | {"PATH": self.path, "HOME": str(scratch)}
        self.runs = 0

    @staticmethod
    def missing() -> str | None:
        """What is not installed."""
        raise NotImplementedError

    def begin(self) -> None:
        """Starts what a user of the engine has running already."""

    def end(self) -> None:
        """Ends it."""

    def command(self) -> list:
        raise NotImplementedError

    def start(self) -> Run:
        self.runs += 1
        return Run(self.command(), self.scratch / "engine.log", self.environment, self.scratch)

    def stop(self, run: Run) -> None:
        """Stops a run half way."""
        run.stop()

    def harm(self, run: Run) -> str:
        """Kills a worker while a run goes on, and says what else was done."""
        self.kill_a_worker()
        return "a worker was killed"

    def kill_a_worker(self) -> int:
        return wait_for("a worker", lambda: next(
            (worker for worker in running(self.program, "worker") if kill(worker)), None))


class Parallel(Engine):
    network = None

    @staticmethod
    def missing():
        return None if shutil.which("parallel") else "GNU parallel (Debian: parallel)"

    def begin(self):
        logins = self.scratch / "hosts.txt"
        self.environment |= {"CHUNK": "8"}
        if hosts.allowed():
            self.network = hosts.Network(self.scratch / "net", ["attic", "cellar"], self.path)
            self.environment["PARALLEL_SSH"] = f"ssh -F {self.scratch}/net/ssh_config"
            logins.write_text("attic\ncellar\n")
        else:
            print("parallel: no namespaces or no sshd here, so this machine is the only one")
            logins.write_text(":\n")

    def end(self):
        if self.network:
            self.network.end()

    def command(self):
        here = self.network.here if self.network else []
        return [*here, RECIPES / "parallel.sh", self.scratch / "hosts.txt", self.photos,
                self.scratch / "run", *COMMAND]

    def harm(self, run):
        self.kill_a_worker()
        if not self.network:
            return "a worker was killed"
        self.network.lose("cellar")
        return "a worker was killed, and one of two machines went off"


class Slurm(Engine):
    cluster = None

    @staticmethod
    def missing():
        wanted = ["sbatch", "slurmctld", "slurmd", "munged"]
        found = [shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") for name in wanted]
        return None if all(found) else "Slurm (Debian: slurm-wlm, munge)"

    def begin(self):
        self.cluster = Cluster(self.scratch / "slurm", self.path)
        self.environment |= self.cluster.environment | {"HOME": str(self.scratch)}

    def end(self):
        if self.cluster:
            self.cluster.end()

    def command(self):
        names = sorted(os.path.join(place, name)
                       for place, _, names in os.walk(os.fsencode(self.photos)) for name in names
                       if not name.endswith((b".aae", b"_edited.jpg")))
        (self.scratch / "photos.list").write_bytes(b"".join(name + b"\0" for name in names))
        return ["sbatch", "--wait", "--array=1-4", "--cpus-per-task=1", "--mem=0",
                RECIPES / "slurm.sh", self.scratch / "photos.list", *COMMAND]

    def stop(self, run):
        job = self.job(run)
        self.cluster.output("scancel", job)
        run.wait()

    def harm(self, run):
        self.kill_a_worker()
        job = self.job(run)

        def working():
            return next((task for task, (state, _) in self.cluster.states(job).items()
                         if state == "RUNNING"), None)
        task = wait_for("a task", working)
        complaint = self.cluster.output("scontrol", "requeue", f"{job}_{task}")
        if complaint:
            raise RuntimeError(complaint)
        return f"a worker was killed, and task {task} begun again"

    def job(self, run):
        """The number that sbatch printed last."""
        def number():
            words = run.log.read_text(errors="replace").rpartition("Submitted batch job ")
            return words[2].split()[0] if words[1] else None
        return wait_for("the job's number", number)


class Dask(Engine):
    @staticmethod
    def missing():
        return None if importlib.util.find_spec("distributed") else "Dask (PyPI: dask[distributed])"

    def command(self):
        return [sys.executable, RECIPES / "dask_photos.py", "--chunk", "5", self.photos, *COMMAND]

    def harm(self, run):
        dead = self.kill_a_worker()
        worker = wait_for("another worker", lambda: next(
            (worker for worker in running(self.program, "worker") if worker != dead), None))
        dask = parent(worker)
        if dask is None or dask == run.process.pid or not kill(dask):
            return "a worker was killed"
        return "a worker was killed, and a Dask worker"


class Spark(Engine):
    @staticmethod
    def missing():
        if not shutil.which("java"):
            return "Java (Debian: openjdk-17-jre-headless)"
        return None if importlib.util.find_spec("pyspark") else "Spark (PyPI: pyspark)"

    def command(self):
        self.environment |= {"CHUNK": "5", "PYSPARK_PYTHON": sys.executable,
                             "SPARK_LOCAL_IP": "127.0.0.1"}
        # The second number is how often a task may fail, which is one on a single machine.
        return [pathlib.Path(sys.executable).parent / "spark-submit", "--master", "local[2,4]",
                RECIPES / "spark_photos.py", self.photos, self.scratch / f"results-{self.runs}",
                *COMMAND]


ENGINES = {"parallel": Parallel, "slurm": Slurm, "dask": Dask, "spark": Spark}

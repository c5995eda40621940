"""Machines for GNU parallel: network namespaces, each with processes and an sshd of its own, over the
same disk. Everything they need is in the test's folder, and they end with the test."""

import os
import pathlib
import shutil
import subprocess

from processes import wait_for

# A home of its own: what the user's shell does at its start is none of the test's.
SERVER = """
Port 22
ListenAddress {address}
HostKey {folder}/host-key
AuthorizedKeysFile {folder}/key.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
ClientAliveInterval 1
ClientAliveCountMax 3
SetEnv PATH={path} HOME={folder}
"""

CLIENT = """
Host *
  User root
  IdentityFile {folder}/key
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known-hosts
  StrictHostKeyChecking accept-new
  LogLevel ERROR
  ConnectTimeout 5
  ServerAliveInterval 1
  ServerAliveCountMax 3
"""


def allowed() -> bool:
    """Whether namespaces can be made here, and what the machines are made of is installed."""
    tools = all(shutil.which(tool) for tool in ("unshare", "nsenter", "ip", "ssh", "ssh-keygen"))
    if os.geteuid() != 0 or not tools or not pathlib.Path("/usr/sbin/sshd").exists():
        return False
    return subprocess.run(["unshare", "--net", "--pid", "--fork", "--mount-proc", "--uts", "true"],
                          capture_output=True).returncode == 0


class Network:
    """A desk from which the recipe runs, and machines that it reaches by ssh."""

    def __init__(self, folder: pathlib.Path, names: list[str], path: str):
        self.folder, self.machines = folder, {}
        folder.mkdir()
        for key in ("key", "host-key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key],
                           check=True)
        # It ends when the test does, since nobody holds the other end of its input then.
        self.desk = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE)
        wait_for("the desk's network", lambda: self.has_own_network(self.desk))
        self.at(self.desk, "ip", "link", "set", "lo", "up")
        hosts = CLIENT.format(folder=folder)
        for number, name in enumerate(names, 1):
            address = f"10.77.{number}.2"
            self.machines[name] = self.start(number, name, address, path)
            hosts = f"Host {name}\n  HostName {address}\n{hosts}"
        (folder / "ssh_config").write_text(hosts)
        for name in names:
            wait_for(f"{name} to answer", lambda: self.answers(name), 20)

    def start(self, number: int, name: str, address: str, path: str) -> subprocess.Popen:
        config = self.folder / f"sshd-{name}"
        config.write_text(SERVER.format(address=address, folder=self.folder, path=path))
        # sshd wants a folder of its own below /run, which the real one is spared.
        script = ('mount -t tmpfs tmpfs /run && mkdir /run/sshd && hostname "$1" && read go &&'
                  ' exec /usr/sbin/sshd -D -e -f "$2"')
        machine = subprocess.Popen(
            ["unshare", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc",
             "sh", "-c", script, "sh", name, str(config)],
            stdin=subprocess.PIPE, stderr=open(self.folder / f"{name}.log", "wb"))
        wait_for(f"{name}'s network", lambda: self.has_own_network(machine))
        self.at(self.desk, "ip", "link", "add", name, "type", "veth", "peer", "name", "eth0",
                "netns", str(machine.pid))
        self.at(self.desk, "ip", "address", "add", f"10.77.{number}.1/30", "dev", name)
        self.at(self.desk, "ip", "link", "set", name, "up")
        self.at(machine, "ip", "address", "add", f"{address}/30", "dev", "eth0")
        self.at(machine, "ip", "link", "set", "eth0", "up")
        self.at(machine, "ip", "link", "set", "lo", "up")
        machine.stdin.write(b"go\n")
        machine.stdin.flush()
        return machine

    @staticmethod
    def has_own_network(process: subprocess.Popen) -> bool:
        return os.readlink(f"/proc/{process.pid}/ns/net") != os.readlink("/proc/self/ns/net")

    @staticmethod
    def at(place: subprocess.Popen, *words: str) -> None:
        subprocess.run(["nsenter", "--target", str(place.pid), "--net", *words], check=True)

    def answers(self, name: str) -> bool:
        words = [*self.here, "ssh", "-F", self.folder / "ssh_config", name, "hostname"]
        run = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return run.stdout.strip() == name

    @property
    def here(self) -> list[str]:
        """The words before a command that make it run at the desk."""
        return ["nsenter", "--target", str(self.desk.pid), "--net"]

    def lose(self, name: str) -> None:
        """Ends a machine with all that runs on it, and cuts its cable, so that nobody is told."""
        self.at(self.desk, "ip", "link", "set", name, "down")
        self.machines[name].kill()
        self.machines[name].wait()

    def end(self) -> None:
        for machine in [*self.machines.values(), self.desk]:
            machine.kill()
            machine.wait()

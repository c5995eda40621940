#!/usr/bin/env python3
"""Types unfinished command lines into real shells and looks what the tab key makes of them.

    drive.py EDIT [--shell NAME] [--case TEXT]

EDIT is the program. Each shell runs in a terminal of its own, in a folder with photos of ordinary
and of odd names; what stands for `edit` there passes on questions for completions and hands
everything else it is called with back to this script, byte for byte. A shell that is not installed
is skipped with a message. Needs nothing but Python.
"""

import argparse
import fcntl
import multiprocessing
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios

SECONDS = 10

# The line that is typed, and the words that the program must be called with. A tab key that finds
# one word ends it with a space; where folders are on the way there are several.
CASES = [
    ("edit rev\t", ["revert"]),
    ("edit stra\t1.5 beach\t", ["straighten", "1.5", "beach.jpg"]),
    ("edit filters rem\town-\t", ["filters", "remove", "own-look"]),
    ("edit apply sep\tbeach\t", ["apply", "sepia", "beach.jpg"]),
    ("edit apply own\tbeach\t", ["apply", "own-look", "beach.jpg"]),
    ("edit apply kod\tbeach\t", ["apply", "kodak.cube", "beach.jpg"]),
    ("edit adjust beach\t--satur\t20", ["adjust", "beach.jpg", "--saturation", "20"]),
    ("edit render beach\t--form\tti\t", ["render", "beach.jpg", "--format", "tiff"]),
    ("edit render beach\t--format=ti\t", ["render", "beach.jpg", "--format=tiff"]),
    ("edit render beach\t-o pla\t", ["render", "beach.jpg", "-o", "plain.txt"]),
    ("edit render beach\t--output=pla\t", ["render", "beach.jpg", "--output=plain.txt"]),
    ("edit render beach\t--output='any \t", ["render", "beach.jpg", "--output=any thing.txt"]),
    ("edit crop beach\t--gravity top-l\t", ["crop", "beach.jpg", "--gravity", "top-left"]),
    ("edit sync --from beach\t--only filter,vib\t",
     ["sync", "--from", "beach.jpg", "--only", "filter,vibrance"]),
    ("edit help err\toriginal-mi\t", ["help", "errors", "original-missing"]),
    ("edit help filters sav\t", ["help", "filters", "save"]),
    ("edit adjustments sharp\t", ["adjustments", "sharpen"]),
    ("edit flip hor\t-- beach\t", ["flip", "horizontal", "--", "beach.jpg"]),
    ("edit show --qui\tbeach\t", ["show", "--quiet", "beach.jpg"]),
    # Renders and base photos are offered only where nothing else is.
    ("edit show lonely_e\t", ["show", "lonely_edited.jpg"]),
    ("edit show harb\t", ["show", "harbour.jpg"]),
    ("edit version use wa\twalk\t", ["version", "use", "warm", "walk.jpg"]),
    ("edit show UPPER\t", ["show", "UPPER.JPG"]),
    ("edit show sub/de\tx\t", ["show", "sub/deep/x.jpg"]),
    ("edit show ./beach\t", ["show", "./beach.jpg"]),
    ("edit show ~/pic\t", ["show", "HOME/picture.jpg"]),
    ("edit show $HOME/pic\t", ["show", "HOME/picture.jpg"]),
    ("edit show my\t", ["show", "my photo.jpg"]),
    ("edit show my\\ ph\t", ["show", "my photo.jpg"]),
    ("edit show \"my ph\t", ["show", "my photo.jpg"]),
    ("edit show 'my ph\t", ["show", "my photo.jpg"]),
    ("edit show it\t", ["show", "it's.jpg"]),
    ("edit show say\t", ["show", "say \"hi\".jpg"]),
    ("edit show new\t", ["show", "new\nline.jpg"]),
    ("edit show cost\t", ["show", "cost $HOME.jpg"]),
    ("edit show back\t", ["show", "back\\slash.jpg"]),
    ("edit show brac\t", ["show", "brac[k]et*.jpg"]),
    ("edit show semi\t", ["show", "semi;colon&.jpg"]),
    ("edit show a:b\t", ["show", "a:b c.jpg"]),
    ("edit show k=v\t", ["show", "k=v w.jpg"]),
    ("edit show str\t", ["show", "strand-übung-🏖.jpg"]),
    ("edit show bytes\t", ["show", b"bytes\xff.jpg"]),
    ("edit show beach\tmy\tit\t", ["show", "beach.jpg", "my photo.jpg", "it's.jpg"]),
]

# Lines that a shell is not asked, for it does not look into variables.
NOT_FOR = {"fish": ["edit show $HOME/pic\t"]}

# What the screen must, and must not, show when several words fit.
LISTS = [
    ("edit \t\t", ["apply", "revert", "completions"], []),
    ("edit apply \t\t", ["noir", "dramatic-cool", "own-look"], []),
    ("edit auto --\t\t", ["--straighten", "--strength", "--white-balance"], []),
    ("edit show bea\t\t", ["beach.jpg", "beam.png"], ["beach_edited.jpg", "aae", "bear.txt"]),
    ("edit render a.jpg --format \t\t", ["jpeg", "png", "tiff", "webp"], []),
]

FILES = [
    "beach.jpg", "beach.jpg.aae", "beach_edited.jpg", "lonely_edited.jpg", "UPPER.JPG",
    "harbour.jpg", "harbour_edited-warm.jpg", "harbour_edited.jpg", "harbour_base.jpg",
    "sub/deep/x.jpg", "my photo.jpg", "it's.jpg", "say \"hi\".jpg", "new\nline.jpg",
    "cost $HOME.jpg", "back\\slash.jpg", "brac[k]et*.jpg", "semi;colon&.jpg", "a:b c.jpg",
    "k=v w.jpg", "strand-übung-🏖.jpg", b"bytes\xff.jpg", "kodak.cube", "plain.txt",
    "any thing.txt",
]

SHIM = """#!/bin/sh
if [ "$1" = completions ]; then exec "{edit}" "$@"; fi
{{ printf '%s\\0' "$@"; printf '\\001'; }} > "{answers}"
"""

LOOK = '{"name":"own-look","version":1,"title":"Own","summary":"Own.","steps":[' \
    '{"id":"saturation","version":1,"fields":{"amount":10}}]}'


class Shell:
    """A shell in a terminal, with the completion script as a user would have it."""

    def __init__(self, name, words, setup, place):
        self.name, self.place = name, place
        self.seen = b""
        environment = {
            "HOME": str(place.home), "PATH": f"{place.bin}:/usr/bin:/bin", "TERM": "xterm",
            "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(place.home / "data"),
            "XDG_CONFIG_HOME": str(place.home / "config"), "COLUMNS": "200", "LINES": "50",
        }
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(place.photos)
            os.execvpe(words[0], words, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.send(setup + "\n")
        # The answer to a whole line says that the shell is there and set up.
        self.send("edit ready\n")
        self.answer()

    def send(self, text):
        os.write(self.terminal, text.encode())

    def answer(self):
        """The words that the program was called with next."""
        buffer = b""
        while True:
            ready, _, _ = select.select([self.place.pipe, self.terminal], [], [], SECONDS)
            if self.terminal in ready:
                try:
                    self.seen += os.read(self.terminal, 65536)
                except OSError:
                    raise RuntimeError(f"{self.name} ended: {self.seen[-2000:]!r}")
            if self.place.pipe in ready:
                buffer += os.read(self.place.pipe, 65536)
                if buffer.endswith(b"\1"):
                    return buffer[:-2].split(b"\0")
            if not ready:
                raise TimeoutError

    def complete(self, line):
        """The words that a line with tab keys becomes."""
        self.seen = b""
        self.send(line + "\n")
        return self.answer()

    def listed(self, line, words):
        """What the screen shows after the line, once all words are there or nothing more comes."""
        self.seen = b""
        self.send(line)
        while not all(word.encode().lstrip(b"-") in self.seen for word in words):
            ready, _, _ = select.select([self.terminal], [], [], SECONDS)
            if not ready:
                break
            self.seen += os.read(self.terminal, 65536)
        # What is typed has a look of its own, which stands between the letters.
        screen = re.sub(rb"\x1b(\[[0-9;?]*[a-zA-Z]|\(B)", b"", self.seen)
        # The line is dropped as each shell does; then a whole one says that all has been read.
        self.send("\x03" if self.name.startswith("fish") else "\x05\x15")
        self.send("edit ready\n")
        self.answer()
        return screen

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


class Place:
    """Folders for one shell: a home, photos, and what stands for the program."""

    def __init__(self, folder, edit):
        self.home, self.photos, self.bin = folder / "home", folder / "photos", folder / "bin"
        for path in [self.home / "data/safelight/filters", self.photos, self.bin]:
            path.mkdir(parents=True)
        (self.home / "data/safelight/filters/own-look.json").write_text(LOOK)
        (self.home / "picture.jpg").touch()
        for name in FILES + ["beam.png", "bear.txt"]:
            path = os.path.join(os.fsencode(self.photos), os.fsencode(name))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w").close()
        photo = pathlib.Path(__file__).parents[2] / "Fixtures/orientation/1.jpg"
        shutil.copy(photo, self.photos / "walk.jpg")
        for words in [["apply", "noir"], ["version", "save", "warm"]]:
            subprocess.run([edit, *words, "walk.jpg"], cwd=self.photos, check=True,
                           stdout=subprocess.DEVNULL)
        answers = folder / "answers"
        os.mkfifo(answers)
        self.pipe = os.open(answers, os.O_RDWR | os.O_NONBLOCK)
        shim = self.bin / "edit"
        shim.write_text(SHIM.format(edit=edit, answers=answers))
        shim.chmod(0o755)

    def script(self, edit, shell, path):
        path = self.home / path
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as file:
            subprocess.run([edit, "completions", shell], stdout=file, check=True)
        return path


BASH_COMPLETION = "/usr/share/bash-completion/bash_completion"


def setups(edit):
    """The ways to install the scripts: name, program, what must be there, and how to begin."""
    def bash(place):
        return ["bash", "--norc", "--noprofile"], "source <(edit completions bash)"

    def bash_with_package(place):
        place.script(edit, "bash", "data/bash-completion/completions/edit")
        return ["bash", "--norc", "--noprofile"], f"source {BASH_COMPLETION}"

    def zsh(place):
        return ["zsh", "-f"], (
            "autoload -U compinit; compinit -u -D; source <(edit completions zsh)")

    def zsh_with_file(place):
        folder = place.script(edit, "zsh", "functions/_edit").parent
        return ["zsh", "-f"], f"fpath=({folder} $fpath); autoload -U compinit; compinit -u -D"

    def fish(place):
        return ["fish", "--no-config"], "edit completions fish | source"

    def fish_with_file(place):
        place.script(edit, "fish", "config/fish/completions/edit.fish")
        return ["fish"], "set fish_greeting"

    return [
        ("bash", ["/bin/bash"], bash),
        ("bash with bash-completion", ["/bin/bash", BASH_COMPLETION], bash_with_package),
        ("zsh", ["/usr/bin/zsh"], zsh),
        ("zsh with a file", ["/usr/bin/zsh"], zsh_with_file),
        ("fish", ["/usr/bin/fish"], fish),
        ("fish with a file", ["/usr/bin/fish"], fish_with_file),
    ]


def drive(name, edit, options):
    """Types all lines into one shell; how many, and what to tell."""
    needed, begin = next(setup[1:] for setup in setups(edit) if setup[0] == name)
    missing = [path for path in needed if not os.path.exists(path)]
    if missing:
        return 0, [f"{name}: skipped, there is no {missing[0]}"]
    done, told = 0, []
    # At its first start fish goes on writing completions of its own in the background.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        place = Place(pathlib.Path(folder), edit)
        shell = Shell(name, *begin(place), place)
        for line, expected in CASES:
            if options.case not in line or line in NOT_FOR.get(name.split()[0], []):
                continue
            wanted = [
                word if isinstance(word, bytes)
                else word.replace("HOME/", f"{place.home}/").encode()
                for word in expected]
            try:
                found = shell.complete(line)
            except TimeoutError:
                found = None
            done += 1
            if found != wanted:
                told.append(f"{name}: {line!r} became {found}, not {wanted}" + shown_by(shell, options))
                if found is None:
                    shell.send("\x03\x03" if name.startswith("fish") else "\x05\x15")
        for line, shown, hidden in LISTS:
            if options.case not in line:
                continue
            screen = shell.listed(line, shown)
            done += 1
            wrong = [word for word in shown if word.encode() not in screen] + [
                word for word in hidden if word.encode() in screen]
            if wrong:
                told.append(f"{name}: {line!r} lists wrongly: {wrong}" + shown_by(shell, options))
        shell.close()
    return done, told


def shown_by(shell, options):
    return "\n" + shell.seen.decode(errors="replace") if options.verbose else ""


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("edit")
    options.add_argument("--shell", default="")
    options.add_argument("--case", default="")
    options.add_argument("--verbose", action="store_true")
    options = options.parse_args()
    edit = str(pathlib.Path(options.edit).resolve())
    names = [name for name, _, _ in setups(edit) if name.startswith(options.shell)]
    # A process for each, because terminals are made by forking.
    with multiprocessing.Pool(len(names)) as pool:
        results = pool.starmap(drive, [(name, edit, options) for name in names], chunksize=1)
    for _, lines in results:
        for line in lines:
            print(line)
    done = sum(count for count, _ in results)
    failures = sum(": skipped" not in line for _, lines in results for line in lines)
    print(f"completions: {done} lines, {failures} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

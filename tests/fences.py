"""Runs the examples in the documents: python3 tests/fences.py [--root CLONE] [--ran FILE] [PAGE...]

Each page runs in a fresh clone of the commit, from its first fence to its last. `rebone` and `python3` are those of PATH.

sh, bash      run; a fence whose last line ends with ` &` runs until the page ends.
text          runs if it begins with `$ `: what each command prints is compared. `...` stands for any lines.
python        runs in one interpreter a page; `>>>` is compared as doctest does. Cells of notebooks are such fences.
toml, tsv, json, yaml   are written to the FILE of `file=FILE`, which a later fence has to name.
needs="..."   says what a fence would need, and that it does not run: MAX_MARKS at most.

FILE holds lines that were run before and are left out, as the two of the README's Quick start. Indented commands are an error.
"""

import argparse
import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

MAX_MARKS = 10
PATIENCE = 900  # seconds for one sh, bash or text fence's command: the first that needs the program may build it
SHELLS, DATA = {"sh", "bash"}, {"toml", "tsv", "json", "yaml"}
# Fences that run nothing here: `cargo test` runs those of Rust, those of JavaScript are for pages of others.
OTHERS = {"text", "rust,no_run", "js"}
FENCE = re.compile(r"^( *)(```|~~~)([^\n]*)\n(.*?)^\1\2 *$", re.S | re.M)
INDENTED = re.compile(r"^ {4}(?:\$ )?(?:rebone|cargo|pip|python3?|npm|blender/\w+) .*", re.M)
# Lines that a transcript shows if its command may end with another code than 0.
FAILS = re.compile(r"^(error:|verdict +FAIL)", re.M)
# Runs Python fences in one namespace; examples with prompts are compared.
INTERPRETER = r"""
import doctest, json, os, sys, traceback
# Programs that a fence starts print into the stream of errors, not among the answers.
answers, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
os.dup2(2, 1)
names = {"__name__": "__main__"}
for line in sys.stdin:
    place, text = json.loads(line)
    wrong = []
    try:
        if ">>> " in text:
            test = doctest.DocTestParser().get_doctest(text, names, place, place, 0)
            doctest.DocTestRunner(verbose=False).run(test, out=wrong.append, clear_globs=False)
            names.update(test.globs)
        else:
            exec(compile(text, place, "exec"), names)
    except BaseException:
        wrong.append(traceback.format_exc())
    print(json.dumps("".join(wrong)), file=answers, flush=True)
"""


def fences_of(path):
    """Returns info string and text of each fence; for a notebook, of each cell with code."""
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [("python", "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    found = FENCE.findall(path.read_text(encoding="utf-8"))
    return [(info.strip(), textwrap.dedent(text)) for _, _, info, text in found]


def comparable(text):
    """Returns the text without durations and folders, which differ from run to run."""
    text = re.sub(r"\b\d+(\.\d+)? (s|ms|min)\b", "N s", text)
    return re.sub(r"(/[\w.-]+)+/", "", text)


def is_printed(expected, printed):
    lines = comparable(expected).splitlines()
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines)
    return re.fullmatch(pattern, comparable(printed)) is not None


class Page:
    def __init__(self, path, folder, ran):
        self.path, self.folder, self.ran = path, folder, ran
        self.counts = {"run": 0, "compared": 0, "written": 0, "before": 0}
        self.marks, self.wrong, self.unused, self.running, self.python = [], [], {}, [], None

    def run(self):
        try:
            self.fences()
        finally:
            self.end()
        self.wrong += list(self.unused.values())

    def fences(self):
        if self.path.suffix == ".md":
            found = INDENTED.findall(self.path.read_text(encoding="utf-8"))
            self.wrong += [f"an indented command, which no fence holds: {line.strip()}" for line in found]
        for info, text in fences_of(self.path):
            language, *more = shlex.split(info) or [""]
            marks = dict(word.split("=", 1) for word in more if "=" in word)
            self.unused = {name: why for name, why in self.unused.items() if name not in text}
            self.fence(language, marks, text)

    def fence(self, language, marks, text):
        if "needs" in marks:
            self.marks.append(f"{marks['needs']}: {text.strip().splitlines()[0]}")
        elif "file" in marks:
            (self.folder / marks["file"]).write_text(text, encoding="utf-8")
            self.counts["written"] += 1
            self.unused[marks["file"]] = f"no later fence names {marks['file']}"
        elif language in SHELLS:
            self.shell(text)
        elif language == "text" and text.startswith("$ "):
            self.transcript(text)
        elif language == "python":
            self.interpreter(text)
        elif language in DATA:
            self.wrong.append(f"a {language} fence without file=NAME:\n{text}")
        elif language not in OTHERS or re.search(r"^\$ ", text, re.M):
            self.wrong.append(f"a fence of {language or 'no language'} that would not run:\n{text}")

    def shell(self, text):
        lines = [line for line in text.splitlines() if line not in self.ran]
        self.counts["before"] += len(text.splitlines()) - len(lines)
        text = "\n".join(lines).rstrip()
        commands = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
        if not commands:
            return
        self.counts["run"] += len([line for line in commands if not line.startswith((" ", "done", "}"))])
        if text.endswith(" &"):
            return self.background(text.removesuffix("&"))
        code, printed = self.bash("set -euo pipefail\n" + text)
        if code:
            self.wrong.append(f"ended with {code}:\n{text}\n{printed[-1500:]}")

    def bash(self, text):
        """Runs a script with all that it starts as one process group, which is ended when it takes too long."""
        both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
        script = subprocess.Popen(["bash", "-c", text], cwd=self.folder, text=True, start_new_session=True, **both)
        try:
            printed, _ = script.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(script.pid, signal.SIGKILL)
            printed, _ = script.communicate()
            printed += f"not done in {PATIENCE} s\n"
        return script.returncode, printed

    def background(self, text):
        """Starts a command that runs until the page ends; it has to print a line within 60 s."""
        out = tempfile.TemporaryFile("w+")
        started = subprocess.Popen(["bash", "-euo", "pipefail", "-c", text], cwd=self.folder, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True)
        self.running.append((started, out))
        until = time.monotonic() + 60
        while not out.tell() and started.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
            out.seek(0, os.SEEK_END)
        if started.returncode or not out.tell():
            self.wrong.append(f"ended or printed nothing:\n{text}")

    def transcript(self, text):
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            code, printed = self.bash("set -o pipefail\n" + command)
            self.counts["compared"] += 1
            if not is_printed(expected, printed):
                self.wrong.append(f"$ {command}\nprinted\n{printed[-3000:]}but the page says\n{expected}")
            if code and not FAILS.search(expected):
                self.wrong.append(f"$ {command}\nended with {code}")

    def interpreter(self, text):
        if self.python is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.python = subprocess.Popen(["python3", "-c", INTERPRETER], cwd=self.folder, text=True, start_new_session=True, **pipes)
        if ">>> " in text and not text.lstrip().startswith(">>> "):
            self.wrong.append(f"a python fence in which lines stand before the first prompt:\n{text}")
        self.counts["compared" if ">>> " in text else "run"] += 1
        self.python.stdin.write(json.dumps([self.path.name, text]) + "\n")
        self.python.stdin.flush()
        ready, _, _ = select.select([self.python.stdout], [], [], PATIENCE)
        answer = self.python.stdout.readline() if ready else ""
        if wrong := json.loads(answer) if answer else f"the interpreter ended, or took {PATIENCE} s":
            self.wrong.append(f"{text}\n{wrong}")

    def end(self):
        for process, out in self.running:
            out.seek(0)
            if process.poll():
                self.wrong.append(f"ended before its page:\n{process.args[-1]}\n{out.read()[-1500:]}")
        for process in [*(process for process, _ in self.running), *filter(None, [self.python])]:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--ran", type=Path, help="lines that were run before")
    parser.add_argument("pages", nargs="*", help="default: all Markdown files and notebooks")
    arguments = parser.parse_args()
    # Ends what pages have started as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    root = arguments.root.resolve()
    listed = subprocess.run(["git", "ls-files", "*.md", "*.ipynb"], cwd=root, check=True, capture_output=True, text=True)
    ran = set(arguments.ran.read_text(encoding="utf-8").splitlines()) if arguments.ran else set()
    # Pages that call cargo share the target folder of the clone.
    os.environ.setdefault("CARGO_TARGET_DIR", str(root / "target"))
    total, marks, wrong = {}, [], 0
    for name in arguments.pages or listed.stdout.split():
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "rebone"
            subprocess.run(["git", "clone", "-q", str(root), str(folder)], check=True)
            page = Page(root / name, folder, ran)
            page.run()
        marks += [f"{name}: {mark}" for mark in page.marks]
        total = {key: total.get(key, 0) + count for key, count in page.counts.items()}
        wrong += len(page.wrong)
        print(f"{'FAIL' if page.wrong else 'ok':4} {name}: " + ", ".join(f"{count} {key}" for key, count in page.counts.items() if count), flush=True)
        for text in page.wrong:
            print("     " + text.rstrip().replace("\n", "\n     "), flush=True)
    print("\n".join(f"does not run, needs {mark}" for mark in marks))
    print("fences: " + ", ".join(f"{count} {key}" for key, count in total.items()) + f", {len(marks)} marked, {wrong} wrong")
    if len(marks) > MAX_MARKS:
        sys.exit(f"more than {MAX_MARKS} marks")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

"""Opens a report in headless Chromium, uses it as a person would, and checks what it does.

python open_page.py CHROMIUM FILE.html [SCREENSHOT.png]

Scripts in the folder FILE_data beside it may be loaded, nothing else. Prints one line per check and ends with 1 at the
first failure. With a picture's name it also writes the table, both colour schemes of the clip and a clip with skins beside it
(-table, -dark, -skins). A second browser without WebGL has to show sticks.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 30  # seconds to wait for one answer of the browser
MAX_HEAP = 100  # megabytes of the page's script, whatever the number of clips
DRAWN = 200  # rows that are drawn at most
LOOKED_AT = 12  # clips that are opened one after another
WITH_WEBGL = "--enable-unsafe-swiftshader"
WITHOUT_WEBGL = "--disable-3d-apis"
KEYS = {"Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), "ArrowRight": ("ArrowRight", 39, ""), "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowDown": ("ArrowDown", 40, ""), "j": ("KeyJ", 74, "j"), "k": ("KeyK", 75, "k"), "/": ("Slash", 191, "/"), "?": ("Slash", 191, "?"), "a": ("KeyA", 65, "a")}


class Browser:
    """Chromium spoken to over two pipes, which need no port and no package."""

    def __init__(self, chromium, profile, *more):
        # High numbers, so that putting them at 3 and 4 in the child cannot overwrite one another.
        pipes = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20) for fd in (*os.pipe(), *os.pipe())]
        its_in, self.out, self.inn, its_out = pipes
        flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run", "--disable-gpu", "--disable-background-networking", "--window-size=1360,900", *more]
        actions = [(os.POSIX_SPAWN_DUP2, its_in, 3), (os.POSIX_SPAWN_DUP2, its_out, 4), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
        self.pid = os.posix_spawnp(chromium, [chromium, *flags, "about:blank"], os.environ, file_actions=actions)
        os.close(its_in)
        os.close(its_out)
        self.count, self.rest, self.events, self.session = 0, b"", [], None

    def receive(self, until):
        while b"\0" not in self.rest:
            if not select.select([self.inn], [], [], max(until - time.monotonic(), 0))[0]:
                raise TimeoutError("the browser did not answer")
            data = os.read(self.inn, 1 << 20)
            if not data:
                raise EOFError("the browser ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def js(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression):
        """Asks again until the expression is true."""
        until = time.monotonic() + PATIENCE
        while not self.js(expression):
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        return True

    def settle(self):
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, key):
        code, number, text = KEYS[key]
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)
        self.settle()

    def click(self, selector):
        """Presses the mouse in the middle of an element, so that something lying over it is noticed."""
        quoted = json.dumps(selector)
        self.js(f"document.querySelector({quoted}).scrollIntoView({{block: 'center', behavior: 'instant'}})")
        self.settle()
        x, y = self.js(f"(() => {{ const b = document.querySelector({quoted}).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button = "none" if kind == "mouseMoved" else "left"
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)
        self.settle()

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def end(self):
        """Asks the browser to close, and ends only the process that was started here."""
        try:
            self.session = None
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError, RuntimeError):
            pass
        for _ in range(50):
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return
            time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def check(good, text):
    print(f"{'ok' if good else 'FAILED'}: {text}", flush=True)
    if not good:
        raise SystemExit(1)


VERDICTS = ["FAIL", "LOOK", "PASS", "NONE"]
ROWS = "[...document.querySelectorAll('#rows .badge')].map((b) => b.textContent)"
NAMES = "[...document.querySelectorAll('#rows a')].map((a) => a.textContent)"
FRAME = "Number(document.querySelector('#frame').value)"
COLOURS = """(() => {
  const canvas = document.querySelector('%s');
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  return new Set(new Uint32Array(data.buffer)).size;
})()"""
INKED = """(() => {
  const canvas = document.querySelector('#stage');
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0, inked = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3]) inked += 1;
    sum = (31 * sum + data[at] + 3 * data[at + 1] + 7 * data[at + 2]) >>> 0;
  }
  return [inked, sum];
})()"""
HAS_SKIN = "!document.querySelector('#skins').disabled"


def open_file(browser, path):
    target = browser.call("Target.getTargets")["targetInfos"]
    page = next(t["targetId"] for t in target if t["type"] == "page")
    browser.session = browser.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
    for domain in ("Runtime", "Log", "Network", "Page", "Performance"):
        browser.call(f"{domain}.enable")
    browser.events.clear()
    began = time.monotonic()
    browser.call("Page.navigate", url=path.resolve().as_uri())
    ready = browser.wait("document.readyState === 'complete' && document.querySelectorAll('#rows tr').length > 0")
    check(ready, f"the page opens, with {browser.js('document.querySelectorAll(`#rows tr`).length')} rows after {time.monotonic() - began:.1f} s")


def first_look(browser):
    rows = browser.js("[...document.querySelectorAll('#rows tr:not(.again) .badge')].map((b) => b.textContent)")
    check(rows == sorted(rows, key=VERDICTS.index), f"the worst come first: {rows[0]} to {rows[-1]}")
    check("NONE" not in browser.js(ROWS), "clips without a result are not in the table")
    titled = browser.js("[...document.querySelectorAll('#rows .long')].every((name) => name.title)")
    check(titled, "names of clips and rigs have their full text as title")
    lines = browser.js("""(() => {
      const [folder, file] = document.querySelector('#rows a').children;
      const texts = [folder.textContent, file.textContent], before = file.offsetHeight;
      folder.textContent = 'a-long-folder/'.repeat(30);
      const found = [file.offsetHeight - before, folder.scrollWidth > folder.clientWidth, file.scrollWidth > file.clientWidth];
      file.textContent = 'a-long-name-'.repeat(30);
      found.push(file.offsetHeight - before, file.scrollWidth > file.clientWidth);
      [folder.textContent, file.textContent] = texts;
      return found;
    })()""")
    check(lines == [0, True, False, 0, True], "a long name stays on one line; an ellipsis shortens its folder first")


def sorting(browser):
    browser.click("[data-sort=name]")
    up = browser.js(NAMES)
    browser.click("[data-sort=name]")
    down = browser.js(NAMES)
    said = browser.js("document.querySelector('[data-sort=name]').closest('th').getAttribute('aria-sort')")
    check(len(set(up)) < 2 or up != down, f"a second click on Name turns the order: {up[0]!r} first, then {down[0]!r}")
    check(said == "descending", "the heading says that it is descending")
    browser.click("[data-sort=verdict]")


def filtering(browser):
    verdict = browser.js("['FAIL', 'LOOK', 'PASS'].find((v) => !document.querySelector(`[data-verdict=${v}]`).disabled)")
    check(verdict is not None, "there is a clip with a result")
    button = f"[data-verdict={verdict}]"
    count = browser.js(f"Number(document.querySelector('{button}').textContent.match(/\\d+/)[0])")
    browser.click(button)
    rows = browser.js(ROWS)
    shown = browser.js("parseInt(document.querySelector('#shown').textContent)")
    check(shown == count and set(rows) == {verdict}, f"the filter {verdict} shows {count} clips and no others")
    check(browser.js(f"document.querySelector('{button}').ariaPressed") == "true", "its button is pressed")
    name = browser.js(NAMES)[0]
    browser.press("/")
    browser.call("Input.insertText", text=name)
    browser.settle()
    names = browser.js(NAMES)
    check(all(name.lower() in other.lower() for other in names) and name in names, f"the name filter shows {len(names)} of {count}")
    browser.press("Escape")
    check(browser.js("document.activeElement.matches('#rows a')"), "Escape goes from the filter to the table")


def entries(path):
    """Rows of the page's data."""
    return json.loads(path.read_text().split('<script type="application/json" id="data">')[1].split("</script>")[0])


def groups(browser, path):
    """Results of one clip on several rigs stand together; sorted by rig they do not."""
    clips = {clip["name"]: clip for clip in entries(path)["clips"]}
    told = browser.js("[...document.querySelectorAll('#rows tr')].map((row) => [row.querySelector('a').textContent, row.classList.contains('again')])")
    clip_of = lambda name: (clips[name]["source"], clips[name].get("part"))  # noqa: E731
    before, seen = None, set()
    for name, is_again in told:
        clip = clip_of(name)
        if is_again != (clip == before) or (clip != before and clip in seen):
            check(False, f"{name!r} stands with the other results of its clip")
        seen.add(clip)
        before = clip
    check(True, f"{len(told)} rows are of {len(seen)} clips, the results of each together")
    browser.click("[data-sort=target]")
    check(browser.js("document.querySelectorAll('#rows .again').length") == 0, "sorted by rig they are apart")
    browser.click("[data-sort=verdict]")


def unread(browser, path):
    """Clips without a result stand below the table, with their reasons, once for all rigs."""
    none = [clip for clip in entries(path)["clips"] if clip["verdict"] == "NONE"]
    if not browser.js("document.querySelector('#unread').hidden || document.querySelector('#unread-more').hidden"):
        check(browser.js("document.querySelectorAll('#unread li').length") == DRAWN, f"{DRAWN} are listed at first")
        browser.click("#unread-more")
    listed = browser.js("[...document.querySelectorAll('#unread li')].map((own) => [own.querySelector('a').textContent, own.querySelector('p').textContent])")
    wanted = {(clip["source"], clip["error"]) for clip in none}
    check({tuple(own) for own in listed} == wanted and len(listed) == len(wanted), f"{len(listed)} clips are not read, with the reason of each")
    if not none:
        print("-: all clips were read", flush=True)
        return
    check(not any(error.startswith(source) for source, error in listed), "no reason begins with the path beside it")
    below = browser.js("document.querySelector('#unread').getBoundingClientRect().top >= document.querySelector('#clips').getBoundingClientRect().bottom")
    check(below, "they stand last")
    wrapped = browser.js("""(() => {
      const reason = document.querySelector('#unread p'), text = reason.textContent;
      reason.textContent = 'a-long-reason-'.repeat(60);
      const found = reason.scrollWidth <= reason.clientWidth && reason.offsetHeight > 40;
      reason.textContent = text;
      return found;
    })()""")
    check(wrapped, "a long reason is wrapped")
    browser.js("document.querySelector('#unread a').click()")
    check(browser.wait("!document.querySelector('#clip').hidden"), "it opens")
    check(listed[0][1] in browser.js("document.querySelector('#reasons').textContent"), "and says the reason")
    check(browser.js("document.querySelector('#accepted').disabled"), "what has no result cannot be accepted")
    browser.press("Escape")


SHOWN = "parseInt(document.querySelector('#shown').textContent)"
SET = "(() => {{ const own = document.querySelector('{0}'); own.value = {1}; own.dispatchEvent(new Event('{2}')); }})()"


def narrowing(browser, path):
    """The filters by begin, motion and duration show what the data say."""
    clips = entries(path)["clips"]
    for name, key in (("leading", "leading_pose"), ("still", "still")):
        count = sum(1 for clip in clips if clip.get(key))
        check(browser.js(f"document.querySelector('#{name}').closest('label').hidden") == (count == 0), f"the filter {name} is there for {count} results")
        if count:
            browser.click(f"#{name}")
            check(browser.js(SHOWN) == count, f"it shows {count}")
            browser.click(f"#{name}")
    seconds = sorted(clip["seconds"] for clip in clips if "seconds" in clip)
    bound = seconds[len(seconds) // 2]
    browser.js(SET.format("#shorter", bound, "input"))
    wanted = sum(1 for own in seconds if own < bound)
    check(browser.js(SHOWN) == wanted, f"{wanted} results are shorter than {bound} s")
    browser.js(SET.format("#shorter", "''", "input"))
    check(browser.js(SHOWN) == len(clips), "without a bound all are shown")


def marking(browser, path):
    """Accepts results by mouse and key; marks last and can be listed."""
    browser.js("localStorage.clear()")
    browser.call("Page.reload")
    check(browser.wait("document.readyState === 'complete' && document.querySelectorAll('#rows tr').length > 0"), "the page opens again")
    review = sum(1 for clip in entries(path)["clips"] if clip.get("mark") == "accepted")
    accepted = "document.querySelectorAll('#rows input:checked').length"
    before = browser.js(accepted)
    check(before == min(review, DRAWN), f"{before} results are accepted by the review")
    box = "#rows tr:not(:has(input:checked)) input"
    outputs = [browser.js(f"document.querySelector('{box}').closest('tr').querySelector('a').textContent")]
    browser.click(box)
    check(browser.js("document.querySelector('#clip').hidden"), "a click on the box opens no clip")
    browser.js(f"document.querySelector('{box}').closest('tr').querySelector('a').click()")
    check(browser.wait("!document.querySelector('#clip').hidden"), "a clip opens")
    outputs.append(browser.js("document.querySelector('#name').textContent"))
    browser.press("a")
    check(browser.js("document.querySelector('#accepted').checked"), "the key a accepts the open one")
    browser.press("Escape")
    check(browser.js(accepted) == before + 2, "the table says so")
    browser.call("Page.reload")
    check(browser.wait("document.readyState === 'complete' && document.querySelectorAll('#rows tr').length > 0"), "the page opens again")
    check(browser.js(accepted) == before + 2, "marks last")
    browser.js(SET.format("#marks", "'accepted'", "change"))
    names = browser.js(NAMES)
    check(set(outputs) <= set(names) and len(names) == before + 2, f"the filter shows the {len(names)} accepted")
    browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.click("#copy")
    check(browser.wait("document.querySelector('#told').textContent.includes('copied')"), f"the list is copied: {browser.js('document.querySelector(`#told`).textContent')!r}")
    text = browser.js("navigator.clipboard.readText()")
    data = entries(path)
    folder = Path(data["page"]["folder"])
    outputs_of = {clip["name"]: str(folder / clip["output"]) for clip in data["clips"] if clip.get("output")}
    check(text.split("\n") == [outputs_of[name] for name in names], f"as paths, one a line: {text.splitlines()[0]!r}")
    marks = browser.js("""(() => new Promise((done) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => { blob.text().then(done); URL.createObjectURL = make; return make.call(URL, blob); };
      HTMLAnchorElement.prototype.click = () => {};
      document.querySelector('#save').click();
    }))()""")
    lines = [json.loads(line) for line in marks.splitlines()]
    check(sum(1 for line in lines if line["mark"] == "accepted") == before + 2, "marks are saved as lines of a review")
    browser.js("localStorage.clear()")
    browser.call("Page.reload")
    check(browser.wait("document.readyState === 'complete' && document.querySelectorAll('#rows tr').length > 0"), "the page opens without them")


def opening(browser):
    name = browser.js(NAMES)[0]
    browser.press("Enter")
    check(browser.wait("!document.querySelector('#clip').hidden"), "Enter opens the selected clip")
    check(browser.js("document.querySelector('#name').textContent") == name, f"it is the first clip: {name!r}")
    check(browser.js("!document.querySelector('#player').hidden"), "the clip has a player")
    place = browser.js("document.querySelector('#place').textContent")
    total = browser.js("document.querySelector('#shown').textContent").split(" ")[2]
    check(place.split(" of ")[1] == total, f"with a filter its number is still one of all {total} results: {place}")


def helping(browser):
    """A reason says what usually helps, once."""
    told = browser.js("[...document.querySelectorAll('#reasons .help')].map((own) => own.textContent)")
    graded = browser.js("[...document.querySelectorAll('#reasons .badge')].length")
    check(graded == 0 or bool(told), f"of {graded} reasons {len(told)} say what helps")
    check(all(own.startswith("help: ") and "`" not in own for own in told) and len(set(told)) == len(told), f"each once: {told[:1]}")


def playing(browser):
    browser.settle()
    check(browser.js(FRAME) == 0, "the player does not start by itself")
    blank = browser.js(COLOURS % "#stage")
    check(blank > 10, f"the canvas is not blank: {blank} colours")
    browser.click("#play")
    time.sleep(1)
    browser.click("#play")
    frame, told = browser.js(FRAME), browser.js("document.querySelector('#stage').ariaLabel")
    check(frame > 0, f"after one second of playing it is at frame {frame}")
    check(told.endswith(f"frame {frame}"), f"the canvas says so: {told!r}")
    browser.press("ArrowLeft")
    back = browser.js(FRAME)
    browser.press("ArrowRight")
    check(back < frame <= browser.js(FRAME) + 1, f"the arrow keys step to {back} and to {browser.js(FRAME)}")


HANDS = "left hand on right hand"


def self_contacts(browser):
    """A clip of the samples in which one hand takes something out of the other."""
    browser.press("Escape")
    check(browser.wait("document.querySelector('#clip').hidden"), "Escape goes back to the table")
    browser.js("document.querySelector('#text').value = 'reach-one-spine'; document.querySelector('#text').dispatchEvent(new Event('input'))")
    browser.settle()
    if not browser.js(NAMES):
        print("-: there is no reach-one-spine, in which hands touch", flush=True)
        return
    reach = browser.js(NAMES)[0]
    browser.js("document.querySelector('#rows a').click()")
    check(browser.wait(f"!document.querySelector('#clip').hidden && document.querySelector('#name').textContent === {json.dumps(reach)}"), f"{reach!r} opens")
    row = f"[...document.querySelectorAll('#contacts .contact')].find((row) => row.querySelector('h4').textContent.startsWith({json.dumps(HANDS)}))"
    check(browser.js(f"{row} !== undefined"), f"its contacts have a row {HANDS!r}")
    bars = browser.js(f"['source', 'result'].map((body) => {row}.querySelectorAll(`.${{body}} .bar`).length)")
    check(bars[0] > 0, f"it has bars of source and result: {bars}")
    title = browser.js(f"{row}.querySelector('.source .bar').title")
    check("mm off" in title or "cm off" in title, f"its tooltip tells what is kept: {title!r}")
    middle = browser.js("""(() => { const words = %s.match(/frames? (\\d+)/); return Number(words[1]); })()""" % json.dumps(title))
    browser.js(f"document.querySelector('#frame').value = {middle}; document.querySelector('#frame').dispatchEvent(new Event('input'))")
    browser.settle()
    told = browser.js(f"{row}.querySelector('.source.lane').ariaLabel")
    check(told.startswith(f"{HANDS}, source, frame {middle}: plant ("), f"its text alternative says so: {told!r}")


def looking_through(browser):
    """Opens clip after clip without filters; the details of each are drawn."""
    browser.click("#verdicts [aria-pressed=true]")
    browser.js("document.querySelector('#text').value = ''; document.querySelector('#text').dispatchEvent(new Event('input'))")
    browser.js("document.querySelector('#rows a').click()")
    check(browser.wait("!document.querySelector('#clip').hidden"), "a click opens the first clip")
    names = []
    for _ in range(LOOKED_AT):
        names.append(browser.js("document.querySelector('#name').textContent"))
        reasons = browser.js("document.querySelector('#reasons').textContent")
        check("cannot be shown" not in reasons, f"details of {names[-1]!r} are there")
        check(browser.js("document.querySelectorAll('.curve path').length") > 0, "it has curves")
        browser.settle()
        check(browser.js(COLOURS % "#stage") > 10, "it has a figure")
        if browser.js("document.querySelector('#next').disabled"):
            break
        browser.click("#next")
        check(browser.wait(f"document.querySelector('#name').textContent !== {json.dumps(names[-1])}"), "the next one opens")
    while browser.js("!document.querySelector('#previous').disabled"):
        name = browser.js("document.querySelector('#name').textContent")
        browser.press("k")
        check(browser.wait(f"document.querySelector('#name').textContent !== {json.dumps(name)}"), "the key k opens the one before")
    check(browser.js("document.querySelector('#name').textContent") == names[0], f"after {len(names)} clips the key k is back at the first")


def open_skinned(browser, path):
    """Opens the first clip with a mesh, the first of all where there is none; returns whether there is one."""
    rows = path.read_text().split('<script type="application/json" id="data">')[1].split("</script>")[0]
    clips = json.loads(rows)["clips"]
    index = next((index for index, clip in enumerate(clips) if "meshes" in clip), None)
    first = next(index for index, clip in enumerate(clips) if "place" in clip)
    opened = first if index is None else index
    browser.js(f"location.hash = '#clip-{opened}'")
    check(browser.wait(f"document.querySelector('#name').textContent === {json.dumps(clips[opened]['name'])}"), "a clip opens by its address")
    browser.settle()
    return index is not None


def skins(browser, path, picture):
    """A clip whose rig has a mesh: it is drawn, moves with the clip, and can be switched off."""
    has_mesh = open_skinned(browser, path)
    check(browser.js(HAS_SKIN) == has_mesh, "a skin can be shown where there is a mesh")
    if not has_mesh:
        print("-: no clip has a mesh", flush=True)
        return
    check(browser.js("document.querySelector('#skins').checked"), f"{browser.js('document.querySelector(`#name`).textContent')!r} has a skin, which is shown")
    with_skin = browser.js(INKED)
    if picture:
        browser.js("scrollTo(0, 0)")
        browser.settle()
        browser.picture(picture.with_stem(picture.stem + "-skins"))
    browser.click("#skins")
    sticks = browser.js(INKED)
    check(with_skin[0] > 1.15 * sticks[0] > 0, f"it covers {with_skin[0]} pixels with the floor, sticks cover {sticks[0]}")
    browser.click("#skins")
    check(browser.js(INKED) == with_skin, "the box switches it off and on")
    last = browser.js("document.querySelector('#frame').max")
    browser.js(f"document.querySelector('#frame').value = {last} / 3; document.querySelector('#frame').dispatchEvent(new Event('input'))")
    browser.settle()
    check(browser.js(INKED)[1] != with_skin[1], "it moves with the clip")
    for body in ("source", "result"):
        browser.click(f"#see-{body}")
    check(browser.js(INKED)[0] < sticks[0], "nothing is left where neither source nor result is shown")
    for body in ("source", "result"):
        browser.click(f"#see-{body}")


def without_webgl(browser, path):
    """Opens the page in a browser that draws no skins."""
    open_file(browser, path)
    has_mesh = open_skinned(browser, path)
    check(not browser.js(HAS_SKIN), "without WebGL no skins can be shown")
    check(browser.js(INKED)[0] > 0 and browser.js(COLOURS % "#stage") > 10, "sticks are drawn")
    said = browser.js("document.querySelector('#sticks').textContent")
    check(("no WebGL" if has_mesh else "no mesh") in said, f"the page says why: {said!r}")
    silence(browser, path)


def scrolling(browser):
    """Goes to the end of the table and back."""
    browser.click("[data-sort=name]")
    first = browser.js(NAMES)
    total = browser.js("document.querySelector('#clips').getAttribute('aria-rowcount') - 1")
    check(len(first) == min(total, DRAWN), f"{len(first)} of {total} rows are drawn")
    browser.js("scrollTo(0, document.documentElement.scrollHeight)")
    browser.settle()
    last = "[...document.querySelectorAll('#rows tr')].at(-1)"
    check(browser.wait(f"Number({last}.ariaRowIndex ?? {last}.getAttribute('aria-rowindex')) === {total} + 1"), f"at the end of the scroll bar is row {total}")
    check(browser.js(f"{last}.getBoundingClientRect().bottom <= innerHeight + 100"), "it is in view")
    check(browser.js("document.querySelectorAll('#rows tr').length") <= DRAWN, f"at most {DRAWN} rows are drawn")
    browser.js("(() => { const table = document.querySelector('#clips').getBoundingClientRect(); scrollBy(0, table.top + table.height / 2 - innerHeight / 2); })()")
    browser.settle()
    seen = browser.wait("document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('#rows tr') !== null")
    check(total < DRAWN or seen, "rows are in view in the middle of the table")
    browser.js("scrollTo(0, 0)")
    browser.settle()
    check(browser.wait(f"JSON.stringify({NAMES}) === {json.dumps(json.dumps(first, separators=(',', ':'), ensure_ascii=False))}"), "the first rows are back")
    browser.click("[data-sort=verdict]")


def heap(browser):
    metrics = {m["name"]: m["value"] for m in browser.call("Performance.getMetrics")["metrics"]}
    used = metrics["JSHeapUsedSize"] / 1e6
    check(used < MAX_HEAP, f"the page's script holds {used:.1f} MB")


def jumping(browser):
    if browser.js("document.querySelectorAll('#worst [data-frame]').length"):
        colours = browser.js(COLOURS % "#worst canvas")
        check(colours > 10, f"the first small picture is not blank: {colours} colours")
        wanted = browser.js("Number(document.querySelector('#worst [data-frame]').dataset.frame)")
        browser.click("#worst [data-frame]")
        check(browser.js(FRAME) == wanted, f"a click on it goes to frame {wanted}")
    if browser.js("document.querySelectorAll('.curve path').length"):
        browser.click(".curve")
        middle = browser.js("Number(document.querySelector('#frame').max) / 2")
        check(abs(browser.js(FRAME) - middle) <= 2, f"a click in the middle of a curve goes to frame {browser.js(FRAME)}")


def colours(browser, picture):
    seen = []
    for scheme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.settle()
        seen.append(browser.js("getComputedStyle(document.body).backgroundColor"))
        if picture:
            browser.js("scrollTo(0, 0)")
            browser.settle()
            browser.picture(picture if scheme == "light" else picture.with_stem(picture.stem + "-dark"))
    check(seen[0] != seen[1], f"the background follows the colour scheme: {seen[0]}, {seen[1]}")
    browser.call("Emulation.setEmulatedMedia", features=[])


def leaving(browser):
    browser.press("?")
    check(browser.js("document.querySelector('#keys').open"), "the question mark shows the keys")
    browser.press("Escape")
    check(browser.js("!document.querySelector('#clip').hidden"), "Escape closes them and the clip stays")
    browser.press("Escape")
    check(browser.wait("document.querySelector('#clip').hidden"), "Escape goes back to the table")
    check(browser.js("document.activeElement.matches('#rows a')"), "the row of the clip has the focus")


def silence(browser, path):
    faults, asked = [], []
    browser.settle()
    for event in browser.events:
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            faults.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            faults.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            faults.append(str(params["args"]))
        elif method == "Network.requestWillBeSent":
            asked.append(params["request"]["url"])
    page = path.resolve().as_uri()
    data = path.resolve().with_name(path.name.removesuffix(".html") + "_data").as_uri() + "/"
    others = [url for url in asked if url.split("#")[0] != page and not url.startswith(data)]
    scripts = {url for url in asked if url.startswith(data)}
    check(not faults, f"no errors{': ' + '; '.join(faults) if faults else ''}")
    check(asked and not others, f"no request but for the page and {len(scripts)} scripts of its own{': ' + ', '.join(others) if others else ''}")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    path, picture = Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) == 4 else None
    if not path.is_file() or not shutil.which(sys.argv[1]):
        sys.exit(f"there is no {sys.argv[1] if path.is_file() else path}")
    with_browser(sys.argv[1], WITH_WEBGL, lambda browser: all_uses(browser, path, picture))
    with_browser(sys.argv[1], WITHOUT_WEBGL, lambda browser: without_webgl(browser, path))


def all_uses(browser, path, picture):
    """Uses every part of the page, as a user would, and takes pictures where a name for them is set."""
    open_file(browser, path)
    if picture:
        browser.picture(picture.with_stem(picture.stem + "-table"))
    for use in (groups, unread, narrowing, marking):
        use(browser, path)
    for use in (first_look, sorting, scrolling, filtering, opening, helping, playing, jumping):
        use(browser)
    colours(browser, picture)
    leaving(browser)
    looking_through(browser)
    self_contacts(browser)
    browser.press("Escape")
    browser.js("document.querySelector('#text').value = ''; document.querySelector('#text').dispatchEvent(new Event('input'))")
    browser.settle()
    skins(browser, path, picture)
    heap(browser)
    silence(browser, path)


def with_browser(chromium, flag, use):
    """Starts Chromium with a flag and an empty profile, calls `use(browser)`, and ends it."""
    profile = tempfile.mkdtemp(prefix="open_page_")
    browser = Browser(chromium, profile, flag)
    try:
        use(browser)
    except (EOFError, TimeoutError, RuntimeError) as fault:
        check(False, str(fault))
    finally:
        browser.end()
        shutil.rmtree(profile, ignore_errors=True)


if __name__ == "__main__":
    main()

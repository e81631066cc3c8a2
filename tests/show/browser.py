"""Debian's Chromium without a window, driven through its debugging pipe."""

import json
import os
import shutil
import subprocess
import tempfile
import threading


class Browser:
    """One page of one browser. Use in a `with`."""

    def __init__(self, width=1300, height=800):
        self.folder = tempfile.mkdtemp()
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def as_3_and_4():  # where --remote-debugging-pipe looks
            # Out of the way first: a pipe may have the number of the other.
            inbox, outbox = os.dup(to_browser), os.dup(from_browser)
            os.dup2(inbox, 3)
            os.dup2(outbox, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--hide-scrollbars",
             "--remote-debugging-pipe", "--user-data-dir=" + self.folder,
             "--window-size=%d,%d" % (width, height), "about:blank"],
            preexec_fn=as_3_and_4, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest = b""
        self.number = 0
        self.events = []
        # A browser that hangs is ended, and then reading ends too.
        self.guard = threading.Timer(240, self.process.kill)
        self.guard.daemon = True
        self.guard.start()
        target = self.call("Target.createTarget",
                           url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)

    session = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.guard.cancel()
        self.process.kill()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.read_end, 1 << 16)
            if not more:
                raise EOFError("the browser has gone")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while True:
            for i, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(i)
            self.events.append(self.receive())

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("Page.loadEventFired")
        self.frame()

    def run(self, expression):
        """The value of a JavaScript expression; waits for a promise."""
        answer = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def faults(self):
        """Exceptions that the page did not catch."""
        return [event["params"]["exceptionDetails"] for event in self.events
                if event.get("method") == "Runtime.exceptionThrown"]

    def cpu_seconds(self):
        """What the page's process has used."""
        self.call("Performance.enable")
        for metric in self.call("Performance.getMetrics")["metrics"]:
            if metric["name"] == "ProcessTime":
                return metric["value"]
        raise RuntimeError("no ProcessTime")

    def frame(self):
        """Waits until what is asked for is drawn."""
        self.run("new Promise(r => requestAnimationFrame(() => "
                 "requestAnimationFrame(() => r(1))))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.frame()

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.frame()

    def drag(self, x, y, dx, dy, steps):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        for i in range(1, steps + 1):
            self.mouse("mouseMoved", x + dx * i / steps, y + dy * i / steps,
                       button="left", buttons=1)
        self.mouse("mouseReleased", x + dx, y + dy, button="left",
                   clickCount=1)
        self.frame()

    def wheel(self, x, y, delta, modifiers=0):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=delta,
                   modifiers=modifiers)
        self.frame()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.frame()

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key,
                      code=key, windowsVirtualKeyCode={
                          "Enter": 13, "Escape": 27}.get(key, 0))
        self.frame()

    def screenshot(self, path):
        import base64
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

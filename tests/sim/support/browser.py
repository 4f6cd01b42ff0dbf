# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""Chromium without a window, driven over two pipes (DevTools protocol, a NUL ends a message)."""
import base64
import json
import os
import select
import subprocess
import tempfile
import time

FLAGS = ("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", "--remote-debugging-pipe", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb",
         "--hide-scrollbars", "--mute-audio", "--disable-dev-shm-usage")


class BrowserError(Exception):
    """The page or the browser says that something is wrong."""


class Browser:
    """A page in a browser of its own; use it in a `with` statement."""

    def __init__(self, width=1280, height=800, answer_seconds=600):
        self.answer_seconds = answer_seconds
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.number, self.unread, self.events = 0, b"", []
        read_commands, self.commands = os.pipe()
        self.answers, write_answers = os.pipe()
        # The browser reads commands from file 3 and writes answers to file 4.
        high = [os.dup(read_commands), os.dup(write_answers)]
        for file in (read_commands, write_answers):
            os.close(file)
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 3<&%d 4>&%d' % tuple(high), "bash", "chromium", *FLAGS,
             f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}", "about:blank"],
            pass_fds=high, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for file in high:
            os.close(file)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    session = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.profile.cleanup()

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def call(self, method, **parameters):
        """Sends a command and returns its result; what else arrives meanwhile is kept in `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.answer_seconds
        while True:
            answer = self.receive(deadline)
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def receive(self, deadline):
        while b"\0" not in self.unread:
            if not select.select([self.answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise BrowserError(f"no answer within {self.answer_seconds} s")
            chunk = os.read(self.answers, 1 << 20)
            if not chunk:
                raise BrowserError("the browser is gone")
            self.unread += chunk
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def run(self, expression):
        """The value of a JavaScript expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait_for(self, expression):
        """Until it is true in the page."""
        deadline = time.monotonic() + self.answer_seconds
        while not self.run(expression):
            if time.monotonic() > deadline:
                raise BrowserError(f"never true: {expression}; page says {self.complaints()}")
            time.sleep(0.05)

    def open(self, path):
        """Opens a file of this machine without any network."""
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0,
                  uploadThroughput=0)
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("document.readyState === 'complete'")

    def complaints(self):
        """Errors and warnings of the page so far."""
        found = []
        for event in self.events:
            details = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(details["exceptionDetails"].get("exception", {}).get("description"))
            elif event.get("method") == "Runtime.consoleAPICalled" and \
                    details["type"] in ("error", "warning", "assert"):
                found.append(" ".join(str(one.get("value")) for one in details["args"]))
            elif event.get("method") == "Log.entryAdded" and \
                    details["entry"]["level"] in ("error", "warning"):
                found.append(details["entry"]["text"])
        return found

    def requests(self):
        """Addresses that the page asked for."""
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, code=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key)

    def picture(self, whole=False):
        """PNG bytes of the window, or of the whole page."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])

    def prefer(self, scheme):
        """"dark" or "light"."""
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

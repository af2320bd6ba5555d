"""Chromium, driven over a pipe in its own protocol, so that nothing else need be installed."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time

from reliability import PATIENCE

NAMES = ["chromium", "chromium-browser", "google-chrome"]
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
OPTIONS += ["--no-first-run", "--disable-extensions", "--disable-background-networking"]
KEYS = {"Tab": 9, "Enter": 13, "Home": 36, "End": 35, "ArrowLeft": 37, "ArrowRight": 39}


class Browser:
    """One browser, in which pages are opened one after the other."""

    def __init__(self, profile):
        pipes = [*os.pipe(), *os.pipe()]  # in the browser they are 3 and 4, so not here
        read, self._write, self._read, write = [fcntl.fcntl(p, fcntl.F_DUPFD, 10) for p in pipes]
        for end in pipes:
            os.close(end)

        def give_pipes():
            os.dup2(read, 3)
            os.dup2(write, 4)

        self._process = subprocess.Popen(
            [CHROMIUM, *OPTIONS, f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=give_pipes,
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read)
        os.close(write)
        self._buffer, self._count, self._events, self._session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def close(self):
        os.close(self._write)
        os.close(self._read)
        self._process.kill()
        self._process.wait()

    def _message(self, deadline):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            if not part:
                raise TimeoutError("chromium does not answer")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        deadline = time.monotonic() + PATIENCE
        while (answer := self._message(deadline)).get("id") != self._count:
            self._events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, path, width=1200, height=900, dark=False, paper=False):
        """Load a page, and wait until it says that it is ready."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        media = "print" if paper else "screen"
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.call("Page.navigate", url="about:blank")
        self._events.clear()
        self.call("Page.navigate", url=path.as_uri())
        deadline = time.monotonic() + PATIENCE
        said = "document.documentElement?.dataset"
        while not self.run(f"Boolean({said}?.ready || {said}?.errors)"):
            assert time.monotonic() < deadline, "the page is not ready"
            time.sleep(0.02)
        self.settle()

    def settle(self):
        """Wait until what is to be drawn is drawn."""
        twice = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        self.run(f"{twice}.then(() => {twice}).then(() => true)")

    def run(self, expression):
        """Return what a JavaScript expression, or the promise that it is, comes to."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key):
        code = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
        for kind in ["rawKeyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, **code)
        self.settle()

    def complaints(self):
        """Return what the console says, and what was fetched besides the page."""
        found = []
        for event in self._events:
            method, details = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(details)
            if method == "Network.requestWillBeSent":
                url = details["request"]["url"]
                if not url.startswith(("data:", "about:")) and url != details["documentURL"]:
                    found.append(url)
        return found

    def picture(self, path):
        """Save a picture of the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(answer["data"]))

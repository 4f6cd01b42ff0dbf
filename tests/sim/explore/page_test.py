# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The page of a study in a real browser, opened from disk with the network off."""
import pathlib
import tempfile
import time
import xml.etree.ElementTree

import browser
from explore_test import ExploreTest

DEVICES = 10  # Of the study of explore_test, each on two problems.


def text_of(selector):
    return f"document.querySelector('{selector}').textContent"


def count_of(selector):
    return f"document.querySelectorAll('{selector}').length"


class ExplorePage(ExploreTest):
    def setUp(self):
        super().setUp()
        self.explore("--page", "page.html")
        self.page = self.enterContext(browser.Browser(1280, 1000))
        self.page.open(self.folder / "page.html")

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])
        self.assertEqual([url for url in self.page.requests() if not url.startswith(("file:", "data:", "blob:"))], [])

    def click(self, selector, at=0):
        """With the mouse, in the middle of the element that is there."""
        x, y = self.page.run(f"""(() => {{
          const element = document.querySelectorAll('{selector}')[{at}];
          element.scrollIntoView({{block: 'center'}});
          const box = element.getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2]; }})()""")
        self.page.click(x, y)

    def choose(self, control, words):
        self.page.run(f"""(() => {{
          const select = document.getElementById('{control}');
          select.value = [...select.options].find((option) => option.text.startsWith('{words}')).value;
          select.dispatchEvent(new Event('change')); }})()""")

    def saved(self, button, name):
        """The bytes of the file that a button saves."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        self.click(f"#{button}")
        end = time.time() + 60
        # The browser holds the place of a file that it still writes under another name.
        while not (folder / name).exists() or not (folder / name).stat().st_size or list(folder.glob("*.crdownload")):
            self.assertLess(time.time(), end, f"{name} was never saved")
            time.sleep(0.05)
        return (folder / name).read_bytes()

    def test_a_click_shows_configuration_stalls_and_the_command_that_repeats_the_point(self):
        self.assertEqual(self.page.run(count_of("#scatter circle")), DEVICES)
        self.assertIn("Click a dot", self.page.run(text_of("#point")))
        self.click("#scatter circle", DEVICES - 1)
        name = self.page.run(text_of("#scatter circle.picked title"))
        axes = dict(part.rsplit(" ", 1) for part in name.split(", ")[:2])
        self.assertEqual(set(axes), {"pipes", "velocity_banks"})
        self.assertEqual(self.page.run(text_of("#point p")), name)
        shown = dict(self.page.run("[...document.querySelectorAll('#point .two table tr')].slice(1)"
                                   ".map((row) => [row.cells[0].textContent, row.cells[1].textContent])"))
        for key, value in axes.items():
            self.assertEqual(shown[key], value)
        commands = self.page.run(text_of("#point pre")).splitlines()
        self.assertEqual(len(commands), 2)
        stalls = self.page.run("[...document.querySelectorAll('#point .stack')].map((bar) =>"
                               " [...bar.children].map((part) => part.title))")
        cycles = self.page.run("[...document.querySelector('#point table').rows].slice(1)"
                               ".map((row) => row.cells[1].textContent)")
        for command, bar, total in zip(commands, stalls, cycles):
            again = self.json(*command.split()[1:])
            self.assertEqual(f"{again['cycles']:,}", total)
            self.assertEqual(str(again["configuration"]["keys"]["pipes"]), axes["pipes"])
            self.assertIn(f"body hazard: {again['stalls']['body hazard']:,} cycles", bar[2])

    def test_filters_and_axes_change_what_is_shown(self):
        self.click("#filters .filter button", 2)  # Four pipes.
        left = self.page.run(count_of("#scatter circle"))
        self.assertLess(left, DEVICES)
        self.assertEqual(self.page.run(count_of("#parallel polyline")), left)
        self.assertNotIn("pipes 4", self.page.run("[...document.querySelectorAll('#scatter title')]"
                                                  ".map((title) => title.textContent).join()"))
        self.click("#filters .filter button", 2)
        self.assertEqual(self.page.run(count_of("#scatter circle")), DEVICES)
        for i in range(3):
            self.click("#filters .filter button", i)
        self.assertEqual(self.page.run(text_of("#scatter")), "The filters hide every device.")
        self.click("#filters .filter button", 0)
        before = self.page.run("document.querySelector('#scatter circle').getAttribute('cx')")
        self.choose("x", "stall body hazard")
        self.assertIn("stall body hazard", self.page.run(text_of("#scatter")))
        self.assertNotEqual(self.page.run("document.querySelector('#scatter circle').getAttribute('cx')"), before)
        self.choose("problem", "ball")
        self.assertIn("on ball", self.page.run(text_of("#front-note")))

    def test_lines_and_rows_of_the_front_pick_too_and_none_of_the_front_is_beaten(self):
        self.click("#front tr", 1)
        first = self.page.run(text_of("#point p"))
        self.assertEqual(self.page.run(text_of("#scatter circle.picked title")), first)
        self.assertEqual(self.page.run(text_of("#parallel .picked title")), first)
        self.page.run("document.querySelector('#parallel polyline').dispatchEvent(new Event('click'))")
        self.assertNotEqual(self.page.run(text_of("#point p")), first)
        values = self.page.run("""(() => { const devices = visibleDevices(), front = frontOf(devices);
          const both = (device) => [valueOf(device, seen.x), valueOf(device, seen.y)];
          return [front.map(both), devices.map(both)]; })()""")
        front, devices = values
        beaten = [one for one in devices if any(a <= one[0] and b <= one[1] and [a, b] != one for a, b in devices)]
        self.assertEqual(sorted(front), sorted(one for one in devices if one not in beaten))

    def test_the_chart_is_saved_as_svg_and_as_png(self):
        drawing = xml.etree.ElementTree.fromstring(self.saved("svg", "study.svg"))
        name = "{http://www.w3.org/2000/svg}"
        self.assertEqual(drawing.tag, name + "svg")
        self.assertEqual(len(drawing.findall(name + "circle")), DEVICES)
        self.assertIn("--card", drawing.find(name + "style").text)
        picture = self.saved("png", "study.png")
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        width, height = (int.from_bytes(picture[at:at + 4], "big") for at in (16, 20))
        self.assertEqual((width, height), (2160, 920))
        # One of one colour would have some 8,000 bytes.
        self.assertGreater(len(picture), 20000)

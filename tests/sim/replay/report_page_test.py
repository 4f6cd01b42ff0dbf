# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The report of a scene in a real browser, opened from disk with the network off."""
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import browser

# How many colours the canvas has: one is a picture of nothing.
COLOURS = """(() => {
  PPU.stage.draw();
  const gl = PPU.stage.renderer.getContext();
  const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE,
                pixels);
  return new Set(new Uint32Array(pixels.buffer)).size;
})()"""
PICTURE = "(PPU.stage.draw(), PPU.stage.renderer.domElement.toDataURL())"
LABEL = "document.getElementById('frame-label').textContent"
BODY = "document.getElementById('body').innerText"
ROWS = "[...document.querySelectorAll('#body table.rows tbody tr')].map((row) => row.innerText)"


# What the eye makes of linear red, green and blue: Machado, Oliveira and Fernandes (2009), all of it.
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                 (-0.011820, 0.042940, 0.968881)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
}


def luminance(colour):
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), colour))


def lab_of(sight, colour):
    """CIE L*a*b* of a colour as seen."""
    seen = [min(1, max(0, sum(m * c for m, c in zip(row, colour)))) for row in sight]
    xyz = [sum(m * c for m, c in zip(row, seen)) for row in
           ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8728))]
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def text_of(name):
    return f"document.getElementById('{name}').innerText"


class Page(unittest.TestCase):
    """One page of the falling stack serves all tests of a class: 60 frames, 7 bodies, each third
    frame without rows, the CPU engine apart from frame 20 on."""
    more = ()

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name) / "report.html"
        subprocess.run([os.environ["PPU_REPLAY_FIXTURE"], cls.path, cls.path.with_suffix(".glb"),
                        *cls.more], check=True)
        cls.page = cls.enterClassContext(browser.Browser())
        cls.page.open(cls.path)
        cls.page.wait_for("document.body.classList.contains('ready')")

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def frame(self):
        return self.page.run("PPU.state.frame")


class ThinnedPage(Page):
    """With room for one frame in four."""
    more = ("systemc", "18000")

    def test_it_says_so_and_plays_in_the_time_of_the_scene(self):
        self.assertIn("Of the 60 frames of the run this page has one in 4",
                      self.page.run(text_of("subtitle")))
        numbers = self.page.run("PPU.replay.frames.map((frame) => frame.number)")
        self.assertLessEqual(set(range(0, 60, 4)) | {59}, set(numbers))
        self.assertLessEqual(len(numbers), 17)
        self.page.run("window.requestAnimationFrame = (tick) => { window.tick = tick; }")
        self.page.run("document.getElementById('play').click()")
        self.page.run("window.tick(1000); window.tick(1501)")
        # Half a second later it is frame 30, of which the page has the one before.
        self.assertIn("frame 28 of 59", self.page.run(LABEL))
        self.page.run("window.tick(2500)")
        self.assertIn("frame 59 of 59", self.page.run(LABEL))


class PhonePage(Page):
    """The page on a phone, 390 x 844; the colours that it has on any screen."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page.resize(390, 844)

    def boxes(self, selector):
        return self.page.run(f"""[...document.querySelectorAll('{selector}')].map((element) => {{
          const box = element.getBoundingClientRect();
          return [box.left, box.right, box.top, box.bottom]; }})""")

    def test_the_bar_is_on_the_screen_and_large_enough_for_a_finger(self):
        for name in ("#play", "#speed", "#scrubber", "#frame-label"):
            (left, right, top, bottom), = self.boxes(name)
            self.assertTrue(0 <= left < right <= 390 and 0 <= top < bottom <= 844, name)
        (left, right, top, bottom), = self.boxes("#play")
        self.assertEqual((right - left, bottom - top), (44, 44))

    def test_ticks_of_the_timeline_stand_beside_each_other(self):
        self.page.run("PPU.choose_frame(31)")
        for name in ("phases", "sweep"):
            self.page.wait_for(f"document.querySelector('#{name} svg') !== null")
            lines = {}
            for left, right, top, _ in self.boxes(f"#{name} svg text:not(.axis):not(.key):not(.on)"):
                lines.setdefault(round(top), []).append((left, right))
            self.assertTrue(lines)
            for ticks in lines.values():
                ticks.sort()
                for (_, right), (left, _) in zip(ticks, ticks[1:]):
                    self.assertLess(right, left, name)

    def test_a_table_that_is_cut_says_so(self):
        shades = self.page.run("""[...document.querySelectorAll('.cards section')].map((section) =>
          getComputedStyle(section).backgroundAttachment)""")
        self.assertTrue(all("local" in shade and "scroll" in shade for shade in shades), shades)

    def colours(self, dark):
        """Red, green and blue, linear, of c0 to c8, and of the card."""
        self.page.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        names = [f"--c{n}" for n in range(9)] + ["--card"]
        texts = self.page.run(f"""{json.dumps(names)}.map((name) =>
          getComputedStyle(document.documentElement).getPropertyValue(name).trim())""")
        for text in texts:
            digits = text[1:] if len(text) == 7 else "".join(2 * digit for digit in text[1:])
            values = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
            yield [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]

    def test_colours_are_told_apart_with_every_kind_of_sight(self):
        for dark in (False, True):
            *colours, card = self.colours(dark)
            for name, sight in SIGHTS.items():
                labs = [lab_of(sight, colour) for colour in colours]
                for i, a in enumerate(labs):
                    for j, b in enumerate(labs[:i]):
                        self.assertGreater(math.dist(a, b), 20, (dark, name, j, i))
            for n, colour in enumerate(colours):
                high, low = sorted((luminance(colour), luminance(card)), reverse=True)
                self.assertGreaterEqual((high + 0.05) / (low + 0.05), 3, (dark, n))


class ReportPage(Page):
    def setUp(self):
        self.page.run("PPU.choose_body(-1); PPU.choose_frame(0); PPU.colour.mode = 'none'; "
                      "PPU.stage.reset_view()")

    def place_on_screen(self, body):
        """Where the middle of a body is in the window."""
        return self.page.run(f"""(() => {{
          const place = [0, 0, 0];
          PPU.pose(PPU.replay.paths[0], PPU.state.frame, {body}, place, [0, 0, 0, 0]);
          const point = new THREE.Vector3(...place).project(PPU.stage.camera);
          const canvas = PPU.stage.renderer.domElement.getBoundingClientRect();
          return [canvas.left + (point.x + 1) / 2 * canvas.width,
                  canvas.top + (1 - point.y) / 2 * canvas.height];
        }})()""")

    def test_it_asks_for_nothing_but_itself(self):
        asked = [url for url in self.page.requests() if not url.startswith("blob:")]
        self.assertEqual([url for url in asked if url != self.path.resolve().as_uri()], [])
        self.assertIsNone(re.search(r"""(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}/|@import|url\((?!#)""",
                                    self.path.read_text()))

    def test_the_canvas_shows_bodies(self):
        self.assertGreater(self.page.run(COLOURS), 100)

    def test_the_first_view_has_all_bodies_of_the_first_frame_and_of_the_middle(self):
        canvas = self.page.run("(() => { const box = PPU.stage.renderer.domElement"
                               ".getBoundingClientRect(); return [box.left, box.right, box.top, "
                               "box.bottom]; })()")
        for frame in (0, 30):
            self.page.run(f"PPU.choose_frame({frame})")
            for body in range(1, 7):
                x, y = self.place_on_screen(body)
                self.assertTrue(canvas[0] < x < canvas[1] and canvas[2] < y < canvas[3],
                                (frame, body, x, y, canvas))

    def test_residuals_are_in_plain_digits_where_they_can_be(self):
        for value, text in ((12.3, "12"), (0.051, "0.051"), (1234, "1200"), (0, "0"),
                            (1.23e-7, "1.2e-7"), (None, "-")):
            self.assertEqual(self.page.run(f"PPU.format.scientific({json.dumps(value)})"), text)
        self.page.run("PPU.choose_frame(57)")
        self.assertRegex(self.page.run(text_of("frame-numbers")), r"residual\s+[0-9.]+")
        self.page.wait_for(text_of("residual") + ".includes('m/s or rad/s at the end')")

    def test_an_axis_of_one_decade_has_lines_within_it(self):
        labels = self.page.run("""(() => { const { grid } = PPU.charts.log_plot(400, 200, [2, 7], "u");
            return [...grid.matchAll(/>([^<]+)<\\/text>/g)].map((match) => match[1]); })()""")
        self.assertEqual(labels, ["u", "1", "2", "5", "10"])

    def test_what_stands_before_the_bodies_is_left_out(self):
        hidden = """(PPU.stage.draw(), PPU.stage.groups.filter((group) => group.still)
            .map((group) => { const place = new THREE.Matrix4(); group.mesh.getMatrixAt(0, place);
                              return place.determinant() === 0; }))"""
        self.assertEqual(self.page.run(hidden), [False])
        self.page.run("PPU.stage.camera.position.y = -10")
        self.assertEqual(self.page.run(hidden), [True])

    def test_another_frame_is_another_picture(self):
        first = self.page.run(PICTURE)
        self.page.run("PPU.choose_frame(30)")
        self.assertNotEqual(self.page.run(PICTURE), first)

    def test_the_scrubber_takes_everything_along(self):
        before = self.page.run("document.getElementById('now').getAttribute('x1')")
        self.page.run("""(() => { const bar = document.getElementById('scrubber'); bar.value = 40;
                          bar.dispatchEvent(new Event('input')); })()""")
        self.assertIn("frame 40 of 59", self.page.run(LABEL))
        self.assertEqual(self.page.run(text_of("frame-title")), "Frame 40")
        self.assertNotEqual(self.page.run("document.getElementById('now').getAttribute('x1')"), before)
        self.page.wait_for("document.querySelectorAll('#histogram rect').length > 0")
        self.assertIn("Bound by", self.page.run(text_of("stalls")))

    def test_a_click_on_the_chart_jumps_there(self):
        x, y = self.page.run("""(() => { const chart = document.getElementById('frame-chart')
            .getBoundingClientRect(); const { left, right } = PPU.over_time.area;
            return [chart.left + left + (right - left) * 30.5 / 60, chart.top + 60]; })()""")
        self.page.click(x, y)
        self.assertEqual(self.frame(), 30)

    def test_keys_step_and_play(self):
        self.page.press("ArrowRight")
        self.page.press("ArrowRight")
        self.page.press("ArrowLeft")
        self.assertEqual(self.frame(), 1)
        self.page.press("End")
        self.assertEqual(self.frame(), 59)
        self.page.press("Home")
        self.assertEqual(self.frame(), 0)

    def test_keys_of_a_focused_control_are_its_own(self):
        def focus(name):
            self.page.run(f"document.getElementById('{name}').focus()")
        self.addCleanup(self.page.run, "document.activeElement.blur()")
        playing = "PPU.transport.playing"
        self.page.run("PPU.stage.camera.position.x += 1")
        before = self.page.run("PPU.stage.camera.position.x")
        focus("view")
        self.page.press(" ", "Space")
        self.assertFalse(self.page.run(playing))
        self.assertLess(self.page.run("PPU.stage.camera.position.x"), before, "the view is reset")
        self.page.press("ArrowRight")
        self.assertEqual(self.frame(), 1, "a button has no use for arrows")
        focus("colour")
        self.page.press("ArrowRight")
        self.page.press("End")
        self.page.press(" ", "Space")
        self.assertEqual((self.frame(), self.page.run(playing)), (1, False))
        focus("ghosts")
        self.page.press(" ", "Space")
        self.assertFalse(self.page.run(playing))
        self.page.run("document.getElementById('ghosts').checked = false")
        focus("scrubber")
        self.page.press("ArrowRight")
        self.assertEqual(self.frame(), 2, "once, not twice")

    def test_playing_keeps_the_time_of_the_scene_and_ends_with_it(self):
        """Ticks of a clock of our own: a machine may be slow."""
        self.page.run("window.requestAnimationFrame = (tick) => { window.tick = tick; }")
        self.page.press(" ", "Space")
        frames = [self.page.run(f"(window.tick({milliseconds}), PPU.state.frame)")
                  for milliseconds in (5000, 5101, 5501)]
        self.assertEqual(frames, [0, 6, 30])
        self.page.press(" ", "Space")
        self.assertEqual(self.page.run("(window.tick(5900), PPU.state.frame)"), 30)
        self.page.run("document.getElementById('play').click()")
        self.page.run("window.tick(7000); window.tick(9000)")
        self.assertEqual(self.frame(), 59)
        self.assertFalse(self.page.run("PPU.transport.playing"))

    def test_a_click_on_a_body_lists_its_rows(self):
        self.page.run("PPU.choose_frame(58)")
        self.page.run("PPU.choose_frame(57)")
        self.page.click(*self.place_on_screen(2))
        self.assertEqual(self.page.run("PPU.state.body"), 2)
        self.page.wait_for(ROWS + ".length > 0")
        rows = self.page.run(ROWS)
        # Three rows with the box below and three with the one above.
        self.assertEqual(len(rows), 6)
        self.assertEqual(sum("contact" in row for row in rows), 2)
        self.assertEqual(sum("friction" in row for row in rows), 4)
        self.page.press("Escape")
        self.page.wait_for(BODY + ".includes('No body picked')")

    def test_a_click_beside_the_bodies_picks_none(self):
        self.page.run("PPU.choose_body(3)")
        x, y, width = self.page.run("""(() => { const stage = document.getElementById('canvas')
            .getBoundingClientRect(); return [stage.left, stage.top, stage.width]; })()""")
        self.page.click(x + width - 10, y + 80)
        self.assertEqual(self.page.run("PPU.state.body"), -1)

    def test_a_frame_without_rows_names_the_nearest_with_rows(self):
        self.page.run("PPU.choose_frame(50); PPU.choose_body(2)")
        self.page.wait_for(BODY + ".includes('Nearest with rows: 49 and 51')")
        self.page.run("document.querySelector('#body button[data-frame]').click()")
        self.assertEqual(self.frame(), 49)

    def test_the_classes_of_cycles_sum_to_the_whole(self):
        self.page.run("PPU.choose_frame(57)")
        for every in (False, True):
            self.page.run(f"PPU.scope.all = {str(every).lower()}; PPU.stalls.draw()")
            shares = [float(share) for share in
                      re.findall(r"([\d.]+) %", self.page.run("document.querySelector("
                                 "'#stall-bar .legend').innerText"))]
            self.assertEqual(len(shares), 9)
            self.assertAlmostEqual(sum(shares), 100, delta=0.5)

    def test_ghosts_show_where_the_cpu_engine_is(self):
        self.page.run("PPU.choose_frame(59)")
        without = self.page.run(PICTURE)
        self.page.run("document.getElementById('ghosts').click()")
        self.assertNotEqual(self.page.run(PICTURE), without)
        self.assertIn("another path", self.page.run(text_of("ghost-note")))
        self.page.run("PPU.choose_frame(10)")
        self.assertIn("bit-identical in this frame", self.page.run(text_of("ghost-note")))
        self.page.run("document.getElementById('ghosts').click()")

    def test_colours_follow_what_is_chosen(self):
        self.page.run("PPU.choose_frame(57)")
        pictures = set()
        for mode in ("none", "cycles", "impulse", "island"):
            self.page.run(f"""(() => {{ const list = document.getElementById('colour');
                list.value = '{mode}'; list.dispatchEvent(new Event('change')); }})()""")
            pictures.add(self.page.run(PICTURE))
        self.assertEqual(len(pictures), 4)

    def test_dark_and_light_differ(self):
        self.page.prefer("light")
        light = self.page.run("getComputedStyle(document.body).backgroundColor")
        self.page.prefer("dark")
        self.assertNotEqual(
            self.page.run("getComputedStyle(document.body).backgroundColor"), light)
        self.page.prefer("light")

    def test_the_paths_are_those_of_the_frames(self):
        """The sphere turns 0.1 rad per frame about y, at (2.5, 1, 0)."""
        for frame in (0, 13, 59):
            place, turn = self.page.run(f"""(() => {{ const place = [0, 0, 0], turn = [0, 0, 0, 0];
                PPU.pose(PPU.replay.paths[0], {frame}, 6, place, turn); return [place, turn]; }})()""")
            for found, expected in zip(place, (2.5, 1, 0)):
                self.assertAlmostEqual(found, expected, delta=1e-3)
            half = 2 * math.atan2(turn[1], turn[3])
            self.assertAlmostEqual(half, 0.1 * frame, delta=1e-3)


if __name__ == "__main__":
    unittest.main()

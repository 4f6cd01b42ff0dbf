# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The demo: one table, equal hashes, a report that needs nothing else."""
import html.parser
import re

from cli import BACKENDS, CliTest, TIMED


class Page(html.parser.HTMLParser):
    """Collects what a browser would fetch, the text, and whether all tags are closed."""
    VOID = {"meta"}

    def __init__(self):
        super().__init__()
        self.references, self.text, self.open = [], "", []

    def handle_starttag(self, tag, attributes):
        self.references += [value for name, value in attributes
                            if name in ("src", "href", "xlink:href", "data", "action")]
        if tag in ("script", "link", "iframe", "object", "img"):
            self.references.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data


class Demo(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.run_once = None

    def demo(self):
        """One run serves all tests of the class."""
        if Demo.run_once is None:
            run = self.ppu("demo", "--report", self.folder / "report")
            Demo.run_once = (run.stdout, (self.folder / "report/report.html").read_text())
        return Demo.run_once

    def test_the_table_has_a_line_per_back_end_with_equal_hashes(self):
        lines = self.demo()[0].splitlines()
        self.assertLessEqual(len(lines), 18)
        title = next(line for line in lines if line.startswith("back end"))
        columns = re.split(r"  +", title)
        rows = {line.split()[0]: dict(zip(columns, line.split()))
                for line in lines if line.startswith(BACKENDS)}
        self.assertEqual(tuple(rows), BACKENDS)
        self.assertEqual(len({row["state hash"] for row in rows.values()}), 1)
        self.assertRegex(rows["systemc"]["state hash"], r"^0x[0-9a-f]{16}$")
        for column in ("cycles", "device cycles", "rows/cycle", "cycles/row"):
            self.assertEqual(rows["functional"][column], "-")
            self.assertEqual(len({rows[backend][column] for backend in TIMED}), 1, column)
        for row in rows.values():
            self.assertLess(float(row["error vs Eigen"]), 1e-3)

    def test_the_parts_of_the_frame_sum_to_its_device_cycles(self):
        line = re.search(r"^Device: (.*) = ([\d,]+) cycles$", self.demo()[0], re.M)
        parts = dict(re.findall(r"([a-z-]+) ([\d,]+)", line[1]))
        self.assertEqual(set(parts), {"upload", "sweeps", "store", "report", "read-back"})
        cycles = [int(text.replace(",", "")) for text in (*parts.values(), line[2])]
        self.assertEqual(sum(cycles[:-1]), cycles[-1])

    def test_the_trace_is_that_of_the_cycle_model(self):
        log = self.folder / "wall.log"
        self.ppu("demo", "--trace", log)
        rows = sum(" row_issue " in line for line in log.read_text().splitlines())
        self.assertEqual(rows, 15660)

    def test_the_slowest_rows_are_those_of_the_profile(self):
        table = self.demo()[1].split("<h2>Slowest rows</h2>")[1].split("</table>")[0]
        for row in self.json("profile", "wall10")["slowest_rows"]:
            self.assertIn(f"<td>{row['row']}</td><td>{row['slot']}</td><td>{row['kind']}</td>", table)
            self.assertIn(f"<td>{row['cycles_per_visit']:.1f}</td>", table)

    def test_it_says_what_bounds_the_run(self):
        out = self.demo()[0]
        self.assertRegex(out, r"Bound by .* \(\d+\.\d % of the cycles\): ")
        self.assertIn("0 differences", out)

    def test_the_report_has_every_section(self):
        page = Page()
        page.feed(self.demo()[1])
        self.assertEqual(page.open, [])
        for title in ("Same rows, every back end", "Where the cycles went",
                      "What the frame cost", "Cycles per visit of a row", "Cycles per row over the slot position",
                      "Slowest rows", "Configuration", "Repeat this"):
            self.assertIn(title, page.text)
        self.assertIn("lanes = 12", page.text)
        self.assertIn("ppu demo --report ", page.text)

    def test_the_report_refers_to_nothing_outside(self):
        text = self.demo()[1]
        page = Page()
        page.feed(text)
        self.assertEqual(page.references, [])
        self.assertIsNone(re.search(r"https?:|url\(|@import|//", text))

    def test_the_bars_sum_to_the_whole(self):
        bars = re.findall(r"<ul class='legend'>(.*?)</ul>", self.demo()[1], re.DOTALL)
        shares = [[float(share) for share in re.findall(r"<b>(\d+\.\d) %</b></li>", bar)]
                  for bar in bars]
        self.assertEqual([len(bar) for bar in shares], [9, 6])
        for bar in shares:
            self.assertAlmostEqual(sum(bar), 100, delta=0.4)

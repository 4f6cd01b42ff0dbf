# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
"""The demo: one table, equal hashes, a report that needs nothing else."""
import html.parser
import re

from cli import BACKENDS, CliTest


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
        self.assertLessEqual(len(lines), 14)
        rows = {line.split()[0]: line.split() for line in lines if line.startswith(BACKENDS)}
        self.assertEqual(tuple(rows), BACKENDS)
        self.assertEqual(len({row[7] for row in rows.values()}), 1)
        self.assertRegex(rows["systemc"][7], r"^0x[0-9a-f]{16}$")
        self.assertEqual(rows["functional"][3], "-")
        self.assertEqual(rows["systemc"][3:6], rows["cosim"][3:6])
        for row in rows.values():
            self.assertLess(float(row[6]), 1e-3)

    def test_it_says_what_bounds_the_run(self):
        out = self.demo()[0]
        self.assertRegex(out, r"Bound by .* \(\d+\.\d % of the cycles\): ")
        self.assertIn("0 differences", out)

    def test_the_report_has_every_section(self):
        page = Page()
        page.feed(self.demo()[1])
        self.assertEqual(page.open, [])
        for title in ("Same rows, three back ends", "Where the cycles went",
                      "Cycles per visit of a row", "Cycles per row over the slot position",
                      "Slowest rows", "Configuration", "Repeat this"):
            self.assertIn(title, page.text)
        self.assertIn("lanes = 12", page.text)
        self.assertIn("ppu demo wall10", page.text)

    def test_the_report_refers_to_nothing_outside(self):
        text = self.demo()[1]
        page = Page()
        page.feed(text)
        self.assertEqual(page.references, [])
        self.assertIsNone(re.search(r"https?:|url\(|@import|//", text))

    def test_the_stall_bar_sums_to_the_whole(self):
        legend = re.findall(r"<b>(\d+\.\d) %</b></li>", self.demo()[1])
        self.assertEqual(len(legend), 7)
        self.assertAlmostEqual(sum(map(float, legend)), 100, delta=0.4)

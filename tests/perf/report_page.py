#!/usr/bin/python3
"""The report in a real browser: charts, the finder, a pointed-at run.

Usage: report_page.py REPORT.HTML. BERTH_SCREENSHOTS=FOLDER keeps a screenshot.
"""

import os
import sys
import unittest

from browser import Browser

page = sys.argv.pop(1)


class ReportPageTest(unittest.TestCase):

    def setUp(self):
        self.browser = Browser(1300, 1500)
        self.browser.__enter__()
        self.browser.open(page)

    def tearDown(self):
        keep = os.environ.get("BERTH_SCREENSHOTS")
        if keep:
            self.browser.screenshot(
                os.path.join(keep, self.id().split(".")[-1] + ".png"))
        self.assertEqual(self.browser.faults(), [])
        self.browser.__exit__()

    def count(self, selector):
        return self.browser.run("document.querySelectorAll('%s').length" % selector)

    def choose(self, control, code):
        self.browser.run(
            "(() => { const e = document.getElementById('%s'); %s;"
            " e.dispatchEvent(new Event('input')); })()" % (control, code))
        self.browser.frame()

    def test_draws_what_is_in_sight(self):
        self.assertEqual(self.count(".card"), 30)  # cpu_time of each
        drawn = self.count(".card canvas")
        self.assertGreater(drawn, 0)
        self.assertLessEqual(drawn, 30)

    def test_finds_and_filters(self):
        self.choose("find", "e.value = '/7'")
        self.assertEqual(self.count(".card"), 1)
        self.choose("find", "e.value = ''")
        self.choose("changed", "e.checked = true")
        self.assertEqual(self.count(".card"), 1)
        self.assertEqual(
            self.browser.run("document.querySelector('.card h3').textContent"),
            "Plan/<family>/7")
        self.choose("changed", "e.checked = false")
        self.choose("measure", "e.value = 'visits'")
        self.assertEqual(self.count(".card"), 30)
        self.choose("measure", "e.value = ''")
        self.assertEqual(self.count(".card"), 90)

    def test_names_the_run_that_is_pointed_at(self):
        self.choose("changed", "e.checked = true")
        self.browser.run("document.querySelector('.card').scrollIntoView()")
        self.browser.frame()
        box = self.browser.run(
            "(() => { const b = document.querySelector('.card .u-over')"
            ".getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
        # Runs lie at 0..11 of an axis from -0.5 to 11.5; the ninth is 8.
        self.browser.hover(box[0] + box[2] * 8.5 / 12, box[1] + box[3] / 2)
        note = self.browser.run("document.querySelector('.card .note').textContent")
        self.assertIn("run 9 c0ffee9", note)
        self.assertIn("worse", note)


unittest.main(verbosity=2)

#!/usr/bin/python3
"""The memory map page in a real browser: clicks, hovers, reads back.

Usage: page_test.py FOLDER, which holds the pages that page_test.sh makes.
Screenshots are left beside them; BERTH_SCREENSHOTS=FOLDER keeps copies.
"""

import os
import shutil
import sys
import unittest

from browser import Browser

folder = sys.argv.pop(1)


def state(browser):
    return browser.run("berthMap.state()")


def span(of):
    """The length of the first kind of time."""
    return of["times"][0][1] - of["times"][0][0]


def text(browser, element):
    return browser.run("document.getElementById('%s').textContent" % element)


class PageTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.browser.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def open(self, page):
        self.browser.open(os.path.join(folder, page))

    def tearDown(self):
        name = self.id().split(".")[-1] + ".png"
        path = os.path.join(folder, name)
        self.browser.screenshot(path)
        keep = os.environ.get("BERTH_SCREENSHOTS")
        if keep:
            shutil.copy(path, os.path.join(keep, name))
        self.assertEqual(self.browser.faults(), [])

    def place(self, side, lane, index):
        return self.browser.run(
            "berthMap.placeOf(%d, %d, %d)" % (side, lane, index))

    def index_of(self, name, side=0, lane=0):
        return self.browser.run(
            "JSON.parse(document.getElementById('data').textContent)"
            ".sides[%d].panels[%d].name.indexOf('%s')" % (side, lane, name))

    def test_hover_and_click_tell_a_live_range(self):
        self.open("worked.html")
        b = self.browser
        x, y = self.place(0, 0, self.index_of("b"))
        b.hover(x, y)
        self.assertEqual(state(b)["hover"], "b")
        # DESIGN.md has the numbers: page 6 to 9, flat time 2 to 3.
        self.assertEqual(
            text(b, "tip").split("\n"),
            ["b", "intermediate, 12288 bytes (12 KiB)", "at [24576, 36864)",
             "live [2, 3]"])
        b.click(x, y)
        self.assertEqual(state(b)["selected"], "b")
        self.assertIn("at [24576, 36864)", text(b, "detail"))
        # Where nothing is: the tip goes, and a click lets go.
        x, _ = self.place(0, 0, self.index_of("h"))
        _, y = self.place(0, 0, self.index_of("s"))
        b.hover(x, y)
        self.assertIsNone(state(b)["hover"])
        b.click(x, y)
        self.assertIsNone(state(b)["selected"])
        self.assertEqual(text(b, "detail"), "")

    def test_colours(self):
        self.open("worked.html")
        b = self.browser

        def color(name):
            x, y = self.place(0, 0, self.index_of(name))
            return b.run("berthMap.colorAt(%f, %f + 9)" % (x, y))

        # h has the colour of intermediates (its name stands in the middle).
        self.assertEqual(color("h"), [0x4a, 0x9f, 0xd8])
        self.assertIn("intermediate", text(b, "legend"))
        for by in ("size", "age"):
            b.run("(() => { const s = document.getElementById('color');"
                  "s.value = '%s'; s.dispatchEvent(new Event('change')); })()"
                  % by)
            b.frame()
            self.assertEqual(state(b)["colorBy"], by)
            # b is larger than h, a lives longer.
            long_or_large = "b" if by == "size" else "a"
            self.assertLess(sum(color(long_or_large)), sum(color("h")))
            self.assertNotIn("intermediate", text(b, "legend"))

    def test_zoom_and_pan(self):
        self.open("worked.html")
        b = self.browser
        x, y = self.place(0, 0, self.index_of("b"))
        before = state(b)
        b.wheel(x, y, -200)
        near = state(b)
        self.assertLess(span(near), span(before))
        self.assertLess(near["address"][0][1] - near["address"][0][0],
                        before["address"][0][1] - before["address"][0][0])
        # What is under the pointer stays there.
        b.hover(x, y)
        self.assertEqual(state(b)["hover"], "b")
        b.wheel(x, y, -100, modifiers=8)  # shift: time alone
        self.assertEqual(state(b)["address"], near["address"])
        self.assertLess(span(state(b)), span(near))
        moved_from = state(b)
        b.drag(x, y, -60, 40, 6)
        moved = state(b)
        self.assertGreater(moved["times"][0][0], moved_from["times"][0][0])
        self.assertGreater(moved["address"][0][0],
                           moved_from["address"][0][0])
        self.assertIsNone(moved["selected"])  # a drag is no click
        b.run("document.getElementById('fit').click()")
        b.frame()
        self.assertEqual(state(b)["address"], before["address"])

    def test_search(self):
        self.open("step.html")
        b = self.browser
        b.run("document.getElementById('find').focus()")
        b.type("l0.")
        found = state(b)["matches"]
        self.assertGreater(found, 3)
        self.assertEqual(text(b, "matches"), "%d found" % found)
        before = state(b)
        b.press("Enter")
        self.assertEqual(text(b, "matches"), "1 of %d" % found)
        after = state(b)
        self.assertIn("l0.", after["selected"])
        self.assertNotEqual(before["times"], after["times"])
        b.press("Enter")
        self.assertEqual(text(b, "matches"), "2 of %d" % found)
        b.run("(() => { const f = document.getElementById('find');"
              "f.value = ''; f.dispatchEvent(new Event('input')); })()")
        self.assertIsNone(state(b)["matches"])

    def test_two_planners_side_by_side(self):
        self.open("beside.html")
        b = self.browser
        ranges = state(b)["ranges"]
        self.assertEqual(len(ranges), 2)
        self.assertEqual(ranges[0], ranges[1])
        index = 7
        x, y = self.place(0, 0, index)
        b.hover(x, y)
        tip = text(b, "tip").split("\n")
        self.assertTrue(tip[-1].startswith("greedy: at "), tip)
        x, y = self.place(1, 0, index)
        b.hover(x, y)
        self.assertTrue(text(b, "tip").split("\n")[-1].startswith(
            "briggs: at "))
        # Both move: what was hovered is still where it is said to be.
        b.wheel(x, y, -300)
        other = self.place(0, 0, index)
        b.hover(*other)
        self.assertEqual(state(b)["hover"], tip[0])

    def test_cores_and_slabs_are_lanes(self):
        self.open("cores.html")
        b = self.browser
        lanes = b.run("Array.from(document.querySelectorAll('#lanes button'),"
                      "b => b.textContent)")
        self.assertEqual(lanes, [
            "core 0, train_step", "core 1, train_step",
            "shared, slab of core 0", "shared, slab of core 1"])
        # Phases are another time than instructions: the cores stay.
        x, y = self.place(0, 2, 0)
        before = state(b)
        b.wheel(x, y, -200)
        after = state(b)
        self.assertEqual(after["times"][0], before["times"][0])
        self.assertNotEqual(after["times"][1], before["times"][1])
        self.assertEqual(after["address"][3], before["address"][3])
        b.hover(x, y)
        self.assertEqual(b.run("berthMap.state().hover"), b.run(
            "JSON.parse(document.getElementById('data').textContent)"
            ".sides[0].panels[2].name[0]"))
        b.run("document.querySelectorAll('#lanes button')[0].click()")
        b.frame()
        self.assertEqual(state(b)["shown"], [False, True, True, True])

    def test_nothing_to_show(self):
        self.open("empty.html")
        b = self.browser
        self.assertEqual(sum(map(len, state(b)["ranges"])), 0)
        b.hover(400, 400)
        b.click(400, 400)
        b.wheel(400, 400, -100)
        b.run("document.getElementById('fit').click()")
        self.assertIsNone(state(b)["hover"])

    def test_ends_of_the_number_range(self):
        self.open("edges.html")
        b = self.browser
        b.hover(*self.place(0, 0, 2))
        self.assertEqual(
            text(b, "tip").split("\n")[1:],
            ["intermediate, 9007199254740993 bytes (8 PiB)",
             "at [9000000000000000000, 9009007199254740993)", "live [-5, 4]"])
        for name in ("early", "late"):
            b.run("(() => { const f = document.getElementById('find');"
                  "f.value = '%s'; f.dispatchEvent(new Event('input')); })()"
                  % name)
            b.run("document.getElementById('find').focus()")
            b.press("Enter")
            self.assertEqual(state(b)["selected"], name)

    def test_a_hundred_thousand_live_ranges(self):
        self.open("large.html")
        b = self.browser
        self.assertEqual(sum(state(b)["ranges"][0]), 100000)
        for _ in range(4):
            b.wheel(600, 400, -100)
        b.run("berthMap.frames.draw.length = 0;"
              "berthMap.frames.interval.length = 0")
        before = b.cpu_seconds()
        for i in range(4):
            b.drag(600, 400, 300 * (-1) ** i, 100, 40)
        cpu = b.cpu_seconds() - before
        draw = sorted(b.run("berthMap.frames.draw"))
        interval = sorted(b.run("berthMap.frames.interval"))
        self.assertGreater(len(draw), 5)
        # Figures, not a gate: they depend on what else the machine does.
        at = lambda values: values[min(len(values) - 1,
                                       int(len(values) * 0.95))]
        print("panning 100,000: %d frames, drawing p50 %.1f ms p95 %.1f ms, "
              "between frames p50 %.1f ms p95 %.1f ms, %.1f ms of CPU a frame" %
              (len(draw), draw[len(draw) // 2], at(draw),
               interval[len(interval) // 2], at(interval),
               1000 * cpu / len(draw)))
        # Names at the edge of what is drawn can still be found.
        index = 99999
        x, y = self.place(0, 0, index)
        self.assertTrue(isinstance(x, (int, float)))
        b.run("document.getElementById('find').focus()")
        b.type("t99999")
        self.assertEqual(state(b)["matches"], 1)
        b.press("Enter")
        self.assertEqual(state(b)["selected"], "t99999")
        x, y = self.place(0, 0, self.index_of("t99999"))
        b.hover(x, y)
        self.assertEqual(state(b)["hover"], "t99999")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""The Python module: plans, checks and errors. PYTHONPATH has berth.so."""

import random
import re
import sys
import threading
import unittest

import numpy as np

import berth


class PlanTest(unittest.TestCase):

    def test_places_at_the_lower_bound(self):
        addresses, peak, bound = berth.plan([0, 5, 2], [5, 9, 7], [10, 10, 4])
        self.assertEqual(addresses.tolist(), [4, 4, 0])
        self.assertEqual(addresses.dtype, np.int64)
        self.assertEqual((peak, bound), (14, 14))

    def test_takes_any_integers(self):
        want = berth.plan([0, 5, 2], [5, 9, 7], [10, 10, 4])[0].tolist()
        columns = np.array([[0, 5, 10], [5, 9, 10], [2, 7, 4]])
        for kind in (np.int8, np.uint16, np.int32, np.int64, np.uint64):
            # Columns of a table are not contiguous.
            lower, upper, size = columns.astype(kind).T
            self.assertEqual(berth.plan(lower, upper, size)[0].tolist(), want)

    def test_alignment_and_offset(self):
        addresses, peak, _ = berth.plan(
            [0, 0, 0], [1, 1, 1], [10, 4, 3], alignment=[1, 64, 1],
            offset=[-1, -1, 20])
        self.assertEqual(addresses[2], 20)
        self.assertEqual(addresses[1] % 64, 0)
        # Of what was placed: pins are not.
        self.assertEqual(peak, int((addresses + [10, 4, 3])[:2].max()))
        self.assertEqual(berth.check([0, 0, 0], [1, 1, 1], [10, 4, 3],
                                     addresses, alignment=[1, 64, 1]), [])

    def test_planners_and_memory(self):
        rng = random.Random(1)
        lower = [rng.randrange(50) for _ in range(200)]
        upper = [low + rng.randrange(1, 20) for low in lower]
        size = [rng.randrange(0, 9000) for _ in range(200)]
        peaks = {}
        for planner in ("reference", "briggs", "greedy", "tight"):
            addresses, peak, bound = berth.plan(lower, upper, size,
                                                planner=planner,
                                                budget_steps=1000)
            self.assertGreaterEqual(peak, bound)
            self.assertEqual(berth.check(lower, upper, size, addresses), [])
            peaks[planner] = peak
        self.assertEqual(peaks["reference"], peaks["briggs"])
        self.assertLessEqual(peaks["tight"], peaks["briggs"])
        addresses, _, _ = berth.plan(lower, upper, size, memory="dram")
        ends = addresses + np.array(size) - 1
        small = (np.array(size) <= 4096) & (np.array(size) > 0)
        self.assertTrue(
            (addresses[small] // 4096 == ends[small] // 4096).all())
        self.assertEqual(
            berth.check(lower, upper, size, addresses, memory="dram"), [])

    def test_nothing_to_place(self):
        addresses, peak, bound = berth.plan([], [], [])
        self.assertEqual((len(addresses), peak, bound), (0, 0, 0))

    def test_counts_are_any_integers(self):
        for kind in (int, np.int8, np.uint64):
            addresses, _, _ = berth.plan([0], [1], [4], capacity=kind(4),
                                         budget_steps=kind(9))
            self.assertEqual(addresses.tolist(), [0])

    def test_threads(self):
        results = [None] * 4

        def work(i):
            results[i] = berth.plan(np.arange(5000), np.arange(5000) + 50,
                                    np.arange(5000))[0]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results[1:]:
            np.testing.assert_array_equal(result, results[0])


class CheckTest(unittest.TestCase):

    def test_names_broken_invariants(self):
        broken = berth.check([0, 4], [5, 9], [10, 10], [0, 5])
        self.assertRegex(broken[0], "^I1: .*'0'.*'1'")
        broken = berth.check([0], [5], [10], [-1])
        self.assertRegex(broken[0], "^unplaced: ")
        broken = berth.check([0], [5], [10], [5], capacity=12)
        self.assertRegex(broken[0], "^I3: ")
        broken = berth.check([0], [5], [10], [5], full=True)
        self.assertRegex(broken[0], "^I9: ")


class ErrorTest(unittest.TestCase):

    def refuses(self, kind, text, *args, **kwargs):
        with self.assertRaises(kind) as caught:
            berth.plan(*args, **kwargs)
        self.assertIn(text, str(caught.exception))

    def test_bad_problems(self):
        refuses = self.refuses
        bad = berth.InvalidArgument
        self.assertTrue(issubclass(bad, ValueError))
        refuses(bad, "buffer 1: upper 3 is not above lower 3",
                [0, 3], [1, 3], [1, 1])
        refuses(bad, "buffer 0: size -1 is not within 0 to 2^63 - 1",
                [0], [1], [-1])
        refuses(bad, "buffer 0: alignment 0 is not within 1 to 2^63 - 1",
                [0], [1], [1], alignment=[0])
        refuses(bad, "buffer 0: offset -2 is not within -1 to 2^63 - 1",
                [0], [1], [1], offset=[-2])
        refuses(bad, "upper has 2 entries, and lower has 1", [0], [1, 2], [1])
        refuses(bad, "alignment has 0 entries, and lower has 1",
                [0], [1], [1], alignment=[])
        refuses(bad, "size: integers are expected, not float64",
                [0], [1], [1.5])
        refuses(bad, "lower: integers are expected, not bool",
                [True], [1], [1])
        refuses(bad, "lower: one dimension is expected, not 2",
                [[0]], [1], [1])
        refuses(bad, "buffer 0: size 9223372036854775808 passes 2^63 - 1",
                [0], [1], np.array([1 << 63], dtype=np.uint64))
        refuses(bad, "planner 'best' is not known", [0], [1], [1],
                planner="best")
        refuses(bad, "memory 'sram' is neither other nor dram", [0], [1], [1],
                memory="sram")
        for value in (1 << 63, 1 << 64, -1):
            refuses(bad, "capacity %d is not within 0 to 9223372036854775807"
                    % value, [0], [1], [1], capacity=value)
        refuses(bad, "capacity: an integer is expected, not 1.5",
                [0], [1], [1], capacity=1.5)
        refuses(bad, "budget_steps -1 is not within 0 to", [0], [1], [1],
                planner="tight", budget_steps=-1)
        # Two that stand on the same bytes, as the tool says it.
        refuses(bad, "'0'", [0, 0], [1, 1], [4, 4], offset=[0, 2])

    def test_what_does_not_fit(self):
        self.assertTrue(issubclass(berth.ResourceExhausted, RuntimeError))
        self.refuses(berth.ResourceExhausted, "does not fit",
                     [0, 0], [1, 1], [8, 8], capacity=15)


class ReadmeTest(unittest.TestCase):

    def test_example_prints_what_it_says(self):
        with open("README.md", encoding="utf-8") as file:
            text = file.read()
        found = re.search(r"```python\n(.*?)```\n+```\n(.*?)```", text, re.S)
        self.assertIsNotNone(found, "no example in README.md")
        printed = []
        exec(found.group(1), {
            "print": lambda *args: printed.append(" ".join(map(str, args)))})
        self.assertEqual(printed, found.group(2).splitlines())


if __name__ == "__main__":
    unittest.main()

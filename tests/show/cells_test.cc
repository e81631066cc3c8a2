#include "tools/show/cells.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace berth::show {
namespace {

constexpr Box kPlot = {1000, 2000, 3000, 3000};  // 10 by 5 cells

int64_t AreaOf(const std::vector<SceneCells>& cells) {
  int64_t area = 0;
  for (const SceneCells& cell : cells) {
    for (const Box& box : cell.boxes) {
      EXPECT_GE(box.left, kPlot.left);
      EXPECT_LE(box.right, kPlot.right);
      EXPECT_GE(box.top, kPlot.top);
      EXPECT_LE(box.bottom, kPlot.bottom);
      area += int64_t{box.right - box.left} * (box.bottom - box.top);
    }
  }
  return area;
}

TEST(Cells, NothingGivesNothing) {
  EXPECT_TRUE(MergeIntoCells({}, kPlot).empty());
}

TEST(Cells, AWholePlotIsOneRunARow) {
  const auto cells = MergeIntoCells({{kPlot, Category::kSpill}}, kPlot);
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].boxes.size(), 5u);
  EXPECT_EQ(AreaOf(cells), int64_t{2000} * 1000);
}

TEST(Cells, FullerCellsAreDarker) {
  // Two cells: one full, one filled by a quarter.
  const auto cells =
      MergeIntoCells({{{1000, 2000, 1200, 2200}, Category::kIntermediate},
                      {{2000, 2000, 2100, 2100}, Category::kIntermediate}},
                     kPlot);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_GT(cells[0].fill.red, cells[1].fill.red);  // lighter first
  EXPECT_EQ(cells[0].boxes[0].left, 2000);
  EXPECT_EQ(cells[1].boxes[0].left, 1000);
}

TEST(Cells, TheCategoryThatCoversMostWins) {
  const auto cells =
      MergeIntoCells({{{1000, 2000, 1050, 2200}, Category::kIntermediate},
                      {{1050, 2000, 1200, 2200}, Category::kSpill}},
                     kPlot);
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].fill, ColorOf(Category::kSpill, 26));
}

TEST(Cells, ABoxAcrossCellEdgesTouchesThemAll) {
  const auto cells =
      MergeIntoCells({{{1150, 2150, 1250, 2250}, Category::kInput}}, kPlot);
  EXPECT_EQ(AreaOf(cells), int64_t{4} * 200 * 200);
}

TEST(Cells, BoxesAtTheFarEdges) {
  const auto cells =
      MergeIntoCells({{{2940, 2940, 3000, 3000}, Category::kInput},
                      {{3000, 3000, 3000, 3000}, Category::kInput}},
                     kPlot);
  EXPECT_EQ(AreaOf(cells), int64_t{200} * 200);
}

}  // namespace
}  // namespace berth::show

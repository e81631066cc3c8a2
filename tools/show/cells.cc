#include "tools/show/cells.h"

#include <algorithm>
#include <cstdint>

namespace berth::show {
namespace {

constexpr int kNumShades = 4;
constexpr int64_t kCellArea = int64_t{kCellSize} * kCellSize;
constexpr int kEmpty = -1;

// Covered area per category and cell, as differences along each row until
// Integrate().
class Coverage {
 public:
  Coverage(int num_columns, int num_rows)
      : num_columns_(num_columns),
        num_rows_(num_rows),
        // Two more columns take the differences that end at the right edge.
        area_(size_t{kNumCategories} * num_rows * (num_columns + 2)) {}

  void Add(const Box& box, Category category) {
    for (int row = box.top / kCellSize; row < num_rows_; ++row) {
      const Px100 top = row * kCellSize;
      const int64_t height =
          std::min(box.bottom, top + kCellSize) - std::max(box.top, top);
      if (height <= 0) break;
      AddEdge(category, row, box.left, height);
      AddEdge(category, row, box.right, -height);
    }
  }

  void Integrate() {
    for (int category = 0; category < kNumCategories; ++category) {
      for (int row = 0; row < num_rows_; ++row) {
        int64_t* cells = &At(category, row, 0);
        for (int c = 1; c < num_columns_; ++c) cells[c] += cells[c - 1];
      }
    }
  }

  // category * kNumShades + shade, or kEmpty. After Integrate().
  int KeyOf(int column, int row) {
    int64_t total = 0;
    int64_t most = 0;
    int dominant = 0;
    for (int category = 0; category < kNumCategories; ++category) {
      const int64_t area = At(category, row, column);
      total += area;
      if (area > most) {
        most = area;
        dominant = category;
      }
    }
    if (total <= 0) return kEmpty;
    const int64_t quarter = std::min<int64_t>(
        kNumShades, (total * kNumShades + kCellArea - 1) / kCellArea);
    return dominant * kNumShades + static_cast<int>(quarter) - 1;
  }

 private:
  int64_t& At(int category, int row, int column) {
    return area_[(size_t(category) * num_rows_ + row) * (num_columns_ + 2) +
                 column];
  }

  // From `x` to the right, `height` of each cell is covered.
  void AddEdge(Category category, int row, Px100 x, int64_t height) {
    const int column = x / kCellSize;
    const int64_t rest = x % kCellSize;
    int64_t* cells = &At(static_cast<int>(category), row, column);
    cells[0] += (kCellSize - rest) * height;
    cells[1] += rest * height;
  }

  const int num_columns_;
  const int num_rows_;
  std::vector<int64_t> area_;
};

}  // namespace

std::vector<SceneCells> MergeIntoCells(const std::vector<CellItem>& items,
                                       const Box& plot) {
  const int num_columns = (plot.right - plot.left + kCellSize - 1) / kCellSize;
  const int num_rows = (plot.bottom - plot.top + kCellSize - 1) / kCellSize;
  Coverage coverage(num_columns, num_rows);
  for (const CellItem& item : items) {
    coverage.Add({.left = item.box.left - plot.left,
                  .top = item.box.top - plot.top,
                  .right = item.box.right - plot.left,
                  .bottom = item.box.bottom - plot.top},
                 item.category);
  }
  coverage.Integrate();

  std::vector<SceneCells> cells;
  for (int key = 0; key < kNumCategories * kNumShades; ++key) {
    const int white = 80 - 18 * (key % kNumShades);
    cells.push_back(
        {.fill = ColorOf(static_cast<Category>(key / kNumShades), white)});
  }
  for (int row = 0; row < num_rows; ++row) {
    for (int column = 0; column < num_columns;) {
      const int key = coverage.KeyOf(column, row);
      int end = column + 1;
      while (end < num_columns && coverage.KeyOf(end, row) == key) ++end;
      if (key != kEmpty) {
        const Px100 left = plot.left + column * kCellSize;
        const Px100 top = plot.top + row * kCellSize;
        cells[key].boxes.push_back(
            {.left = left,
             .top = top,
             .right = std::min(plot.right, plot.left + end * kCellSize),
             .bottom = std::min(plot.bottom, top + kCellSize)});
      }
      column = end;
    }
  }
  std::erase_if(cells, [](const SceneCells& c) { return c.boxes.empty(); });
  return cells;
}

}  // namespace berth::show

// Text tables for people: columns as wide as their widest cell.
#ifndef BERTH_TOOLS_CLI_TABLE_H_
#define BERTH_TOOLS_CLI_TABLE_H_

#include <string>
#include <vector>

namespace berth {

class Table {
 public:
  // `left[i]`: column i is set flush left (names); others flush right.
  Table(std::vector<std::string> header, std::vector<bool> left)
      : left_(std::move(left)) {
    rows_.push_back(std::move(header));
  }
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // Lines end in LF; no trailing spaces.
  std::string ToString() const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_TABLE_H_

#include "tools/race/race_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "tools/cli/table.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

std::string Seconds(double seconds) { return absl::StrFormat("%.3f", seconds); }

std::string Megabytes(uint64_t bytes) {
  return absl::StrFormat("%.1f", static_cast<double>(bytes) / 1e6);
}

struct Summary {
  int64_t runs = 0;
  int64_t answered = 0;
  int64_t best = 0;
  double log_ratio_sum = 0;
  double cpu_seconds = 0;
};

// Planners in the order of their first run.
std::vector<std::pair<std::string, Summary>> Summarize(
    const std::vector<RaceRow>& rows) {
  std::map<std::string, uint64_t> least;  // by input
  for (const RaceRow& row : rows) {
    if (!row.valid()) continue;
    const auto [it, added] = least.emplace(row.input, row.peak);
    if (!added) it->second = std::min(it->second, row.peak);
  }
  std::vector<std::pair<std::string, Summary>> summaries;
  for (const RaceRow& row : rows) {
    auto it =
        std::find_if(summaries.begin(), summaries.end(),
                     [&row](const auto& s) { return s.first == row.planner; });
    if (it == summaries.end()) {
      it = summaries.insert(it, {row.planner, Summary()});
    }
    Summary& summary = it->second;
    ++summary.runs;
    summary.cpu_seconds += row.cpu_seconds;
    if (!row.valid()) continue;
    ++summary.answered;
    summary.best += row.peak == least[row.input] ? 1 : 0;
    summary.log_ratio_sum += std::log(std::max(row.ratio, 1e-300));
  }
  return summaries;
}

std::string SummaryTable(const std::vector<RaceRow>& rows) {
  Table table({"planner", "answered", "lowest peak", "mean ratio", "CPU s"},
              {true, false, false, false, false});
  for (const auto& [planner, s] : Summarize(rows)) {
    table.Add(
        {planner, absl::StrCat(s.answered, "/", s.runs), absl::StrCat(s.best),
         s.answered == 0
             ? "-"
             : absl::StrFormat(
                   "%.4f",
                   std::exp(s.log_ratio_sum / static_cast<double>(s.answered))),
         Seconds(s.cpu_seconds)});
  }
  return table.ToString();
}

}  // namespace

std::string ToJson(const RaceRow& row) {
  Json json;
  json["input"] = row.input;
  json["planner"] = row.planner;
  json["outcome"] = row.outcome;
  json["message"] = row.message.empty() ? Json(nullptr) : Json(row.message);
  json["locations"] = row.locations;
  json["lower_bound"] = row.lower_bound;
  json["peak"] = row.valid() ? Json(row.peak) : Json(nullptr);
  json["ratio"] = row.valid() ? Json(row.ratio) : Json(nullptr);
  json["proved_optimal"] = row.valid() && row.proved_optimal;
  json["placement_hash"] =
      row.valid() ? Json(absl::StrFormat("%016x", row.placement_hash))
                  : Json(nullptr);
  Json seconds;
  seconds["cpu"] = row.cpu_seconds;
  seconds["wall"] = row.wall_seconds;
  seconds["place"] =
      row.place_seconds.has_value() ? Json(*row.place_seconds) : Json(nullptr);
  json["seconds"] = seconds;
  json["max_rss_bytes"] = row.max_rss_bytes;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ToTable(const std::vector<RaceRow>& rows) {
  Table table(
      {"input", "planner", "outcome", "lower bound", "peak", "ratio", "proved",
       "CPU s", "place s", "MB", "why"},
      {true, true, true, false, false, false, true, false, false, false, true});
  bool several = false;
  for (const RaceRow& row : rows) {
    several |= row.input != rows[0].input;
    const bool valid = row.valid();
    table.Add(
        {row.input, row.planner, row.outcome, absl::StrCat(row.lower_bound),
         valid ? absl::StrCat(row.peak) : "-",
         valid ? absl::StrFormat("%.4f", row.ratio) : "-",
         !valid               ? "-"
         : row.proved_optimal ? "yes"
                              : "no",
         Seconds(row.cpu_seconds),
         row.place_seconds.has_value() ? Seconds(*row.place_seconds) : "-",
         Megabytes(row.max_rss_bytes), row.message});
  }
  std::string text = table.ToString();
  if (several) absl::StrAppend(&text, "\n", SummaryTable(rows));
  return text;
}

}  // namespace berth

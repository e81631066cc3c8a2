#include "tools/perf/comparison_json.h"

#include <cmath>
#include <string>
#include <utility>

#include "nlohmann/json.hpp"
#include "tools/perf/measure.h"

namespace berth::perf {
namespace {

using Json = nlohmann::ordered_json;

Json RunJson(const RunInfo& run) {
  return {{"id", run.id},
          {"recorded_at", run.recorded_at},
          {"commit", run.commit},
          {"machine", run.machine},
          {"compiler", run.compiler},
          {"flags", run.flags},
          {"label", run.label},
          {"load", run.load}};
}

Json ValueJson(const Row& row, double value, const std::string& text,
               bool there) {
  if (!there) return nullptr;
  return row.rule.kind == MeasureKind::kText ? Json(text) : Json(value);
}

Json RowJson(const Row& row) {
  const bool has_base = row.verdict != Verdict::kNew;
  const bool has_current = row.verdict != Verdict::kVanished;
  Json json;
  json["benchmark"] = row.name.benchmark;
  json["measure"] = row.name.measure;
  json["base"] = ValueJson(row, row.base, row.base_text, has_base);
  json["current"] = ValueJson(row, row.current, row.current_text, has_current);
  const bool has_effect = has_base && has_current &&
                          row.rule.kind != MeasureKind::kText &&
                          std::isfinite(row.effect);
  json["effect"] = has_effect ? Json(row.effect) : Json(nullptr);
  if (row.rule.kind == MeasureKind::kNoisy && has_base && has_current) {
    json["p"] = row.p;
  }
  json["verdict"] = ToText(row.verdict);
  json["gates"] = row.gates;
  return json;
}

}  // namespace

std::string ToJson(const Comparison& comparison) {
  Json json;
  json["base"] = RunJson(comparison.base);
  json["current"] = RunJson(comparison.current);
  json["paired"] = comparison.paired;
  json["regression"] = comparison.regression();
  json["notes"] = comparison.notes;
  json["rows"] = Json::array();
  for (const Row& row : comparison.rows) json["rows"].push_back(RowJson(row));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace berth::perf

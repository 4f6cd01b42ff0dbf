// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What programs save against a plain one, as text and JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
#include "sim/study/savings.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSavingsExplanation =
    "\nresidual: of the impulses, in double precision on the host. STOPS ABOVE: the program's\n"
    "test passes although its residual is above the threshold. drifted: with the velocities that\n"
    "the device has it is not, but those that the impulses make leave more. Saved: what the plain\n"
    "program takes / what this one takes, to the residual that this one stops at, at least the\n"
    "threshold. rows saved: each at its own stop. first reach: each at the first sweep found\n"
    "there, which no program knows. \"> x\": the plain program does not get there.\n";
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string times(double ratio) {
  return fixed(ratio, 2) + "x";
}

std::string counted(std::size_t problems) {
  return grouped(problems) + (problems == 1 ? " problem" : " problems");
}

/// "2.31x median, 1.4x to 5.2x".
std::string spread(const std::vector<double>& ratios) {
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  return times(median(ratios)) + " median, " + times(*least) + " to " + times(*most);
}

std::string stop_in_words(const Ending& ending, double threshold) {
  if (!ending.stopped) return "not reached";
  if (!reached_threshold(ending, threshold)) return "STOPS ABOVE";
  return has_drifted(ending, threshold) ? "drifted" : "reached";
}

/// Where only this program stops, more than what the plain one has done until then.
std::string rows_saved_in_words(const Ending& plain, const Ending& ending) {
  if (ending.compared) return times(ending.compared->rows_saved);
  if (plain.stopped || !ending.stopped) return "";
  return "> " + times(static_cast<double>(plain.end.row_updates) /
                      static_cast<double>(ending.end.row_updates));
}

}  // namespace

std::string SavingsReport::table() const {
  Table table({"problem", "program", "threshold", "sweeps", "row updates", "ms", "true residual",
               "rows saved", "first reach", "time saved"});
  for (const Savings& savings : problems) {
    const Ending& plain = savings.endings.front();
    for (const Ending& ending : savings.endings) {
      const double ms = static_cast<double>(ending.end.cycles) / clock_mhz * 1e-3;
      const auto& compared = ending.compared;
      table.add({&ending == &plain ? savings.problem : "", ending.program,
                 stop_in_words(ending, threshold), grouped(ending.end.sweeps),
                 grouped(ending.end.row_updates), fixed(timed() ? ms : kNotMeasured, 3),
                 fixed(ending.end.residual, 4), rows_saved_in_words(plain, ending),
                 compared ? times(compared->rows_saved_first) : "",
                 compared && timed() ? times(compared->time_saved) : ""});
    }
  }
  return table.str();
}

/// The ratios of one program over problems.
struct SavingsReport::Ratios {
  std::vector<double> rows, first, time;

  void add(const Ending::Comparison& compared) {
    rows.push_back(compared.rows_saved);
    first.push_back(compared.rows_saved_first);
    time.push_back(compared.time_saved);
  }
  [[nodiscard]] std::string words(bool timed) const {
    return "    row updates saved           " + spread(rows) + "\n" +
           "    ... at first reach          " + spread(first) + "\n" +
           (timed ? "    time saved                  " + spread(time) + "\n" : "");
  }
};

std::string SavingsReport::summary(std::size_t program) const {
  Ratios kept;
  Ratios broken;
  std::vector<std::string> open;
  for (const Savings& savings : problems) {
    const Ending& ending = savings.endings[program];
    if (!ending.compared) {
      open.push_back(savings.problem);
    } else {
      (reached_threshold(ending, threshold) ? kept : broken).add(*ending.compared);
    }
  }
  std::string text = problems.front().endings[program].program + "\n";
  if (!kept.rows.empty())
    text += "  " + counted(kept.rows.size()) + " where both stop at the threshold:\n" +
            kept.words(timed());
  if (!broken.rows.empty())
    text += "  " + counted(broken.rows.size()) + " where it STOPS ABOVE the threshold, against " +
            "the plain program stopped as high:\n" + broken.words(timed());
  if (!open.empty())
    text +=
        "  " + counted(open.size()) + " where one of the two does not stop: " + joined(open) + "\n";
  return text;
}

std::string SavingsReport::text() const {
  std::string text = title + "\n\n" + table() + "\n";
  for (std::size_t i = 1; i < problems.front().endings.size(); ++i) text += summary(i);
  return text + kSavingsExplanation;
}

Json SavingsReport::json() const {
  Json list = Json::array();
  for (const Savings& savings : problems) {
    for (const Ending& ending : savings.endings) {
      Json line{{"problem", savings.problem},
                {"rows", savings.rows},
                {"program", ending.program},
                {"stopped", ending.stopped},
                {"kept_its_word", reached_threshold(ending, threshold)},
                {"sweeps", ending.end.sweeps},
                {"row_updates", ending.end.row_updates},
                {"cycles", timed() ? Json(ending.end.cycles) : Json()},
                {"residual", ending.end.residual},
                {"device_residual", ending.device_residual},
                {"compared", Json()}};
      if (ending.compared)
        line["compared"] =
            Json{{"plain_row_updates", ending.compared->plain_stop.row_updates},
                 {"rows_saved", ending.compared->rows_saved},
                 {"first_row_updates", ending.compared->first.row_updates},
                 {"plain_first_row_updates", ending.compared->plain_first.row_updates},
                 {"rows_saved_first", ending.compared->rows_saved_first},
                 {"time_saved", timed() ? Json(ending.compared->time_saved) : Json()}};
      list.push_back(line);
    }
  }
  return Json{{"threshold", threshold}, {"frozen", frozen}, {"results", list}};
}

}  // namespace ppu::sim

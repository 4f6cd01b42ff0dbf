// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The debugger's breaks and views, and what their arguments name.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "sim/base/text.hpp"
#include "sim/debug/debug_session.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

const std::string& only(const std::vector<std::string>& arguments, const std::string& usage) {
  if (arguments.size() != 1) throw CommandError("expected `" + usage + "`");
  return arguments[0];
}

}  // namespace

std::uint32_t DebugSession::parse_slot(const std::string& word) const {
  if (run().row_count() == 0) throw CommandError("the run has no rows");
  return static_cast<std::uint32_t>(parse_number(word, "slot", run().row_count() - 1));
}

std::uint32_t DebugSession::slot_of_row(const std::string& word) const {
  if (problem_.rows() == 0) throw CommandError("the problem has no rows");
  const auto row = static_cast<std::uint32_t>(parse_number(word, "row", problem_.rows() - 1));
  for (std::size_t number = 0; number < walk_.runs(); ++number) {
    const std::uint32_t slot = walk_.run(number).slot_of(row);
    if (slot == PPU_NONE) continue;
    if (number == run_) return slot;
    throw CommandError("row " + word + " is in run " + std::to_string(number) + ", see `run`");
  }
  throw CommandError("row " + word + " is in no run");
}

std::uint32_t DebugSession::number_of_body(const std::string& word) const {
  if (problem_.bodies() == 0) throw CommandError("the problem has no bodies");
  const auto body = static_cast<std::uint32_t>(parse_number(word, "body", problem_.bodies() - 1));
  for (std::size_t run = 0; run < walk_.runs(); ++run) {
    const std::uint32_t number = walk_.run(run).number_of(body);
    if (number == PPU_NONE) continue;
    if (run == run_) return number;
    throw CommandError("body " + word + " is in run " + std::to_string(run) + ", see `run`");
  }
  throw CommandError("no row names body " + word);
}

std::uint32_t DebugSession::parse_address(const std::string& word) const {
  const firmware::Assembly& assembly = walk_.device().program.assembly;
  std::vector<std::string> names;
  for (const firmware::Kernel& kernel : assembly.kernels) {
    if (kernel.name == word) return kernel.address;
    names.push_back(kernel.name);
  }
  for (std::uint32_t at = 0; at < assembly.source.size(); ++at) {
    if (assembly.source[at].label.empty()) continue;
    if (assembly.source[at].label == word) return at;
    names.push_back(assembly.source[at].label);
  }
  const std::string digits = word.substr(0, 2) == "0x" ? word.substr(2) : word;
  std::uint32_t address = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, address, 16);
  if (error == std::errc() && stop == end && address < assembly.source.size()) return address;
  const std::string hint = suggestion(word, names);
  throw CommandError("'" + word + "' is no label, kernel or hexadecimal address below " +
                     address_text(static_cast<std::uint32_t>(assembly.source.size())) +
                     (hint.empty() ? ", expected one of " + joined(names) : hint));
}

std::uint32_t DebugSession::slot_at_hand() const {
  if (run().engine().at() != hw::SteppingEngine::At::kRow)
    throw CommandError("there is no row at hand, `next` goes to one; or name one");
  return run().state().pass.next;
}

Answer DebugSession::add(const std::string& what, bool of_run,
                         std::unique_ptr<StopCondition> condition) {
  Stop stop{++stops_made_, what, {}, std::move(condition)};
  if (of_run) stop.run = run_;
  Answer answer;
  answer.json = {{"number", stop.number}, {"what", what}};
  answer.text = std::to_string(stop.number) + ": " + what + "\n";
  stops_.push_back(std::move(stop));
  return answer;
}

Answer DebugSession::break_at_name(const std::string& name) {
  const firmware::Assembly& assembly = walk_.device().program.assembly;
  const std::uint32_t address = parse_address(name);
  for (const firmware::Kernel& kernel : assembly.kernels) {
    if (kernel.address == address)
      return add("break at passes of kernel " + kernel.name, false, at_kernel(address));
    if (kernel.address <= address && address < kernel.address + kernel.words)
      throw CommandError("address " + address_text(address) + " is in kernel " + kernel.name +
                         ", which is no instruction; `break " + kernel.name +
                         "` stops at its passes");
  }
  const std::string& label = assembly.source[address].label;
  return add("break at " + address_text(address) + (label.empty() ? "" : " " + label), false,
             at_address(address));
}

Quantity DebugSession::quantity_of(const Words& words) const {
  const std::string kind = words.empty() ? "" : words[0];
  if (kind == "pass" && words.size() == 1)
    return
        [](const hw::SteppingEngine& engine) { return static_cast<double>(engine.state().passes); };
  if (kind == "impulse" && words.size() == 2) {
    const std::uint32_t slot = slot_of_row(words[1]);
    return [slot](const hw::SteppingEngine& engine) {
      return double{engine.state().set.impulses[slot]};
    };
  }
  if (kind == "velocity" && words.size() == 3) {
    const std::uint32_t number = number_of_body(words[1]);
    const std::uint64_t axis = parse_number(words[2], "axis", 5);
    return [number, axis](const hw::SteppingEngine& engine) {
      return double{engine.state().set.velocities[number][axis]};
    };
  }
  throw CommandError(
      "break: behind `if` expected `pass`, `impulse ROW` or `velocity BODY AXIS` (0 to 5: linear, "
      "then angular), a comparison and a number: `break row 7 if impulse 7 > 0.5`");
}

Answer DebugSession::add_break_if(const Words& arguments, std::size_t at) {
  const auto from = arguments.begin() + static_cast<std::ptrdiff_t>(at);
  const Words condition(from + 1, arguments.end());
  const bool whole = at > 0 && condition.size() >= 3;
  const Quantity quantity =
      quantity_of(whole ? Words{condition.begin(), condition.end() - 2} : Words{});
  const std::string& compares = condition[condition.size() - 2];
  const std::string& number = condition.back();
  std::istringstream text(number);
  double value = 0;
  if (!(text >> value) || !text.eof()) throw CommandError("break: '" + number + "' is no number");
  Answer answer = add_break({arguments.begin(), from});
  Stop& stop = stops_.back();
  stop.condition = only_if(std::move(stop.condition), quantity, compares, value);
  if (stop.condition == nullptr) {
    stops_.pop_back();
    throw CommandError("break: '" + compares +
                       "' is no comparison, expected <, <=, >, >=, == or !=");
  }
  for (std::size_t i = at; i < arguments.size(); ++i) stop.what += " " + arguments[i];
  answer.json["what"] = stop.what;
  answer.text = std::to_string(stop.number) + ": " + stop.what + "\n";
  return answer;
}

Answer DebugSession::add_break(const Words& arguments) {
  const auto condition = std::find(arguments.begin(), arguments.end(), "if");
  if (condition != arguments.end())
    return add_break_if(arguments, static_cast<std::size_t>(condition - arguments.begin()));
  if (arguments.empty())
    throw CommandError(
        "break: expected `break slot N`, `break row N`, `break body N`, `break pass N`, `break "
        "LABEL`, `break KERNEL` or `break at ADDRESS`, each with `if CONDITION`");
  const std::string& kind = arguments[0];
  if (arguments.size() == 1) return break_at_name(kind);
  const std::string& word = arguments[1];
  if (kind == "slot" || kind == "row") {
    const std::uint32_t slot = kind == "slot" ? parse_slot(word) : slot_of_row(word);
    return add("break at " + view().row_name(slot), true, at_slot(slot));
  }
  if (kind == "body")
    return add("break at rows of body " + word, true, at_body(number_of_body(word)));
  if (kind == "pass" || kind == "sweep") {
    const std::uint32_t most = run().history().end().passes;
    const auto pass = static_cast<std::uint32_t>(parse_number(word, "pass", most));
    return add("break at pass " + word, false, at_pass(pass));
  }
  if (kind == "at") return break_at_name(word);
  throw CommandError("break: '" + kind + "' is unknown" +
                     suggestion(kind, {"slot", "row", "body", "pass", "sweep", "at"}));
}

Answer DebugSession::add_watch(const Words& arguments) {
  const std::string kind = arguments.size() == 2 ? arguments[0] : "";
  if (kind == "velocity")
    return add("watch velocity of body " + arguments[1], true,
               at_change_of_velocity(number_of_body(arguments[1])));
  if (kind == "impulse" || kind == "slot") {
    const std::uint32_t slot =
        kind == "slot" ? parse_slot(arguments[1]) : slot_of_row(arguments[1]);
    return add("watch impulse of " + view().row_name(slot), true, at_change_of_impulse(slot));
  }
  throw CommandError(
      "watch: expected `watch velocity BODY`, `watch impulse ROW` or `watch slot N`");
}

Answer DebugSession::list_breaks(const Words& /*arguments*/) {
  Answer answer;
  answer.json["breaks"] = Json::array();
  for (const Stop& stop : stops_) {
    answer.json["breaks"].push_back(Json{{"number", stop.number}, {"what", stop.what}});
    answer.text += std::to_string(stop.number) + ": " + stop.what + "\n";
  }
  if (stops_.empty()) answer.text = "no breaks or watches\n";
  return answer;
}

Answer DebugSession::delete_breaks(const Words& arguments) {
  const std::string& word = only(arguments, "delete N | all");
  if (word == "all") {
    stops_.clear();
    return list_breaks({});
  }
  const std::uint64_t number = parse_number(word, "break", stops_made_);
  const auto found = std::find_if(stops_.begin(), stops_.end(),
                                  [number](const Stop& stop) { return stop.number == number; });
  if (found == stops_.end()) throw CommandError("there is no break " + word + ", see `breaks`");
  stops_.erase(found);
  return list_breaks({});
}

Answer DebugSession::where(const Words& /*arguments*/) {
  return show_where(view());
}
Answer DebugSession::registers(const Words& /*arguments*/) {
  return show_registers(view());
}
Answer DebugSession::row(const Words& arguments) {
  return show_row(view(), arguments.empty() ? slot_at_hand() : slot_of_row(arguments[0]));
}
Answer DebugSession::slot(const Words& arguments) {
  return show_row(view(), arguments.empty() ? slot_at_hand() : parse_slot(arguments[0]));
}
Answer DebugSession::velocity(const Words& arguments) {
  return show_velocity(view(), number_of_body(only(arguments, "velocity BODY")));
}
Answer DebugSession::impulse(const Words& arguments) {
  return show_impulse(view(), slot_of_row(only(arguments, "impulse ROW")));
}
Answer DebugSession::tags(const Words& /*arguments*/) {
  return show_tags(view());
}
Answer DebugSession::residual(const Words& /*arguments*/) {
  return show_residual(view());
}

Answer DebugSession::memory(const Words& arguments) {
  constexpr std::uint32_t kAround = 4;
  const std::uint32_t present = run().state().instruction;
  const std::uint32_t address =
      arguments.empty() ? present - std::min(present, kAround) : parse_address(arguments[0]);
  const std::uint64_t count =
      arguments.size() == 2 ? parse_number(arguments[1], "number of words", PPU_NONE) : 3 * kAround;
  return show_memory(view(), address, static_cast<std::uint32_t>(count));
}

Answer DebugSession::source(const Words& arguments) {
  if (arguments.empty()) return show_source(view(), present_line(view()));
  const std::size_t lines = walk_.device().program.lines.size();
  if (is_number(arguments[0]))
    return show_source(view(), static_cast<int>(parse_number(arguments[0], "line", lines)));
  return show_source(view(), view().source(parse_address(arguments[0])).line);
}

Answer DebugSession::info(const Words& /*arguments*/) {
  return introduction();
}

Answer DebugSession::help(const Words& arguments) {
  Table table({"command", "arguments", "does"});
  Answer answer;
  answer.json["commands"] = Json::array();
  const Command* const one = arguments.empty() ? nullptr : &find(arguments[0]);
  for (const Command& command : commands()) {
    if (one != nullptr && one != &command) continue;
    table.add({joined(command.names), command.arguments, command.help});
    answer.json["commands"].push_back(
        Json{{"names", command.names}, {"arguments", command.arguments}, {"does", command.help}});
  }
  answer.text = table.str();
  return answer;
}

Answer DebugSession::quit(const Words& /*arguments*/) {
  done_ = true;
  return {};
}

Answer DebugSession::introduction() const {
  const DebuggedJob& job = walk_.device();
  const ppu_device_info& device = job.solve.device;
  const std::uint64_t rows = walk_.matched_rows();
  Answer answer;
  answer.json = {{"rows", problem_.rows()},
                 {"bodies", problem_.bodies()},
                 {"program", job.program.file},
                 {"backend", device.backend},
                 {"config", device.config},
                 {"runs", walk_.runs()},
                 {"matched_rows", job.timed() ? Json(rows) : Json()},
                 {"failure", job.failure.empty() ? Json() : Json(job.failure)},
                 {"differences", walk_.differences()}};
  answer.text = problem_.name + ": " + grouped(problem_.rows()) + " rows, " +
                grouped(problem_.bodies()) + " bodies, " + job.program.file + " on " +
                device.backend + ", config " + device.config + "\n";
  if (!job.failure.empty()) answer.text += "The device says: " + job.failure + "\n";
  if (!walk_.differences().empty()) {
    for (const std::string& what : walk_.differences())
      answer.text += "MISMATCH of device and walk: " + what + "\n";
    return answer;
  }
  answer.text += job.timed() ? "The walk has the device's " + grouped(rows) + " rows in order"
                             : "The back end has no cycles";
  answer.text += job.result == PPU_OK ? "; impulses and velocities are equal bit for bit\n"
                                      : "; it ends where the device has failed\n";
  return answer;
}

}  // namespace ppu::sim

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The table of the debugger's commands, and its movements.
#include "sim/debug/debug_session.hpp"

#include <algorithm>
#include <sstream>

#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostSteps = 1'000'000'000'000;

/// How often: the only argument, or once.
std::uint64_t count_of(const std::vector<std::string>& arguments) {
  return arguments.empty() ? 1 : parse_number(arguments[0], "count", kMostSteps);
}

std::string numbers(const std::vector<float>& values) {
  std::string text;
  for (const float value : values) text += (text.empty() ? "" : " ") + exact(value);
  return text;
}

}  // namespace

DebugSession::DebugSession(const Walk& walk, const model::RowProblem& problem)
    : walk_(walk), problem_(problem) {
}

std::vector<DebugSession::Command> DebugSession::movements() {
  using S = DebugSession;
  return {
      {{"step", "s"}, "[N]", "N instructions on, 1 without N; a pass with its `rows`", 1, &S::step},
      {{"next", "n"}, "[N]", "to the next row that issues, or the Nth", 1, &S::next},
      {{"finish", "f", "pass", "sweep"},
       "[N]",
       "to the end of the pass, or of the Nth from here",
       1,
       &S::finish},
      {{"continue", "c"}, "", "to the next break or watch, or the end of the run", 0, &S::go_on},
      {{"reverse-step", "rs", "back"}, "[N]", "as step, backward", 1, &S::reverse_step},
      {{"reverse-next", "rn"}, "[N]", "as next, backward", 1, &S::reverse_next},
      {{"reverse-finish", "rf"}, "[N]", "as finish, backward", 1, &S::reverse_finish},
      {{"reverse-continue", "rc"}, "", "as continue, backward", 0, &S::reverse_continue},
      {{"goto", "g"},
       "cycle N | step N | start | end",
       "to the first row that issues in cycle N or later, or to a step",
       2,
       &S::go_to},
      {{"run"}, "[N]", "to run N of a job of several runs, where it was left", 1, &S::choose_run},
  };
}

std::vector<DebugSession::Command> DebugSession::stop_commands() {
  using S = DebugSession;
  return {
      {{"break", "b"},
       "slot|row|body|pass N, LABEL, KERNEL, at ADDRESS",
       "stop at rows, at the Nth pass, at an instruction, at passes of a kernel; [if CONDITION]",
       8,
       &S::add_break},
      {{"watch", "wa"},
       "velocity BODY | impulse ROW | slot N",
       "stop behind the row that changes a velocity or an impulse",
       2,
       &S::add_watch},
      {{"breaks", "bl"}, "", "list breaks and watches", 0, &S::list_breaks},
      {{"delete", "d"}, "N | all", "delete break or watch N", 1, &S::delete_breaks},
  };
}

std::vector<DebugSession::Command> DebugSession::view_commands() {
  using S = DebugSession;
  return {
      {{"where", "w"}, "", "where the run is, and what the next step executes", 0, &S::where},
      {{"registers", "r"}, "", "registers of the sequencer", 0, &S::registers},
      {{"row"}, "[N]", "row N of the problem, or the one at hand, and its update", 1, &S::row},
      {{"slot"}, "[N]", "the same of slot N of the device", 1, &S::slot},
      {{"velocity", "v"}, "BODY", "velocity of a body of the problem", 1, &S::velocity},
      {{"impulse", "i"}, "ROW", "impulse of a row of the problem", 1, &S::impulse},
      {{"tags", "t"}, "", "tags of bodies", 0, &S::tags},
      {{"residual", "m"}, "", "residual maximum", 0, &S::residual},
      {{"memory", "x"},
       "[LABEL | KERNEL | ADDRESS [N]]",
       "words of the program, around the present one or N from there on",
       2,
       &S::memory},
      {{"source", "l"}, "[LINE | LABEL | KERNEL]", "lines of the program text", 1, &S::source},
      {{"info"}, "", "the job, and how far the walk is the device's", 0, &S::info},
      {{"help", "h", "?"}, "[COMMAND]", "commands, or one of them", 1, &S::help},
      {{"quit", "q"}, "", "end the session", 0, &S::quit},
  };
}

const std::vector<DebugSession::Command>& DebugSession::commands() {
  static const std::vector<Command> table = [] {
    std::vector<Command> all = movements();
    for (const auto& part : {stop_commands(), view_commands()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return table;
}

const DebugSession::Command& DebugSession::find(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    for (const std::string& known : command.names) {
      if (known == name) return command;
      names.push_back(known);
    }
  }
  const std::string hint = suggestion(name, names);
  throw CommandError("unknown command '" + name + "'" +
                     (hint.empty() ? ", `help` lists the commands" : hint));
}

Answer DebugSession::execute(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) return {};
  const Command& command = find(words[0]);
  const Words arguments(words.begin() + 1, words.end());
  if (arguments.size() > command.most_arguments)
    throw CommandError(command.names[0] + ": too many words, expected `" + command.names[0] +
                       (command.arguments.empty() ? "" : " " + command.arguments) + "`");
  Answer answer = (this->*command.handler)(arguments);
  Json json{{"command", command.names[0]}};
  json.update(answer.json);
  answer.json = std::move(json);
  return answer;
}

Answer DebugSession::forward(const Words& arguments, MakeCondition condition) {
  SingleStop rule(condition());
  for (std::uint64_t left = count_of(arguments); left > 0; --left)
    if (!run().history().forward(rule)) break;
  return show_where(view());
}

Answer DebugSession::backward(const Words& arguments, MakeCondition condition) {
  SingleStop rule(condition());
  for (std::uint64_t left = count_of(arguments); left > 0; --left)
    if (!run().history().backward(rule)) break;
  return show_where(view());
}

Answer DebugSession::arrived(const StopList& stops, bool stopped) const {
  Answer answer = show_where(view());
  if (!stopped) return answer;
  std::string reasons;
  answer.json["stops"] = Json::array();
  for (const auto& [stop, change] : stops.hits()) {
    answer.json["stops"].push_back(Json{{"number", stop->number}, {"what", stop->what}});
    reasons += std::to_string(stop->number) + ": " + stop->what + "\n";
    if (change.to.empty()) continue;
    answer.json["stops"].back()["from"] = change.from;
    answer.json["stops"].back()["to"] = change.to;
    reasons += "  from " + numbers(change.from) + "\n  to   " + numbers(change.to) + "\n";
  }
  answer.text = reasons + answer.text;
  return answer;
}

Answer DebugSession::go_on(const Words& /*arguments*/) {
  StopList stops(stops_, run_);
  const bool stopped = run().history().forward(stops);
  return arrived(stops, stopped);
}

Answer DebugSession::reverse_continue(const Words& /*arguments*/) {
  StopList stops(stops_, run_);
  const bool stopped = run().history().backward(stops);
  return arrived(stops, stopped);
}

Answer DebugSession::go_to_cycle(const std::string& word) {
  if (!walk_.device().timed()) throw CommandError("goto: the back end has no cycles");
  const std::uint64_t cycle = parse_number(word, "cycle", hw::kNever - 1);
  const std::vector<hw::RowTimes>& rows = run().observed().rows;
  const auto found = std::lower_bound(
      rows.begin(), rows.end(), cycle,
      [](const hw::RowTimes& row, std::uint64_t value) { return row.issue < value; });
  const hw::RowTimes* const wanted = found == rows.end() ? nullptr : &*found;
  // Row by row from the beginning: rows are steps, so where they issue in the order of the walk the
  // place is not before that step.
  const auto issued = static_cast<std::size_t>(found - rows.begin());
  run().history().go(run().engine().flow() ? 0 : issued);
  while (run().engine().at() != hw::SteppingEngine::At::kEnd &&
         (wanted == nullptr || run().engine().times() != wanted))
    run().history().go(run().engine().position() + 1);
  return show_where(view());
}

Answer DebugSession::go_to(const Words& arguments) {
  const std::string target = arguments.empty() ? "" : arguments[0];
  if (target == "cycle" && arguments.size() == 2) return go_to_cycle(arguments[1]);
  if (target == "step" && arguments.size() == 2) {
    run().history().go(parse_number(arguments[1], "step", run().history().steps()));
  } else if (target == "start" && arguments.size() == 1) {
    run().history().go(0);
  } else if (target == "end" && arguments.size() == 1) {
    run().history().go(run().history().steps());
  } else {
    throw CommandError("goto: expected `goto cycle N`, `goto step N`, `goto start` or `goto end`");
  }
  return show_where(view());
}

Answer DebugSession::choose_run(const Words& arguments) {
  if (!arguments.empty()) run_ = parse_number(arguments[0], "run", walk_.runs() - 1);
  return show_where(view());
}

}  // namespace ppu::sim

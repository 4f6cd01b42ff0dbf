// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Registers, velocities, impulses, tags and the program of a run.
#include "sim/debug/debug_views.hpp"

#include <algorithm>
#include <cmath>

#include "base/bits/float_bits.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

/// Bits that make sense as a float of a program: a threshold or a residual.
bool looks_like_float(std::uint32_t bits) {
  constexpr float kLeast = 1e-20F;
  const float value = std::fabs(float_of(bits));
  return std::isfinite(value) && value >= kLeast && value <= 1 / kLeast;
}

std::string numbers(const std::array<float, 6>& values) {
  std::string text = "linear";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 3 ? ", angular " : " ") + exact(values[i]);
  return text;
}

/// "1, 4-9".
std::string ranges(const std::vector<std::uint32_t>& sorted) {
  std::string text;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t last = i;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(sorted[i]);
    if (last > i) text += "-" + std::to_string(sorted[last]);
    i = last + 1;
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string View::kernel_name() const {
  for (const firmware::Kernel& kernel : program().assembly.kernels)
    if (kernel.address == state().kernel_address) return kernel.name;
  return address_text(state().kernel_address);
}

std::string View::row_name(std::uint32_t slot) const {
  return "row " + std::to_string(run().row_of(slot)) + " (slot " + std::to_string(slot) + ")";
}

std::string View::body_name(std::uint32_t number_on_device) const {
  const std::uint32_t body = run().body_of(number_on_device);
  return body == PPU_NONE ? "static" : "body " + std::to_string(body);
}

Json View::body_json(std::uint32_t number_on_device) const {
  const std::uint32_t body = run().body_of(number_on_device);
  return body == PPU_NONE ? Json() : Json(body);
}

Answer show_registers(const View& view) {
  Answer answer;
  Table table({"register", "bits", "number", "as float"});
  const auto& registers = view.state().sequencer.registers();
  for (std::size_t n = 0; n < registers.size(); ++n) {
    const std::string name(spec::kRegisterNames[n]);
    answer.json["registers"][name] = registers[n];
    if (registers[n] == 0) continue;
    table.add({name, hex32(registers[n]), std::to_string(registers[n]),
               looks_like_float(registers[n]) ? exact(float_of(registers[n])) : ""});
  }
  answer.text = table.str() + "all others are 0\n";
  return answer;
}

Answer show_velocity(const View& view, std::uint32_t number_on_device) {
  const std::uint32_t body = view.run().body_of(number_on_device);
  const hw::WorkingSet::Velocity& device = view.state().set.velocities[number_on_device];
  Answer answer;
  answer.json = {{"body", body}, {"number", number_on_device}, {"velocity", device}};
  answer.text = "body " + std::to_string(body) + " (number " + std::to_string(number_on_device) +
                "): " + numbers(device) + "\n";
  if (!view.run().reduced()) return answer;
  const std::array<float, 6> velocity = view.walk.velocity(view.number, body);
  answer.json["velocity"] = velocity;
  answer.json["reduced_velocity"] = device;
  answer.text = "body " + std::to_string(body) + " (number " + std::to_string(number_on_device) +
                "): " + numbers(velocity) +
                "\n  of the reduced form, on the device: " + numbers(device) + "\n";
  return answer;
}

Answer show_impulse(const View& view, std::uint32_t slot) {
  const float impulse = view.state().set.impulses[slot];
  Answer answer;
  answer.json = {{"row", view.run().row_of(slot)}, {"slot", slot}, {"impulse", impulse}};
  answer.text = view.row_name(slot) + ": impulse " + exact(impulse);
  if (const std::vector<float>& leads = view.state().set.leads; !leads.empty()) {
    answer.json["lead"] = leads[slot];
    answer.text += ", its lead " + exact(leads[slot]);
  }
  answer.text += "\n";
  return answer;
}

Answer show_tags(const View& view) {
  std::vector<std::uint32_t> current;
  std::vector<std::uint32_t> next;
  for (std::uint32_t number = 0; number < view.run().body_count(); ++number) {
    const std::uint32_t body = view.run().body_of(number);
    if (body == PPU_NONE) continue;
    if (view.state().tags.current(number)) current.push_back(body);
    if (view.state().tags.next(number)) next.push_back(body);
  }
  std::sort(current.begin(), current.end());
  std::sort(next.begin(), next.end());
  const float threshold = view.state().tags.threshold;
  Answer answer;
  answer.json = {{"current", current}, {"next", next}, {"mark_threshold", threshold}};
  answer.text = "current tags: bodies " + ranges(current) + "\nnext tags: bodies " + ranges(next) +
                "\nthreshold of marks: " + exact(threshold) + "\n";
  return answer;
}

Answer show_residual(const View& view) {
  const float present = view.state().max_residual;
  const float last = float_of(view.state().report.last_residual);
  Answer answer;
  answer.json = {{"max_residual", present}, {"last_residual", last}};
  answer.text = "max residual of the rows since the last rdmax or bmax: " + exact(present) +
                "\nlast one that was read: " + exact(last) + "\n";
  return answer;
}

Answer show_memory(const View& view, std::uint32_t address, std::uint32_t count) {
  const firmware::Assembly& assembly = view.program().assembly;
  const auto words = static_cast<std::uint32_t>(assembly.image.words.size());
  const std::uint32_t end = address + std::min(count, words - std::min(words, address));
  std::size_t width = 0;
  for (std::uint32_t at = address; at < end; ++at)
    width = std::max(width, assembly.source[at].label.size());
  Answer answer;
  answer.json["words"] = Json::array();
  for (std::uint32_t at = address; at < end; ++at) {
    const firmware::SourceText& source = assembly.source[at];
    for (const firmware::Kernel& kernel : assembly.kernels)
      if (kernel.address == at)
        answer.text += std::string(20 + width, ' ') + ".kernel " + kernel.name + "\n";
    const bool present = at == view.state().instruction;
    const std::string label = source.label.empty() ? "" : source.label + ":";
    answer.text += (present ? "> " : "  ") + address_text(at) + "  " +
                   hex32(assembly.image.words[at]).substr(2) + "  " + label +
                   std::string(width + 2 - label.size(), ' ') + source.text + "\n";
    answer.json["words"].push_back(
        Json{{"address", at},
             {"word", assembly.image.words[at]},
             {"label", source.label.empty() ? Json() : Json(source.label)},
             {"text", source.text},
             {"present", present}});
  }
  return answer;
}

int present_line(const View& view) {
  const std::uint32_t address = view.state().instruction;
  return address < view.program().assembly.source.size() ? view.source(address).line : 1;
}

Answer show_source(const View& view, int line) {
  constexpr int kAround = 5;
  const std::vector<std::string>& lines = view.program().lines;
  const int present = present_line(view);
  const int first = std::max(1, line - kAround);
  const int last = std::min(static_cast<int>(lines.size()), line + kAround);
  Answer answer;
  answer.json = {{"file", view.program().file}, {"lines", Json::array()}};
  for (int at = first; at <= last; ++at) {
    const std::string& text = lines[static_cast<std::size_t>(at - 1)];
    const std::string number = std::to_string(at);
    answer.text += (at == present ? "> " : "  ") +
                   std::string(4 - std::min<std::size_t>(4, number.size()), ' ') + number +
                   (text.empty() ? "" : "  " + text) + "\n";
    answer.json["lines"].push_back(Json{{"line", at}, {"text", text}, {"present", at == present}});
  }
  return answer;
}

}  // namespace ppu::sim

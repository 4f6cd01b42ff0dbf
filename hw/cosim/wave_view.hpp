// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A view for GTKWave that comes with waves: the signals to begin with, and where.
#pragma once

#include <gtkwave/fstapi.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ppu::hw {

/// Name of the view that belongs to waves.
inline std::string view_path(const std::string& waves) {
  return std::filesystem::path(waves).replace_extension(".gtkw").string();
}

/// What to begin with: the clock and the cycle, and the modules that tell of events (u_trace);
/// where none of these is in the waves, the variables of their outermost module.
class WaveSignals {
 public:
  explicit WaveSignals(const std::string& path) {
    void* const reader = fstReaderOpen(path.c_str());
    if (reader == nullptr) return;
    fstReaderIterateHierRewind(reader);
    while (const fstHier* const entry = fstReaderIterateHier(reader)) {
      if (entry->htyp == FST_HT_SCOPE)
        scopes_.push_back((scopes_.empty() ? "" : scopes_.back() + ".") + entry->u.scope.name);
      else if (entry->htyp == FST_HT_UPSCOPE)
        scopes_.pop_back();
      else if (entry->htyp == FST_HT_VAR && entry->u.var.typ != FST_VT_VCD_PARAMETER)
        take(entry->u.var.name, entry->u.var.length);
    }
    fstReaderClose(reader);
  }

  struct Signal {
    std::string name;  ///< As the viewer calls it: "TOP.ppu_top.u_dma.state[1:0]".
    std::uint32_t bits;
  };
  [[nodiscard]] std::vector<Signal> chosen() const {
    std::vector<Signal> all = events_.empty() ? std::vector<Signal>() : clock_;
    const std::vector<Signal>& others = events_.empty() ? outermost_ : events_;
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }

 private:
  void take(std::string variable, std::uint32_t bits) {
    variable.erase(std::remove(variable.begin(), variable.end(), ' '), variable.end());
    const std::string& scope = scopes_.back();
    const Signal signal{scope + "." + variable, bits};
    const bool top = scopes_.size() == 1;
    if (top && (variable == "clk_i" || variable.rfind("device_cycle_o", 0) == 0))
      clock_.push_back(signal);
    // What goes into such a module is packed; what it makes of that is meant to be read.
    const bool of_trace = scope.size() > 7 && scope.compare(scope.size() - 7, 7, "u_trace") == 0;
    const std::string base = variable.substr(0, variable.find('['));
    const bool packed = bits > 64 || base == "row" || base.rfind("unused", 0) == 0 ||
                        (base.size() > 2 && base.compare(base.size() - 2, 2, "_i") == 0);
    if (of_trace && !packed) events_.push_back(signal);
    if (outermost_.empty()) depth_ = scopes_.size();
    if (scopes_.size() == depth_) outermost_.push_back(signal);
  }

  std::vector<std::string> scopes_;
  std::vector<Signal> clock_, events_, outermost_;
  std::size_t depth_ = 0;
};

/// The view of the waves that can be read at `path` and will be found at `shown`, from a cycle on.
inline std::string wave_view(const std::string& path, const std::string& shown,
                             std::uint64_t first_cycle) {
  constexpr std::uint64_t kPicoseconds = 1000;  // A cycle.
  const std::string begin = std::to_string(kPicoseconds * first_cycle);
  std::string text = "[dumpfile] \"" + std::filesystem::absolute(shown).string() + "\"\n" +
                     "[timestart] " + begin + "\n*-14.0 " + begin + "\n";
  for (const WaveSignals::Signal& signal : WaveSignals(path).chosen())
    text += std::string(signal.bits == 1 ? "@28" : "@24") + "\n" + signal.name + "\n";
  return text;
}

}  // namespace ppu::hw

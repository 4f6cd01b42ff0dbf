// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Drives a Verilated floating-point unit. The build generates the list of models.
#include "hw/cosim/rtl_float.hpp"

#include <verilated.h>

#include <string>

#include "ppu_rtl_floats.hpp"

namespace ppu::hw {
namespace {

/// What the units name differently.
template <class Model, FloatOperation operation>
struct UnitPorts {
  static void enable(Model& top) {
    if constexpr (operation == FloatOperation::kDiv) top.en_i = 1;
  }
  static std::uint32_t result(const Model& top) {
    if constexpr (operation == FloatOperation::kAdd) return top.sum_o;
    if constexpr (operation == FloatOperation::kMul) return top.product_o;
    if constexpr (operation == FloatOperation::kDiv) return top.quotient_o;
  }
};

template <class Model, FloatOperation operation>
class VerilatedFloat : public RtlFloat {
 public:
  VerilatedFloat(int stages, int seed) : stages_(stages) {
    context_.randReset(2);
    context_.randSeed(seed);
    top_.clk_i = 0;
    Ports::enable(top_);
    top_.eval();
  }

  std::vector<std::uint32_t> calculate(const std::vector<FloatPair>& pairs) override {
    const auto stages = static_cast<std::size_t>(stages_);
    std::vector<std::uint32_t> results(pairs.size());
    for (std::size_t i = 0; i < pairs.size() + stages - 1; ++i) {
      const FloatPair pair = i < pairs.size() ? pairs[i] : FloatPair{};
      top_.a_i = pair.a;
      top_.b_i = pair.b;
      top_.clk_i = 0;
      top_.eval();
      top_.clk_i = 1;
      top_.eval();
      if (i + 1 >= stages) results[i + 1 - stages] = Ports::result(top_);
    }
    return results;
  }

  [[nodiscard]] int stages() const override { return stages_; }

 private:
  using Ports = UnitPorts<Model, operation>;

  int stages_;
  VerilatedContext context_;
  Model top_{&context_};
};

int stages_of(FloatOperation operation, const Config& config) {
  const std::int64_t stages = operation == FloatOperation::kAdd   ? config.fp_add_stages
                              : operation == FloatOperation::kMul ? config.fp_mul_stages
                                                                  : config.fp_div_stages;
  return static_cast<int>(stages);
}

}  // namespace

std::unique_ptr<RtlFloat> RtlFloat::create(FloatOperation operation, const Config& config,
                                           int seed) {
  const int stages = stages_of(operation, config);
  std::string built;
#define PPU_RTL_TRY(name, kOperation, Model, model_stages)                                      \
  if (operation == FloatOperation::kOperation) {                                                \
    if (stages == (model_stages))                                                               \
      return std::make_unique<VerilatedFloat<Model, FloatOperation::kOperation>>(stages, seed); \
    built += std::string(built.empty() ? "" : ", ") + (name) + " (" #model_stages ")";          \
  }
  PPU_RTL_FLOATS(PPU_RTL_TRY)
#undef PPU_RTL_TRY
  throw ConfigError(
      "no RTL unit was built for " + std::to_string(stages) + " stages; built: " + built, false);
}

}  // namespace ppu::hw

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Two solvers that take turns.
#include "sim/demo/step_cost.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ppu::sim {
namespace {

/// Sorts a copy; at least one.
template <class Number>
Number median(std::vector<Number> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

/// The median of what `of` says of each step.
template <class Step, class Of, class Number = std::decay_t<std::invoke_result_t<Of, const Step&>>>
Number median(const std::vector<Step>& steps, Of of) {
  std::vector<Number> numbers;
  for (const Step& step : steps) numbers.push_back(std::invoke(of, step));
  return median(std::move(numbers));
}

double host_work(const BulletReport& step) {
  return step.seconds - step.device_seconds;
}

StepCost medians(const std::vector<EngineParts>& cpu, const std::vector<BulletReport>& ppu,
                 double clock_hz) {
  using R = BulletReport;
  const auto seconds = [&](std::uint64_t R::*cycles) {
    return static_cast<double>(median(ppu, cycles)) / clock_hz;
  };
  StepCost cost;
  cost.rows = median(ppu, &R::rows);
  cost.cpu = {median(cpu, &EngineParts::set_up), median(cpu, &EngineParts::iterations),
              median(cpu, &EngineParts::finish)};
  cost.host = {median(ppu, &R::seconds),
               median(ppu, &R::set_up_seconds),
               median(ppu, &R::convert_seconds),
               median(ppu, &R::plan_seconds),
               median(ppu, &R::transfer_seconds),
               median(ppu, &R::device_seconds),
               median(ppu, &R::write_back_seconds),
               median(ppu, &R::finish_seconds),
               median(ppu, &R::overlap_seconds)};
  cost.upload = seconds(&R::upload_cycles);
  cost.run = seconds(&R::run_cycles);
  cost.download = seconds(&R::download_cycles);
  cost.on_cpu = median(cpu, [](const EngineParts& parts) { return parts.whole(); });
  cost.host_work = median(ppu, host_work);
  cost.with_ppu = median(ppu, [&](const R& step) {
    return step.set_up_seconds + host_work(step) + step.finish_seconds - step.overlap_seconds +
           static_cast<double>(step.device_cycles) / clock_hz;
  });
  return cost;
}

}  // namespace

StepCost measure_steps(const StepStudy& study, const Device& device) {
  auto owned = std::make_unique<TimedBulletSolver>();
  TimedBulletSolver& cpu = *owned;
  BulletConstraintSolver ppu(device);
  ppu.order(study.order);
  ppu.on_refusal(BulletRefusal::kStep);
  const auto scene = study.make(std::move(owned));
  auto& world = static_cast<btDiscreteDynamicsWorld&>(scene->world());
  std::vector<EngineParts> on_cpu;
  std::vector<BulletReport> on_ppu;
  // A few steps before those that count are on the PPU, too: then memory has its size.
  constexpr std::uint32_t kReady = 8;
  for (std::uint32_t frame = 0; frame < study.first_frame + study.frames; ++frame) {
    const bool with_ppu = frame + kReady >= study.first_frame && frame % 2 == 1;
    if (with_ppu) {
      world.setConstraintSolver(&ppu);
    } else {
      world.setConstraintSolver(&cpu);
    }
    cpu.start_step();
    scene->step();
    if (frame < study.first_frame) continue;
    if (with_ppu) {
      on_ppu.push_back(ppu.last_report());
    } else {
      on_cpu.push_back(cpu.parts());
    }
  }
  world.setConstraintSolver(&cpu);
  return medians(on_cpu, on_ppu, 1e6 * device.info().clock_mhz);
}

}  // namespace ppu::sim

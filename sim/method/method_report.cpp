// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a method did, for people and for scripts.
#include "sim/method/method_report.hpp"

#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

std::string friction_in_words(const MethodOptions& method, const MethodResult& result) {
  if (method.frozen) return "frozen at the file's impulses";
  if (result.friction_rounds == 0) return "bounds as the method finds them";
  return "frozen anew " + counted(static_cast<std::uint64_t>(result.friction_rounds), "time");
}

std::string device_in_words(const Options& options, const MethodDevice& device) {
  const std::string where = options.backend + ", config " + options.config + ": ";
  const std::string calls = counted(device.calls, "call");
  if (device.cycles == 0) return where + calls;
  const double ms = static_cast<double>(device.cycles) / device.clock_mhz / 1e3;
  return where + calls + ", " + grouped(device.cycles) + " cycles, " + fixed(ms, 3) + " ms";
}

std::string count(int number) {
  return grouped(static_cast<std::uint64_t>(number));
}

}  // namespace

std::string summary(const model::RowProblem& problem, const Options& options,
                    const MethodOptions& method, const MethodResult& result) {
  Table table({"problem", options.problem});
  table.add(
      {"method", method.method + (result.reached ? ", reached its end" : ", NOT at its end")});
  table.add({"rows", grouped(problem.rows())});
  table.add({"bodies", grouped(problem.bodies())});
  table.add({"friction", friction_in_words(method, result)});
  if (result.iterations > 0) table.add({"iterations", count(result.iterations)});
  if (result.sweeps > 0) table.add({"sweeps", count(result.sweeps)});
  if (result.factorizations > 0) table.add({"factorizations", count(result.factorizations)});
  if (result.factor_nonzeros > 0)
    table.add({result.factorizations > 0 ? "largest factor" : "matrix",
               counted(result.factor_nonzeros, "number")});
  table.add({"true residual", scientific(result.residual.rate) + " m/s"});
  table.add({"residual r_1", scientific(result.residual.paper)});
  table.add({"natural residual", scientific(result.residual.natural)});
  if (result.device) table.add({"device", device_in_words(options, *result.device)});
  table.add({"host seconds", fixed(result.host_seconds, 3)});
  return table.str();
}

Json to_json(const model::RowProblem& problem, const Options& options, const MethodOptions& method,
             const MethodResult& result) {
  Json json{
      {"problem", options.problem},
      {"method", method.method},
      {"friction", method.frozen ? "frozen" : "coupled"},
      {"rows", problem.rows()},
      {"bodies", problem.bodies()},
      {"reached", result.reached},
      {"friction_rounds", result.friction_rounds},
      {"iterations", result.iterations},
      {"sweeps", result.sweeps},
      {"factorizations", result.factorizations},
      {"factor_nonzeros", result.factor_nonzeros},
      {"max_residual", result.residual.rate},
      {"residual_r1", result.residual.paper},
      {"residual_natural", result.residual.natural},
      {"device", nullptr},
      {"host_seconds", result.host_seconds},
  };
  if (result.device) {
    const MethodDevice& device = *result.device;
    json["device"] = {{"backend", options.backend},
                      {"config", options.config},
                      {"calls", device.calls},
                      {"cycles", device.cycles > 0 ? Json(device.cycles) : Json()},
                      {"clock_mhz", device.clock_mhz}};
  }
  return json;
}

}  // namespace ppu::sim

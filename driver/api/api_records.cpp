// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: problems as records.
#include <memory>

#include "driver/api/registry.hpp"
#include "driver/solve/records.hpp"

using namespace ppu::driver;

extern "C" {

ppu_result ppu_records_create(ppu_device device, ppu_records* records) {
  return guarded([&] {
    require(records, "records");
    *records =
        registry().records.insert(std::make_shared<Records>(device, use_device(device)->device));
  });
}

ppu_result ppu_records_destroy(ppu_records records) {
  return guarded([&] { destroy(registry().records, records); });
}

ppu_result ppu_records_begin(ppu_records records, uint32_t row_capacity, uint32_t body_count,
                             ppu_record_memory* memory) {
  return guarded([&] {
    require(memory, "memory");
    *memory = use(registry().records, records)->begin(row_capacity, body_count);
  });
}

ppu_result ppu_records_commit(ppu_records records, uint32_t row_count) {
  return guarded([&] { use(registry().records, records)->commit(row_count); });
}

ppu_result ppu_records_solve(ppu_records records, const ppu_solve_def* def,
                             ppu_solve_report* report) {
  return guarded([&] {
    require_def(def, "ppu_default_solve_def");
    const auto found = use(registry().records, records);
    const auto target = use_device(found->handle);
    const auto program = registry().programs.find(def->program);
    target->solver.solve(*program, *found, *def, report);
  });
}

ppu_result ppu_records_start(ppu_records records, uint32_t row_count, const ppu_solve_def* def) {
  return guarded([&] {
    require_def(def, "ppu_default_solve_def");
    const auto found = use(registry().records, records);
    const auto target = use_device(found->handle);
    target->solver.start(registry().programs.find(def->program), *found, *def, row_count);
  });
}

ppu_result ppu_records_finish(ppu_records records, ppu_solve_report* report) {
  return guarded([&] {
    const auto found = use(registry().records, records);
    const auto target = use_device(found->handle);
    target->solver.finish(*found, report);
  });
}

}  // extern "C"

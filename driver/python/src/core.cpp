// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// ppu._core: what the Python package `ppu` needs of the driver. Arrays come as contiguous buffers
// whose types and shapes the package has checked; Python's other threads run during every wait.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "model/files/row_problem_file.hpp"
#include "ppu/methods.h"
#include "ppu/ppu.hpp"

namespace ppu::python {
namespace {

namespace py = pybind11;
using py::literals::operator""_a;

/// Where the array `name` begins; null for None.
template <class T>
T* data(const py::dict& arrays, const char* name, bool writable = false) {
  const py::object array = arrays[name];
  if (array.is_none()) return nullptr;
  return static_cast<T*>(py::reinterpret_borrow<py::buffer>(array).request(writable).ptr);
}

ppu_problem problem_of(const py::dict& arrays, bool impulse_form) {
  ppu_problem problem{};
  problem.row_count = static_cast<std::uint32_t>(py::len(arrays["parent"]));
  problem.body_count = static_cast<std::uint32_t>(py::len(arrays["velocity_change"]));
  problem.body = data<const std::int32_t[2]>(arrays, "body");
  problem.parent = data<const std::int32_t>(arrays, "parent");
  problem.jacobian = data<const float>(arrays, "jacobian");
  problem.inv_mass_jacobian = data<const float>(arrays, "inv_mass_jacobian");
  problem.rate_bias = data<const float>(arrays, "rate_bias");
  problem.inv_diagonal = data<const float>(arrays, "inv_diagonal");
  problem.lower = data<const float>(arrays, "lower");
  problem.upper = data<const float>(arrays, "upper");
  problem.friction = data<const float>(arrays, "friction");
  problem.compliance = data<const float>(arrays, "compliance");
  problem.impulse = data<const float>(arrays, "impulse");
  problem.velocity_change = data<const float>(arrays, "velocity_change");
  problem.inv_mass = data<const float>(arrays, "inv_mass");
  problem.inv_inertia = data<const float>(arrays, "inv_inertia");
  problem.impulse_form = impulse_form;
  return problem;
}

ppu_solve_def solve_def_of(const py::dict& options) {
  ppu_solve_def def = ppu_default_solve_def();
  def.true_residual = true;
  const auto read = [&options](const char* name, auto& value) {
    value = options[name].cast<std::decay_t<decltype(value)>>();
  };
  read("sweeps", def.max_sweeps);
  read("threshold", def.threshold);
  read("mark_threshold", def.mark_threshold);
  read("budget_cycles", def.budget_cycles);
  read("relaxation", def.relaxation);
  read("timeout_ns", def.timeout_ns);
  read("stream", def.stream);
  const auto read_pair = [&options](const char* name, std::uint32_t(&values)[2]) {
    const auto pair = options[name].cast<std::array<std::uint32_t, 2>>();
    std::copy(pair.begin(), pair.end(), values);
  };
  read_pair("class_rows", def.class_rows);
  read_pair("class_sweeps", def.class_sweeps);
  def.order = static_cast<ppu_order>(options["order"].cast<int>());
  def.friction = static_cast<ppu_friction_rule>(options["friction"].cast<int>());
  def.start = static_cast<ppu_start>(options["start"].cast<int>());
  return def;
}

ppu_method_def method_def_of(int method, const py::dict& options) {
  ppu_method_def def = ppu_default_method_def(static_cast<ppu_method>(method));
  const auto read = [&options](const char* name, auto& value) {
    if (!options[name].is_none()) value = options[name].cast<std::decay_t<decltype(value)>>();
  };
  read("rounds", def.max_rounds);
  read("sweeps", def.solve.max_sweeps);
  read("threshold", def.solve.threshold);
  read("timeout_ns", def.solve.timeout_ns);
  def.solve.order = static_cast<ppu_order>(options["order"].cast<int>());
  def.solve.friction = static_cast<ppu_friction_rule>(options["friction"].cast<int>());
  def.solve.start = static_cast<ppu_start>(options["start"].cast<int>());
  return def;
}

/// Counters by name.
template <class Counter, class Values>
py::dict named(const Values& values, const char* (*name)(Counter)) {
  py::dict counters;
  int index = 0;
  for (const std::uint64_t value : values) counters[name(static_cast<Counter>(index++))] = value;
  return counters;
}

py::dict to_dict(const ppu_solve_report& report) {
  const auto row = report.fault_row == PPU_NONE ? py::object(py::none())
                                                : py::object(py::int_(report.fault_row));
  return py::dict(
      "status"_a = ppu_run_status_string(report.run.status), "fault_row"_a = row,
      "runs"_a = report.runs, "sweeps"_a = report.sweeps, "late"_a = report.late,
      "max_residual"_a = report.max_residual, "plan_seconds"_a = report.plan_seconds,
      "transfer_seconds"_a = report.transfer_seconds, "device_seconds"_a = report.device_seconds,
      "upload_cycles"_a = report.upload_cycles, "run_cycles"_a = report.run_cycles,
      "download_cycles"_a = report.download_cycles, "device_cycles"_a = report.device_cycles,
      "load_cycles"_a = report.load_cycles, "engine_cycles"_a = report.engine_cycles,
      "counters"_a = named(report.run.counters, ppu_counter_name),
      "device_counters"_a = named(report.device_counters, ppu_device_counter_name));
}

py::dict to_dict(const ppu_method_report& report) {
  return py::dict(
      "reached"_a = report.reached, "friction_rounds"_a = report.friction_rounds,
      "iterations"_a = report.iterations, "sweeps"_a = report.sweeps,
      "factorizations"_a = report.factorizations, "factor_numbers"_a = report.factor_numbers,
      "max_residual"_a = report.max_residual, "paper_residual"_a = report.paper_residual,
      "natural_residual"_a = report.natural_residual,
      "relative_residual"_a = report.relative_residual, "device_calls"_a = report.device_calls,
      "device_cycles"_a = report.device_cycles, "host_seconds"_a = report.host_seconds);
}

/// What a device writes of what it does; empty paths: nothing.
struct Watch {
  std::string trace, wave, wave_scope;
  std::array<std::uint64_t, 2> wave_window;
};

ppu::Device opened(const std::optional<std::string>& backend, const std::string& config,
                   const std::vector<std::string>& overrides, const Watch& watch) {
  std::vector<const char*> texts;
  for (const std::string& text : overrides) texts.push_back(text.c_str());
  ppu_device_def def = ppu_default_device_def();
  if (backend) def.backend = backend->c_str();
  def.config = config.c_str();
  def.overrides = texts.data();
  def.override_count = texts.size();
  if (!watch.trace.empty()) def.trace_path = watch.trace.c_str();
  if (!watch.wave.empty()) def.wave_path = watch.wave.c_str();
  if (!watch.wave_scope.empty()) def.wave_scope = watch.wave_scope.c_str();
  def.wave_first_cycle = watch.wave_window[0];
  def.wave_last_cycle = watch.wave_window[1];
  const py::gil_scoped_release release;
  return ppu::Device(def);
}

/// A device, and the program that it solved with last. Threads take turns.
class Device {
 public:
  Device(const std::optional<std::string>& backend, const std::string& config,
         const std::vector<std::string>& overrides, const std::string& trace,
         const std::string& wave, const std::string& wave_scope,
         const std::array<std::uint64_t, 2>& wave_window)
      : device_(opened(backend, config, overrides, {trace, wave, wave_scope, wave_window})) {}

  void close() {
    const py::gil_scoped_release release;
    const std::unique_lock<std::mutex> turn = take_turn();
    if (!is_open()) return;
    program_.reset();
    device_.close();
  }
  [[nodiscard]] std::string config() {
    return alone([this] { return device_.config(); });
  }
  [[nodiscard]] py::dict info() {
    const ppu_device_info info = alone([this] { return device_.info(); });
    return py::dict("backend"_a = info.backend, "config"_a = info.config,
                    "config_hash"_a = info.config_hash, "timed"_a = info.timed,
                    "body_latency_cycles"_a = info.body_latency_cycles,
                    "initiation_interval_cycles"_a = info.initiation_interval_cycles);
  }
  [[nodiscard]] py::dict counters() {
    return named(alone([this] { return device_.counters(); }), ppu_device_counter_name);
  }

  /// Writes the answer into the arrays `impulse` and `velocity_change` of `answer`.
  py::dict solve_by_method(const py::dict& arrays, bool impulse_form, int method,
                           const std::string& program, const py::dict& options,
                           const py::dict& answer) {
    const ppu_problem problem = problem_of(arrays, impulse_form);
    ppu_method_def def = method_def_of(method, options);
    auto* const impulse = data<double>(answer, "impulse", true);
    auto* const velocity_change = data<double>(answer, "velocity_change", true);
    return to_dict(alone([&] {
      def.solve.program = load(program);
      ppu_method_report report{};
      check(ppu_method_solve(device_.get(), &problem, &def, impulse, velocity_change, &report));
      return report;
    }));
  }

  /// Writes the answer into the arrays `impulse` and `velocity_change` of `answer`.
  py::dict solve(const py::dict& arrays, bool impulse_form, const std::string& program,
                 const py::dict& options, const py::dict& answer) {
    const ppu_problem problem = problem_of(arrays, impulse_form);
    ppu_solve_def def = solve_def_of(options);
    auto* const impulse = data<float>(answer, "impulse", true);
    auto* const velocity_change = data<float>(answer, "velocity_change", true);
    def.profile = data<ppu_row_profile>(answer, "profile", true);
    return to_dict(alone([&] {
      if (def.profile != nullptr && !device_.info().profiles)
        throw Error(PPU_ERROR_INVALID_ARGUMENT,
                    "profile: the back end keeps no cycles of rows; systemc and cosim do");
      def.program = load(program);
      return device_.solve(problem, def, impulse, velocity_change);
    }));
  }

 private:
  [[nodiscard]] bool is_open() const { return device_.get().generation != 0; }

  /// In a forked process a thread of the parent may hold the turn for ever.
  std::unique_lock<std::mutex> take_turn() {
    if (getpid() != process_)
      throw Error(PPU_ERROR_INVALID_HANDLE,
                  "the device is of the process that has forked this one; open a device here");
    return std::unique_lock<std::mutex>(mutex_);
  }

  template <class Call>
  std::invoke_result_t<Call> alone(Call call) {
    const py::gil_scoped_release release;
    const std::unique_lock<std::mutex> turn = take_turn();
    if (!is_open()) throw Error(PPU_ERROR_INVALID_HANDLE, "the device is closed");
    return call();
  }

  /// A file is read again each time: it may have changed.
  ppu_program load(const std::string& name) {
    const bool is_file = name.size() >= 2 && name.substr(name.size() - 2) == ".s";
    if (!program_ || is_file || name != name_) {
      program_.reset();
      program_ = Program::load(device_, name);
      name_ = name;
    }
    return program_->get();
  }

  const pid_t process_ = getpid();
  std::mutex mutex_;
  ppu::Device device_;
  std::optional<Program> program_;
  std::string name_;
};

template <class T>
py::bytes bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

model::RowProblem read(const std::string& path) {
  const py::gil_scoped_release release;
  try {
    return model::read_row_problem(path);
  } catch (const model::RowProblemError& error) {
    throw Error(PPU_ERROR_PROBLEM, error.what());
  } catch (const std::runtime_error& error) {
    throw Error(PPU_ERROR_SYSTEM, error.what());
  }
}

/// The arrays of a row problem file as bytes; empty where the file has none.
py::dict read_problem(const std::string& path) {
  const model::RowProblem problem = read(path);
  return py::dict(
      "body"_a = bytes_of(problem.body), "parent"_a = bytes_of(problem.parent),
      "jacobian"_a = bytes_of(problem.jacobian),
      "inv_mass_jacobian"_a = bytes_of(problem.inv_mass_jacobian),
      "rate_bias"_a = bytes_of(problem.rate_bias),
      "inv_diagonal"_a = bytes_of(problem.inv_diagonal), "lower"_a = bytes_of(problem.lower),
      "upper"_a = bytes_of(problem.upper), "friction"_a = bytes_of(problem.friction),
      "compliance"_a = bytes_of(problem.compliance), "impulse"_a = bytes_of(problem.impulse),
      "velocity_change"_a = bytes_of(problem.velocity_change),
      "inv_mass"_a = bytes_of(problem.inv_mass), "inv_inertia"_a = bytes_of(problem.inv_inertia));
}

ppu_pose pose_of(const double* numbers) {
  ppu_pose pose{};
  std::copy(numbers, numbers + 3, pose.position);
  std::copy(numbers + 3, numbers + 7, pose.rotation);
  return pose;
}

/// `shapes`: (planes, vertices), arrays of which one is None. `pairs`: arrays `number` (p x 2,
/// uint32), `first_pose` and `second_pose` (p x 7, float64). Writes into the arrays of `found`.
void find_distances(const std::vector<py::dict>& shapes, const py::dict& pairs,
                    std::uint32_t threads, const py::dict& found) {
  std::vector<ppu_polyhedron> polyhedra;
  for (const py::dict& shape : shapes) {
    ppu_polyhedron polyhedron{};
    polyhedron.planes = data<const double[4]>(shape, "planes");
    polyhedron.vertices = data<const double[3]>(shape, "vertices");
    const auto count = [&shape](const char* name) {
      return shape[name].is_none() ? 0U : static_cast<std::uint32_t>(py::len(shape[name]));
    };
    polyhedron.plane_count = count("planes");
    polyhedron.vertex_count = count("vertices");
    polyhedra.push_back(polyhedron);
  }
  const auto count = static_cast<std::uint32_t>(py::len(pairs["number"]));
  const auto* const number = data<const std::uint32_t>(pairs, "number");
  const auto* const first = data<const double>(pairs, "first_pose");
  const auto* const second = data<const double>(pairs, "second_pose");
  std::vector<ppu_pair> all(count);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = {number[2 * i], number[2 * i + 1], pose_of(first + 7 * i), pose_of(second + 7 * i)};
  std::vector<ppu_distance> distances(count);
  {
    const py::gil_scoped_release release;
    check(ppu_distances(polyhedra.data(), static_cast<std::uint32_t>(polyhedra.size()), all.data(),
                        count, threads, distances.data()));
  }
  auto* const distance = data<double>(found, "distance", true);
  auto* const first_point = data<double>(found, "first_point", true);
  auto* const second_point = data<double>(found, "second_point", true);
  auto* const proven_error = data<double>(found, "proven_error", true);
  auto* const pivots = data<std::uint32_t>(found, "pivots", true);
  for (std::size_t i = 0; i < count; ++i) {
    distance[i] = distances[i].distance;
    std::copy_n(distances[i].first_point, 3, first_point + 3 * i);
    std::copy_n(distances[i].second_point, 3, second_point + 3 * i);
    proven_error[i] = distances[i].proven_error;
    pivots[i] = distances[i].pivots;
  }
}

std::uint64_t state_hash(const py::dict& answer) {
  return ppu_state_hash(data<const float>(answer, "impulse"), py::len(answer["impulse"]),
                        data<const float>(answer, "velocity_change"),
                        py::len(answer["velocity_change"]));
}

std::vector<std::string> names(const char* (*name)(std::size_t)) {
  std::vector<std::string> all;
  for (std::size_t i = 0; name(i) != nullptr; ++i) all.emplace_back(name(i));
  return all;
}

/// ppu::Error as Python's ppu.Error, of ppu::SolveError with the report.
void add_error(py::module_& core) {
  static const py::object type = py::exception<Error>(core, "Error", PyExc_RuntimeError);
  static const auto raise = [](const Error& error, const py::object& report) {
    const py::object value = type(error.what());
    value.attr("result") = static_cast<int>(error.result);
    value.attr("report") = report;
    PyErr_SetObject(type.ptr(), value.ptr());
  };
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const SolveError& error) {
      raise(error, to_dict(error.report));
    } catch (const Error& error) {
      raise(error, py::none());
    }
  });
}

}  // namespace
}  // namespace ppu::python

PYBIND11_MODULE(_core, core) {
  namespace py = pybind11;
  using py::literals::operator""_a;
  using ppu::python::Device;
  ppu::python::add_error(core);
  core.def("read_problem", ppu::python::read_problem);
  core.def("state_hash", ppu::python::state_hash);
  core.def("distances", ppu::python::find_distances);
  core.attr("VERSION") = ppu_version();
  core.attr("BACKENDS") = ppu::python::names(ppu_backend_name);
  core.attr("PROGRAMS") = ppu::python::names(ppu_program_name);
  core.attr("METHODS") = ppu::python::names(ppu_method_name);
  core.attr("NO_TIMEOUT") = PPU_NO_TIMEOUT;
  core.attr("ORDERS") =
      py::dict("engine"_a = int{PPU_ORDER_ENGINE}, "scheduled"_a = int{PPU_ORDER_SCHEDULED},
               "colour"_a = int{PPU_ORDER_COLOUR});
  core.attr("FRICTION_RULES") =
      py::dict("clamp"_a = int{PPU_FRICTION_CLAMP}, "skip"_a = int{PPU_FRICTION_SKIP});
  core.attr("STARTS") = py::dict("warm"_a = int{PPU_START_WARM}, "cold"_a = int{PPU_START_COLD});
  py::class_<Device>(core, "Device")
      .def(py::init<const std::optional<std::string>&, const std::string&,
                    const std::vector<std::string>&, const std::string&, const std::string&,
                    const std::string&, const std::array<std::uint64_t, 2>&>())
      .def("close", &Device::close)
      .def("config", &Device::config)
      .def("info", &Device::info)
      .def("counters", &Device::counters)
      .def("solve", &Device::solve)
      .def("solve_by_method", &Device::solve_by_method);
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// ppu._core: what the Python package `ppu` needs of the driver. Arrays come as contiguous buffers
// whose types and shapes the package has checked; Python's other threads run during every wait.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "distances.hpp"
#include "model/files/row_problem_file.hpp"
#include "objects.hpp"
#include "ppu/methods.h"
#include "ppu/ppu.hpp"

namespace ppu::python {
namespace {

ppu_problem problem_of(const Object& arrays, bool impulse_form) {
  ppu_problem problem{};
  problem.row_count = static_cast<std::uint32_t>(arrays["parent"].size());
  problem.body_count = static_cast<std::uint32_t>(arrays["velocity_change"].size());
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

ppu_solve_def solve_def_of(const Object& options) {
  ppu_solve_def def = ppu_default_solve_def();
  def.true_residual = true;
  const auto read = [&options](const char* name, auto& value) {
    value = number_of<std::decay_t<decltype(value)>>(options[name]);
  };
  read("sweeps", def.max_sweeps);
  read("threshold", def.threshold);
  read("mark_threshold", def.mark_threshold);
  read("budget_cycles", def.budget_cycles);
  read("relaxation", def.relaxation);
  read("timeout_ns", def.timeout_ns);
  read("stream", def.stream);
  read("early", def.early);
  const auto read_pair = [&options](const char* name, std::uint32_t(&values)[2]) {
    for (std::size_t i = 0; i < 2; ++i) values[i] = number_of<std::uint32_t>(options[name].at(i));
  };
  read_pair("class_rows", def.class_rows);
  read_pair("class_sweeps", def.class_sweeps);
  def.order = static_cast<ppu_order>(number_of<std::uint32_t>(options["order"]));
  def.friction = static_cast<ppu_friction_rule>(number_of<std::uint32_t>(options["friction"]));
  def.start = static_cast<ppu_start>(number_of<std::uint32_t>(options["start"]));
  return def;
}

ppu_method_def method_def_of(std::uint32_t method, const Object& options) {
  ppu_method_def def = ppu_default_method_def(static_cast<ppu_method>(method));
  const auto read = [&options](const char* name, auto& value) {
    if (!options[name].is_none()) value = number_of<std::decay_t<decltype(value)>>(options[name]);
  };
  read("rounds", def.max_rounds);
  read("sweeps", def.solve.max_sweeps);
  read("threshold", def.solve.threshold);
  read("timeout_ns", def.solve.timeout_ns);
  def.solve.order = static_cast<ppu_order>(number_of<std::uint32_t>(options["order"]));
  def.solve.friction =
      static_cast<ppu_friction_rule>(number_of<std::uint32_t>(options["friction"]));
  def.solve.start = static_cast<ppu_start>(number_of<std::uint32_t>(options["start"]));
  return def;
}

/// Counters by name.
template <class Counter, class Values>
Object named(const Values& values, const char* (*name)(Counter)) {
  Dict counters;
  int index = 0;
  for (const std::uint64_t value : values) counters.set(name(static_cast<Counter>(index++)), value);
  return counters;
}

Object to_dict(const ppu_solve_report& report) {
  const Object row = report.fault_row == PPU_NONE ? none() : object(report.fault_row);
  return Dict()
      .set("status", ppu_run_status_string(report.run.status))
      .set("fault_row", row)
      .set("runs", report.runs)
      .set("sweeps", report.sweeps)
      .set("late", report.late)
      .set("max_residual", report.max_residual)
      .set("plan_seconds", report.plan_seconds)
      .set("transfer_seconds", report.transfer_seconds)
      .set("device_seconds", report.device_seconds)
      .set("overlap_seconds", report.overlap_seconds)
      .set("upload_cycles", report.upload_cycles)
      .set("run_cycles", report.run_cycles)
      .set("download_cycles", report.download_cycles)
      .set("device_cycles", report.device_cycles)
      .set("load_cycles", report.load_cycles)
      .set("engine_cycles", report.engine_cycles)
      .set("counters", named(report.run.counters, ppu_counter_name))
      .set("device_counters", named(report.device_counters, ppu_device_counter_name));
}

Object to_dict(const ppu_method_report& report) {
  return Dict()
      .set("reached", report.reached)
      .set("friction_rounds", report.friction_rounds)
      .set("iterations", report.iterations)
      .set("sweeps", report.sweeps)
      .set("factorizations", report.factorizations)
      .set("factor_numbers", report.factor_numbers)
      .set("max_residual", report.max_residual)
      .set("paper_residual", report.paper_residual)
      .set("natural_residual", report.natural_residual)
      .set("relative_residual", report.relative_residual)
      .set("device_calls", report.device_calls)
      .set("device_cycles", report.device_cycles)
      .set("host_seconds", report.host_seconds);
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
  const WithoutPython release;
  return ppu::Device(def);
}

/// A device, and the program that it solved with last. Threads take turns.
class Device {
 public:
  Device(const std::optional<std::string>& backend, const std::string& config,
         const std::vector<std::string>& overrides, const Watch& watch)
      : device_(opened(backend, config, overrides, watch)) {}
  explicit Device(ppu::Device opened) : device_(std::move(opened)) {}

  [[nodiscard]] std::unique_ptr<Device> client(const ppu_client_def& def) {
    return alone([&] { return std::make_unique<Device>(device_.client(def)); });
  }
  void close() {
    const WithoutPython release;
    const std::unique_lock<std::mutex> turn = take_turn();
    if (!is_open()) return;
    program_.reset();
    device_.close();
  }
  [[nodiscard]] std::string config() {
    return alone([this] { return device_.config(); });
  }
  [[nodiscard]] Object info() {
    const ppu_device_info info = alone([this] { return device_.info(); });
    return Dict()
        .set("backend", info.backend)
        .set("config", info.config)
        .set("config_hash", info.config_hash)
        .set("timed", info.timed)
        .set("body_latency_cycles", info.body_latency_cycles)
        .set("initiation_interval_cycles", info.initiation_interval_cycles);
  }
  [[nodiscard]] Object counters() {
    return named(alone([this] { return device_.counters(); }), ppu_device_counter_name);
  }

  /// Writes the answer into the arrays `impulse` and `velocity_change` of `answer`.
  Object solve_by_method(const Object& arrays, bool impulse_form, std::uint32_t method,
                         const std::string& program, const Object& options, const Object& answer) {
    const ppu_problem problem = problem_of(arrays, impulse_form);
    ppu_method_def def = method_def_of(method, options);
    auto* const impulse = data<double>(answer, "impulse");
    auto* const velocity_change = data<double>(answer, "velocity_change");
    return to_dict(alone([&] {
      def.solve.program = load(program);
      ppu_method_report report{};
      check(ppu_method_solve(device_.get(), &problem, &def, impulse, velocity_change, &report));
      return report;
    }));
  }

  /// Writes the answer into the arrays `impulse` and `velocity_change` of `answer`.
  Object solve(const Object& arrays, bool impulse_form, const std::string& program,
               const Object& options, const Object& answer) {
    const ppu_problem problem = problem_of(arrays, impulse_form);
    ppu_solve_def def = solve_def_of(options);
    auto* const impulse = data<float>(answer, "impulse");
    auto* const velocity_change = data<float>(answer, "velocity_change");
    def.profile = data<ppu_row_profile>(answer, "profile");
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
    const WithoutPython release;
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
Object bytes_of(const std::vector<T>& values) {
  return Object(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(values.data()),
                                          static_cast<Py_ssize_t>(values.size() * sizeof(T))));
}

model::RowProblem read(const std::string& path) {
  const WithoutPython release;
  try {
    return model::read_row_problem(path);
  } catch (const model::RowProblemError& error) {
    throw Error(PPU_ERROR_PROBLEM, error.what());
  } catch (const std::runtime_error& error) {
    throw Error(PPU_ERROR_SYSTEM, error.what());
  }
}

/// The arrays of a row problem file as bytes; empty where the file has none.
Object read_problem(const Object& arguments) {
  const model::RowProblem problem = read(text_of(arguments.at(0)));
  return Dict()
      .set("body", bytes_of(problem.body))
      .set("parent", bytes_of(problem.parent))
      .set("jacobian", bytes_of(problem.jacobian))
      .set("inv_mass_jacobian", bytes_of(problem.inv_mass_jacobian))
      .set("rate_bias", bytes_of(problem.rate_bias))
      .set("inv_diagonal", bytes_of(problem.inv_diagonal))
      .set("lower", bytes_of(problem.lower))
      .set("upper", bytes_of(problem.upper))
      .set("friction", bytes_of(problem.friction))
      .set("compliance", bytes_of(problem.compliance))
      .set("impulse", bytes_of(problem.impulse))
      .set("velocity_change", bytes_of(problem.velocity_change))
      .set("inv_mass", bytes_of(problem.inv_mass))
      .set("inv_inertia", bytes_of(problem.inv_inertia));
}

Object state_hash(const Object& arguments) {
  const Object answer = arguments.at(0);
  return object(ppu_state_hash(data<const float>(answer, "impulse"), answer["impulse"].size(),
                               data<const float>(answer, "velocity_change"),
                               answer["velocity_change"].size()));
}

std::vector<std::string> names(const char* (*name)(std::size_t)) {
  std::vector<std::string> all;
  for (std::size_t i = 0; name(i) != nullptr; ++i) all.emplace_back(name(i));
  return all;
}

/// ppu::Error as Python's ppu.Error, of ppu::SolveError with the report.
void raise(const Object& type, const Error& error, const Object& report) {
  const Object value(PyObject_CallFunction(type.get(), "s", error.what()));
  value.set_attribute("result", object(int{error.result}));
  value.set_attribute("report", report);
  PyErr_SetObject(type.get(), value.get());
}

/// The module's functions; `Error` is an attribute of the module, as it is their first argument.
using Function = Object (*)(const Object& arguments);
template <Function function>
PyObject* called(PyObject* core, PyObject* arguments) {
  const auto fail = [core](const Error& error, const auto& report) {
    try {
      raise(Object::borrowed(core).attribute("Error"), error, report());
    } catch (const Raised&) {
    }
  };
  try {
    return function(Object::borrowed(arguments)).release();
  } catch (const Raised&) {
  } catch (const SolveError& error) {
    fail(error, [&error] { return to_dict(error.report); });
  } catch (const Error& error) {
    fail(error, none);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

constexpr const char* kDevice = "ppu.Device";

Device& device_of(const Object& arguments) {
  void* const device = PyCapsule_GetPointer(arguments.at(0).get(), kDevice);
  if (device == nullptr) throw Raised{};
  return *static_cast<Device*>(device);
}

void forget(PyObject* capsule) {
  const auto* const device = static_cast<Device*>(PyCapsule_GetPointer(capsule, kDevice));
  const WithoutPython release;
  delete device;
}

Object capsule_of(std::unique_ptr<Device> device) {
  Object capsule(PyCapsule_New(device.get(), kDevice, forget));
  static_cast<void>(device.release());
  return capsule;
}

/// (backend, config, overrides, trace, wave, wave_scope, wave_window)
Object open(const Object& arguments) {
  std::optional<std::string> backend;
  if (!arguments.at(0).is_none()) backend = text_of(arguments.at(0));
  std::vector<std::string> overrides;
  for (std::size_t i = 0; i < arguments.at(2).size(); ++i)
    overrides.push_back(text_of(arguments.at(2).at(i)));
  const Object window = arguments.at(6);
  const Watch watch{
      text_of(arguments.at(3)),
      text_of(arguments.at(4)),
      text_of(arguments.at(5)),
      {number_of<std::uint64_t>(window.at(0)), number_of<std::uint64_t>(window.at(1))}};
  return capsule_of(std::make_unique<Device>(backend, text_of(arguments.at(1)), overrides, watch));
}

/// (owner, device_bytes, host_bytes, program_words, quota_cycles)
Object client(const Object& arguments) {
  ppu_client_def def = ppu_default_client_def();
  def.device_bytes = number_of<std::size_t>(arguments.at(1));
  def.host_bytes = number_of<std::size_t>(arguments.at(2));
  def.program_words = number_of<std::uint32_t>(arguments.at(3));
  def.quota_cycles = number_of<std::uint32_t>(arguments.at(4));
  return capsule_of(device_of(arguments).client(def));
}

Object close(const Object& arguments) {
  device_of(arguments).close();
  return none();
}
Object config(const Object& arguments) {
  return object(device_of(arguments).config());
}
Object info(const Object& arguments) {
  return device_of(arguments).info();
}
Object counters(const Object& arguments) {
  return device_of(arguments).counters();
}

/// (device, arrays, impulse_form, program, options, answer)
Object solve(const Object& arguments) {
  return device_of(arguments).solve(arguments.at(1), number_of<bool>(arguments.at(2)),
                                    text_of(arguments.at(3)), arguments.at(4), arguments.at(5));
}

/// (device, arrays, impulse_form, method, program, options, answer)
Object solve_by_method(const Object& arguments) {
  return device_of(arguments).solve_by_method(
      arguments.at(1), number_of<bool>(arguments.at(2)), number_of<std::uint32_t>(arguments.at(3)),
      text_of(arguments.at(4)), arguments.at(5), arguments.at(6));
}

template <Function function>
PyMethodDef method(const char* name) {
  return {name, called<function>, METH_VARARGS, nullptr};
}

PyObject* make_core() {
  static PyMethodDef methods[] = {
      method<open>("open"),
      method<client>("client"),
      method<close>("close"),
      method<config>("config"),
      method<info>("info"),
      method<counters>("counters"),
      method<solve>("solve"),
      method<solve_by_method>("solve_by_method"),
      method<read_problem>("read_problem"),
      method<find_distances>("distances"),
      method<state_hash>("state_hash"),
      {},
  };
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, "_core", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};
  Object core(PyModule_Create(&definition));
  core.set_attribute("Error", Object(PyErr_NewException("ppu.Error", PyExc_RuntimeError, nullptr)));
  core.set_attribute("VERSION", object(ppu_version()));
  core.set_attribute("BACKENDS", object(names(ppu_backend_name)));
  core.set_attribute("PROGRAMS", object(names(ppu_program_name)));
  core.set_attribute("METHODS", object(names(ppu_method_name)));
  core.set_attribute("NO_TIMEOUT", object(PPU_NO_TIMEOUT));
  core.set_attribute("ORDERS", Dict()
                                   .set("engine", int{PPU_ORDER_ENGINE})
                                   .set("scheduled", int{PPU_ORDER_SCHEDULED})
                                   .set("colour", int{PPU_ORDER_COLOUR}));
  core.set_attribute(
      "FRICTION_RULES",
      Dict().set("clamp", int{PPU_FRICTION_CLAMP}).set("skip", int{PPU_FRICTION_SKIP}));
  core.set_attribute("STARTS",
                     Dict().set("warm", int{PPU_START_WARM}).set("cold", int{PPU_START_COLD}));
  return core.release();
}

}  // namespace
}  // namespace ppu::python

PyMODINIT_FUNC PyInit__core() {
  try {
    return ppu::python::make_core();
  } catch (const ppu::python::Raised&) {
    return nullptr;
  }
}

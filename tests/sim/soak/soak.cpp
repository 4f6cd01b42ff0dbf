// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A soak: one host process that steps scene after scene, each on a device of its own, of a drawn
// back end, configuration and seed, beside the same scene on Bullet's own solver. Bits have to be
// equal after each frame. Devices are closed, closed in a run, killed and stopped; afterwards the
// process has as many descriptors, threads and children as at the begin, and no more memory.
//   soak [--frames 10000] [--seed 1] [--csv FILE]
#include <malloc.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>

#include "ppu/bullet.h"
#include "sim/scenes/registry.hpp"
#include "tests/driver/support/processes.hpp"

namespace {

namespace fs = std::filesystem;
using ppu::driver::test::children_of;

/// In use for the heap, in KiB, may grow by so much after the first tenth of the frames: what
/// HDF5, locale and allocator keep for themselves.
constexpr std::size_t kGrowthKib = 512;

[[noreturn]] void give_up(const std::string& why) {
  std::cerr << "soak: " << why << "\n";
  std::exit(1);
}

struct Usage {
  std::size_t resident_kib, heap_kib, descriptors, threads, children;
};

std::size_t entries(const char* folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

Usage usage() {
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return {resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024,
          mallinfo2().uordblks / 1024, entries("/proc/self/fd"), entries("/proc/self/task"),
          children_of(getpid()).size()};
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(engine_() % count); }
  template <class T>
  const T& of(const std::vector<T>& values) {
    return values[below(static_cast<std::uint32_t>(values.size()))];
  }

 private:
  std::mt19937_64 engine_;
};

/// What an episode is: a scene for some frames on a device.
struct Episode {
  std::string scene, backend, config;
  std::vector<std::string> overrides;
  std::uint64_t seed;
  std::uint32_t frames, kills_at;  ///< The device is killed before that frame, if there is one.
  int sweeps, signal;
};

bool is_large(const std::string& scene) {
  return scene == "wall32" || scene == "pile";
}

Episode draw(Draw& numbers) {
  Episode made;
  made.scene = numbers.of(ppu::scenes::scene_names());
  if (is_large(made.scene) && numbers.below(4) != 0) made.scene = "ball";
  const std::uint32_t share = numbers.below(40);
  made.backend = share < 20 ? "functional" : share < 37 ? "systemc" : share < 39 ? "cosim" : "rtl";
  // What is simulated bit for bit takes the smallest scene.
  if (share >= 37) made.scene = "ball";
  made.config = numbers.of<std::string>({"default", "small", "wide", "protected"});
  if (share < 37) {
    const auto add = [&](const char* key, const std::vector<std::string>& values) {
      if (numbers.below(2) == 0) made.overrides.push_back(key + ("=" + numbers.of(values)));
    };
    add("engines", {"1", "2", "3"});
    add("pipes", {"1", "2", "4"});
    add("lanes", {"1", "3", "4", "6", "12"});
    add("fp_mul_stages", {"1", "2", "4"});
    add("memory_protection", {"0", "1"});
    add("link_latency_ns", {"1", "100", "900"});
  }
  made.seed = 1 + numbers.below(1000);
  made.frames = share >= 37 ? 3 : is_large(made.scene) ? 2 : 5 + numbers.below(25);
  made.sweeps = static_cast<int>(1 + numbers.below(is_large(made.scene) ? 2 : 10));
  const bool dies = made.backend != "functional" && numbers.below(4) == 0;
  made.kills_at = dies ? numbers.below(made.frames) : made.frames;
  made.signal = numbers.of<int>({SIGKILL, SIGTERM, SIGSEGV, SIGHUP});
  return made;
}

ppu::Device open(const Episode& episode) {
  std::vector<const char*> overrides;
  for (const std::string& one : episode.overrides) overrides.push_back(one.c_str());
  ppu_device_def def = ppu_default_device_def();
  def.backend = episode.backend.c_str();
  def.config = episode.config.c_str();
  def.overrides = overrides.data();
  def.override_count = overrides.size();
  return ppu::Device(def);
}

std::vector<std::uint32_t> bits(ppu::scenes::Scene& scene) {
  std::vector<std::uint32_t> found;
  const auto add = [&found](const btVector3& vector) {
    for (int axis = 0; axis < 3; ++axis) {
      std::uint32_t word = 0;
      const float value = vector[axis];
      std::memcpy(&word, &value, sizeof word);
      found.push_back(word);
    }
  };
  for (const ppu::scenes::SceneBody& each : scene.bodies()) {
    add(each.body->getWorldTransform().getOrigin());
    for (int row = 0; row < 3; ++row) add(each.body->getWorldTransform().getBasis()[row]);
    add(each.body->getLinearVelocity());
    add(each.body->getAngularVelocity());
  }
  return found;
}

/// A run without an end, left alone.
void leave_a_run(const ppu::Device& device) {
  const ppu::Program endless = ppu::Program::assemble(device, "for-ever.s", "loop: j loop\n");
  const ppu::Buffer memory(device, 64);
  ppu_run_def def = ppu_default_run_def();
  def.program = endless.get();
  def.rows = def.impulses = def.velocities = memory.get();
  static_cast<void>(ppu::Fence::submit(device, def));
}

/// Frames that were compared.
std::uint32_t play(const Episode& episode, bool closes_in_run) {
  const ppu::Device device = open(episode);
  auto solver = std::make_unique<ppu::BulletConstraintSolver>(device);
  solver->order(PPU_ORDER_ENGINE);
  solver->on_refusal(ppu::BulletRefusal::kStep);
  const auto here = ppu::scenes::make_scene(episode.scene, episode.seed, std::move(solver));
  const auto there = ppu::scenes::make_scene(
      episode.scene, episode.seed, std::make_unique<btSequentialImpulseConstraintSolver>());
  for (const auto* const scene : {&here, &there})
    (*scene)->world().getSolverInfo().m_numIterations = episode.sweeps;
  std::uint32_t frame = 0;
  for (; frame < episode.frames; ++frame) {
    if (frame == episode.kills_at)
      for (const pid_t process : children_of(getpid(), "ppu-device")) kill(process, episode.signal);
    try {
      here->step();
    } catch (const ppu::Error& error) {
      if (frame < episode.kills_at || error.result != PPU_ERROR_DEVICE_LOST)
        give_up(episode.scene + " on " + episode.backend + ": " + error.what());
      return frame;
    }
    there->step();
    if (bits(*here) != bits(*there))
      give_up(episode.scene + " on " + episode.backend + ", " + episode.config + ", seed " +
              std::to_string(episode.seed) + ": other bits in frame " + std::to_string(frame));
  }
  if (closes_in_run) leave_a_run(device);
  return frame;
}

struct Soak {
  explicit Soak(std::uint64_t seed, const std::string& path) : numbers(seed) {
    if (!path.empty()) csv.open(path);
    csv << "frames,devices,resident_kib,heap_kib,descriptors,threads,children\n";
  }

  void run(std::uint64_t most) {
    while (frames < most) {
      const Episode episode = draw(numbers);
      const std::uint32_t played = play(episode, numbers.below(8) == 0);
      frames += played;
      ++devices;
      lost += played < episode.frames ? 1 : 0;
      ++by_backend[episode.backend];
      ++by_scene[episode.scene];
      note(most);
    }
  }

  void note(std::uint64_t most) {
    const Usage now = usage();
    if (devices == 1) first = now;
    if (now.descriptors != first.descriptors || now.threads != first.threads || now.children != 0)
      give_up(std::to_string(now.descriptors) + " descriptors, " + std::to_string(now.threads) +
              " threads and " + std::to_string(now.children) + " children after " +
              std::to_string(devices) + " devices; after the first one " +
              std::to_string(first.descriptors) + ", " + std::to_string(first.threads) + " and 0");
    if (10 * frames < most) early_kib = std::max(early_kib, now.heap_kib);
    heap_kib = std::max(heap_kib, now.heap_kib);
    resident_kib = std::max(resident_kib, now.resident_kib);
    csv << frames << "," << devices << "," << now.resident_kib << "," << now.heap_kib << ","
        << now.descriptors << "," << now.threads << "," << now.children << "\n";
  }

  /// Status of the program.
  int tell() const {
    std::cout << frames << " frames, " << devices << " devices, " << lost
              << " of them killed; all bits equal; " << first.descriptors << " descriptors and "
              << first.threads << " threads after each; heap in use at most " << heap_kib
              << " KiB, " << early_kib << " KiB in the first tenth; resident at most "
              << resident_kib / 1024 << " MiB\n";
    for (const auto* const counts : {&by_backend, &by_scene})
      for (const auto& [name, count] : *counts) std::cout << "  " << name << ": " << count << "\n";
    const bool grows = heap_kib > early_kib + kGrowthKib;
    if (grows && early_kib > 0) std::cerr << "soak: memory in use has grown\n";
    return grows && early_kib > 0 ? 1 : 0;
  }

  Draw numbers;
  std::ofstream csv;
  std::uint64_t frames = 0, devices = 0, lost = 0;
  std::map<std::string, int> by_backend, by_scene;
  Usage first{};
  std::size_t early_kib = 0, heap_kib = 0, resident_kib = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> options{{"--frames", "10000"}, {"--seed", "1"}, {"--csv", ""}};
  for (int n = 1; n < argc; n += 2) {
    if (options.count(argv[n]) == 0 || n + 1 == argc)
      give_up("--frames, --seed or --csv, each with a value");
    options[argv[n]] = argv[n + 1];
  }
  Soak soak(std::stoull(options["--seed"]), options["--csv"]);
  soak.run(std::stoull(options["--frames"]));
  return soak.tell();
}

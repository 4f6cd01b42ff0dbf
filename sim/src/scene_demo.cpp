// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A scene on the CPU engine and on the PPU side by side.
#include "scene_demo.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "frame_record.hpp"
#include "progress.hpp"
#include "publish.hpp"
#include "report_text.hpp"
#include "scene_run.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

/// Who, and on what.
std::string headline(const SceneRecord& record) {
  const scenes::SceneIdentity& scene = record.identity;
  return scene.name + ": " + scene.description + " " + grouped(record.moving()) +
         " bodies move, seed " + std::to_string(scene.seed) +
         "\nCPU engine: Bullet, one core. PPU: back end " + record.backend + ", config " +
         record.config + " (" + device_in_words(record.device) + ") at " +
         std::to_string(record.device.clock_mhz) + " MHz\n\n";
}

/// The lines of frames appear as they are known, on a standard output that is not the JSON's.
void say(const SceneDemo& demo, const std::string& text) {
  if (!demo.solve.json_to_stdout()) std::cout << text << std::flush;
}

/// Frames up to the next line, or to the first that differs.
void run_block(const SceneDemo& demo, std::uint32_t end, SceneRun& run, SceneRecord& record) {
  const std::size_t first = record.frames.size();
  const Progress progress(demo.scene.name + " on " + demo.solve.backend + ", frames from " +
                          grouped(first) + " of " + grouped(demo.frames));
  while (record.frames.size() < end && !record.difference) {
    record.frames.push_back(run.step(!demo.solve.json.empty()));
    record.difference = run.difference();
  }
}

}  // namespace

ExitCode run_scene_demo(const SceneDemo& demo) {
  check_outputs(demo.solve);
  SceneRun run(demo.scene, demo.solve);
  SceneRecord record = run.start();
  say(demo, headline(record) + record_titles());
  const std::uint32_t every = demo.every != 0 ? demo.every : (demo.frames + 9) / 10;
  for (std::uint32_t end = 1; !record.difference; end = std::min(end + every, demo.frames)) {
    run_block(demo, end, run, record);
    say(demo, record_line(record, record.frames.back()));
    if (record.frames.size() == demo.frames) break;
  }
  publish(json_of(record), record_summary(record), demo.solve);
  return record.difference ? kExitMismatch : kExitOk;
}

}  // namespace ppu::sim

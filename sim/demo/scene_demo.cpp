// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A scene on the CPU engine and on the PPU side by side.
#include "sim/demo/scene_demo.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/publish.hpp"
#include "sim/demo/frame_record.hpp"
#include "sim/demo/scene_replay.hpp"
#include "sim/demo/scene_twins.hpp"
#include "sim/measure/measures.hpp"
#include "sim/replay/glb.hpp"
#include "sim/replay/replay_page.hpp"

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

/// Empty: none.
std::string report_of(const SceneDemo& demo) {
  return demo.report_folder.empty() ? "" : report_file(demo.report_folder);
}

/// The lines of frames appear as they are known, on a standard output that is not the JSON's.
void say(const SceneDemo& demo, const std::string& text) {
  if (!demo.solve.json_to_stdout()) std::cout << text << std::flush;
}

/// The replay of a demo that asks for one.
std::optional<SceneReplay> replay_of(const SceneDemo& demo, const SceneRecord& record) {
  std::optional<SceneReplay> replay;
  if (demo.report_folder.empty() && demo.glb.empty()) return replay;
  replay.emplace(record, demo.solve,
                 demo_command(demo.scene, demo.solve, demo.frames, demo.report_folder));
  return replay;
}

/// The files of the replay, ready to appear.
std::vector<files::FileReplacement> replay_files(const SceneDemo& demo, const std::string& report,
                                                 std::optional<SceneReplay> replay) {
  std::vector<files::FileReplacement> files;
  if (!replay) return files;
  const ReplayReport done = std::move(*replay).finish();
  if (!report.empty()) files.emplace_back(report, replay_page(done));
  if (!demo.glb.empty()) files.emplace_back(demo.glb, glb_of(done));
  return files;
}

/// Frames up to the next line, or to the first that differs.
void run_block(const SceneDemo& demo, std::uint32_t end, SceneTwins& twins, SceneRecord& record,
               std::optional<SceneReplay>& replay) {
  const std::size_t first = record.frames.size();
  const Progress progress(demo.scene.name + " on " + demo.solve.backend + ", frames from " +
                          grouped(first) + " of " + grouped(demo.frames));
  while (record.frames.size() < end && !record.difference) {
    record.frames.push_back(twins.step(!demo.solve.json.empty() || replay));
    record.difference = twins.difference();
    if (!replay) continue;
    replay->take_frame(record.frames.back(), twins.take_rows(),
                       record.difference ? twins.cpu_poses() : std::vector<scenes::Pose>());
  }
}

}  // namespace

ExitCode run_scene_demo(const SceneDemo& demo) {
  check_outputs(demo.solve, {}, {{"--report", report_of(demo)}, {"--glb", demo.glb}});
  SceneTwins twins(demo.scene, demo.solve);
  return run_scene_demo(demo, twins);
}

ExitCode run_scene_demo(const SceneDemo& demo, SceneTwins& twins) {
  const std::string report = report_of(demo);
  SceneRecord record = twins.start();
  std::optional<SceneReplay> replay = replay_of(demo, record);
  if (!report.empty()) twins.keep_rows();
  say(demo, headline(record) + record_titles());
  const std::uint32_t every = demo.every != 0 ? demo.every : (demo.frames + 9) / 10;
  for (std::uint32_t end = 1; !record.difference; end = std::min(end + every, demo.frames)) {
    run_block(demo, end, twins, record, replay);
    say(demo, record_line(record, record.frames.back()));
    if (record.frames.size() == demo.frames) break;
  }
  const std::string where = report.empty() ? "" : "Report: " + report + "\n";
  publish(json_of(record), record_summary(record) + where, demo.solve,
          replay_files(demo, report, std::move(replay)));
  return record.difference ? kExitMismatch : kExitOk;
}

}  // namespace ppu::sim

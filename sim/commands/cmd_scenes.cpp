// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu scenes`: the demo scenes, how large they are, and what happens in them.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "ppu/bullet.h"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/demo/scene_options.hpp"
#include "sim/problem/islands.hpp"
#include "sim/scenes/registry.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

struct ScenesOptions {
  SceneOptions scene;
  Options solve;
  std::uint32_t frames = 300;
};

/// A scene, and its frame with the most rows.
struct SceneSize {
  scenes::SceneIdentity identity;
  std::size_t moving = 0;
  std::uint32_t frame = 0;
  std::size_t rows = 0, joints = 0, contacts = 0, islands = 0;
};

std::size_t rows_of_kind(const BulletRows& rows, BulletRowKind kind) {
  return static_cast<std::size_t>(std::count(rows.kind.begin(), rows.kind.end(), kind));
}

SceneSize measure(const std::string& name, const ScenesOptions& options) {
  const Progress progress("steps " + name);
  SceneSize size;
  std::unique_ptr<scenes::Scene> scene;
  const auto keep_most = [&size, &scene](const BulletRows& rows) {
    if (rows.row_count() <= size.rows) return;
    size.frame = scene->frame();
    size.rows = rows.row_count();
    size.joints = rows_of_kind(rows, BulletRowKind::kJoint);
    size.contacts = rows_of_kind(rows, BulletRowKind::kContact);
    size.islands = find_islands(rows.body, rows.parent, rows.body_count()).count;
  };
  scene =
      scenes::make_scene(name, options.scene.seed, std::make_unique<BulletRowRecorder>(keep_most));
  size.identity = scene->identity();
  size.moving = static_cast<std::size_t>(
      std::count_if(scene->bodies().begin(), scene->bodies().end(),
                    [](const scenes::SceneBody& body) { return body.mass > 0; }));
  while (scene->frame() < options.frames) scene->step();
  return size;
}

Json json_of(const SceneSize& size) {
  return Json{{"scene", size.identity.name},
              {"description", size.identity.description},
              {"params", size.identity.params},
              {"moving_bodies", size.moving},
              {"most_rows", size.rows},
              {"joint_rows", size.joints},
              {"contacts", size.contacts},
              {"islands", size.islands},
              {"frame", size.frame}};
}

void list_scenes(const ScenesOptions& options) {
  check_outputs(options.solve);
  Json json{{"frames", options.frames}, {"seed", options.scene.seed}, {"scenes", Json::array()}};
  Table table({"scene", "bodies", "most rows", "in frame", "joint rows", "contacts", "islands"});
  std::string sentences;
  for (const std::string& name : scenes::scene_names()) {
    const SceneSize size = measure(name, options);
    json["scenes"].push_back(json_of(size));
    table.add({name, grouped(size.moving), grouped(size.rows), grouped(size.frame),
               grouped(size.joints), grouped(size.contacts), grouped(size.islands)});
    sentences += name + ": " + size.identity.description + "\n";
  }
  publish(json,
          table.str() + "\nIn " + grouped(options.frames) + " frames of 1/60 s, seed " +
              std::to_string(options.scene.seed) +
              "; bodies that move; joint rows, contacts and islands of the frame with the most "
              "rows.\n\n" +
              sentences,
          options.solve);
}

}  // namespace

void add_scenes(CLI::App& app, int& /*exit_code*/) {
  auto options = std::make_shared<ScenesOptions>();
  Command command =
      add_command(app, "scenes", "List the demo scenes: what happens, bodies, most rows");
  add_frames_option(command, options->frames);
  add_seed_option(command, options->scene);
  add_json_option(command, options->solve);
  add_examples(command, {"ppu scenes", "ppu scenes --frames 60 --json -"});
  command.callback([options] { list_scenes(*options); });
}

}  // namespace ppu::sim

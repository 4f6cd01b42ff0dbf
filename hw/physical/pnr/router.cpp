// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
//
// Routes nets on a grid: a node is a crossing of tracks on a layer, and belongs to one net at most.
// Nets begin on top of each other; a node that several nets want becomes dearer, until one of them
// is left. Between two vias there is always a wire: a via alone has less metal than a layer wants.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint8_t blocked = 255;   // no net may be here
constexpr std::uint8_t reserved = 254;  // one net may

// How a way came to a node. A way that came by a wire may leave by a via.
enum Came { by_via, by_wire };

struct Node {
  float cost[2] = {0, 0};         // of the way to it, by how it came
  std::uint32_t visit = 0;        // of which search the costs are
  std::uint32_t mark = 0;         // the net that has it, while that net is routed
  std::uint16_t past = 0;         // how often it was wanted by several nets
  std::uint8_t users = 0;         // nets
  std::uint8_t from[2] = {0, 0};  // the step to it, and 8 if the step before was a wire
};

constexpr std::uint8_t begins = 6;  // no step; 0 and 1 are along the track, 2 and 3 up and down
// How much what is still to go counts more than what is gone. Behind these rounds ways are searched
// in a hurry: many meet then, and detours are dear. Later few are left, and look farther around
// from round to round.
constexpr float patient = 1.5F, hurried = 3;
constexpr int first_in_hurry = 3, last_in_hurry = 8;
// So many nodes of a search are looked at before it hurries more, and so many again each time:
// where hundreds of nets want the same place, all other places are cheaper than the next step.
constexpr int patience = 50'000;

struct Place {
  int layer, x, y;
};

// A node that a search has reached and not gone on from: the cheapest one is the greatest.
struct Reached {
  float estimate;  // of the whole way
  std::uint16_t x, y;
  std::uint8_t layer, came;
  bool operator<(const Reached& other) const { return estimate > other.estimate; }
};

// A way from a terminal to what is connected already. The attached node is that of another way,
// unless it is on the first terminal of the net: then it is the last of the own ones.
struct Way {
  std::vector<std::uint32_t> nodes;
  std::uint32_t attached = none;
  bool at_first = false;
};

struct Terminal {
  std::vector<std::uint32_t> nodes;
  bool is_cell = false;  // of a cell, below the first layer; else on it
  int parent = -1;
  Way way;
};

struct Net {
  std::vector<Terminal> terminals;
  std::vector<int> order;  // in which they are connected
  bool is_whole = false;
};

class Router {
 public:
  bool read(std::FILE* file);
  int run(int rounds);
  void write(std::FILE* file) const;

 private:
  std::uint32_t index(const Place& at) const {
    const std::uint32_t base = static_cast<std::uint32_t>(at.layer) * plane_;
    return base + (along_x_[at.layer] ? static_cast<std::uint32_t>(at.y * wide_ + at.x)
                                      : static_cast<std::uint32_t>(at.x * high_ + at.y));
  }
  Place place(std::uint32_t node) const {
    const int layer = static_cast<int>(node / plane_), rest = static_cast<int>(node % plane_);
    return along_x_[layer] ? Place{layer, rest % wide_, rest / wide_}
                           : Place{layer, rest / high_, rest % high_};
  }
  bool may_use(std::uint32_t node, int net) const;
  float price(std::uint32_t node, int layer) const;
  void plan(Net& net) const;
  std::vector<int> in_order() const;
  void mark(const Net& net, int number);
  bool connect(Net& net, int number, int terminal);
  bool search(int net, const Terminal& from, const Terminal& to, int margin, Way& way);
  void trace(std::uint32_t node, Came came, std::vector<std::uint32_t>& found) const;
  std::vector<int> rip(Net& net);
  void take(const Way& way, int step);

  int wide_ = 0, high_ = 0, layers_ = 0;
  int margin_ = 24;  // around the ends of a way, where it is searched first
  int patience_ = patience;
  float eager_ = patient;
  std::uint32_t plane_ = 0, visit_ = 0, mark_ = 0;
  std::vector<int> along_x_;
  std::vector<float> dearer_;  // by layer
  float step_x_ = 1, step_y_ = 1, via_ = 2, present_ = 1.0F, before_ = 0.5F;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint32_t, int> owners_;
  std::vector<Net> nets_;
  std::vector<Reached> open_;  // of a search
};

bool Router::read(std::FILE* file) {
  if (std::fscanf(file, "%d %d %d %f %f %f", &wide_, &high_, &layers_, &step_x_, &step_y_, &via_) !=
      6)
    return false;
  if (wide_ < 1 || high_ < 1 || layers_ < 1 || wide_ > 65535 || high_ > 65535 || layers_ > 255 ||
      static_cast<double>(wide_) * high_ * layers_ > 4e9)
    return false;
  plane_ = static_cast<std::uint32_t>(wide_) * static_cast<std::uint32_t>(high_);
  along_x_.resize(static_cast<std::size_t>(layers_));
  dearer_.resize(along_x_.size());
  for (std::size_t layer = 0; layer < along_x_.size(); ++layer)
    if (std::fscanf(file, "%d %f", &along_x_[layer], &dearer_[layer]) != 2) return false;
  nodes_.resize(static_cast<std::size_t>(plane_) * along_x_.size());
  const auto inside = [this](const Place& at) {
    return at.layer >= 0 && at.layer < layers_ && at.x >= 0 && at.x < wide_ && at.y >= 0 &&
           at.y < high_;
  };
  long count = 0;
  if (std::fscanf(file, "%ld", &count) != 1) return false;
  for (; count > 0; --count) {
    Place at{};
    int owner = 0;
    if (std::fscanf(file, "%d %d %d %d", &at.layer, &at.x, &at.y, &owner) != 4 || !inside(at))
      return false;
    const std::uint32_t node = index(at);
    const auto [known, is_new] = owners_.try_emplace(node, owner);
    if (owner < 0 || (!is_new && known->second != owner)) known->second = -1;
    nodes_[node].users = known->second < 0 ? blocked : reserved;
  }
  for (auto& node : nodes_) node.users = node.users >= reserved ? node.users : std::uint8_t{0};
  if (std::fscanf(file, "%ld", &count) != 1) return false;
  nets_.resize(static_cast<std::size_t>(count));
  for (Net& net : nets_) {
    int terminals = 0;
    if (std::fscanf(file, "%d", &terminals) != 1) return false;
    net.terminals.resize(static_cast<std::size_t>(terminals));
    for (Terminal& terminal : net.terminals) {
      int is_cell = 0, places = 0;
      if (std::fscanf(file, "%d %d", &is_cell, &places) != 2 || places < 1) return false;
      terminal.is_cell = is_cell != 0;
      for (; places > 0; --places) {
        Place at{};
        if (std::fscanf(file, "%d %d %d", &at.layer, &at.x, &at.y) != 3 || !inside(at))
          return false;
        terminal.nodes.push_back(index(at));
      }
    }
    plan(net);
  }
  return true;
}

// The order of the terminals: always the one next that is the closest to those before.
void Router::plan(Net& net) const {
  const int count = static_cast<int>(net.terminals.size());
  if (count < 2) {
    net.is_whole = true;
    return;
  }
  std::vector<Place> at;
  for (const Terminal& terminal : net.terminals) at.push_back(place(terminal.nodes.front()));
  std::vector<float> distance(at.size(), std::numeric_limits<float>::max());
  std::vector<int> left(at.size() - 1);
  for (int number = 1; number < count; ++number)
    left[static_cast<std::size_t>(number - 1)] = number;
  int last = 0;
  while (!left.empty()) {
    std::size_t best = 0;
    for (std::size_t entry = 0; entry < left.size(); ++entry) {
      const auto other = static_cast<std::size_t>(left[entry]);
      const float far = std::abs(at[other].x - at[static_cast<std::size_t>(last)].x) * step_x_ +
                        std::abs(at[other].y - at[static_cast<std::size_t>(last)].y) * step_y_;
      if (far < distance[other]) {
        distance[other] = far;
        net.terminals[other].parent = last;
      }
      if (distance[other] < distance[static_cast<std::size_t>(left[best])]) best = entry;
    }
    last = left[best];
    net.order.push_back(last);
    left[best] = left.back();
    left.pop_back();
  }
}

bool Router::may_use(std::uint32_t node, int net) const {
  const std::uint8_t users = nodes_[node].users;
  return users < reserved || (users == reserved && owners_.at(node) == net);
}

float Router::price(std::uint32_t node, int layer) const {
  const Node& at = nodes_[node];
  const float present = at.users < reserved ? 1 + present_ * at.users : 1;
  return (1 + before_ * at.past) * present * dearer_[static_cast<std::size_t>(layer)];
}

// A way may pass a node twice, where it goes back along its own wire.
void Router::take(const Way& way, int step) {
  std::vector<std::uint32_t> own = way.nodes;
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  for (const std::uint32_t node : own)
    if (nodes_[node].users < reserved)
      nodes_[node].users =
          static_cast<std::uint8_t>(std::clamp(nodes_[node].users + step, 0, reserved - 1));
}

// Marks what the net has, and with the next number what its first terminal offers beside.
void Router::mark(const Net& net, int number) {
  mark_ += 2;
  for (const std::uint32_t node : net.terminals.front().nodes)
    if (may_use(node, number)) nodes_[node].mark = mark_ + 1;
  for (const Terminal& terminal : net.terminals)
    for (const std::uint32_t node : terminal.way.nodes) nodes_[node].mark = mark_;
}

bool Router::search(int net, const Terminal& from, const Terminal& to, int margin, Way& way) {
  open_.clear();
  const Place goal = place(to.nodes.front()), begin = place(from.nodes.front());
  const int left = std::max(std::min(goal.x, begin.x) - margin, 0);
  const int right = std::min(std::max(goal.x, begin.x) + margin, wide_ - 1);
  const int bottom = std::max(std::min(goal.y, begin.y) - margin, 0);
  const int top = std::min(std::max(goal.y, begin.y) + margin, high_ - 1);
  float eager = eager_;
  const auto remaining = [&](const Place& at) {
    return eager * (std::abs(at.x - goal.x) * step_x_ + std::abs(at.y - goal.y) * step_y_);
  };
  ++visit_;
  const auto reach = [&](std::uint32_t node, const Place& at, Came came, float cost, int step) {
    Node& to_node = nodes_[node];
    if (to_node.visit != visit_) {
      to_node.visit = visit_;
      to_node.cost[by_via] = to_node.cost[by_wire] = std::numeric_limits<float>::max();
    }
    if (to_node.cost[came] <= cost) return;
    to_node.cost[came] = cost;
    to_node.from[came] = static_cast<std::uint8_t>(step);
    open_.push_back({cost + remaining(at), static_cast<std::uint16_t>(at.x),
                     static_cast<std::uint16_t>(at.y), static_cast<std::uint8_t>(at.layer), came});
    std::push_heap(open_.begin(), open_.end());
  };
  for (const std::uint32_t node : from.nodes)
    if (may_use(node, net))
      reach(node, place(node), by_via,
            nodes_[node].mark == mark_ ? 0 : via_ * price(node, place(node).layer), begins);
  for (int looked = 1; !open_.empty(); ++looked) {
    if (looked % patience_ == 0) {
      eager *= 2;
      for (Reached& one : open_) {
        const Place at{one.layer, one.x, one.y};
        one.estimate = nodes_[index(at)].cost[one.came] + remaining(at);
      }
      std::make_heap(open_.begin(), open_.end());
    }
    std::pop_heap(open_.begin(), open_.end());
    const Reached best = open_.back();
    open_.pop_back();
    const auto came = static_cast<Came>(best.came);
    const Place at{best.layer, best.x, best.y};
    const std::uint32_t node = index(at);
    const float cost = nodes_[node].cost[came];
    if (best.estimate > cost + remaining(at) + 0.01F) continue;
    if (nodes_[node].mark == mark_ || (nodes_[node].mark == mark_ + 1 && came == by_wire)) {
      way.attached = node;
      trace(node, came, way.nodes);
      return true;
    }
    for (int step = came == by_wire ? 3 : 1; step >= 0; --step) {
      Place next = at;
      if (step < 2)
        (along_x_[at.layer] ? next.x : next.y) += step == 0 ? 1 : -1;
      else
        next.layer += step == 2 ? 1 : -1;
      if (next.layer < 0 || next.layer >= layers_ || next.x < left || next.x > right ||
          next.y < bottom || next.y > top)
        continue;
      const std::uint32_t other = index(next);
      if (!may_use(other, net)) continue;
      const float length = step > 1 ? via_ : along_x_[at.layer] ? step_x_ : step_y_;
      reach(other, next, step > 1 ? by_via : by_wire,
            cost + (nodes_[other].mark == mark_ ? length : length * price(other, next.layer)),
            step + (came == by_wire ? 8 : 0));
    }
  }
  return false;
}

// The nodes from the terminal to the one before this.
void Router::trace(std::uint32_t node, Came came, std::vector<std::uint32_t>& found) const {
  for (int step = nodes_[node].from[came]; (step & 7) != begins; step = nodes_[node].from[came]) {
    Place before = place(node);
    if ((step & 7) < 2)
      (along_x_[before.layer] ? before.x : before.y) += (step & 7) == 0 ? -1 : 1;
    else
      before.layer += (step & 7) == 2 ? -1 : 1;
    node = index(before);
    came = (step & 8) != 0 ? by_wire : by_via;
    found.push_back(node);
  }
  std::reverse(found.begin(), found.end());
}

bool Router::connect(Net& net, int number, int terminal) {
  Terminal& from = net.terminals[static_cast<std::size_t>(terminal)];
  const Terminal& to = net.terminals[static_cast<std::size_t>(from.parent)];
  for (const int margin : {margin_, 5 * margin_, std::max(wide_, high_)}) {
    Way way;
    if (!search(number, from, to, margin, way)) continue;
    if (nodes_[way.attached].mark == mark_ + 1) {
      way.at_first = true;
      way.nodes.push_back(way.attached);
      way.attached = none;
    }
    from.way = std::move(way);
    take(from.way, 1);
    for (const std::uint32_t node : from.way.nodes) nodes_[node].mark = mark_;
    return true;
  }
  return false;
}

// Takes away the ways that meet others, and those that are attached to them; returns whose they
// were.
std::vector<int> Router::rip(Net& net) {
  std::vector<char> gone(net.terminals.size(), 0);
  std::unordered_map<std::uint32_t, int> owner;
  bool some = false;
  for (const int number : net.order) {
    const Way& way = net.terminals[static_cast<std::size_t>(number)].way;
    const bool met = std::any_of(way.nodes.begin(), way.nodes.end(), [this](std::uint32_t node) {
      return nodes_[node].users > 1 && nodes_[node].users < reserved;
    });
    gone[static_cast<std::size_t>(number)] = met || (way.nodes.empty() && way.attached == none);
    some = some || gone[static_cast<std::size_t>(number)];
  }
  if (!some) return {};
  for (const int number : net.order)
    for (const std::uint32_t node : net.terminals[static_cast<std::size_t>(number)].way.nodes)
      owner[node] = number;
  for (bool more = true; more;) {
    more = false;
    for (const int number : net.order) {
      const Way& way = net.terminals[static_cast<std::size_t>(number)].way;
      const auto found = way.attached == none ? owner.end() : owner.find(way.attached);
      if (!gone[static_cast<std::size_t>(number)] && found != owner.end() &&
          gone[static_cast<std::size_t>(found->second)])
        gone[static_cast<std::size_t>(number)] = more = true;
    }
  }
  std::vector<int> found;
  for (const int number : net.order)
    if (gone[static_cast<std::size_t>(number)]) {
      take(net.terminals[static_cast<std::size_t>(number)].way, -1);
      net.terminals[static_cast<std::size_t>(number)].way = Way();
      found.push_back(number);
    }
  return found;
}

// The order in which nets are routed: from tile to tile, so that neighbours in memory follow each
// other; those with many ends come last.
std::vector<int> Router::in_order() const {
  constexpr int tile = 128;
  constexpr std::size_t many = 30;
  std::vector<std::tuple<bool, int, int>> tiles;
  std::vector<int> order;
  for (const Net& net : nets_) {
    const Place at = place(net.terminals.front().nodes.front());
    const int row = at.y / tile, column = at.x / tile;
    tiles.emplace_back(net.terminals.size() > many, row, row % 2 != 0 ? -column : column);
    order.push_back(static_cast<int>(order.size()));
  }
  std::stable_sort(order.begin(), order.end(), [&tiles](int one, int other) {
    return tiles[static_cast<std::size_t>(one)] < tiles[static_cast<std::size_t>(other)];
  });
  return order;
}

int Router::run(int rounds) {
  const std::vector<int> order = in_order();
  int open = 0;
  for (int round = 1; round <= rounds; ++round) {
    long routed = 0, met = 0;
    open = 0;
    for (const int number : order) {
      Net& net = nets_[static_cast<std::size_t>(number)];
      const std::vector<int> again = rip(net);
      if (again.empty()) continue;
      mark(net, number);
      net.is_whole = true;
      for (const int terminal : again)
        net.is_whole = connect(net, number, terminal) && net.is_whole;
      routed += static_cast<long>(again.size());
      open += !net.is_whole;
    }
    for (Node& node : nodes_)
      if (node.users > 1 && node.users < reserved) {
        ++met;
        node.past = static_cast<std::uint16_t>(std::min(node.past + 1, 60000));
      }
    std::printf("round %d: %ld ways, %ld nodes of several nets, %d nets not whole, %.0f s\n", round,
                routed, met, open, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    std::fflush(stdout);
    if (met == 0) return open;
    if (round >= last_in_hurry) {
      margin_ = std::min(margin_ + margin_ / 4, std::max(wide_, high_));
      patience_ = std::min(2 * patience_, 1 << 28);
    }
    eager_ = round >= first_in_hurry && round <= last_in_hurry ? hurried : patient;
    present_ = std::min(present_ * 1.7F, 100.0F);
    before_ = std::min(before_ * 1.06F, 16.0F);
  }
  return -1;
}

// A line a way: the number of the net, 1 for each end on a cell's pin, and its corners.
void Router::write(std::FILE* file) const {
  for (std::size_t number = 0; number < nets_.size(); ++number)
    for (const Terminal& terminal : nets_[number].terminals) {
      std::vector<std::uint32_t> nodes = terminal.way.nodes;
      if (terminal.way.attached != none) nodes.push_back(terminal.way.attached);
      if (nodes.empty()) continue;
      std::fprintf(file, "%zu %d %d", number, terminal.is_cell ? 1 : 0,
                   terminal.way.at_first && nets_[number].terminals.front().is_cell ? 1 : 0);
      for (std::size_t entry = 0; entry < nodes.size(); ++entry) {
        const Place at = place(nodes[entry]);
        if (entry > 0 && entry + 1 < nodes.size()) {
          const Place before = place(nodes[entry - 1]), after = place(nodes[entry + 1]);
          if (at.layer == before.layer && at.layer == after.layer &&
              at.x - before.x == after.x - at.x && at.y - before.y == after.y - at.y)
            continue;
        }
        std::fprintf(file, " %d %d %d", at.layer, at.x, at.y);
      }
      std::fputc('\n', file);
    }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: router GRID WAYS\n");
    return 2;
  }
  Router router;
  std::FILE* grid = std::fopen(arguments[1], "r");
  if (grid == nullptr || !router.read(grid)) {
    std::fprintf(stderr, "%s: not a grid with nets\n", arguments[1]);
    return 1;
  }
  std::fclose(grid);
  const int open = router.run(400);
  if (open != 0) {
    std::fprintf(
        stderr,
        open < 0 ? "nets meet after the last round\n" : "%d nets have an end without a way\n",
        open);
    return 1;
  }
  std::FILE* ways = std::fopen(arguments[2], "w");
  if (ways == nullptr) return 1;
  router.write(ways);
  return std::fclose(ways) == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
//
// Moves the LUTs and registers of a placed FPGA design to where wires are left: simulated annealing
// from the places that they have. A move costs wire length, by half the perimeter of the box around
// each net, and routing demand of regions, by RUDY: a net spreads its length evenly over its box
// (P. Spindler and F. M. Johannes, DATE 2007).
//
// usage: spread DESIGN PLACES MOVES
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <istream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int none = -1;
constexpr int luts = 8;  // of a tile, each with a register behind it; two of them are a slice
constexpr int bin = 4;   // tiles along a side of a region
constexpr float pin_demand = 0.35F;     // wires to an end of a net, in its own tile
constexpr float free_demand = 1.1F;     // of a region, in mean demands, that costs nothing
constexpr double demand_weight = 0.06;  // of the square of the demand beyond
constexpr double first_temperature = 2, last_temperature = 0.02;  // in wire lengths
constexpr double first_radius = 30, last_radius = 3;  // how far a cell goes at most, in tiles
constexpr double most_relief = 40;  // of demand by a move, in wire lengths: more is not looked for
constexpr double long_wire = 80;    // a wire so long costs twice its length: it is slow

// A pair is a LUT and the register that takes its value, side by side.
enum Kind { fixed, lone_lut, lone_register, pair_lut, pair_register };

struct Cell {
  int kind = fixed;
  bool is_lut = false, is_register = false;
  int x = 0, y = 0, number = 0;         // of its tile, and in the tile
  int partner = none;                   // the other one of a pair
  int in_tile = none, in_slice = none;  // of a register: what all of its tile, of its slice, share
};

struct Box {
  int x0, x1, y0, y1;
  bool operator==(const Box& other) const {
    return x0 == other.x0 && x1 == other.x1 && y0 == other.y0 && y1 == other.y1;
  }
};

struct Net {
  std::vector<int> cells;
  Box box{};
  // The tree of many ends is longer than half the perimeter of their box, by the root of their
  // number.
  float factor() const {
    return std::max(1.0F, 0.4F * std::sqrt(static_cast<float>(cells.size())));
  }
  double cost() const {
    const double length = (box.x1 - box.x0) + (box.y1 - box.y0);
    return factor() * length * (1 + length / long_wire);
  }
};

// How many wires each region of bin x bin tiles wants.
class Demand {
 public:
  Demand(int width, int height)
      : across_((width + bin - 1) / bin),
        wires_(across_ * ((height + bin - 1) / bin)),
        tiles_(wires_.size()),
        noted_(wires_.size()) {}

  int region(int x, int y) const { return y / bin * across_ + x / bin; }
  void add_tile(int x, int y) { tiles_[region(x, y)] += 1; }
  void add_pins(int x, int y, float count) { wires_[region(x, y)] += pin_demand * count; }

  void add(const Net& net, const Box& box, float sign) {
    const auto width = static_cast<float>(box.x1 - box.x0 + 1);
    const auto height = static_cast<float>(box.y1 - box.y0 + 1);
    const float each = sign * net.factor() * (width + height - 1) / (width * height);
    for (int y = box.y0 / bin; y <= box.y1 / bin; ++y) {
      const int rows = std::min(box.y1, y * bin + bin - 1) - std::max(box.y0, y * bin) + 1;
      for (int x = box.x0 / bin; x <= box.x1 / bin; ++x) {
        const int columns = std::min(box.x1, x * bin + bin - 1) - std::max(box.x0, x * bin) + 1;
        wires_[y * across_ + x] += each * static_cast<float>(rows * columns);
      }
    }
  }

  // To be called once, when all is added. Regions at the border, and those with few tiles of logic,
  // count as if most of their tiles were: wires go through the others as well.
  void settle() {
    float all = 0, tiles = 0;
    for (std::size_t i = 0; i < wires_.size(); ++i) {
      if (tiles_[i] > 0) {
        tiles_[i] = std::max(tiles_[i], 0.6F * bin * bin);
        all += wires_[i];
        tiles += tiles_[i];
      }
    }
    free_ = free_demand * all / tiles;
  }

  double cost(int region) const {
    if (tiles_[region] == 0) return 0;
    const double beyond = wires_[region] / tiles_[region] - free_;
    return beyond > 0 ? demand_weight * beyond * beyond * tiles_[region] : 0;
  }

  float greatest() const {
    float found = 0;
    for (std::size_t i = 0; i < wires_.size(); ++i) {
      if (tiles_[i] > 0) found = std::max(found, wires_[i] / tiles_[i]);
    }
    return found;
  }

  // The regions that a change may alter.
  void forget() { ++change_, changed_.clear(); }
  void note(int region) {
    if (noted_[region] == change_) return;
    noted_[region] = change_;
    changed_.push_back(region);
  }
  void note(const Box& box) {
    for (int y = box.y0 / bin; y <= box.y1 / bin; ++y) {
      for (int x = box.x0 / bin; x <= box.x1 / bin; ++x) note(y * across_ + x);
    }
  }
  double noted_cost() const {
    double sum = 0;
    for (int region : changed_) sum += cost(region);
    return sum;
  }

 private:
  int across_;
  float free_ = 0;
  std::vector<float> wires_, tiles_;
  std::vector<int> noted_, changed_;
  int change_ = 0;
};

class Design {
 public:
  explicit Design(std::istream& in) {
    in >> width_ >> height_;
    if (!in || width_ <= 0 || height_ <= 0) throw std::runtime_error("there is no design");
    tile_.resize(width_ * height_);
    closed_.resize(width_ * height_ * luts / 2);
    lut_at_.assign(width_ * height_ * luts, none);
    register_at_ = lut_at_;
    for (int i = number(in); i > 0; --i) tile_[tile(in)] = true;
    for (int i = number(in); i > 0; --i) {
      const int where = tile(in) * luts / 2;
      closed_[where + below(in, luts / 2)] = true;
    }
    cells_.resize(number(in));
    nets_of_.resize(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) read_cell(in, static_cast<int>(i));
    nets_.resize(number(in));
    for (Net& net : nets_) {
      net.cells.resize(number(in));
      for (int& cell : net.cells) {
        cell = below(in, static_cast<int>(cells_.size()));
        nets_of_[cell].push_back(static_cast<int>(&net - nets_.data()));
      }
    }
    if (movable_.empty()) throw std::runtime_error("no cell of the design may move");
  }

  void anneal(long moves) {
    Demand demand = wanted();
    std::mt19937_64 random(1);
    mark_.assign(nets_.size(), 0);
    on_edge_.assign(nets_.size(), false);
    std::printf("wires %.0f, greatest demand %.1f\n", length(), demand.greatest());
    long taken = 0;
    for (long move = 0; move < moves; ++move) {
      const double gone = static_cast<double>(move) / static_cast<double>(moves);
      if (move % interval == 0) {
        temperature_ = first_temperature * std::pow(last_temperature / first_temperature, gone);
        radius_ = static_cast<int>(first_radius * std::pow(last_radius / first_radius, gone));
      }
      if (propose(random)) taken += decide(demand, random);
      if ((move + 1) % (moves / 10) == 0) {
        std::printf("%ld moves, %ld taken: wires %.0f, greatest demand %.1f\n", move + 1, taken,
                    length(), demand.greatest());
        std::fflush(stdout);
      }
    }
  }

  void write(std::ostream& out) const {
    for (const Cell& cell : cells_) out << cell.x << ' ' << cell.y << ' ' << cell.number << '\n';
  }

 private:
  static constexpr long interval = 1 << 16;  // moves at one temperature

  static int number(std::istream& in) {
    int found = 0;
    if (!(in >> found)) throw std::runtime_error("the design ends too early");
    return found;
  }

  static int below(std::istream& in, int limit) {
    const int found = number(in);
    if (found < 0 || found >= limit)
      throw std::runtime_error("the design has no such place or cell");
    return found;
  }

  int tile(std::istream& in) const {
    const int x = below(in, width_);
    return below(in, height_) * width_ + x;
  }

  void read_cell(std::istream& in, int index) {
    Cell& cell = cells_[index];
    const int type = number(in);
    cell.is_lut = type == 1;
    cell.is_register = type == 2;
    cell.kind = number(in);
    cell.x = below(in, width_);
    cell.y = below(in, height_);
    cell.number = below(in, luts);
    cell.partner = number(in);
    cell.in_tile = number(in);
    cell.in_slice = number(in);
    if (cell.is_lut) lut_at_[site(cell)] = index;
    if (cell.is_register) register_at_[site(cell)] = index;
    if (cell.kind == lone_lut || cell.kind == lone_register || cell.kind == pair_lut)
      movable_.push_back(index);
  }

  struct Step {
    int cell, from, to;  // sites
  };

  int site(const Cell& cell) const { return (cell.y * width_ + cell.x) * luts + cell.number; }

  void put(int cell, int where) {
    Cell& moved = cells_[cell];
    moved.number = where % luts;
    moved.x = where / luts % width_;
    moved.y = where / luts / width_;
  }

  static Box around(const Box& box, const Cell& cell) {
    return {std::min(box.x0, cell.x), std::max(box.x1, cell.x), std::min(box.y0, cell.y),
            std::max(box.y1, cell.y)};
  }

  // Whether a box may become smaller without the cell.
  static bool on_edge(const Cell& cell, const Box& box) {
    return cell.x == box.x0 || cell.x == box.x1 || cell.y == box.y0 || cell.y == box.y1;
  }

  Box box(const Net& net) const {
    Box found{width_, none, height_, none};
    for (int index : net.cells) found = around(found, cells_[index]);
    return found;
  }

  double length() const {
    double sum = 0;
    for (const Net& net : nets_) {
      const Box at = box(net);
      sum += (at.x1 - at.x0) + (at.y1 - at.y0);
    }
    return sum;
  }

  Demand wanted() {
    Demand demand(width_, height_);
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        if (tile_[y * width_ + x]) demand.add_tile(x, y);
      }
    }
    for (Net& net : nets_) {
      net.box = box(net);
      demand.add(net, net.box, 1);
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      demand.add_pins(cells_[i].x, cells_[i].y, static_cast<float>(nets_of_[i].size()));
    }
    demand.settle();
    return demand;
  }

  // Whether the register of a cell may come to a site that has none: what its tile and its slice
  // share is what it has.
  bool may_enter(const Cell& cell, int where) const {
    const int beside = register_at_[where ^ 1];
    if (beside != none && beside != cell.partner && &cells_[beside] != &cell &&
        cells_[beside].in_slice != cell.in_slice)
      return false;
    for (int i = where / luts * luts, end = i + luts; i < end; ++i) {
      if (register_at_[i] != none) return cells_[register_at_[i]].in_tile == cell.in_tile;
    }
    return true;
  }

  bool same_control(const Cell& one, const Cell& other) const {
    return one.in_tile == other.in_tile && one.in_slice == other.in_slice;
  }

  // The cells that a cell changes places with at a site, as steps; none where it may not go there.
  bool exchange(int index, int from, int to) {
    const Cell& cell = cells_[index];
    const int lut = lut_at_[to], kept = register_at_[to];
    const bool lut_is_lone = lut == none || cells_[lut].kind == lone_lut;
    const bool register_is_lone = kept == none || cells_[kept].kind == lone_register;
    const bool register_may = kept == none ? may_enter(cell, to) : same_control(cells_[kept], cell);
    const auto back = [&](int other) {
      if (other != none) steps_.push_back({other, to, from});
    };
    steps_.clear();
    if (closed_[to / 2] ||
        (!lut_is_lone && (cell.kind != pair_lut || cells_[lut].kind != pair_lut)))
      return false;
    if (cell.kind == lone_lut) {
      if (lut == none && !register_is_lone) return false;
      back(lut);
    } else {
      if (!register_may) return false;
      if (cell.kind == lone_register && !register_is_lone) return false;
      if (cell.kind == pair_lut) {
        if (lut_is_lone && !register_is_lone) return false;
        back(lut);
        steps_.push_back({cell.partner, from, to});
      }
      back(kept);
    }
    steps_.push_back({index, from, to});
    return true;
  }

  // Chooses a cell, and a tile around it; the first site there that it may have.
  bool propose(std::mt19937_64& random) {
    const auto any = [&](int limit) { return static_cast<int>((random() >> 33) % limit); };
    const int index = movable_[any(static_cast<int>(movable_.size()))];
    const int x = cells_[index].x + any(2 * radius_ + 1) - radius_;
    const int y = cells_[index].y + any(2 * radius_ + 1) - radius_;
    if (x < 0 || y < 0 || x >= width_ || y >= height_ || !tile_[y * width_ + x]) return false;
    const int first = any(luts), from = site(cells_[index]);
    for (int i = 0; i < luts; ++i) {
      const int to = (y * width_ + x) * luts + (first + i) % luts;
      if (to != from && exchange(index, from, to)) return true;
    }
    return false;
  }

  // Takes the steps, or leaves all as it was. What is dearer is taken with the chance of the
  // temperature.
  bool decide(Demand& demand, std::mt19937_64& random) {
    touched_.clear();
    boxes_.clear();
    ++change_;
    for (const Step& step : steps_) {
      const Cell& cell = cells_[step.cell];
      for (int net : nets_of_[step.cell]) {
        if (mark_[net] != change_) {
          mark_[net] = change_;
          on_edge_[net] = false;
          touched_.push_back(net);
          boxes_.push_back(nets_[net].box);
        }
        on_edge_[net] = on_edge_[net] || on_edge(cell, nets_[net].box);
      }
    }
    double dearer = 0;
    for (int net : touched_) dearer -= nets_[net].cost();
    for (const Step& step : steps_) put(step.cell, step.to);
    for (const Step& step : steps_) {
      for (int net : nets_of_[step.cell])
        nets_[net].box = around(nets_[net].box, cells_[step.cell]);
    }
    for (int net : touched_) {
      if (on_edge_[net]) nets_[net].box = box(nets_[net]);
      dearer += nets_[net].cost();
    }
    bool taken = dearer < 12 * temperature_ + most_relief;
    if (taken) {
      demand.forget();
      for (std::size_t i = 0; i < touched_.size(); ++i) {
        if (boxes_[i] == nets_[touched_[i]].box) continue;
        demand.note(boxes_[i]);
        demand.note(nets_[touched_[i]].box);
      }
      for (const Step& step : steps_)
        demand.note(region(demand, step.from)), demand.note(region(demand, step.to));
      dearer -= demand.noted_cost();
      apply(demand, 1);
      dearer += demand.noted_cost();
      const double chance = static_cast<double>(random() >> 11) * 0x1p-53;
      taken = dearer <= 0 || chance < std::exp(-dearer / temperature_);
      if (!taken) apply(demand, -1);
    }
    if (taken) {
      for (const Step& step : steps_) {
        int& held = holder(step.cell, step.from);
        if (held == step.cell) held = none;
      }
      for (const Step& step : steps_) holder(step.cell, step.to) = step.cell;
    } else {
      for (std::size_t i = 0; i < touched_.size(); ++i) nets_[touched_[i]].box = boxes_[i];
      for (const Step& step : steps_) put(step.cell, step.from);
    }
    return taken;
  }

  int region(const Demand& demand, int where) const {
    return demand.region(where / luts % width_, where / luts / width_);
  }

  int& holder(int cell, int where) {
    return cells_[cell].is_lut ? lut_at_[where] : register_at_[where];
  }

  void apply(Demand& demand, float sign) {
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const Net& net = nets_[touched_[i]];
      if (boxes_[i] == net.box) continue;
      demand.add(net, boxes_[i], -sign);
      demand.add(net, net.box, sign);
    }
    for (const Step& step : steps_) {
      const auto pins = sign * static_cast<float>(nets_of_[step.cell].size());
      demand.add_pins(step.to / luts % width_, step.to / luts / width_, pins);
      demand.add_pins(step.from / luts % width_, step.from / luts / width_, -pins);
    }
  }

  int width_ = 0, height_ = 0, radius_ = 0;
  double temperature_ = first_temperature;
  std::vector<bool> tile_, closed_;        // a tile of logic; a slice that carries or remembers
  std::vector<int> lut_at_, register_at_;  // by site
  std::vector<Cell> cells_;
  std::vector<Net> nets_;
  std::vector<std::vector<int>> nets_of_;
  std::vector<int> movable_, mark_, touched_;  // touched: nets of the steps
  std::vector<char> on_edge_;  // by net: a cell that moves was on the edge of its box
  std::vector<Box> boxes_;     // of these, before the steps
  std::vector<Step> steps_;
  int change_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return std::fputs("usage: spread DESIGN PLACES MOVES\n", stderr), 2;
  try {
    std::ifstream in(arguments[1]);
    if (!in) throw std::runtime_error(std::string("could not read ") + arguments[1]);
    Design design(in);
    design.anneal(std::max(10L, std::atol(arguments[3])));
    std::ofstream out(arguments[2]);
    design.write(out);
    if (!out.flush()) throw std::runtime_error(std::string("could not write ") + arguments[2]);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "spread: %s\n", error.what()), 1;
  }
  return 0;
}

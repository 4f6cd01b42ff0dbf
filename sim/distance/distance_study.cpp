// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Checks and measures distances.
#include "sim/distance/distance_study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "sim/peers/peer_process.hpp"

namespace ppu::sim {
namespace {

namespace distance = model::distance;
using Clock = std::chrono::steady_clock;
using State = distance::LemkeTableau::State;

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// What two readings of the clock cost, in microseconds.
double clock_cost() {
  constexpr int kReadings = 10000;
  const Clock::time_point start = Clock::now();
  Clock::time_point last = start;
  for (int i = 0; i < kReadings; ++i) last = Clock::now();
  return microseconds(last - start) / kReadings;
}

StepTime step_time(std::vector<double>& samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const std::size_t cut = samples.size() / 20;
  StepTime time{samples[cut], 0, samples[samples.size() - 1 - cut]};
  for (std::size_t i = cut; i < samples.size() - cut; ++i) time.mean += samples[i];
  time.mean /= static_cast<double>(samples.size() - 2 * cut);
  return time;
}

/// The best of a few runs: other work on the machine only takes away.
double queries_per_second(const PairList& list, std::size_t threads) {
  constexpr int kRuns = 5;
  double best = 0;
  for (int i = 0; i < kRuns; ++i) {
    const Clock::time_point start = Clock::now();
    distance::solve_all(list.shapes, list.pairs, threads);
    const double seconds = microseconds(Clock::now() - start) / 1e6;
    best = std::max(best, static_cast<double>(list.pairs.size()) / seconds);
  }
  return best;
}

PeerDistances compare_with(const std::string& peer, const PairList& list,
                           const std::vector<double>& numbers, const DistanceCheck& check) {
  PeerDistances found;
  found.peer = peer;
  found.distance = ask_peer("gjk-" + peer, numbers);
  found.seconds = found.distance.back();
  found.distance.pop_back();
  for (std::size_t i = 0; i < list.pairs.size(); ++i) {
    const double difference = std::fabs(found.distance.at(i) - check.results[i].distance);
    found.largest = std::max(found.largest, difference);
    if (!(difference <= kDistanceTolerance)) ++found.beyond;
  }
  return found;
}

}  // namespace

const std::vector<std::string>& distance_peers() {
  static const std::vector<std::string> peers{"bullet", "fcl"};
  return peers;
}

DistanceCheck check_distances(const PairList& list, const std::vector<std::string>& peers,
                              std::size_t threads) {
  DistanceCheck check;
  check.results = distance::solve_all(list.shapes, list.pairs, threads);
  for (std::size_t i = 0; i < list.pairs.size(); ++i) {
    const distance::Pair& pair = list.pairs[i];
    const distance::DistanceResult& result = check.results[i];
    if (result.state != State::kSolved) ++check.unsolved;
    check.error.push_back(
        distance::proven_error(list.shapes[pair.first], list.shapes[pair.second], pair, result));
    check.largest_error = std::max(check.largest_error, check.error.back());
    check.mean_pivots += result.pivots;
    check.most_pivots = std::max(check.most_pivots, result.pivots);
  }
  check.mean_pivots /= static_cast<double>(list.pairs.size());
  const std::vector<double> numbers = peers.empty() ? std::vector<double>{} : to_numbers(list);
  for (const std::string& peer : peers)
    check.peers.push_back(compare_with(peer, list, numbers, check));
  for (std::size_t i = 0; !peers.empty() && i < list.pairs.size(); ++i) {
    const bool is_alone =
        std::all_of(check.peers.begin(), check.peers.end(), [&](const PeerDistances& peer) {
          return std::fabs(peer.distance[i] - check.results[i].distance) > kDistanceTolerance;
        });
    if (is_alone) ++check.alone;
  }
  return check;
}

DistanceTimes time_distances(const PairList& list, std::size_t threads) {
  constexpr std::size_t kTimedPairs = 2000;
  const double cost = clock_cost();
  std::vector<double> set_up, select, solve;
  distance::DistanceSolver solver;
  const auto took = [&](Clock::time_point from, Clock::time_point to) {
    return std::max(0.0, microseconds(to - from) - cost);
  };
  for (std::size_t i = 0; i < std::min(kTimedPairs, list.pairs.size()); ++i) {
    const distance::Pair& pair = list.pairs[i];
    Clock::time_point start = Clock::now();
    solver.set_up(list.shapes[pair.first], list.shapes[pair.second], pair);
    Clock::time_point end = Clock::now();
    set_up.push_back(took(start, end));
    for (;;) {
      start = Clock::now();
      const State state = solver.tableau().select();
      end = Clock::now();
      if (state != State::kGoesOn) break;
      select.push_back(took(start, end));
      start = Clock::now();
      solver.tableau().pivot();
      end = Clock::now();
      solve.push_back(took(start, end));
    }
  }
  DistanceTimes times;
  times.set_up = step_time(set_up);
  times.select = step_time(select);
  times.solve = step_time(solve);
  times.threads = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  times.one_thread = queries_per_second(list, 1);
  times.all_threads = queries_per_second(list, times.threads);
  return times;
}

}  // namespace ppu::sim

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Orderings by breadth and by degree; the elimination tree.
#include "model/methods/symmetric_matrix.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

namespace ppu::model::methods {
namespace {

/// Neighbours of every node, without itself.
using Graph = std::vector<std::vector<int>>;

Graph graph_of(const SymmetricMatrix& matrix) {
  Graph graph(matrix.size());
  for (std::size_t j = 0; j < matrix.size(); ++j) {
    for (int p = matrix.start[j] + 1; p < matrix.start[j + 1]; ++p) {
      graph[j].push_back(matrix.row[at(p)]);
      graph[at(matrix.row[at(p)])].push_back(static_cast<int>(j));
    }
  }
  const auto degree = [&](int node) { return graph[at(node)].size(); };
  for (auto& neighbours : graph) {
    std::sort(neighbours.begin(), neighbours.end(),
              [&](int a, int b) { return std::pair(degree(a), a) < std::pair(degree(b), b); });
  }
  return graph;
}

/// Nodes of the component of `root` by breadth; the depth of the last one.
int breadth_first(const Graph& graph, int root, std::vector<int>& depth, std::vector<int>& nodes) {
  nodes.assign(1, root);
  depth[at(root)] = 0;
  for (std::size_t next = 0; next < nodes.size(); ++next) {
    for (const int node : graph[at(nodes[next])]) {
      if (depth[at(node)] >= 0) continue;
      depth[at(node)] = depth[at(nodes[next])] + 1;
      nodes.push_back(node);
    }
  }
  return depth[at(nodes.back())];
}

/// A node at the end of the component: the search is repeated from a node of least degree in the
/// last level while that makes it deeper. `depth` of the component is left at -1.
int end_of_component(const Graph& graph, int root, std::vector<int>& depth) {
  std::vector<int> nodes;
  for (int deepest = -1;;) {
    const int last = breadth_first(graph, root, depth, nodes);
    int end = nodes.back();
    for (const int node : nodes) {
      if (depth[at(node)] == last && graph[at(node)].size() < graph[at(end)].size()) end = node;
    }
    for (const int node : nodes) depth[at(node)] = -1;
    if (last <= deepest) return root;
    deepest = last;
    root = end;
  }
}

std::vector<int> minimum_degree(const SymmetricMatrix& matrix) {
  const auto n = static_cast<int>(matrix.size());
  using Sparse = Eigen::SparseMatrix<double>;
  const Eigen::Map<const Sparse> lower(n, n, matrix.start.back(), matrix.start.data(),
                                       matrix.row.data(), matrix.value.data());
  Sparse full = Sparse(lower).selfadjointView<Eigen::Lower>();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> found(n);
  Eigen::AMDOrdering<int>()(full, found);
  return {found.indices().data(), found.indices().data() + n};
}

}  // namespace

std::vector<double> SymmetricMatrix::times(const std::vector<double>& x) const {
  std::vector<double> y(x.size());
  for (std::size_t j = 0; j < size(); ++j) {
    y[j] += value[at(start[j])] * x[j];
    for (int p = start[j] + 1; p < start[j + 1]; ++p) {
      const std::size_t i = at(row[at(p)]);
      y[i] += value[at(p)] * x[j];
      y[j] += value[at(p)] * x[i];
    }
  }
  return y;
}

SymmetricMatrix SymmetricMatrix::permuted(const std::vector<int>& order) const {
  std::vector<int> place(size());
  for (std::size_t k = 0; k < size(); ++k) place[at(order[k])] = static_cast<int>(k);
  std::vector<std::vector<std::pair<int, double>>> columns(size());
  for (std::size_t j = 0; j < size(); ++j) {
    for (int p = start[j]; p < start[j + 1]; ++p) {
      const auto [low, high] = std::minmax(place[j], place[at(row[at(p)])]);
      columns[at(low)].emplace_back(high, value[at(p)]);
    }
  }
  SymmetricMatrix result;
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    for (const auto& [i, entry] : column) {
      result.row.push_back(i);
      result.value.push_back(entry);
    }
    result.start.push_back(static_cast<int>(result.row.size()));
  }
  return result;
}

std::vector<int> reverse_cuthill_mckee(const SymmetricMatrix& matrix) {
  const Graph graph = graph_of(matrix);
  std::vector<int> depth(matrix.size(), -1), order, component;
  for (std::size_t node = 0; node < matrix.size(); ++node) {
    if (depth[node] >= 0) continue;
    const int root = end_of_component(graph, static_cast<int>(node), depth);
    breadth_first(graph, root, depth, component);
    order.insert(order.end(), component.begin(), component.end());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> ordered(const SymmetricMatrix& matrix, Ordering ordering) {
  if (ordering == Ordering::kReverseCuthillMcKee) return reverse_cuthill_mckee(matrix);
  if (ordering == Ordering::kMinimumDegree && matrix.size() > 0) return minimum_degree(matrix);
  std::vector<int> order(matrix.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::size_t factor_nonzeros(const SymmetricMatrix& matrix) {
  // Row k of L has an entry wherever the paths of the tree from the entries of row k of A lead,
  // until they reach k.
  const std::size_t n = matrix.size();
  std::vector<std::vector<int>> rows(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (int p = matrix.start[j] + 1; p < matrix.start[j + 1]; ++p) {
      rows[at(matrix.row[at(p)])].push_back(static_cast<int>(j));
    }
  }
  std::vector<int> parent(n, -1), seen(n, -1);
  std::size_t count = n;
  for (std::size_t k = 0; k < n; ++k) {
    const int here = static_cast<int>(k);
    seen[k] = here;
    for (int node : rows[k]) {
      for (; seen[at(node)] != here; node = parent[at(node)]) {
        if (parent[at(node)] < 0) parent[at(node)] = here;
        seen[at(node)] = here;
        ++count;
      }
    }
  }
  return count;
}

}  // namespace ppu::model::methods

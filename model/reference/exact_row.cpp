// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "model/reference/exact_row.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

namespace ppu::model {
namespace {

using namespace spec;

/// Half a unit in the last place of float32, and a little more for the double's own rounding.
constexpr double kUnit = 0x1.00001p-24;
constexpr double kTiny = 0x1p-150;

/// A number and how far its float32 twin may be from it.
struct Rounded {
  double value;
  double error = 0;
};

/// `error` is what the operands bring into it.
Rounded rounded(double value, double error) {
  return {value, error + kUnit * (std::fabs(value) + error) + kTiny};
}
Rounded operator*(const Rounded& a, const Rounded& b) {
  return rounded(a.value * b.value,
                 std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error);
}
/// In any order.
Rounded sum(const std::vector<Rounded>& terms) {
  Rounded out{0};
  double magnitude = 0;
  for (const Rounded& term : terms) {
    out.value += term.value;
    out.error += term.error;
    magnitude += std::fabs(term.value) + term.error;
  }
  out.error += kUnit * static_cast<double>(terms.size()) * magnitude;
  return out;
}
Rounded operator+(const Rounded& a, const Rounded& b) {
  return rounded(a.value + b.value, a.error + b.error);
}
Rounded operator-(const Rounded& a) {
  return {-a.value, a.error};
}
Rounded operator-(const Rounded& a, const Rounded& b) {
  return a + -b;
}
Rounded magnitude(const Rounded& a) {
  return {std::fabs(a.value), a.error};
}

/// Sum of J_i v_i over elements [first, end).
Rounded dot(const RowOperands& in, std::size_t first, std::size_t end,
            std::initializer_list<Rounded> more = {}) {
  std::vector<Rounded> terms(more);
  for (std::size_t i = first; i < end; ++i)
    terms.push_back(Rounded{in.jacobian[i]} * Rounded{in.velocity[i]});
  return sum(terms);
}

/// The bounds of a row. Of two float32 numbers the product is a double, so that those of a cone are
/// known to the bit.
struct Interval {
  double lower, upper;
  /// The number in it that is nearest to `t`: a bound exactly, where it is surely that bound.
  [[nodiscard]] Rounded nearest(const Rounded& t) const {
    const bool at_bound = t.value + t.error < lower || t.value - t.error > upper;
    return {std::max(lower, std::min(upper, t.value)), at_bound ? 0 : t.error};
  }
};

Interval bounds_of(ControlWord control, const RowOperands& in) {
  if (control.bounds() != spec::Bounds::kCone || !in.has_parent) return {in.lower, in.upper};
  const double parent = std::max(double{in.parent_impulse}, 0.0);
  const double upper = static_cast<float>(double{in.upper} * parent);
  return {-upper, upper};
}

/// The same row in double precision.
struct ExactRow {
  Rounded rate{0}, target{0}, impulse{0}, delta{0}, lead{0};
};

ExactRow rate_form(ControlWord control, const RowOperands& in) {
  const Rounded x{in.impulse};
  ExactRow out;
  const bool soft = control.bias() == Bias::kSoft && in.compliance != 0;
  const Rounded b = soft ? Rounded{in.bias} + Rounded{in.compliance} * x : Rounded{in.bias};
  out.rate = dot(in, 0, kRowElements, {b});
  out.target = out.impulse = x;
  if (control.step() == Step::kOff) return out;
  out.target = x - Rounded{in.inv_diagonal} * out.rate;
  const Interval positive{0, std::numeric_limits<double>::infinity()};
  out.impulse = out.target;
  if (control.clamp() == Clamp::kMax) out.impulse = positive.nearest(out.target);
  if (control.clamp() == Clamp::kMed) out.impulse = bounds_of(control, in).nearest(out.target);
  out.delta = out.impulse - x;
  return out;
}

ExactRow impulse_form(ControlWord control, const RowOperands& in) {
  const Rounded x{in.impulse}, d{in.inv_diagonal};
  ExactRow out;
  Rounded change{in.bias};
  if (control.bias() == Bias::kSoft) change = change - x * Rounded{in.compliance};
  change = change - dot(in, 0, 6) * d;
  change = change - dot(in, 6, kRowElements) * d;
  out.target = x + change;
  out.impulse = x;
  if (control.step() == Step::kOff) return out;
  out.impulse = out.target;
  out.delta = change;
  if (control.clamp() != Clamp::kMed) return out;
  out.impulse = bounds_of(control, in).nearest(out.target);
  const Rounded to_bound = out.impulse - x;
  // Near a bound float32 may take the change where double is at the bound, or the other way round.
  const bool near = out.impulse.error > 0;
  const double apart = std::fabs(to_bound.value - change.value);
  out.delta = {to_bound.value, to_bound.error + (near ? apart + change.error : 0)};
  return out;
}

ExactRow interpret(ControlWord control, const RowOperands& in) {
  const bool rate = control.form() == Form::kRate;
  ExactRow out = rate ? rate_form(control, in) : impulse_form(control, in);
  out.lead = out.impulse;
  if (rate && control.lead() == Lead::kOn)
    out.lead = out.impulse + Rounded{in.lead_factor} * (out.impulse - Rounded{in.stored});
  return out;
}

/// What a row adds to the residual maximum; whether it is at a bound is said by its float32.
Rounded residual_of(ControlWord control, const RowOperands& in, const ExactRow& row,
                    const RowResult& found) {
  if (control.resid() == Resid::kDelta) return magnitude(row.delta);
  if (control.resid() == Resid::kQuotient && found.delta != 0) {
    const double d = std::fabs(double{in.inv_diagonal});
    return rounded(std::fabs(row.delta.value) / d, row.delta.error / d);
  }
  if (control.resid() != Resid::kBoxed || control.form() == Form::kImpulse) return {0};
  const Interval bounds = bounds_of(control, in);
  const bool at_lower = found.impulse <= bounds.lower, at_upper = found.impulse >= bounds.upper;
  if (at_lower && at_upper) return {0};
  if (at_lower) return {std::max(0.0, -row.rate.value), row.rate.error};
  if (at_upper) return {std::max(0.0, row.rate.value), row.rate.error};
  return magnitude(row.rate);
}

/// What is true of a number that is known but for its error.
struct Truth {
  bool can_be_true = false, can_be_false = true;
  [[nodiscard]] bool allows(bool found) const { return found ? can_be_true : can_be_false; }
};
Truth is_above(const Rounded& a, double threshold) {
  return {a.value + a.error > threshold, a.value - a.error <= threshold};
}
Truth operator||(const Truth& a, const Truth& b) {
  return {a.can_be_true || b.can_be_true, a.can_be_false && b.can_be_false};
}

/// The mark of both bodies: the rate takes the row away from its bound.
Truth marks_both(ControlWord control, const RowOperands& in, const ExactRow& row,
                 const RowResult& found) {
  const Interval bounds = bounds_of(control, in);
  if (bounds.lower == bounds.upper) return {};
  const double x = found.impulse;
  if (x > bounds.lower && x < bounds.upper) return is_above(magnitude(row.rate), in.mark_threshold);
  const Truth leaves_lower = x <= bounds.lower ? is_above(-row.rate, 0) : Truth{};
  return leaves_lower || (x >= bounds.upper ? is_above(row.rate, 0) : Truth{});
}

/// Finds the worst value of a row.
class Judge {
 public:
  void compare(const char* value, const Rounded& exact, float found) {
    const double away = std::fabs(double{found} - exact.value);
    if (away == 0) return;
    blame(value, exact.error > 0 && !std::isnan(away) ? away / exact.error
                                                      : std::numeric_limits<double>::infinity());
  }
  void blame(const char* value, double share) {
    if (share > worst_.share) worst_ = {share, value};
  }
  /// All of a row that is held.
  void compare_held(const RowOperands& in, const RowResult& found) {
    if (!found.skipped || found.mark_a || found.mark_b) blame("mark", 2);
    compare("x", {in.impulse}, found.impulse);
    compare("dx", {0}, found.delta);
    compare("residual", {0}, found.residual);
    for (std::size_t i = 0; i < kRowElements; ++i)
      compare("v", {in.velocity[i]}, found.velocity[i]);
  }
  [[nodiscard]] const RowDeviation& worst() const { return worst_; }

 private:
  RowDeviation worst_;
};

/// True if float32 may have none for it.
bool is_out_of_range(const Rounded& a) {
  return !(std::fabs(a.value) + a.error <= std::numeric_limits<float>::max());
}

}  // namespace

RowDeviation deviation_of(ControlWord control, const RowOperands& in, const RowResult& found) {
  Judge judge;
  if (control.skip() == Skip::kOn && in.has_parent && !(in.parent_impulse > 0)) {
    judge.compare_held(in, found);
    return judge.worst();
  }
  const ExactRow row = interpret(control, in);
  std::array<Truth, 2> large{};
  std::array<Rounded, kRowElements> velocity{};
  bool out_of_range = is_out_of_range(row.rate) || is_out_of_range(row.target) ||
                      is_out_of_range(row.delta) || is_out_of_range(row.lead);
  for (std::size_t i = 0; i < kRowElements; ++i) {
    velocity[i] = {in.velocity[i]};
    if (control.axpy() == Axpy::kOff) continue;
    const Rounded change = Rounded{in.inv_mass_jacobian[i]} * row.delta;
    velocity[i] = velocity[i] + change;
    out_of_range = out_of_range || is_out_of_range(velocity[i]);
    large[i / 6] = large[i / 6] || is_above(magnitude(change), in.mark_threshold);
  }
  const Interval bounds = bounds_of(control, in);
  if (out_of_range || (control.clamp() == Clamp::kMed && !(bounds.lower <= bounds.upper)))
    return judge.worst();  // It may fault, or must.
  if (found.fault) judge.blame("fault", std::numeric_limits<double>::infinity());

  judge.compare("u", row.rate, found.rate);
  judge.compare("t", row.target, found.target);
  judge.compare("x", row.impulse, found.impulse);
  judge.compare("dx", row.delta, found.delta);
  judge.compare("lead", row.lead, found.lead);
  judge.compare("residual", residual_of(control, in, row, found), found.residual);
  for (std::size_t i = 0; i < kRowElements; ++i) judge.compare("v", velocity[i], found.velocity[i]);
  const bool marks = control.mark() == Mark::kOn;
  const Truth both = marks ? marks_both(control, in, row, found) : Truth{};
  if (!(marks ? both || large[0] : Truth{}).allows(found.mark_a) ||
      !(marks ? both || large[1] : Truth{}).allows(found.mark_b))
    judge.blame("mark", std::numeric_limits<double>::infinity());
  return judge.worst();
}

}  // namespace ppu::model

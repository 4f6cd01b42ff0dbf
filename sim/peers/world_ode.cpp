// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Worlds of contacts by the two steps of ODE. Its library takes no rows, but a contact joint makes
// three: contacts have a target velocity and a softness for each row, and friction is within a
// force unless dContactApprox1 ties it to the normal. So a boxed problem is a step of bodies at
// rest:
//
//     cfm = compliance * h,  target = -b,  force = bound / h,  impulse = h * force
#ifdef PPU_PEERS_ODE
#include <ode/ode.h>

#include <cstdarg>
#include <stdexcept>

#include "sim/peers/boxed_list.hpp"
#include "sim/peers/peers.hpp"
#include "sim/peers/world_list.hpp"

namespace ppu::sim {
namespace {

constexpr double kStep = 1.0 / 60;

using Direction = std::array<double, 3>;

dReal real(double x) {
  return static_cast<dReal>(x);
}

double dot(const Direction& a, const dReal* b) {
  return a[0] * static_cast<double>(b[0]) + a[1] * static_cast<double>(b[1]) +
         a[2] * static_cast<double>(b[2]);
}

/// What ODE says of itself, on a failed factor, say; it goes on, and so does this.
bool has_complained = false;
void note_message(int /*number*/, const char* /*format*/, va_list /*values*/) {
  has_complained = true;
}

class OdeWorld {
 public:
  explicit OdeWorld(const WorldList& list) : list_(list) {
    if (dInitODE2(0) == 0) throw std::runtime_error("ODE does not start");
    dAllocateODEDataForThread(dAllocateMaskAll);
    dSetMessageHandler(note_message);
    world_ = dWorldCreate();
    dWorldSetCFM(world_, 0);
    for (const WorldBody& body : list.body) add(body);
    feedback_.resize(list.contact.size());
    for (std::size_t i = 0; i < list.contact.size(); ++i) add(list.contact[i], feedback_[i]);
  }
  ~OdeWorld() {
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;

  std::vector<double> answer(int (*step)(dWorldID, dReal)) {
    dWorldSetQuickStepNumIterations(world_, static_cast<int>(list_.sweeps));
    const PeerWatch watch;
    const bool has_stepped = step(world_, real(kStep)) != 0;
    const double seconds = watch.seconds();
    std::vector<double> answer;
    for (std::size_t i = 0; i < list_.contact.size(); ++i)
      for (const Direction& direction : list_.contact[i].direction)
        answer.push_back(kStep * dot(direction, feedback_[i].f1));
    answer.push_back(seconds);
    answer.push_back(has_stepped && !has_complained ? 1 : 0);
    return answer;
  }

 private:
  void add(const WorldBody& given) {
    const dBodyID body = dBodyCreate(world_);
    dBodySetPosition(body, real(given.position[0]), real(given.position[1]),
                     real(given.position[2]));
    dReal inverse[12] = {}, inertia[12] = {};  // Rows of four.
    for (std::size_t i = 0; i < 9; ++i) inverse[i / 3 * 4 + i % 3] = real(given.inv_inertia[i]);
    if (!(given.inv_mass > 0) || dInvertPDMatrix(inverse, inertia, 3) == 0)
      throw std::runtime_error("a body without a mass");
    dMass mass;
    dMassSetParameters(&mass, real(1 / given.inv_mass), 0, 0, 0, inertia[0], inertia[5],
                       inertia[10], inertia[1], inertia[2], inertia[6]);
    dBodySetMass(body, &mass);
    bodies_.push_back(body);
  }

  void add(const WorldContact& given, dJointFeedback& feedback) {
    dContact contact{};
    for (int k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      contact.geom.pos[k] = real(given.point[axis]);
      contact.geom.normal[k] = real(given.direction[0][axis]);
      contact.fdir1[k] = real(given.direction[1][axis]);
    }
    // ODE's second direction is the normal cross the first: ours, or the other way.
    dVector3 across;
    dCalcVectorCross3(across, contact.geom.normal, contact.fdir1);
    const double sign = dot(given.direction[2], across) < 0 ? -1 : 1;
    dSurfaceParameters& surface = contact.surface;
    surface.mode = dContactApprox0 | dContactMu2 | dContactFDir1 | dContactSoftCFM | dContactSlip1 |
                   dContactSlip2 | dContactMotionN | dContactMotion1 | dContactMotion2;
    surface.mu = real(given.bound[0] / kStep);
    surface.mu2 = real(given.bound[1] / kStep);
    surface.soft_cfm = real(given.compliance[0] * kStep);
    surface.slip1 = real(given.compliance[1] * kStep);
    surface.slip2 = real(given.compliance[2] * kStep);
    surface.motionN = real(-given.rate[0]);
    surface.motion1 = real(-given.rate[1]);
    surface.motion2 = real(-sign * given.rate[2]);
    const dJointID joint = dJointCreateContact(world_, nullptr, &contact);
    dJointAttach(joint, body_of(given.body[0]), body_of(given.body[1]));
    dJointSetFeedback(joint, &feedback);
  }
  [[nodiscard]] dBodyID body_of(double number) const {
    return number < 0 ? nullptr : bodies_.at(static_cast<std::size_t>(number));
  }

  const WorldList& list_;
  dWorldID world_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::vector<dJointFeedback> feedback_;
};

}  // namespace

std::vector<double> quickstep_of_ode(const std::vector<double>& numbers) {
  const WorldList list = world_list_of(numbers);
  return OdeWorld(list).answer(dWorldQuickStep);
}

std::vector<double> dantzig_of_ode(const std::vector<double>& numbers) {
  const WorldList list = world_list_of(numbers);
  return OdeWorld(list).answer(dWorldStep);
}

}  // namespace ppu::sim
#endif

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How the modules inside the device are connected: a module offers an interface of the plain C++
// blocks by an sc_export, and needs those of others by an sc_port.
#pragma once

#include <systemc>
#include <vector>

namespace ppu::systemc {

/// What a port of type What is bound to.
template <class What>
class Interface : public sc_core::sc_interface {
 public:
  explicit Interface(What& what) : what_(what) {}
  [[nodiscard]] What& get() const { return what_; }

 private:
  What& what_;
};

template <class What>
class Offers : public sc_core::sc_export<Interface<What>> {
 public:
  Offers(const char* name, What& what)
      : sc_core::sc_export<Interface<What>>(name), interface_(what) {
    this->bind(interface_);
  }

 private:
  Interface<What> interface_;
};

/// Of exactly one module.
template <class What>
class Needs : public sc_core::sc_port<Interface<What>> {
 public:
  using sc_core::sc_port<Interface<What>>::sc_port;
  /// Once all ports are bound.
  [[nodiscard]] What& get() { return (*this)->get(); }
};

/// Of several, in the order in which they were bound.
template <class What>
class NeedsEach : public sc_core::sc_port<Interface<What>, 0> {
 public:
  using sc_core::sc_port<Interface<What>, 0>::sc_port;
  [[nodiscard]] std::vector<What*> all() {
    std::vector<What*> list;
    for (int n = 0; n < this->size(); ++n) list.push_back(&(*this)[n]->get());
    return list;
  }
};

}  // namespace ppu::systemc

// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Objects of Python by its stable interface alone (PEP 384), so that one module serves every Python
// from 3.9 on.
#pragma once

#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ppu::python {

/// Python has set an error.
struct Raised {};

/// A reference to an object that is there. Throws Raised if it is made of none.
class Object {
 public:
  explicit Object(PyObject* owned) : it_(owned) {
    if (owned == nullptr) throw Raised{};
  }
  Object(Object&& other) noexcept : it_(std::exchange(other.it_, nullptr)) {}
  Object(const Object& other) : it_(other.it_) { Py_XINCREF(it_); }
  Object& operator=(Object other) noexcept {
    std::swap(it_, other.it_);
    return *this;
  }
  ~Object() { Py_XDECREF(it_); }
  static Object borrowed(PyObject* it) {
    Py_XINCREF(it);
    return Object(it);
  }

  [[nodiscard]] PyObject* get() const { return it_; }
  [[nodiscard]] PyObject* release() { return std::exchange(it_, nullptr); }
  [[nodiscard]] bool is_none() const { return it_ == Py_None; }

  [[nodiscard]] std::size_t size() const {
    const Py_ssize_t size = PyObject_Size(it_);
    if (size < 0) throw Raised{};
    return static_cast<std::size_t>(size);
  }
  Object operator[](const char* name) const { return Object(PyMapping_GetItemString(it_, name)); }
  [[nodiscard]] Object at(std::size_t index) const {
    return Object(PySequence_GetItem(it_, static_cast<Py_ssize_t>(index)));
  }
  [[nodiscard]] Object attribute(const char* name) const {
    return Object(PyObject_GetAttrString(it_, name));
  }
  void set_attribute(const char* name, const Object& value) const {
    if (PyObject_SetAttrString(it_, name, value.get()) != 0) throw Raised{};
  }

 private:
  PyObject* it_;
};

inline Object none() {
  return Object::borrowed(Py_None);
}

inline Object object(const Object& value) {
  return value;
}
inline Object object(bool value) {
  return Object(PyBool_FromLong(value ? 1 : 0));
}
inline Object object(const char* text) {
  return Object(PyUnicode_FromString(text));
}
inline Object object(const std::string& text) {
  return object(text.c_str());
}
template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
Object object(T value) {
  return Object(PyFloat_FromDouble(static_cast<double>(value)));
}
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
Object object(T value) {
  if constexpr (std::is_signed_v<T>) return Object(PyLong_FromLongLong(value));
  return Object(PyLong_FromUnsignedLongLong(static_cast<std::uint64_t>(value)));
}
inline Object object(const std::vector<std::string>& texts) {
  Object list(PyList_New(0));
  for (const std::string& text : texts)
    if (PyList_Append(list.get(), object(text).get()) != 0) throw Raised{};
  return list;
}

/// A dict that is being filled.
class Dict : public Object {
 public:
  Dict() : Object(PyDict_New()) {}
  template <class T>
  Dict& set(const char* name, const T& value) {
    if (PyDict_SetItem(get(), object(name).get(), object(value).get()) != 0) throw Raised{};
    return *this;
  }
};

/// Text, also of a path that is no UTF-8.
inline std::string text_of(const Object& value) {
  const Object bytes =
      PyBytes_Check(value.get()) != 0 ? value : Object(PyUnicode_EncodeFSDefault(value.get()));
  char* begin = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes.get(), &begin, &size) != 0) throw Raised{};
  return {begin, static_cast<std::size_t>(size)};
}

/// A number as `T`; raises OverflowError where it is none.
template <class T>
T number_of(const Object& value) {
  if constexpr (std::is_same_v<T, bool>) {
    const int truth = PyObject_IsTrue(value.get());
    if (truth < 0) throw Raised{};
    return truth != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    const double number = PyFloat_AsDouble(value.get());
    if (PyErr_Occurred() != nullptr) throw Raised{};
    return static_cast<T>(number);
  } else {
    static_assert(std::is_unsigned_v<T>);
    const unsigned long long number = PyLong_AsUnsignedLongLong(value.get());
    if (PyErr_Occurred() != nullptr) throw Raised{};
    if (number > static_cast<T>(-1)) {
      PyErr_SetString(PyExc_OverflowError, "a number that is too large");
      throw Raised{};
    }
    return static_cast<T>(number);
  }
}

/// Where the array `name` begins; null for None.
template <class T>
T* data(const Object& arrays, const char* name) {
  const Object array = arrays[name];
  if (array.is_none()) return nullptr;
  const Object address = array.attribute("__array_interface__")["data"].at(0);
  return reinterpret_cast<T*>(number_of<std::uintptr_t>(address));
}

/// Other threads of Python run as long as this is there.
class WithoutPython {
 public:
  WithoutPython() : state_(PyEval_SaveThread()) {}
  ~WithoutPython() { PyEval_RestoreThread(state_); }
  WithoutPython(const WithoutPython&) = delete;
  WithoutPython& operator=(const WithoutPython&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace ppu::python

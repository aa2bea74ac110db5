#pragma once

#include <sys/mman.h>
#include <unistd.h>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/error.hpp"

namespace hockney::fuzz {

/// Whether `read` takes what it is given, and does not refuse it.
template <class Read>
bool takes(Read read) {
  try {
    read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// What `read` takes of the bytes, written, is read by `again` as what writes the same.
template <class Read, class Write, class Again>
void come_back(const std::string& bytes, Read read, Write write, Again again) {
  std::string written;
  if (!takes([&] { read(bytes); })) return;
  written = write(read(bytes));
  const std::string twice = write(again(written));
  if (twice != written) throw std::logic_error("read again it is:\n" + twice + "\nnot\n" + written);
}

template <class Read, class Write>
void come_back(const std::string& bytes, Read read, Write write) {
  come_back(bytes, read, write, read);
}

template <class Value>
std::string document(const Value& value) {
  return to_json(value).dump();
}

/// For readers of named files: a file that has no place on a disk.
template <class Read>
void as_file(const std::string& bytes, Read read) {
  const int descriptor = ::memfd_create("input", 0);
  const bool whole = ::write(descriptor, bytes.data(), bytes.size()) == std::ssize(bytes);
  if (whole) takes([&] { read("/proc/self/fd/" + std::to_string(descriptor)); });
  ::close(descriptor);
  if (!whole) throw std::logic_error("no file in memory");
}

}  // namespace hockney::fuzz

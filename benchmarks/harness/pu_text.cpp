#include "benchmarks/harness/pu_text.hpp"

#include <sstream>

namespace hockney {
namespace {

constexpr int missing = -1;

std::optional<int> group(int number) {
  return number == missing ? std::nullopt : std::optional(number);
}

}  // namespace

std::string pu_text(const Pu& pu) {
  std::ostringstream out;
  out << pu.os_cpu << ' ' << pu.core << ' ' << pu.l2.value_or(missing) << ' '
      << pu.l3.value_or(missing) << ' ' << pu.package;
  for (const int node : pu.numa) out << ' ' << node;
  return out.str();
}

Pu read_pu(const std::string& text) {
  std::istringstream in(text);
  Pu pu;
  int l2 = missing;
  int l3 = missing;
  in >> pu.os_cpu >> pu.core >> l2 >> l3 >> pu.package;
  pu.l2 = group(l2);
  pu.l3 = group(l3);
  for (int node = 0; in >> node;) pu.numa.push_back(node);
  return pu;
}

}  // namespace hockney

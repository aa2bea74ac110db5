#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace hockney {

/// A list of hosts that cannot be read; the reader of the document around it says where it stands.
struct HostListError : InputError {
  explicit HostListError(const Message& words) : InputError(words), message(words) {}
  Message message;
};

/// More hosts in one list than this are a slip of the pen.
inline constexpr std::size_t most_hosts = 1'000'000;

/// The hosts of a list as Slurm writes it: names separated by commas, each with any number of
/// brackets that hold numbers and ranges, "rack[0-1]node[01-32,40],login". A number is as wide as
/// the first of its range is written, "nid[001-128]" is nid001 to nid128. In the order of the list,
/// the last bracket counting fastest; repeats stay. HostListError on anything else.
std::vector<std::string> expand_hosts(std::string_view list);

}  // namespace hockney

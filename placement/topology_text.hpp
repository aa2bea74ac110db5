#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace hockney {

// What can be said about a description of a machine before hwloc reads it, so that the message
// names the reason: hwloc itself only answers "invalid".

/// The major version of hwloc's XML format: 1 where the document states none, as hwloc 1 did;
/// nullopt when the text has no topology element.
std::optional<int> xml_major_version(std::string_view xml);

/// Whether an object element has a cpuset without a complete_cpuset or the reverse, or likewise a
/// nodeset: files of hwloc always have both or neither, and hwloc 2.9 crashes on half of one.
bool xml_has_half_a_set(std::string_view xml);

/// How many PUs a synthetic description stands for: the product of the counts of its levels, 16 for
/// "pack:2 [numa] core:4(size=1MB) 2"; numbers are read as hwloc does, 0x10 being 16. nullopt when
/// a level has no count. Saturates at 2^40.
std::optional<std::size_t> synthetic_pu_count(std::string_view text);

}  // namespace hockney

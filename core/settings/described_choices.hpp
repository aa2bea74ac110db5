#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/settings/control_variable.hpp"

namespace hockney {

/// The values that a description lists, each as "name - what it does" on a line of its own (MPICH
/// 5), or with the names run together with the sentence before (MPICH 4 drops the line ends; such a
/// name is told apart only where a word that the description also uses by itself, or a bracket,
/// ends before it). MPICH numbers them in this order. Empty when they cannot be told for certain.
std::vector<PermittedValue> described_choices(std::string_view description);

/// "range: 0-32" of `impi_info` to its whole numbers; empty where there is none.
std::vector<PermittedValue> described_range(std::string_view description);

/// The names after "Valid algorithms:", up to the end of the sentence (SMPI).
std::vector<PermittedValue> listed_choices(std::string_view text);

/// The names after "@Alias:#" (Intel MPI).
std::vector<std::string> described_aliases(std::string_view description);

}  // namespace hockney

#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace hockney::benchmarks {

/// What to do about messages that are not as they were sent.
inline constexpr std::string_view suspects = "suspect the MPI library, the network or the memory";

/// RunError: ranks have sent `what`, which cannot be.
[[noreturn]] void refuse_message(const std::string& what);

/// The number that a rank has sent as a text; RunError for one that is none.
template <class Number>
Number sent_number(const std::string& text) {
  if (const auto number = as_number<Number>(text)) return *number;
  refuse_message("'" + inert(text) + "' in place of a number");
}

/// What each of `ranks` of `comm` has, in their order, on the first of them; nothing on the others.
/// It goes up a binomial tree, so that nobody takes more than log2(ranks) messages. Called by these
/// ranks, all with the same list. RunError where it is more than one message can be.
std::vector<std::vector<std::byte>> gather_bytes(MPI_Comm comm, std::span<const int> ranks,
                                                 std::span<const std::byte> own);

/// The same of all ranks, on rank 0. Collective.
std::vector<std::vector<std::byte>> gather_bytes(MPI_Comm comm, std::span<const std::byte> own);

/// Every rank's text, in order of ranks, on every rank. Collective.
std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text);

/// The text of rank 0, on every rank. Collective.
std::string broadcast_text(MPI_Comm comm, const std::string& text);

}  // namespace hockney::benchmarks

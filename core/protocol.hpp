#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"

namespace hockney {

/// How far one way of sending goes without a matching receive: the largest message that the call
/// hands over before the receiver has posted anything.
struct HandOver {
  std::string call;      ///< "send", "isend", "persistent" or "ssend"
  std::string receiver;  ///< "progressing": inside MPI, without the receive; "asleep": outside MPI
  std::string datatype;  ///< "bytes", or "contiguous" or "strided" elements of one byte
  std::optional<std::int64_t> limit_bytes;  ///< handed over; nullopt: not even an empty message
  std::optional<std::int64_t> held_bytes;   ///< limit + 1, which is not; nullopt: none was held
  std::int64_t most_bytes = 0;              ///< the largest that was tried
  std::vector<std::int64_t> exceptions;     ///< sizes that speak against one limit
  int probes = 0;                           ///< messages that it took
  int corrections = 0;                      ///< sizes believed to be held that were not

  friend bool operator==(const HandOver&, const HandOver&) = default;
};

/// How many messages a sender gets rid of although none of them is received.
struct Unexpected {
  std::int64_t bytes = 0;       ///< of each message
  std::string receiver;         ///< as in HandOver
  std::optional<int> accepted;  ///< messages until one was held; nullopt: none of `most` was
  int most = 0;                 ///< messages that were tried at most

  friend bool operator==(const Unexpected&, const Unexpected&) = default;
};

/// A limit that the library itself states, in a control variable of MPI_T.
struct StatedLimit {
  std::string variable;
  std::int64_t value_bytes = 0;
  std::int64_t header_bytes = 0;  ///< stated - measured: what the library needs for itself

  friend bool operator==(const StatedLimit&, const StatedLimit&) = default;
};

/// What was found between the two ranks of a pair.
struct Protocol {
  std::optional<std::string> hop;  ///< hop class of the pair
  std::vector<int> pair;           ///< world ranks: sender, receiver
  std::optional<std::string> path;
  std::optional<std::int64_t> eager_limit_bytes;  ///< of MPI_Send to a receiver that progresses
  std::string reason;                             ///< why there is none; empty when there is
  std::vector<HandOver> hand_overs;
  std::vector<Unexpected> unexpected;
  std::vector<StatedLimit> stated;  ///< that explain the limit
  std::vector<std::string> flags;

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

/// Names and values of MPI_T control variables.
using Settings = std::map<std::string, std::string>;

/// No library needs more than this beside the data of an eager message [B].
inline constexpr std::int64_t largest_header_bytes = 256;

/// The variables about eager messages whose value is the limit, or more by a header: what the
/// library itself states about a limit that was measured.
std::vector<StatedLimit> explain_limit(const Settings& settings, std::int64_t limit_bytes);

/// The variables about eager messages that may explain any limit from `least` to `most` [B], whose
/// headers are not known (0).
std::vector<StatedLimit> stated_limits(const Settings& settings, std::int64_t least_bytes,
                                       std::int64_t most_bytes);

/// Whether a variable is, by its name, a size at which messages are treated otherwise.
bool is_message_size(std::string_view name);

/// Whether a variable is, by its name, about eager messages between two ranks.
bool is_about_eager(std::string_view name);

/// Whether a variable with this value may be of use to any of these: no other one is.
bool may_explain_limit(std::string_view name, std::string_view value);

/// Whether the library states any eager limit above 0.
bool states_eager_limits(const Settings& settings);

}  // namespace hockney

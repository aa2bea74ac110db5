#pragma once

#include <string>

#include "benchmarks/engine/limit_search.hpp"
#include "benchmarks/programs/protocol/pair_link.hpp"
#include "benchmarks/programs/protocol/send_call.hpp"
#include "core/protocol.hpp"

namespace hockney::benchmarks::programs {

std::string receiver_name(Receiver receiver);

/// One way of sending, asked for its limit.
struct HandOverQuestion {
  SendCall call = SendCall::send;
  Receiver receiver = Receiver::progressing;
  MessageLayout layout = MessageLayout::bytes;
};

/// The largest message that is handed over without a matching receive: the call returns before the
/// receiver begins to receive, by a clock that both read. A call that began too late to tell is
/// made again. Each message is received and its data are checked; `data` remembers. Collective over
/// the pair; the same answer on both ranks.
HandOver find_hand_over(PairLink& link, MessageData& data, const HandOverQuestion& question,
                        std::int64_t most_bytes);

}  // namespace hockney::benchmarks::programs

#include <algorithm>
#include <catch2/catch.hpp>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/protocol/protocol_launch.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {
namespace {

ProtocolOptions small_search() {
  ProtocolOptions options{
      .most_bytes = 256 << 10,
      .calls = {SendCall::send, SendCall::isend, SendCall::persistent, SendCall::ssend},
      .layouts = {MessageLayout::bytes, MessageLayout::contiguous, MessageLayout::strided},
      .searches = 2,
      .flood_messages = 100,
      .flood_bytes = 1 << 20};
  options.launch.placement.bind = false;
  options.launch.seed = 5;
  return options;
}

const EagerLimit& find(const Protocol& protocol, const std::string& call,
                       const std::string& receiver = "progressing",
                       const std::string& datatype = "bytes") {
  const auto found = std::ranges::find_if(protocol.eager_probes, [&](const EagerLimit& each) {
    return each.call == call && each.receiver == receiver && each.datatype == datatype;
  });
  REQUIRE(found != protocol.eager_probes.end());
  return *found;
}

/// Whether the limit lies where the sizes next to it say that it does.
bool is_whole(const EagerLimit& found) {
  if (!found.limit_bytes) return found.held_bytes == 0;
  if (!found.held_bytes) return found.limit_bytes == found.most_bytes;
  return *found.held_bytes == *found.limit_bytes + 1;
}

/// MPICH states limits of its own, and over UCX another one is in force that nothing states. With
/// several networks ("ch4:ucx ofi", of MPICH 5) its own are.
std::vector<std::string> expected_flags() {
  if (!mpi_library().ends_with("ch4:ucx")) return {};
  return {std::string(limit_differs_flag)};
}

}  // namespace

TEST_CASE("a pair's protocol is examined") {
  const auto record = run_protocol(MPI_COMM_WORLD, small_search());
  CHECK(record.has_value() == (rank_in(MPI_COMM_WORLD) == 0));
  if (!record) return;
  CHECK(record->procedure == "protocol");
  CHECK(record->status == LaunchStatus::complete);
  REQUIRE(record->protocols.size() == 1);
  const Protocol& protocol = record->protocols.front();
  CHECK(protocol.pair == std::vector<int>{0, 1});
  CHECK(protocol.flags == expected_flags());
  CHECK(protocol.path.has_value());
  for (const EagerLimit& found : protocol.eager_probes) CHECK(is_whole(found));

  // MPI_Ssend never returns without a receive; whatever the call and the layout, the limit of
  // MPI_Send is theirs; and a receiver asleep takes no more than one that progresses.
  const EagerLimit& send = find(protocol, "send");
  CHECK_FALSE(find(protocol, "ssend").limit_bytes);
  CHECK(find(protocol, "isend").limit_bytes == send.limit_bytes);
  CHECK(find(protocol, "persistent").limit_bytes == send.limit_bytes);
  CHECK(find(protocol, "send", "progressing", "contiguous").limit_bytes == send.limit_bytes);
  CHECK(find(protocol, "send", "asleep").limit_bytes <= send.limit_bytes);
  if (send.held_bytes) CHECK(protocol.eager_limit_bytes == send.limit_bytes);
  REQUIRE_FALSE(protocol.unexpected.empty());
  for (const Unexpected& found : protocol.unexpected) {
    CHECK(found.most >= 1);
    CHECK(found.accepted.value_or(0) < found.most);
  }
}

TEST_CASE("every rank tells its memory before and after its first contact") {
  ProtocolOptions options = small_search();
  options.calls = {SendCall::send};
  options.layouts = {MessageLayout::bytes};
  const auto record = run_protocol(MPI_COMM_WORLD, options);
  if (!record) return;
  const int size = size_of(MPI_COMM_WORLD);
  for (const std::string moment : {"after-init", "after-peer"}) {
    const auto count = std::ranges::count(record->memory, moment, &MemoryUse::moment);
    // Rank 0 contacts everybody.
    CHECK(count == (moment == "after-init" ? size : 2 * (size - 1)));
  }
  CHECK(std::ranges::count(record->memory, "flooded", &MemoryUse::moment) > 0);
  for (const MemoryUse& use : record->memory) {
    CHECK(use.pss_bytes > 0);
    CHECK(use.rss_bytes >= use.pss_bytes);
    CHECK(use.rss_bytes >= use.shared_bytes);
  }
}

TEST_CASE("without floods there are none") {
  ProtocolOptions options = small_search();
  options.calls = {SendCall::send};
  options.layouts = {MessageLayout::bytes};
  options.flood_messages = 0;
  const auto record = run_protocol(MPI_COMM_WORLD, options);
  if (record) CHECK(record->protocols.front().unexpected.empty());
}

}  // namespace hockney::benchmarks::programs

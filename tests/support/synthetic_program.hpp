#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "components/application/profile/profile_file.hpp"
#include "core/json_values.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {

/// A program that never ran, whose profile is known by construction: who sends what to whom, and
/// where the time of each rank goes.
class SyntheticProgram {
 public:
  /// Ranks on nodes "node0", "node1", ... one after the other.
  explicit SyntheticProgram(int ranks, int ranks_per_node = 1 << 30) {
    profile_.written_utc = "2026-11-22T20:24:55Z";
    profile_.world_ranks = ranks;
    profile_.thread_level = "MPI_THREAD_SINGLE";
    profile_.provenance.command_line = {"./poisson", "3600"};
    profile_.provenance.mpi.library = "Open MPI v4.1.4, package: Debian";
    profile_.communicators = {{.name = "MPI_COMM_WORLD", .identity = "0", .size = ranks}};
    profile_.sites = {{.module = "/opt/app/poisson", .offset = 0x1234, .function = "exchange"}};
    for (int rank = 0; rank < ranks; ++rank) {
      profile_.ranks.push_back(
          {.rank = rank, .host = "node" + std::to_string(rank / ranks_per_node), .cpus = {rank}});
    }
  }

  /// Which node each rank is on.
  SyntheticProgram& place(const std::function<int(int)>& node_of) {
    for (profile::Rank& rank : profile_.ranks) {
      rank.host = "node" + std::to_string(node_of(rank.rank));
    }
    return *this;
  }

  /// Messages of so many bytes each, and the calls of MPI_Isend that send them.
  SyntheticProgram& send(int from, int to, std::int64_t bytes, std::int64_t messages = 1) {
    const auto size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
    profile::Messages& row = messages_[{from, to, size_class}];
    row.from = from;
    row.to = to;
    row.communicator = 0;
    add_size(row.messages == 0, bytes, row);
    row.messages += messages;
    row.bytes += bytes * messages;
    profile::Calls& calls = sends_[size_class];
    calls.call = "MPI_Isend";
    calls.communicator = calls.site = 0;
    add_size(calls.count == 0, bytes, calls);
    calls.count += messages;
    calls.bytes += bytes * messages;
    calls.ranks = profile_.world_ranks;
    return *this;
  }

  /// A grid of ranks numbered row by row, or as `rank_of` says of these numbers; messages along a
  /// dimension have its bytes each.
  struct Halo {
    std::vector<int> sizes;
    std::vector<std::int64_t> bytes;
    std::int64_t messages = 1;
    std::vector<bool> periodic{};  ///< empty: no dimension
    std::function<int(int)> rank_of{};
  };
  SyntheticProgram& halo(const Halo& halo) {
    const int cells = cells_of(halo.sizes);
    for (int cell = 0; cell < cells; ++cell) {
      int stride = cells;
      for (std::size_t k = 0; k < halo.sizes.size(); ++k) {
        stride /= halo.sizes[k];
        const int place = cell / stride % halo.sizes[k];
        const bool is_last = place == halo.sizes[k] - 1;
        const bool goes_round = !halo.periodic.empty() && halo.periodic[k];
        if (is_last && !goes_round) continue;
        const int next = is_last ? cell - place * stride : cell + stride;
        send_both(named(halo, cell), named(halo, next), halo.bytes[k], halo.messages);
      }
    }
    return *this;
  }

  SyntheticProgram& all_to_all(std::int64_t bytes, std::int64_t messages = 1) {
    for (int from = 0; from < profile_.world_ranks; ++from) {
      for (int to = 0; to < profile_.world_ranks; ++to) {
        if (to != from) send(from, to, bytes, messages);
      }
    }
    return *this;
  }

  /// The root gets small requests and answers with work.
  SyntheticProgram& master_worker(int root, std::int64_t bytes, std::int64_t messages) {
    for (int rank = 0; rank < profile_.world_ranks; ++rank) {
      if (rank == root) continue;
      send(rank, root, 8, messages);
      send(root, rank, bytes, messages);
    }
    return *this;
  }

  /// How the time of a rank is spent [s]; the profile's is the longest.
  SyntheticProgram& time(int rank, double computing, double mpi, double mpi_io = 0, double io = 0) {
    profile::Rank& one = profile_.ranks.at(static_cast<std::size_t>(rank));
    one.seconds = computing + mpi + mpi_io + io;
    one.mpi_seconds = mpi;
    one.mpi_io_seconds = mpi_io;
    one.io_seconds = io;
    profile_.seconds = std::max(profile_.seconds, one.seconds);
    return *this;
  }
  SyntheticProgram& every_time(double computing, double mpi) {
    for (int rank = 0; rank < profile_.world_ranks; ++rank) time(rank, computing, mpi);
    return *this;
  }

  /// Calls of one size.
  SyntheticProgram& calls(const std::string& call, std::int64_t count, std::int64_t bytes,
                          double seconds) {
    profile_.calls.push_back({.call = call,
                              .site = 0,
                              .count = count,
                              .bytes = count * bytes,
                              .min_bytes = bytes,
                              .max_bytes = bytes,
                              .seconds = seconds,
                              .min_seconds = seconds / static_cast<double>(count),
                              .max_seconds = seconds / static_cast<double>(count),
                              .ranks = profile_.world_ranks});
    return *this;
  }

  /// What has no function of its own.
  SyntheticProgram& with(const std::function<void(profile::Profile&)>& change) {
    change(profile_);
    return *this;
  }

  [[nodiscard]] profile::Profile profile() const {
    profile::Profile profile = profile_;
    for (const auto& [key, row] : messages_) profile.messages.push_back(row);
    for (const auto& [key, calls] : sends_) profile.calls.push_back(calls);
    return profile;
  }

 private:
  static int cells_of(const std::vector<int>& sizes) {
    int cells = 1;
    for (const int size : sizes) cells *= size;
    return cells;
  }
  static int named(const Halo& halo, int cell) { return halo.rank_of ? halo.rank_of(cell) : cell; }

  template <class Row>
  static void add_size(bool is_first, std::int64_t bytes, Row& row) {
    row.min_bytes = is_first ? bytes : std::min(row.min_bytes, bytes);
    row.max_bytes = std::max(row.max_bytes, bytes);
  }

  void send_both(int a, int b, std::int64_t bytes, std::int64_t messages) {
    send(a, b, bytes, messages);
    send(b, a, bytes, messages);
  }

  profile::Profile profile_;
  std::map<std::tuple<int, int, int>, profile::Messages> messages_;
  std::map<int, profile::Calls> sends_;
};

/// Writes it into the folder; returns the path.
inline std::string save_profile(const TemporaryFolder& folder, const std::string& name,
                                const profile::Profile& profile) {
  return folder.write(name, json_text(nlohmann::json(profile)));
}

}  // namespace hockney

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/record.hpp"
#include "tests/support/launches.hpp"

namespace hockney {

/// A campaign of bcast on four ranks under Open MPI whose settings force algorithms. Every launch
/// of a block takes its share longer, so that pairs tell what medians do not.
class TunedCampaign {
 public:
  using Times = std::map<std::int64_t, double>;  ///< by bytes [us]

  explicit TunedCampaign(int launches) : launches_(launches) {}

  /// The setting algorithm=<algorithm>, which is number `number` of coll/tuned.
  TunedCampaign& add(const std::string& algorithm, int number, const Times& times) {
    for (int launch = 1; launch <= launches_; ++launch) {
      Record record = launch_of("algorithm=" + algorithm);
      record.campaign->name = "tuned";
      record.campaign->launch = launch;
      record.campaign->axes = {{"algorithm", algorithm}};
      record.provenance.mpi.library = "Open MPI v4.1.4, package: test";
      if (number > 0) force(record, algorithm, number);
      for (const auto& [bytes, microseconds] : times) {
        Point point = simple_point("bcast", bytes);
        point.ranks = 4;
        add_measured(record, point, 1e-6 * microseconds * (1 + 0.1 * launch));
      }
      records_.push_back(std::move(record));
    }
    return *this;
  }

  [[nodiscard]] std::vector<Record>& records() { return records_; }

 private:
  static void force(Record& record, const std::string& algorithm, int number) {
    record.provenance.mpi.requested = {{.variable = "OMPI_MCA_coll_tuned_bcast_algorithm",
                                        .requested = algorithm,
                                        .proof = Proof::proven}};
    record.provenance.mpi.settings = {{"coll_tuned_bcast_algorithm", std::to_string(number)},
                                      {"coll_tuned_bcast_algorithm_segmentsize", "0"},
                                      {"coll_tuned_bcast_algorithm_chain_fanout", "4"}};
  }

  int launches_;
  std::vector<Record> records_;
};

}  // namespace hockney

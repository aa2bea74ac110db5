#include <catch2/catch.hpp>

#include "driver/campaign/fingerprints/verdict.hpp"

namespace hockney::campaign {

TEST_CASE("Intel MPI names the operation it refuses to do another way") {
  CHECK(refusal_in("x\nREDUCE_SCATTER: algo #2 has fallback\n", "reduce-scatter") ==
        "REDUCE_SCATTER: algo #2 has fallback");
  CHECK_FALSE(refusal_in("ALLREDUCE: algo #2 has fallback\n", "reduce"));
  CHECK_FALSE(refusal_in("", "bcast"));
}

TEST_CASE("the last words are the program's, not the launcher's") {
  CHECK(last_words("before\nAbort(1) on node 0: Internal error\n\n"
                   "=====================\n=   BAD TERMINATION OF ONE OF YOUR APPLICATION\n"
                   "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed\n") ==
        "Abort(1) on node 0: Internal error");
  CHECK(last_words("\n---\n").empty());
  CHECK(last_words("REDUCE: algo #1 has fallback\nAbort(1) on node 0: Internal error\n") ==
        "REDUCE: algo #1 has fallback");
}

}  // namespace hockney::campaign

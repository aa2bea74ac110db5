#include "core/complaints.hpp"

#include <catch2/catch.hpp>

namespace hockney {

using Texts = std::vector<std::string>;

// As seen of the libraries themselves.

TEST_CASE("Open MPI complains in a box, with name and value") {
  CHECK(complaints_in("--------------------------------------------------------------------------\n"
                      "An invalid value was supplied for an enum variable.\n\n"
                      "  Variable     : coll_tuned_allreduce_algorithm\n  Value        : 99\n"
                      "  Valid values : 0:\"ignore\", 1:\"basic_linear\"\n"
                      "------------------------------------------------------------------------\n"
                      "size [B]\n") ==
        Texts{"An invalid value was supplied for an enum variable. Variable : "
              "coll_tuned_allreduce_algorithm Value : 99"});
}

TEST_CASE("Intel MPI complains in a line, which counts once") {
  CHECK(complaints_in("MPI startup(): Incorrect algorithm: ALLREDUCE=40, will be ignored\n"
                      "MPI startup(): Incorrect algorithm: ALLREDUCE=40, will be ignored\n"
                      "MPI startup(): I_MPI_NONSENSE environment variable is not supported.\n") ==
        Texts{"MPI startup(): Incorrect algorithm: ALLREDUCE=40, will be ignored",
              "MPI startup(): I_MPI_NONSENSE environment variable is not supported."});
}

TEST_CASE("MPICH refuses to start") {
  CHECK(complaints_in("Abort(739364367): Fatal error in internal_Init: Other MPI error, Invalid "
                      "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM value (nonsense)\n")
            .size() == 1);
}

TEST_CASE("other words are no complaints") {
  CHECK(complaints_in("").empty());
  CHECK(complaints_in("bytes time[us]\n  outliers: 1 % of the samples\n").empty());
}

TEST_CASE("a library that could not set up shared memory says so, and is quoted") {
  // Open MPI 4.1.4 with 4 KiB in /dev/shm.
  const LibraryReport report = library_report(
      "bytes time[us]\n"
      "--------------------------------------------------------------------------\n"
      "It appears as if there is not enough space for "
      "/dev/shm/vader_segment.node1.1234.0 (the shared-memory backing\n"
      "file). It is likely that your MPI job will now either abort or experience\n"
      "performance degradation.\n\n  Local host:  node1\n"
      "--------------------------------------------------------------------------\n");
  CHECK(report.lost_shared_memory);
  CHECK(report.messages ==
        std::vector<std::string>{
            "It appears as if there is not enough space for /dev/shm/vader_segment.node1.1234.0 "
            "(the shared-memory backing file). It is likely that your MPI job will now either "
            "abort or experience performance degradation."});
}

TEST_CASE("other warnings of a library are quoted, and void nothing") {
  // Open MPI 4.1.4 in a container without ptrace.
  const std::string warning =
      "WARNING: The default btl_vader_single_copy_mechanism CMA is\n"
      "not available due to different user namespaces.\n\n"
      "The vader shared memory btl will fall back on another single-copy\n"
      "mechanism if one is available. This may result in lower performance.\n";
  const LibraryReport report = library_report(warning + "\n" + warning);
  CHECK_FALSE(report.lost_shared_memory);
  REQUIRE(report.messages.size() == 2);
  CHECK_THAT(report.messages[0],
             Catch::StartsWith("WARNING: The default btl_vader_single_copy_mechanism"));
  CHECK(library_report("").messages.empty());
  CHECK(library_report("hockney-paths: shared memory: failed to map\n# pingpong l3\n") ==
        LibraryReport());
}

}  // namespace hockney

#include "driver/campaign/preload.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

// Commands whose ranks get the library, and keep the user's own list.
namespace hockney::campaign {
namespace {

/// The command of a launcher that says this version; the library is /h.so.
std::string command_of(const std::string& words, const std::string& version) {
  const Command made =
      preloaded(split(words, ' '), "/h.so", {}, [&](const std::string&) { return version; });
  return join(made.arguments, " ");
}

}  // namespace

TEST_CASE("srun's --export keeps the user's list, in one word or two") {
  CHECK(command_of("srun ./app", "") == "srun --export=ALL,LD_PRELOAD=/h.so ./app");
  CHECK(command_of("srun --export=ALL,A=1 ./app", "") ==
        "srun --export=ALL,A=1,LD_PRELOAD=/h.so ./app");
  CHECK(command_of("srun --export=ALL,LD_PRELOAD=/a.so,A=1 ./app", "") ==
        "srun --export=ALL,LD_PRELOAD=/h.so:/a.so,A=1 ./app");
  CHECK(command_of("srun --export NONE,LD_PRELOAD=/a.so ./app", "") ==
        "srun --export NONE,LD_PRELOAD=/h.so:/a.so ./app");
}

TEST_CASE("options of launchers keep the user's list, for each program") {
  CHECK(command_of("mpirun -x LD_PRELOAD=/a.so -n 1 ./app : -n 1 ./b", "mpirun (Open MPI) 4.1.4") ==
        "mpirun -x LD_PRELOAD=/h.so -x LD_PRELOAD=/h.so:/a.so -n 1 ./app : -x LD_PRELOAD=/h.so -n "
        "1 ./b");
  CHECK(command_of("mpiexec -genv LD_PRELOAD /a.so -n 1 ./app", "HYDRA build details:") ==
        "mpiexec -genv LD_PRELOAD /h.so -genv LD_PRELOAD /h.so:/a.so -n 1 ./app");
}

TEST_CASE("a launcher's file of programs that is missing is bad input") {
  CHECK_THROWS_AS(command_of("mpirun --app /nonexistent", "mpirun (Open MPI) 4.1.4"), InputError);
}

}  // namespace hockney::campaign

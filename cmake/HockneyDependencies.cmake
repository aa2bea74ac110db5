# Every outside library, in one place. Headers of third parties are SYSTEM, so warnings are ours alone.

find_package(nlohmann_json 3.10 REQUIRED)
find_package(Threads REQUIRED)
find_package(simdjson 3.0 REQUIRED)  # reads what nlohmann's parser would take ten times as long for
find_package(CLI11 2.1 REQUIRED)
find_package(Boost 1.74 REQUIRED)  # Boost.Math, headers only
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc>=2.0)

# SQLite, with its wrapper. Debian's package of the wrapper names no target of CMake for SQLite itself.
find_package(SQLite3 3.37 REQUIRED)
find_package(SQLiteCpp 3.2 REQUIRED)

if(HOCKNEY_WITH_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  # A compiler given by hand brings its launcher: mpiexec beside mpicxx, mpiexec.mpich beside mpicxx.mpich. CMake alone
  # would take the one in PATH, which may be of another MPI.
  if(MPI_CXX_COMPILER MATCHES "^(.*/)?mpi[^/.]*(\\.[^/]*)?$")
    find_program(MPIEXEC_EXECUTABLE NAMES mpiexec${CMAKE_MATCH_2} HINTS "${CMAKE_MATCH_1}")
  endif()
  find_package(MPI 3.1 REQUIRED COMPONENTS CXX)
endif()

# smpicxx makes shared objects that only smpirun can start: right for the MPI programs, useless for the driver and tests.
if(CMAKE_CXX_COMPILER MATCHES "smpicxx$")
  set(HOCKNEY_SIMULATED ON)
endif()

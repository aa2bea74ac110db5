# Every outside library, in one place. Headers of third parties are SYSTEM, so warnings are ours alone. What is missing is fetched
# where HOCKNEY_FETCH asks for it, and all of the rest is said in one message.

option(HOCKNEY_FETCH "Take missing libraries from their authors' archives, at pinned versions" OFF)
set(HOCKNEY_FETCH_FROM "" CACHE PATH "The folder that HOCKNEY_FETCH finds the archives in, where there is no network")
set(HOCKNEY_WITH_SQLITE AUTO CACHE STRING "hockney health, which needs SQLite and SQLiteCpp: ON, OFF, or AUTO where they are")
set_property(CACHE HOCKNEY_WITH_SQLITE PROPERTY STRINGS AUTO ON OFF)
include(HockneyFetch)

# hockney_need(<library> FOUND <bool> FOR <what> [FETCHED] DEB <package>... RPM <package>...)
#   What is not found is fetched, or remembered for hockney_refuse_missing. FETCHED: HOCKNEY_FETCH knows it.
macro(hockney_need library)
  cmake_parse_arguments(need "FETCHED" "FOUND;FOR" "DEB;RPM" ${ARGN})
  if(NOT need_FOUND)
    if(need_FETCHED AND HOCKNEY_FETCH)
      hockney_fetch(${library})
    else()
      list(APPEND HOCKNEY_MISSING "${library} (${need_FOR})")
      list(APPEND HOCKNEY_MISSING_DEB ${need_DEB})
      list(APPEND HOCKNEY_MISSING_RPM ${need_RPM})
      if(need_FETCHED)
        list(APPEND HOCKNEY_FETCHABLE ${library})
      endif()
    endif()
  endif()
endmacro()

function(hockney_refuse_missing)
  if(NOT HOCKNEY_MISSING)
    return()
  endif()
  list(LENGTH HOCKNEY_MISSING count)
  list(JOIN HOCKNEY_MISSING "\n    " missing)
  list(JOIN HOCKNEY_MISSING_DEB " " deb)
  list(JOIN HOCKNEY_MISSING_RPM " " rpm)
  set(ways "as root on Debian and Ubuntu: apt-get install ${deb}" "as root on Fedora, or RHEL with EPEL: dnf install ${rpm}")
  if(HOCKNEY_FETCHABLE)
    list(JOIN HOCKNEY_FETCHABLE ", " fetchable)
    list(APPEND ways "without root: -DHOCKNEY_FETCH=ON, which takes ${fetchable} (docs/how-to/install-without-root.md, without a network, too)")
  endif()
  if(HOCKNEY_MISSING MATCHES "Boost ")
    list(APPEND ways "Boost: -DBoost_ROOT=/folder/of/its/archive (nothing of it is compiled)")
  endif()
  if(HOCKNEY_MISSING MATCHES "MPI ")
    list(APPEND ways "MPI: load its module, or -DMPI_CXX_COMPILER=/its/mpicxx, or -DHOCKNEY_WITH_MPI=OFF for fits and reports alone")
  endif()
  if(HOCKNEY_MISSING MATCHES "hwloc ")
    list(APPEND ways "hwloc: load its module, or -DHWLOC_ROOT=/its/prefix")
  endif()
  list(JOIN ways "\n    " ways)
  message(FATAL_ERROR "  cannot configure hockney (${count} of the libraries it needs are missing or too old)\n"
    "    ${missing}\n  use one of these ways:\n    ${ways}\n")
endfunction()

find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 QUIET)
hockney_need(nlohmann_json FOUND "${nlohmann_json_FOUND}" FETCHED FOR "3.10 or newer: documents"
  DEB nlohmann-json3-dev RPM json-devel)
find_package(simdjson 3.0 QUIET)  # reads what nlohmann's parser would take ten times as long for
hockney_need(simdjson FOUND "${simdjson_FOUND}" FETCHED FOR "3.0 or newer: reading records"
  DEB libsimdjson-dev RPM simdjson-devel)
find_package(LibYAML QUIET)
hockney_need(LibYAML FOUND "${LibYAML_FOUND}" FETCHED FOR "topologies of Slurm"
  DEB libyaml-dev RPM libyaml-devel)
find_package(fmt 8.1 QUIET)
hockney_need(fmt FOUND "${fmt_FOUND}" FETCHED FOR "8.1 or newer: sentences"
  DEB libfmt-dev RPM fmt-devel)
find_package(Eigen3 3.4 QUIET NO_MODULE)
if(NOT Eigen3_FOUND)
  find_package(Eigen3 5 QUIET NO_MODULE)  # the version after 3; a package accepts its own major version only
endif()
hockney_need(Eigen3 FOUND "${Eigen3_FOUND}" FETCHED FOR "3.4 or newer, headers: least squares"
  DEB libeigen3-dev RPM eigen3-devel)
find_package(CLI11 2.1 QUIET)
hockney_need(CLI11 FOUND "${CLI11_FOUND}" FETCHED FOR "2.1 or newer: command lines"
  DEB libcli11-dev RPM cli11-devel)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 OLD)  # FindBoost takes unpacked headers (-DBoost_ROOT=), too, which have no CMake package
endif()
find_package(Boost 1.74 QUIET)  # Boost.Math and Boost.Uuid, headers only
hockney_need(Boost FOUND "${Boost_FOUND}" FETCHED FOR "1.74 or newer, headers: distributions"
  DEB libboost-dev RPM boost-devel)
find_package(HWLOC 2.0 QUIET)
hockney_need(hwloc FOUND "${HWLOC_FOUND}" FOR "2.0 or newer: the machine's topology, binding"
  DEB libhwloc-dev RPM hwloc-devel)

# SQLite, with its wrapper: for hockney health alone, whose targets are there where SQLiteCpp is. Debian's package of the wrapper
# names no target of CMake for SQLite itself.
if(NOT HOCKNEY_WITH_SQLITE STREQUAL OFF)
  find_package(SQLite3 3.37 QUIET)
  if(SQLite3_FOUND)
    find_package(SQLiteCpp 3.2 QUIET)
  endif()
  if(SQLiteCpp_FOUND OR HOCKNEY_FETCH OR NOT HOCKNEY_WITH_SQLITE STREQUAL AUTO)
    hockney_need(SQLiteCpp FOUND "${SQLiteCpp_FOUND}" FETCHED
      FOR "3.2 or newer, with SQLite 3.37: hockney health, not needed with -DHOCKNEY_WITH_SQLITE=OFF"
      DEB libsqlite3-dev libsqlitecpp-dev RPM sqlite-devel sqlitecpp-devel)
  endif()
  if(NOT TARGET SQLiteCpp AND HOCKNEY_WITH_SQLITE STREQUAL AUTO)
    message(STATUS "No hockney health: SQLite 3.37 or SQLiteCpp 3.2 is missing (-DHOCKNEY_WITH_SQLITE=ON insists on them)")
  endif()
endif()

if(HOCKNEY_WITH_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  # A compiler given by hand brings its launcher: mpiexec beside mpicxx, mpiexec.mpich beside mpicxx.mpich. CMake alone
  # would take the one in PATH, which may be of another MPI.
  if(MPI_CXX_COMPILER MATCHES "^(.*/)?mpi[^/.]*(\\.[^/]*)?$")
    find_program(MPIEXEC_EXECUTABLE NAMES mpiexec${CMAKE_MATCH_2} HINTS "${CMAKE_MATCH_1}")
  endif()
  find_package(MPI 3.1 QUIET COMPONENTS CXX)
  hockney_need(MPI FOUND "${MPI_CXX_FOUND}" FOR "3.1 or newer: the programs that measure"
    DEB libopenmpi-dev openmpi-bin RPM openmpi-devel)
endif()

# A BLAS with its C interface is taken where there is one: hockney-cannon multiplies itself elsewhere.
if(HOCKNEY_WITH_MPI)
  find_package(BLAS QUIET)
  find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas)
  mark_as_advanced(CBLAS_INCLUDE_DIR)
  if(BLAS_FOUND AND CBLAS_INCLUDE_DIR)
    include(CheckCXXSymbolExists)
    set(CMAKE_REQUIRED_LIBRARIES ${BLAS_LIBRARIES})
    set(CMAKE_REQUIRED_INCLUDES ${CBLAS_INCLUDE_DIR})
    check_cxx_symbol_exists(cblas_dgemm cblas.h HOCKNEY_HAVE_CBLAS)
    unset(CMAKE_REQUIRED_LIBRARIES)
    unset(CMAKE_REQUIRED_INCLUDES)
  endif()
  if(HOCKNEY_HAVE_CBLAS)
    add_library(CBLAS::CBLAS INTERFACE IMPORTED)
    target_include_directories(CBLAS::CBLAS INTERFACE ${CBLAS_INCLUDE_DIR})
    target_compile_definitions(CBLAS::CBLAS INTERFACE HOCKNEY_HAVE_CBLAS)
    target_link_libraries(CBLAS::CBLAS INTERFACE ${BLAS_LIBRARIES})
  endif()
endif()

# elfutils, where it is, names the functions that hockney profile --sample finds.
option(HOCKNEY_WITH_ELFUTILS "Take elfutils (libdw) where it is" ON)
if(HOCKNEY_WITH_ELFUTILS AND HOCKNEY_APPLICATION)
  find_path(ELFUTILS_INCLUDE_DIR elfutils/libdwfl.h)
  find_library(ELFUTILS_DW_LIBRARY dw)
  mark_as_advanced(ELFUTILS_INCLUDE_DIR ELFUTILS_DW_LIBRARY)
  if(ELFUTILS_INCLUDE_DIR AND ELFUTILS_DW_LIBRARY)
    add_library(Elfutils::dw INTERFACE IMPORTED)
    target_include_directories(Elfutils::dw SYSTEM INTERFACE ${ELFUTILS_INCLUDE_DIR})
    target_compile_definitions(Elfutils::dw INTERFACE HOCKNEY_HAVE_ELFUTILS)
    target_link_libraries(Elfutils::dw INTERFACE ${ELFUTILS_DW_LIBRARY})
  else()
    message(STATUS "no elfutils (libdw): hockney profile --sample names no functions (Debian: libdw-dev, Fedora: elfutils-devel)")
  endif()
endif()

# Scotch, where there is one, maps ranks to nodes too (hockney map).
option(HOCKNEY_WITH_SCOTCH "Take Scotch where there is one" ON)
if(HOCKNEY_WITH_SCOTCH)
  find_path(SCOTCH_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
  find_library(SCOTCH_LIBRARY scotch)
  find_library(SCOTCH_ERROR_LIBRARY scotcherr)
  mark_as_advanced(SCOTCH_INCLUDE_DIR SCOTCH_LIBRARY SCOTCH_ERROR_LIBRARY)
  if(SCOTCH_INCLUDE_DIR AND SCOTCH_LIBRARY AND SCOTCH_ERROR_LIBRARY)
    add_library(Scotch::Scotch INTERFACE IMPORTED)
    target_include_directories(Scotch::Scotch SYSTEM INTERFACE ${SCOTCH_INCLUDE_DIR})
    target_compile_definitions(Scotch::Scotch INTERFACE HOCKNEY_HAVE_SCOTCH)
    target_link_libraries(Scotch::Scotch INTERFACE ${SCOTCH_LIBRARY} ${SCOTCH_ERROR_LIBRARY})
  endif()
endif()

# For tests alone, which are built where these are, unless BUILD_TESTING says otherwise.
find_package(Catch2 3 QUIET)
if(Catch2_FOUND)
  target_include_directories(Catch2::Catch2 SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/tests/support/catch3)
else()
  find_package(Catch2 2.13 QUIET)
endif()
find_path(VALIJSON_INCLUDE_DIR valijson/validator.hpp)
if(NOT DEFINED BUILD_TESTING AND NOT (Catch2_FOUND AND VALIJSON_INCLUDE_DIR))
  set(BUILD_TESTING OFF CACHE BOOL "Build the tests")
  message(STATUS "No tests: Catch2 2.13 or valijson is missing (-DBUILD_TESTING=ON insists on them)")
endif()
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  hockney_need(Catch2 FOUND "${Catch2_FOUND}" FETCHED FOR "2.13 or newer: tests, not needed with -DBUILD_TESTING=OFF"
    DEB catch2 RPM catch2-devel)
  hockney_need(valijson FOUND "${VALIJSON_INCLUDE_DIR}" FETCHED FOR "tests, not needed with -DBUILD_TESTING=OFF"
    DEB libvalijson-dev RPM valijson-devel)
endif()
hockney_refuse_missing()

# smpicxx makes shared objects that only smpirun can start: right for the MPI programs, useless for the driver and tests.
if(CMAKE_CXX_COMPILER MATCHES "smpicxx$")
  set(HOCKNEY_SIMULATED ON)
endif()

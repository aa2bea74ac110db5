# hockney_add_test(<folder> [PROCESSORS <n>] [LIBRARIES <lib>...] [DEFINITIONS <def>...])
#   One Catch2 program of every *_test.cpp in the current folder, and one CTest test of the folder's name and label.
#   PROCESSORS: how many it keeps busy, where it launches MPI programs. Cases tagged [nightly] run in <folder>/nightly alone; so
#   do studies tagged [study], once more at full size (tests/support/study.hpp).
#
# hockney_add_mpi_test(<folder> RANKS <n>... [NIGHTLY_RANKS <n>...] LIBRARIES <lib>... [DEFINITIONS <def>...])
#   The same for tests that call MPI: the whole program runs once per rank count, under the launcher of this build. The
#   target hockney_mpi_tests is all of them.
#
# hockney_add_study(<name> <source> <lib>...)
#   A program that the gate does not need: a study, run on request (tests/benchmarks/README.md), or what tests of the night run.
#   The target hockney_studies is all of them.
#
# Tests with the label nightly are left out of the gate. Every test has the label of its folder (tests/of-change).

set(HOCKNEY_TEST_OPTIONS "" CACHE STRING "Compiler options of the test programs, -O0 where compiling them takes longer than running")

# Catch2's own runner takes long to compile: once for both kinds of test programs.
add_library(hockney_catch_runner STATIC ${PROJECT_SOURCE_DIR}/tests/support/catch_runner.cpp)
target_link_libraries(hockney_catch_runner PUBLIC hockney_options Catch2::Catch2 fmt::fmt)
target_compile_options(hockney_catch_runner PRIVATE -Wno-error ${HOCKNEY_TEST_OPTIONS})  # of Catch2 under sanitizers

add_library(hockney_catch_main STATIC ${PROJECT_SOURCE_DIR}/tests/support/catch_main.cpp)
target_link_libraries(hockney_catch_main PUBLIC hockney_catch_runner)

add_custom_target(hockney_studies)

function(hockney_add_study name source)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE hockney_options ${ARGN})
  target_compile_definitions(${name} PRIVATE HOCKNEY_SOURCE_DIR="${PROJECT_SOURCE_DIR}" HOCKNEY_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_dependencies(hockney_studies ${name})
endfunction()

function(hockney_test_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES;DEFINITIONS")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  target_compile_options(${target} PRIVATE ${HOCKNEY_TEST_OPTIONS})
  hockney_precompile(${target} TEST OPTIONS ${HOCKNEY_TEST_OPTIONS})
  target_compile_definitions(${target} PRIVATE
    HOCKNEY_SOURCE_DIR="${PROJECT_SOURCE_DIR}" HOCKNEY_BINARY_DIR="${PROJECT_BINARY_DIR}" ${arg_DEFINITIONS})
endfunction()

# MPI libraries leak; programs with them are started by tests without MPI, too.
if(HOCKNEY_WITH_MPI AND HOCKNEY_SANITIZE)
  set(HOCKNEY_LAUNCHING_ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endif()

# hockney_add_case_test(<name> <target> <processors> <cases> <labels> <environment>)
function(hockney_add_case_test name target processors cases labels environment)
  add_test(NAME ${name} COMMAND ${target} ${cases})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" PROCESSORS ${processors} TIMEOUT 1800 ENVIRONMENT "${environment}")
endfunction()

# hockney_read_tags(<result>): whether a source of this folder has cases for the night.
function(hockney_read_tags result)
  file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  set(${result} "" PARENT_SCOPE)
  foreach(source ${sources})
    file(STRINGS ${source} lines REGEX "\\[(nightly|study)\\]" LIMIT_COUNT 1)
    if(lines)
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(hockney_add_test folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSORS" "LIBRARIES;DEFINITIONS")
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  string(REPLACE "/" "_" stem ${folder})
  hockney_test_program(${stem}_tests LIBRARIES hockney_catch_main ${arg_LIBRARIES} DEFINITIONS ${arg_DEFINITIONS})
  hockney_add_case_test(${folder} ${stem}_tests ${arg_PROCESSORS} "~[.]~[nightly]" "${folder}" "${HOCKNEY_LAUNCHING_ENVIRONMENT}")
  hockney_read_tags(tags)
  if(tags)
    hockney_add_case_test(${folder}/nightly ${stem}_tests ${arg_PROCESSORS} "[nightly],[study]" "${folder};nightly"
      "HOCKNEY_NIGHTLY=1;${HOCKNEY_LAUNCHING_ENVIRONMENT}")
  endif()
endfunction()

# hockney_add_driver_test(<folder> LIBRARIES <lib>...): tests that start the driver, and with it what measures.
function(hockney_add_driver_test folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  string(REPLACE "/" "_" stem ${folder})
  set(definitions)
  if(HOCKNEY_WITH_MPI)
    # Lists travel as one text, since a definition cannot hold a ';'.
    string(REPLACE ";" "|" flags "${HOCKNEY_TEST_LAUNCHER_FLAGS}")
    string(REPLACE ";" "|" environment "${HOCKNEY_TEST_ENVIRONMENT}")
    list(APPEND definitions HOCKNEY_MPIEXEC="${MPIEXEC_EXECUTABLE}" HOCKNEY_MPIEXEC_NUMPROC="${MPIEXEC_NUMPROC_FLAG}"
         HOCKNEY_MPIEXEC_FLAGS="${flags}" HOCKNEY_MPI_ENVIRONMENT="${environment}"
         HOCKNEY_STANDIN="$<TARGET_FILE_DIR:standin_cuda>")
    if(HOCKNEY_TEST_LAUNCHER_FLAGS MATCHES "--oversubscribe")
      list(APPEND definitions HOCKNEY_OPEN_MPI)
    endif()
  endif()
  hockney_add_test(${folder} LIBRARIES ${arg_LIBRARIES} DEFINITIONS ${definitions})
  add_dependencies(${stem}_tests hockney_commands)
  if(HOCKNEY_WITH_MPI)
    add_dependencies(${stem}_tests standin_cuda standin_rocm hockney_programs)
  endif()
endfunction()

if(HOCKNEY_WITH_MPI)
  add_custom_target(hockney_mpi_tests)
  add_library(hockney_catch_mpi_main STATIC ${PROJECT_SOURCE_DIR}/tests/support/catch_mpi_main.cpp)
  target_link_libraries(hockney_catch_mpi_main PUBLIC hockney_catch_runner hockney_harness)

  # Two cores must do for four ranks, and containers are often root's. Ranks of MPICH keep their core while they wait for
  # each other, so theirs take long.
  set(HOCKNEY_TEST_LIMIT_SECONDS 1800)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE launcher_version ERROR_QUIET)
  if(launcher_version MATCHES "Open MPI|OpenRTE|Open RTE|PRRTE")
    set(HOCKNEY_TEST_LIMIT_SECONDS 300)
    set(HOCKNEY_TEST_LAUNCHER_FLAGS --oversubscribe --bind-to none)
  endif()
endif()

set(HOCKNEY_TEST_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_mpi_yield_when_idle=1 ASAN_OPTIONS=detect_leaks=0)

function(hockney_add_mpi_test folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;NIGHTLY_RANKS;LIBRARIES;DEFINITIONS")
  string(REPLACE "/" "_" stem ${folder})
  hockney_test_program(${stem}_mpi_tests
    LIBRARIES hockney_catch_mpi_main ${arg_LIBRARIES} DEFINITIONS ${arg_DEFINITIONS})
  add_dependencies(hockney_mpi_tests ${stem}_mpi_tests)
  foreach(ranks ${arg_RANKS} ${arg_NIGHTLY_RANKS})
    hockney_add_launched_test(${folder}/mpi-${ranks} ${ranks} ${stem}_mpi_tests "${folder}")
  endforeach()
  foreach(ranks ${arg_NIGHTLY_RANKS})
    set_tests_properties(${folder}/mpi-${ranks} PROPERTIES LABELS "${folder};mpi;nightly")
  endforeach()
endfunction()

# hockney_add_launched_test(<name> <ranks> <target> <label> [<case>...])
function(hockney_add_launched_test name ranks target label)
  add_test(NAME ${name}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${HOCKNEY_TEST_LAUNCHER_FLAGS} $<TARGET_FILE:${target}> ${ARGN})
  set_tests_properties(${name} PROPERTIES PROCESSORS ${ranks} TIMEOUT ${HOCKNEY_TEST_LIMIT_SECONDS} LABELS "${label};mpi"
    ENVIRONMENT "${HOCKNEY_TEST_ENVIRONMENT}")
endfunction()

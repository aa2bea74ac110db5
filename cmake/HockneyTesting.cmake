# hockney_add_test(<folder> [PROCESSORS <n>] [LIBRARIES <lib>...] [DEFINITIONS <def>...])
#   One Catch2 program of every *_test.cpp in the current folder; each test case is one CTest test named
#   <folder>/<test case> with label <folder>. PROCESSORS: how many it keeps busy, where it launches MPI programs.
#
# hockney_add_mpi_test(<folder> RANKS <n>... LIBRARIES <lib>... [DEFINITIONS <def>...])
#   The same for tests that call MPI: the whole program runs once per rank count, under the launcher of this build. The
#   target hockney_mpi_tests is all of them.

set(HOCKNEY_TEST_OPTIONS "" CACHE STRING "Compiler options of the test programs, -O0 where compiling them takes longer than running")

include(Catch)

# Catch2's own runner takes long to compile: once for both kinds of test programs.
add_library(hockney_catch_runner STATIC ${PROJECT_SOURCE_DIR}/tests/support/catch_runner.cpp)
target_link_libraries(hockney_catch_runner PUBLIC hockney_options Catch2::Catch2 fmt::fmt)
target_compile_options(hockney_catch_runner PRIVATE -Wno-error ${HOCKNEY_TEST_OPTIONS})  # of Catch2 under sanitizers

add_library(hockney_catch_main STATIC ${PROJECT_SOURCE_DIR}/tests/support/catch_main.cpp)
target_link_libraries(hockney_catch_main PUBLIC hockney_catch_runner)

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
  set(HOCKNEY_LAUNCHING_ENVIRONMENT ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endif()

function(hockney_add_test folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSORS" "LIBRARIES;DEFINITIONS")
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  string(REPLACE "/" "_" stem ${folder})
  hockney_test_program(${stem}_tests LIBRARIES hockney_catch_main ${arg_LIBRARIES} DEFINITIONS ${arg_DEFINITIONS})
  catch_discover_tests(${stem}_tests TEST_PREFIX "${folder}/"
    PROPERTIES LABELS ${folder} PROCESSORS ${arg_PROCESSORS} TIMEOUT 120 ${HOCKNEY_LAUNCHING_ENVIRONMENT})
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
  add_dependencies(${stem}_tests hockney_driver)
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
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RANKS;LIBRARIES;DEFINITIONS")
  string(REPLACE "/" "_" stem ${folder})
  hockney_test_program(${stem}_mpi_tests
    LIBRARIES hockney_catch_mpi_main ${arg_LIBRARIES} DEFINITIONS ${arg_DEFINITIONS})
  add_dependencies(hockney_mpi_tests ${stem}_mpi_tests)
  foreach(ranks ${arg_RANKS})
    add_test(NAME ${folder}/mpi-${ranks}
      COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${HOCKNEY_TEST_LAUNCHER_FLAGS}
              $<TARGET_FILE:${stem}_mpi_tests>)
    set_tests_properties(${folder}/mpi-${ranks} PROPERTIES PROCESSORS ${ranks}
      TIMEOUT ${HOCKNEY_TEST_LIMIT_SECONDS} LABELS "${folder};mpi" ENVIRONMENT "${HOCKNEY_TEST_ENVIRONMENT}")
  endforeach()
endfunction()

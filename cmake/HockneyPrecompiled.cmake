# Headers that many sources read, compiled once for each way of compiling. Every source includes what it uses all the same: the
# preset `sources` compiles each without them.
option(HOCKNEY_PRECOMPILED "Read the largest headers from a precompiled one" ON)
if(HOCKNEY_SOURCES_ALONE OR HOCKNEY_TIDY OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # Clang takes none that other definitions made
  set(HOCKNEY_PRECOMPILED OFF)
endif()

# hockney_precompile(<target> [TEST] [OPTIONS <option>...])
#   For a target that links hockney_options. TEST: Catch2 too. OPTIONS: those of the target that a precompiled header must share,
#   as -O1.
function(hockney_precompile target)
  if(NOT HOCKNEY_PRECOMPILED)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "TEST" "" "OPTIONS")
  get_target_property(type ${target} TYPE)
  set(parts ${type} ${arg_OPTIONS})
  if(arg_TEST)
    list(APPEND parts TEST)
  endif()
  list(JOIN parts _ name)
  string(MAKE_C_IDENTIFIER hockney_precompiled_${name} name)
  string(TOLOWER ${name} name)
  if(NOT TARGET ${name})
    set(nothing ${PROJECT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${nothing} CONTENT "")
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${nothing})
    target_compile_options(${name} PRIVATE ${arg_OPTIONS})
    if(type STREQUAL EXECUTABLE)
      set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${name} PRIVATE -fPIE)  # as of programs
    endif()
    target_link_libraries(${name} PRIVATE hockney_options nlohmann_json::nlohmann_json fmt::fmt)
    target_precompile_headers(${name} PRIVATE <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <fstream> <functional>
      <iomanip> <iostream> <map> <memory> <numeric> <optional> <random> <set> <span> <sstream> <string> <string_view> <thread>
      <unordered_map> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)
    if(arg_TEST)
      target_link_libraries(${name} PRIVATE Catch2::Catch2)
      target_precompile_headers(${name} PRIVATE <catch2/catch.hpp>)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

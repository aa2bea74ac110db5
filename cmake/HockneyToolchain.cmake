# Language level, warnings and sanitizers, carried by one interface target that every hockney target links.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # smpirun loads its programs as shared objects
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

# What GCC 10 and libc++ before 20 lack, so that they are refused here and not by a thousand lines.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles([[
  #include <charconv>
  #include <chrono>
  int main() {
    double number = 0;
    const char digit = '1';
    std::from_chars(&digit, &digit + 1, number);
    return std::chrono::year_month_day(std::chrono::sys_days{}).ok() && number == 1 ? 0 : 1;
  }]] HOCKNEY_COMPILER_IS_NEW_ENOUGH)
if(NOT HOCKNEY_COMPILER_IS_NEW_ENOUGH)
  message(FATAL_ERROR "  cannot build with ${CMAKE_CXX_COMPILER} (${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} and its library "
    "lack parts of C++20)\n  use GCC 11 or newer, or Clang with its library: load a module, or -DCMAKE_CXX_COMPILER=")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What it must overlook to keep objects that were made with precompiled headers, which hold no time and no macro of ours.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

add_library(hockney_options INTERFACE)
target_include_directories(hockney_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(hockney_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
  -Wno-missing-field-initializers  # designated initialisers leave the rest at its default on purpose
  -Wno-restrict  # false alarms of GCC 12 on std::string (PR 105651)
  -Wold-style-cast -Woverloaded-virtual -Wnon-virtual-dtor
  $<$<BOOL:${HOCKNEY_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # a fifth of its time is collecting garbage in a heap of 500 MB; without, it takes 600
  target_compile_options(hockney_options INTERFACE --param=ggc-min-heapsize=1000000 --param=ggc-min-expand=1000)
endif()

if(CMAKE_UNITY_BUILD)  # where a local name may be another source's, and GCC takes sources for headers; the stage `sources` warns
  target_compile_options(hockney_options INTERFACE -Wno-shadow -Wno-subobject-linkage)
endif()

if(HOCKNEY_SOURCES_ALONE)
  target_compile_options(hockney_options INTERFACE -fsyntax-only)
endif()

if(HOCKNEY_SANITIZE)
  target_compile_options(hockney_options INTERFACE
    -fsanitize=${HOCKNEY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(hockney_options INTERFACE -fsanitize=${HOCKNEY_SANITIZE})
endif()

if(HOCKNEY_TIDY)
  find_program(CLANG_TIDY_PROGRAM NAMES clang-tidy-16 REQUIRED)
endif()

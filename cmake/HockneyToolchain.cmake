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

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(hockney_options INTERFACE)
target_include_directories(hockney_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(hockney_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
  -Wno-missing-field-initializers  # designated initialisers leave the rest at its default on purpose
  -Wno-restrict  # false alarms of GCC 12 on std::string (PR 105651)
  -Wold-style-cast -Woverloaded-virtual -Wnon-virtual-dtor
  $<$<BOOL:${HOCKNEY_WERROR}>:-Werror>)

if(HOCKNEY_SANITIZE)
  target_compile_options(hockney_options INTERFACE
    -fsanitize=${HOCKNEY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(hockney_options INTERFACE -fsanitize=${HOCKNEY_SANITIZE})
endif()

if(HOCKNEY_TIDY)
  find_program(CLANG_TIDY_PROGRAM NAMES clang-tidy-16 REQUIRED)
endif()

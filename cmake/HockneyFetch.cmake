# Libraries that a machine lacks, from their authors' archives, at the versions that hockney is tested with (those of Debian 12):
#
#   hockney_fetch(<library>)      its archive is unpacked and its target made, under the name that its package has
#
# and, on a machine with a network, all of the archives into a folder for one without, those of page scripts too where npm is:
#
#   cmake -D TO=<folder> -P cmake/HockneyFetch.cmake

include(${CMAKE_CURRENT_LIST_DIR}/HockneyArchives.cmake)

function(hockney_fetch library)
  hockney_pin(${library} pin)
  hockney_archive(${library} pin "${HOCKNEY_FETCH_FROM}" archive)
  message(STATUS "Taking ${library} ${pin_VERSION} from ${archive}")
  string(TOLOWER ${library} name)
  # Without their own CMake files, which want other versions of CMake and build tests and documents: SOURCE_SUBDIR is not there.
  FetchContent_Declare(${name} URL ${archive} URL_HASH ${pin_ALGORITHM}=${pin_DIGEST} SOURCE_SUBDIR none)
  FetchContent_MakeAvailable(${name})
  set(source ${${name}_SOURCE_DIR})
  if(library STREQUAL nlohmann_json)
    hockney_fetched_headers(nlohmann_json::nlohmann_json ${source}/include)
  elseif(library STREQUAL CLI11)
    hockney_fetched_headers(CLI11::CLI11 ${source}/include)
  elseif(library STREQUAL Eigen3)
    hockney_fetched_headers(Eigen3::Eigen ${source})
  elseif(library STREQUAL Boost)
    hockney_fetched_headers(Boost::headers ${source})
  elseif(library STREQUAL simdjson)
    hockney_fetched_library(simdjson ${source}/singleheader/simdjson.cpp INCLUDES ${source}/singleheader)
    add_library(simdjson::simdjson ALIAS simdjson)
  elseif(library STREQUAL LibYAML)
    file(GLOB sources ${source}/src/*.c)
    hockney_fetched_library(yaml ${sources} INCLUDES ${source}/include)
    target_compile_definitions(yaml PRIVATE YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5")
    add_library(LibYAML::LibYAML ALIAS yaml)
  elseif(library STREQUAL fmt)
    hockney_fetched_library(fmt ${source}/src/format.cc INCLUDES ${source}/include)
    add_library(fmt::fmt ALIAS fmt)
  elseif(library STREQUAL SQLiteCpp)  # with SQLite itself
    file(GLOB sources ${source}/src/*.cpp)
    hockney_fetched_library(SQLiteCpp ${sources} ${source}/sqlite3/sqlite3.c INCLUDES ${source}/include ${source}/sqlite3)
    target_link_libraries(SQLiteCpp PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
  elseif(library STREQUAL Catch2)
    hockney_fetched_headers(Catch2::Catch2 ${source}/single_include)
    set(CMAKE_MODULE_PATH ${CMAKE_MODULE_PATH} ${source}/contrib PARENT_SCOPE)
  elseif(library STREQUAL valijson)
    set(VALIJSON_INCLUDE_DIR ${source}/include CACHE PATH "Headers of valijson" FORCE)
  endif()
endfunction()

function(hockney_fetched_headers target folder)
  add_library(${target} INTERFACE IMPORTED GLOBAL)  # imported headers are SYSTEM, as those of packages are
  target_include_directories(${target} INTERFACE ${folder})
endfunction()

# As its package would be built, whatever hockney is built for.
function(hockney_fetched_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "INCLUDES")
  add_library(${target} STATIC EXCLUDE_FROM_ALL ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${target} SYSTEM PUBLIC ${arg_INCLUDES})
  target_compile_options(${target} PRIVATE -O2 -w)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  if(NOT TO)
    message(FATAL_ERROR "  no folder to write to (TO is not set) use cmake -D TO=FOLDER -P ${CMAKE_CURRENT_LIST_FILE}")
  endif()
  get_filename_component(TO ${TO} ABSOLUTE)
  hockney_download_archives(${TO})
else()
  include(FetchContent)
endif()

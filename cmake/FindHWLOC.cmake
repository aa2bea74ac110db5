# hwloc, which brings no CMake package: the target HWLOC::HWLOC, HWLOC_FOUND and HWLOC_VERSION. Looked for where HWLOC_ROOT and
# pkg-config say (a module sets one or the other), then where the system has it.

find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PC_HWLOC QUIET hwloc)
endif()
find_path(HWLOC_INCLUDE_DIR hwloc.h HINTS ${PC_HWLOC_INCLUDE_DIRS})
find_library(HWLOC_LIBRARY hwloc HINTS ${PC_HWLOC_LIBRARY_DIRS})
mark_as_advanced(HWLOC_INCLUDE_DIR HWLOC_LIBRARY)

if(HWLOC_INCLUDE_DIR)  # 0x00020800 is the programming interface of 2.8
  file(STRINGS ${HWLOC_INCLUDE_DIR}/hwloc.h line REGEX "^#define HWLOC_API_VERSION 0x")
  if(line MATCHES "0x([0-9a-f][0-9a-f][0-9a-f][0-9a-f])([0-9a-f][0-9a-f])")
    math(EXPR major "0x${CMAKE_MATCH_1}")
    math(EXPR minor "0x${CMAKE_MATCH_2}")
    set(HWLOC_VERSION ${major}.${minor})
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HWLOC REQUIRED_VARS HWLOC_LIBRARY HWLOC_INCLUDE_DIR VERSION_VAR HWLOC_VERSION)

if(HWLOC_FOUND AND NOT TARGET HWLOC::HWLOC)
  add_library(HWLOC::HWLOC UNKNOWN IMPORTED)
  set_target_properties(HWLOC::HWLOC PROPERTIES IMPORTED_LOCATION ${HWLOC_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${HWLOC_INCLUDE_DIR})
endif()

# hockney_add_library(<layer> [MPI] [UNTIMED] [EXCEPT <file>...] [FAST <file>...] [PUBLIC <lib>...] [PRIVATE <lib>...])
#   The static library hockney_<layer> of every .cpp in the current folder. MPI: it depends on MPI, so that each MPI library
#   needs one of its own. UNTIMED: nothing that it does is measured. In a release build those, and what is without MPI, are
#   compiled with -Og, which takes GCC 12 a quarter less time than -O1. FAST: all the same with -O2, as commands spend their
#   time there.
#
#   HOCKNEY_LAYERS_FROM: the folder of another build by the same compiler, whose layers without MPI are taken.
add_custom_target(hockney_layers)  # all of them without MPI

function(hockney_add_library layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MPI;UNTIMED" "" "EXCEPT;FAST;PUBLIC;PRIVATE")
  if(HOCKNEY_LAYERS_FROM AND NOT arg_MPI)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    add_library(hockney_${layer} STATIC IMPORTED GLOBAL)
    set_target_properties(hockney_${layer} PROPERTIES
      IMPORTED_LOCATION ${HOCKNEY_LAYERS_FROM}/${folder}/libhockney_${layer}.a)
    target_link_libraries(hockney_${layer} INTERFACE hockney_options ${arg_PUBLIC} ${arg_PRIVATE})
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  list(TRANSFORM arg_EXCEPT PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE left_out)
  list(REMOVE_ITEM sources ${left_out})
  add_library(hockney_${layer} STATIC ${sources})
  target_link_libraries(hockney_${layer} PUBLIC hockney_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  hockney_tidy(hockney_${layer})
  if(NOT arg_MPI)
    add_dependencies(hockney_layers hockney_${layer})
  endif()
  if((NOT arg_MPI OR arg_UNTIMED) AND HOCKNEY_FAST_BUILD AND CMAKE_BUILD_TYPE STREQUAL Release)
    set(options -Og)
    target_compile_options(hockney_${layer} PRIVATE ${options})
    set_source_files_properties(${arg_FAST} PROPERTIES COMPILE_OPTIONS -O2 SKIP_UNITY_BUILD_INCLUSION ON
      SKIP_PRECOMPILE_HEADERS ON)
  endif()
  hockney_precompile(hockney_${layer} OPTIONS ${options})
endfunction()

# hockney_describe_build(<file>): tells a file which build it is part of. An unpacked archive has no revision, wherever it lies.
function(hockney_describe_build file)
  find_package(Git QUIET)
  if(GIT_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE revision
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS
    "HOCKNEY_VERSION=\"${PROJECT_VERSION}\";HOCKNEY_GIT_REVISION=\"${revision}\";\
HOCKNEY_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\";\
HOCKNEY_FLAGS=\"${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}\"")
endfunction()

# hockney_build_again(<name> TARGETS <program>... [BYPRODUCTS <file>...] CONFIGURE <argument of cmake>...)
#   The target hockney_<name>: programs built once more, for another MPI library, in <build folder>/<name>, with this
#   build's layers without MPI. No time that is measured there is a figure of this machine, so -Og will do.
function(hockney_build_again name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "TARGETS;BYPRODUCTS;CONFIGURE")
  if(NOT HOCKNEY_SANITIZE)
    set(shared -DHOCKNEY_LAYERS_FROM=${PROJECT_BINARY_DIR})
  endif()
  include(ExternalProject)
  ExternalProject_Add(hockney_${name}
    DEPENDS hockney_layers
    SOURCE_DIR ${PROJECT_SOURCE_DIR}
    BINARY_DIR ${PROJECT_BINARY_DIR}/${name}
    CONFIGURE_COMMAND ${CMAKE_COMMAND} ${arg_CONFIGURE} -G Ninja -S ${PROJECT_SOURCE_DIR} -B ${PROJECT_BINARY_DIR}/${name}
      -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-Og -DNDEBUG" -DBUILD_TESTING=OFF -DHOCKNEY_WERROR=${HOCKNEY_WERROR}
      -DCMAKE_UNITY_BUILD=${CMAKE_UNITY_BUILD} -DCMAKE_UNITY_BUILD_BATCH_SIZE=${CMAKE_UNITY_BUILD_BATCH_SIZE}
      -DHOCKNEY_FETCH=${HOCKNEY_FETCH} -DHOCKNEY_FETCH_FROM=${HOCKNEY_FETCH_FROM} -DHOCKNEY_WITH_SQLITE=OFF
      -DHOCKNEY_FAST_BUILD=OFF  # -Og already; one precompiled header does for all
      ${shared}
    BUILD_COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR}/${name} --target ${arg_TARGETS}
    BUILD_BYPRODUCTS ${arg_BYPRODUCTS}  # files of it that targets of this build are made of
    INSTALL_COMMAND ""
    BUILD_ALWAYS ON)
endfunction()

# hockney_add_program(<name> SOURCES <file>... LIBRARIES <lib>...)
#   An installed executable in build/<preset>/bin.
function(hockney_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE hockney_options ${arg_LIBRARIES})
  hockney_tidy(${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(NOT HOCKNEY_SIMULATED AND NOT CMAKE_CROSSCOMPILING)
    hockney_add_pages(${name})
  endif()
endfunction()

# hockney_link_file(<result> <link>): where hockney_add_links makes it.
function(hockney_link_file result link)
  set(${result} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${link} PARENT_SCOPE)
endfunction()

# hockney_add_links(<program> <link>...)
#   Names by which a program is called: links beside it, here and where it is installed, or copies of it where the file system
#   has no links. Each is a target that makes the link.
function(hockney_add_links program)
  foreach(link ${ARGN})
    hockney_link_file(file ${link})
    set(commands COMMAND sh -c "ln -sf \"$0\" \"$2\" || cp -f \"$1\" \"$2\"" $<TARGET_FILE_NAME:${program}>
      $<TARGET_FILE:${program}> ${file})
    if(NOT HOCKNEY_SIMULATED AND NOT CMAKE_CROSSCOMPILING)
      string(REGEX REPLACE "^hockney-" "" command ${link})
      if(NOT command IN_LIST hockney_commands_of_hockney)  # hockney-self-test(1) is the page of `hockney self-test`
        hockney_page_command(page ${link} ${file})
        list(APPEND commands COMMAND ${page})
      endif()
      hockney_install_pages(${link})
    endif()
    set(made ${CMAKE_CURRENT_BINARY_DIR}/${link}.made)
    add_custom_command(OUTPUT ${made} BYPRODUCTS ${file} DEPENDS ${program} VERBATIM
      ${commands} COMMAND ${CMAKE_COMMAND} -E touch ${made})
    add_custom_target(${link} ALL DEPENDS ${made})
    install(PROGRAMS ${file} DESTINATION ${CMAKE_INSTALL_BINDIR})
  endforeach()
endfunction()

include(HockneyPages)

# hockney_tidy(<target>): clang-tidy beside the compiler, when HOCKNEY_TIDY asks for it.
function(hockney_tidy target)
  if(HOCKNEY_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${CLANG_TIDY_PROGRAM};--quiet")
  endif()
endfunction()

# hockney_check_headers(<folder>...)
#   The target hockney_headers: every header of the folders compiles by itself, each once.
function(hockney_check_headers)
  list(TRANSFORM ARGN APPEND /*.hpp OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
  if(NOT HOCKNEY_WITH_MPI)
    list(FILTER headers EXCLUDE REGEX "^benchmarks/[^e]")
  endif()
  if(NOT TARGET SQLiteCpp)
    list(FILTER headers EXCLUDE REGEX "^components/health/(history|nights|report|app)/")
  endif()
  foreach(header ${headers})
    set(source ${PROJECT_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@header@\"\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()
  add_library(hockney_headers OBJECT EXCLUDE_FROM_ALL ${sources})
  target_compile_options(hockney_headers PRIVATE -O0)
  target_link_libraries(hockney_headers PRIVATE hockney_options nlohmann_json::nlohmann_json CLI11::CLI11 Boost::headers
    HWLOC::HWLOC $<TARGET_NAME_IF_EXISTS:SQLiteCpp> $<TARGET_NAME_IF_EXISTS:MPI::MPI_CXX>)
endfunction()

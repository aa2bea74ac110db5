# hockney_add_library(<layer> [PUBLIC <lib>...] [PRIVATE <lib>...])
#   The static library hockney_<layer> of every .cpp in the current folder. Its headers form a FILE_SET, so that
#   CMAKE_VERIFY_INTERFACE_HEADER_SETS proves each of them self-contained.
function(hockney_add_library layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC;PRIVATE")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  add_library(hockney_${layer} STATIC ${sources})
  target_sources(hockney_${layer} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  target_link_libraries(hockney_${layer} PUBLIC hockney_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  hockney_tidy(hockney_${layer})
endfunction()

# hockney_add_program(<name> SOURCES <file>... LIBRARIES <lib>...)
#   An installed executable in build/<preset>/bin.
function(hockney_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE hockney_options ${arg_LIBRARIES})
  hockney_tidy(${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# hockney_tidy(<target>): clang-tidy beside the compiler, when HOCKNEY_TIDY asks for it.
function(hockney_tidy target)
  if(HOCKNEY_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${CLANG_TIDY_PROGRAM};--quiet")
  endif()
endfunction()

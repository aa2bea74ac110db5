# The scripts that draw the plots of a page, from their npm packages, each with its licence at its beginning:
#
#   cmake -D TO=<folder> [-D FROM=<folder>] -P cmake/HockneyPageScripts.cmake
#
# FROM: where the archives are, on a machine without npm or network (cmake/HockneyFetch.cmake takes them, or npm pack).
# The target page-scripts puts them where programs find them, and cmake --install after it installs them.

include(${CMAKE_CURRENT_LIST_DIR}/HockneyArchives.cmake)

function(hockney_page_script package folder)
  hockney_pin(${package} pin)
  if(FROM)
    hockney_archive(${package} pin ${FROM} archive)
  else()
    hockney_download(${package} pin ${folder})
    set(archive ${folder}/${pin_FILE})
  endif()
  string(REPLACE "npm:" "" script ${pin_SOURCE})
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder}/${package} PATTERNS package/${script} package/LICENSE)
  file(READ ${folder}/${package}/package/LICENSE licence)
  file(READ ${folder}/${package}/package/${script} text)
  get_filename_component(name ${script} NAME)
  file(WRITE ${folder}/whole/${name} "/*! ${package} ${pin_VERSION}\n${licence}*/\n${text}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  if(NOT TO)
    message(FATAL_ERROR "  no folder to write to (TO is not set) use cmake -D TO=FOLDER -P ${CMAKE_CURRENT_LIST_FILE}")
  endif()
  get_filename_component(TO ${TO} ABSOLUTE)
  set(folder ${TO}.making)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  hockney_pinned(packages "^npm:")
  foreach(package ${packages})
    hockney_page_script(${package} ${folder})
  endforeach()
  file(REMOVE_RECURSE ${TO})
  file(RENAME ${folder}/whole ${TO})  # all of them, or none
  file(REMOVE_RECURSE ${folder})
else()
  set(page_scripts ${PROJECT_BINARY_DIR}/share/hockney/page)
  add_custom_command(OUTPUT ${page_scripts}/vega.min.js DEPENDS ${HOCKNEY_PINS} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D TO=${page_scripts} -P ${CMAKE_CURRENT_LIST_FILE})
  add_custom_target(page-scripts DEPENDS ${page_scripts}/vega.min.js)
  install(DIRECTORY ${page_scripts} DESTINATION ${CMAKE_INSTALL_DATADIR}/hockney OPTIONAL)
endif()

# The scripts that draw the plots of a page, from their npm packages (cmake/page-scripts), each with its licence at its beginning:
#
#   cmake -D TO=<folder> [-D FROM=<folder>] -P cmake/HockneyPageScripts.cmake
#
# FROM: where the archives are, such as vega-6.4.0.tgz, on a machine without npm or network; npm pack makes them.
# The target page-scripts puts them where programs find them, and cmake --install after it installs them.

set(HOCKNEY_PAGE_PINS ${CMAKE_CURRENT_LIST_DIR}/page-scripts)

# The archive of a package: in FROM, or what npm packs into <folder>.
function(hockney_page_archive package version folder result)
  set(file ${package}-${version}.tgz)
  if(FROM)
    if(NOT EXISTS ${FROM}/${file})
      message(FATAL_ERROR "  cannot take ${package} from ${FROM} (it has no ${file})\n  put it there: npm pack ${package}@${version}")
    endif()
    set(${result} ${FROM}/${file} PARENT_SCOPE)
    return()
  endif()
  find_program(NPM npm)
  if(NOT NPM)
    message(FATAL_ERROR "  cannot take ${package} ${version} (there is no npm)\n  install npm, or name a folder with its archive: FROM")
  endif()
  execute_process(COMMAND ${NPM} pack --silent --pack-destination ${folder} ${package}@${version}
    OUTPUT_QUIET ERROR_VARIABLE why RESULT_VARIABLE code TIMEOUT 120)
  if(code)
    message(FATAL_ERROR "  cannot take ${package} ${version} (npm: ${code} ${why})\n  name a folder with its archive: FROM")
  endif()
  set(${result} ${folder}/${file} PARENT_SCOPE)
endfunction()

function(hockney_page_script line folder)
  if(NOT line MATCHES "^([^ ]+) ([^ ]+) ([^ ]+) ([0-9a-f]+)$")
    message(FATAL_ERROR "  bad line '${line}' in ${HOCKNEY_PAGE_PINS} (it is not 'package version file SHA-512') write it so")
  endif()
  set(package ${CMAKE_MATCH_1})
  set(version ${CMAKE_MATCH_2})
  set(script ${CMAKE_MATCH_3})
  set(pinned ${CMAKE_MATCH_4})
  hockney_page_archive(${package} ${version} ${folder} archive)
  file(SHA512 ${archive} digest)
  if(NOT digest STREQUAL pinned)
    message(FATAL_ERROR "  cannot take ${package} ${version} from ${archive} (its SHA-512 is ${digest}, not ${pinned})\n"
      "  take that of the npm registry")
  endif()
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder}/${package} PATTERNS package/${script} package/LICENSE)
  file(READ ${folder}/${package}/package/LICENSE licence)
  file(READ ${folder}/${package}/package/${script} text)
  get_filename_component(name ${script} NAME)
  file(WRITE ${folder}/whole/${name} "/*! ${package} ${version}\n${licence}*/\n${text}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  if(NOT TO)
    message(FATAL_ERROR "  no folder to write to (TO is not set) use cmake -D TO=FOLDER -P ${CMAKE_CURRENT_LIST_FILE}")
  endif()
  get_filename_component(TO ${TO} ABSOLUTE)
  set(folder ${TO}.making)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  file(STRINGS ${HOCKNEY_PAGE_PINS} lines REGEX "^[a-z]")
  foreach(line ${lines})
    hockney_page_script(${line} ${folder})
  endforeach()
  file(REMOVE_RECURSE ${TO})
  file(RENAME ${folder}/whole ${TO})  # all of them, or none
  file(REMOVE_RECURSE ${folder})
else()
  set(page_scripts ${PROJECT_BINARY_DIR}/share/hockney/page)
  add_custom_command(OUTPUT ${page_scripts}/vega.min.js DEPENDS ${HOCKNEY_PAGE_PINS} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D TO=${page_scripts} -P ${CMAKE_CURRENT_LIST_FILE})
  add_custom_target(page-scripts DEPENDS ${page_scripts}/vega.min.js)
  install(DIRECTORY ${page_scripts} DESTINATION ${CMAKE_INSTALL_DATADIR}/hockney OPTIONAL)
endif()

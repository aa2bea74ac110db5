# hockney_add_pages(<program>)
#   Its manual pages and its completion for bash, which it answers for itself (core/cli/command_line.hpp), and are installed. A
#   program that cannot be started where it is built has no page. A driver has a page for each of its commands.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/man/man1)
set(hockney_completion ${PROJECT_BINARY_DIR}/share/hockney)
set(hockney_commands_of_hockney topo run fit compare guidelines self-test report import completion)
set(hockney_commands_of_hockney-application predict profile map where scale advise export)

function(hockney_add_pages name)
  hockney_page_command(page ${name} $<TARGET_FILE:${name}>)
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM COMMAND ${page})
  hockney_install_pages(${name})
  foreach(command ${hockney_commands_of_${name}})
    hockney_page_command(page hockney-${command} $<TARGET_FILE:${name}> ${command})
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM COMMAND ${page})
    hockney_install_page(hockney-${command})
  endforeach()
endfunction()

# hockney_page_command(<result> <name> <program> [<command>]): how a program writes the manual page <name>, of itself or a command.
function(hockney_page_command result name program)
  set(${result} sh -c "HOCKNEY_ANSWER=man ASAN_OPTIONS=detect_leaks=0 \"$0\" $2 > \"$1\" || rm -f \"$1\"" ${program}
    ${PROJECT_BINARY_DIR}/share/man/man1/${name}.1 ${ARGN} PARENT_SCOPE)
endfunction()

function(hockney_install_page name)
  install(FILES ${PROJECT_BINARY_DIR}/share/man/man1/${name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
endfunction()

function(hockney_install_pages name)
  hockney_install_page(${name})
  install(FILES ${hockney_completion}.bash RENAME ${name} OPTIONAL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endfunction()

# hockney_add_completion(<driver>): the scripts that it prints for shells.
function(hockney_add_completion driver)
  foreach(shell bash zsh)
    add_custom_command(TARGET ${driver} POST_BUILD VERBATIM
      COMMAND sh -c "\"$0\" completion \"$1\" > \"$2\"" $<TARGET_FILE:${driver}> ${shell} ${hockney_completion}.${shell})
  endforeach()
  install(FILES ${hockney_completion}.zsh RENAME _hockney DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endfunction()

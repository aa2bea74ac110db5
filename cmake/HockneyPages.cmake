# hockney_add_pages(<program>)
#   Its manual page and its completion for bash, which it answers for itself (core/cli/command_line.hpp), and are installed. A
#   program that cannot be started where it is built has no page.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/man/man1)
set(hockney_completion ${PROJECT_BINARY_DIR}/share/hockney)

function(hockney_add_pages name)
  hockney_page_command(page ${name} $<TARGET_FILE:${name}>)
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM COMMAND ${page})
  hockney_install_pages(${name})
endfunction()

# hockney_page_command(<result> <name> <program>): the command by which a program writes the manual page of its name.
function(hockney_page_command result name program)
  set(${result} sh -c "HOCKNEY_ANSWER=man ASAN_OPTIONS=detect_leaks=0 \"$0\" > \"$1\" || rm -f \"$1\"" ${program}
    ${PROJECT_BINARY_DIR}/share/man/man1/${name}.1 PARENT_SCOPE)
endfunction()

function(hockney_install_pages name)
  install(FILES ${PROJECT_BINARY_DIR}/share/man/man1/${name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
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

# What `cmake --install` and `cpack` make: a folder that works wherever it is moved to. Programs are installed where they are made
# (hockney_add_program). The layers are no libraries for others, so that there is no CMake package of them; a module file
# makes the programs known to a shell.

# hwloc, MPI and whatever else was found outside the system's folders are found again, those in the prefix after it was moved, too.
# RUNPATH, not RPATH: LD_LIBRARY_PATH, by which one MPI library stands in for another, goes first.
set(CMAKE_INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
add_link_options(LINKER:--enable-new-dtags)

set(data ${CMAKE_INSTALL_DATADIR}/hockney)
install(DIRECTORY configs DESTINATION ${data})
install(FILES results/hockney.record-2.schema.json DESTINATION ${data})
install(PROGRAMS docs/nightly/hockney-nightly.sh docs/nightly/hockney-before-job.sh DESTINATION ${CMAKE_INSTALL_LIBEXECDIR})
install(DIRECTORY docs/nightly DESTINATION ${data} PATTERN "hockney-*.sh" EXCLUDE)
install(FILES packaging/modulefile DESTINATION ${data}/modulefiles RENAME hockney)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN nightly EXCLUDE PATTERN picture.sh EXCLUDE)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE CITATION.cff SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES results/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/results)

# cpack -G DEB, -G RPM (where rpmbuild is) or -G TGZ, in the build folder.
set(CPACK_PACKAGE_VENDOR "the hockney developers")
set(CPACK_PACKAGE_CONTACT "the hockney developers <hockney@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # on which packages the programs depend: dpkg-shlibdeps looks
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS openmpi-bin)  # mpirun
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE BSD-3-Clause)
include(CPack)

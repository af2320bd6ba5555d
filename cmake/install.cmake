# find_package(bkernn) and bkernn::bkernn for other projects.
include(CMakePackageConfigHelpers)
install(TARGETS bkernn EXPORT bkernn-targets)
install(DIRECTORY include/bkernn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT bkernn-targets NAMESPACE bkernn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bkernn)
configure_package_config_file(cmake/bkernn-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/bkernn-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bkernn)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/bkernn-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bkernn-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/bkernn-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bkernn)

# find_package(bkernn) and bkernn::bkernn for other projects.
include(CMakePackageConfigHelpers)
install(TARGETS bkernn EXPORT bkernn-targets)
install(DIRECTORY include/bkernn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT bkernn-targets NAMESPACE bkernn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bkernn)
set(config ${CMAKE_CURRENT_BINARY_DIR}/bkernn-config.cmake)
set(config_version ${CMAKE_CURRENT_BINARY_DIR}/bkernn-config-version.cmake)
configure_package_config_file(cmake/bkernn-config.cmake.in ${config}
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bkernn)
write_basic_package_version_file(${config_version} COMPATIBILITY SameMinorVersion)
install(FILES ${config} ${config_version} DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bkernn)

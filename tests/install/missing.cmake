# Configures the project with one library hidden at a time: exactly one line says which it is.
set(build ${BUILD_DIR}/missing-test)
file(REMOVE_RECURSE ${build})
foreach(library Eigen3 nlohmann_json ZLIB CLI11)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${build} -DCMAKE_CXX_COMPILER=${CXX}
            -DBKERNN_BUILD_TESTS=OFF
            -UCMAKE_DISABLE_FIND_PACKAGE_* -DCMAKE_DISABLE_FIND_PACKAGE_${library}=ON
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX MATCHALL "bkernn needs [^\n]*\n" lines "${said}")
  list(LENGTH lines count)
  if(NOT failed OR NOT count EQUAL 1 OR NOT
     lines MATCHES "bkernn needs ${library} [0-9.<]+: on Debian, apt install [a-z0-9-]+-dev\n")
    message(FATAL_ERROR "Without ${library}:\n${said}")
  endif()
endforeach()

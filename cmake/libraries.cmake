# Other people's libraries. One that is missing is named in one line, with the package that has it.
macro(bkernn_need name version package)
  find_package(${name} ${version} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "bkernn needs ${name} ${version}: on Debian, apt install ${package}")
  endif()
endmacro()

# What is meant for other machines carries the C++ library and zlib inside, if there are static
# ones, and shows none of their symbols to the process that loads it.
option(BKERNN_SELF_CONTAINED "Link libstdc++, libgcc and zlib statically" ON)
if(BKERNN_SANITIZE OR BKERNN_COVERAGE OR BKERNN_FUZZ)
  set(BKERNN_SELF_CONTAINED OFF)
endif()
if(BKERNN_SELF_CONTAINED)
  set(ZLIB_USE_STATIC_LIBS ON)
  if(ZLIB_LIBRARY_RELEASE MATCHES "[.]so$")  # what another configuration found
    unset(ZLIB_LIBRARY_RELEASE CACHE)
  endif()
  find_package(ZLIB QUIET)
  if(NOT ZLIB_FOUND)
    set(ZLIB_USE_STATIC_LIBS OFF)
  endif()
endif()

function(bkernn_self_contained target)
  if(BKERNN_SELF_CONTAINED)
    target_link_options(${target} PRIVATE
      -static-libgcc -static-libstdc++ -Wl,--exclude-libs,ALL)
  endif()
endfunction()

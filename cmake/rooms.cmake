# The files of a folder are compiled as one. Most of what the compiler has to read and instantiate,
# above all of Eigen, is the same in all of them: from nothing it takes a third of the time. Names
# in unnamed namespaces must therefore be unique in their folder. OFF compiles each file alone.
option(BKERNN_COMPILE_ROOMS "Compile the files of a folder as one" ON)

function(bkernn_compile_rooms target)
  if(NOT BKERNN_COMPILE_ROOMS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME room)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()

#include "bkernn/version.hpp"

namespace bkernn {

const char* version() {
  return BKERNN_VERSION;
}

}  // namespace bkernn

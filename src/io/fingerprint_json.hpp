// Data fingerprints in documents. The hash is hexadecimal text: JSON numbers are not exact beyond
// 2^53 everywhere.
#pragma once

#include "bkernn/io.hpp"
#include "io/document.hpp"

namespace bkernn {

void put_fingerprint(Json& to, const DataFingerprint& data);
DataFingerprint fingerprint_of(const Reader& in);

}  // namespace bkernn

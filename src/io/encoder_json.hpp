// The columns of a table, as models have them, in documents.
#pragma once

#include "bkernn/columns.hpp"
#include "io/document.hpp"

namespace bkernn {

void put_columns(Json& to, const Encoder& encoder);

// Those under "columns".
Encoder encoder_of(const Reader& in);

}  // namespace bkernn

// Matrices in documents, column by column: as whole multiples of a unit where they are such, which
// takes fewer digits.
#pragma once

#include "bkernn/types.hpp"
#include "io/document.hpp"

namespace bkernn {

void put_columns_of(Json& to, const Matrix& numbers);

// `rows`: as many as there must be, 0: any number.
Matrix columns_of(const Reader& in, const char* key, Index rows);

}  // namespace bkernn

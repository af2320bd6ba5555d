// JSON as text (RFC 8259). Files of models are numbers for the most part, so this reads short
// decimals by one division and leaves only the long ones to the general algorithm.
#pragma once

#include <string>

#include "io/document_builder.hpp"

namespace bkernn {

// False where the text is no JSON or the builder does not go on; the builder knows why.
bool parse_json(const std::string& text, DocumentBuilder& builder);

}  // namespace bkernn

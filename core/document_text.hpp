#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hockney {

/// A document as the text of a file; it reads back as the same document. Each member of the
/// document, and each item of an array or object among them that has arrays or objects in it, has a
/// line of its own without blanks. Numbers have the fewest digits that read back as the same
/// number. Texts are escaped as by json_text (core/json_values.hpp). Ends with a line break.
std::string document_text(const nlohmann::json& document);

}  // namespace hockney

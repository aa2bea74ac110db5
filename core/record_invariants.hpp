#pragma once

namespace hockney {

class JsonNode;
struct Record;

/// InputError if values of a record that was read from `document` contradict each other.
void check_record(const JsonNode& document, const Record& record);

}  // namespace hockney

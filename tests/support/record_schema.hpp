#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace hockney {

/// The published schema of records.
class RecordSchema {
 public:
  explicit RecordSchema(const nlohmann::json& document) {
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    valijson::SchemaParser().populateSchema(adapter, schema_);
  }

  [[nodiscard]] bool accepts(const nlohmann::json& document) const {
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    // Strong types: "7" is no number.
    return valijson::Validator(valijson::Validator::kStrongTypes)
        .validate(schema_, adapter, nullptr);
  }

 private:
  valijson::Schema schema_;
};

}  // namespace hockney

#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/json_tree.hpp"

namespace hockney {

/// InputError: the file is no document.
[[noreturn]] void reject_document(const std::string& file, const std::string& why);
/// InputError: the file is beyond DocumentLimits.
[[noreturn]] void reject_excess(const std::string& file, const std::string& problem);

/// Makes a document of what a parser finds, and refuses what no document may hold. A list is put
/// together when its end is found.
class JsonBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// `bytes` is about how large the document will be.
  JsonBuilder(const std::string& file, const DocumentLimits& limits, const Omission& omitted,
              std::size_t bytes);

  /// Every text that comes is known to be UTF-8 without a NUL.
  void trust_texts() { texts_are_plain_ = true; }

  [[nodiscard]] std::shared_ptr<const JsonDocument> document() && { return std::move(document_); }

  bool null() override { return add({nullptr}); }
  bool boolean(bool value) override { return add({value}); }
  bool number_integer(number_integer_t value) override { return add({std::int64_t{value}}); }
  bool number_unsigned(number_unsigned_t value) override { return add({std::uint64_t{value}}); }
  bool number_float(double value, const string_t& text) override;
  bool string(string_t& value) override { return add_text(value); }
  bool binary(binary_t& value) override;
  bool key(string_t& name) override { return begin_member(name); }
  bool start_object(std::size_t size) override;
  bool end_object() override;
  bool start_array(std::size_t size) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

  bool add_text(std::string_view text);
  bool begin_member(std::string_view name);

 private:
  /// An array or object whose end has not come.
  struct Level {
    bool is_object = false;
    bool is_thinned = false;  ///< the object of the omission
    std::string_view name{};  ///< of the member under way
    std::size_t items = 0;    ///< that are whole
  };

  bool add(JsonValue value);
  void count();
  void put(JsonValue value);
  bool open(bool is_object);
  template <class Item>
  JsonItems<Item> finish(std::vector<Item>& items);
  [[nodiscard]] std::string_view keep(std::string_view text);
  void put_in_order(JsonMember* first, std::size_t count);
  void require_plain(std::string_view text) const;
  [[nodiscard]] std::string next_key() const;
  [[noreturn]] void reject(const std::string& problem, const std::string& why,
                           const std::string& suggestion = "use the file as it was written") const;

  DocumentLimits limits_;
  Omission omitted_;
  bool texts_are_plain_ = false;
  std::shared_ptr<JsonDocument> document_;
  std::vector<Level> levels_;
  std::vector<JsonValue> elements_;  ///< of all arrays among the levels
  std::vector<JsonMember> members_;  ///< of all objects among the levels
  std::size_t values_ = 0;
};

}  // namespace hockney

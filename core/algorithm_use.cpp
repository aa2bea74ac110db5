#include "core/algorithm_use.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/invariants.hpp"
#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/node_records.hpp"
#include "core/record.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::array<std::string_view, 4> parameters_of_timing{"cache", "cadence", "timing",
                                                               "variant"};

/// Libraries have separate algorithms for memory of devices, not for memory of the host, of which
/// pinned memory is a part.
bool names_device(std::string_view memory) {
  for (const std::string_view maker : {"cuda", "rocm"}) {
    for (auto at = memory.find(maker); at != std::string_view::npos; at = memory.find(maker, at)) {
      at += maker.size();
      if (!memory.substr(at).starts_with("-pinned")) return true;
    }
  }
  return false;
}

void raise(std::vector<std::string>& flags, std::string_view flag) {
  if (std::ranges::find(flags, flag) == flags.end()) flags.emplace_back(flag);
}

constexpr std::array<Invariant<VerificationRun>, 1> verification_invariants{
    {{"the root is one of the ranks", [](const VerificationRun& run) {
        return broken_in("points", run.points, [](const VerificationPoint& point) {
          return point.root < point.point.ranks ? std::string() : "root";
        });
      }}}};

std::string line(const nlohmann::json& json) { return json_text(json, -1) + "\n"; }

SentTraffic read_sent(const JsonNode& node, int ranks) {
  const std::vector<JsonNode> numbers = node.elements();
  if (numbers.size() != 4) node.reject("has not four numbers", "from, to, messages, bytes", "");
  const auto values = read_value<std::vector<std::int64_t>>(node);
  for (const std::size_t rank : {std::size_t{0}, std::size_t{1}}) {
    if (values[rank] >= ranks) reject_excess(numbers[rank], ranks - 1);
  }
  if (exceeds(values, most_total)) reject_excess(node, most_total);
  return {.from = static_cast<int>(values[0]),
          .to = static_cast<int>(values[1]),
          .messages = values[2],
          .bytes = values[3]};
}

VerificationPoint& point_of(VerificationRun& verification, const JsonNode& number) {
  const auto index = static_cast<std::size_t>(read_value<int>(number));
  if (index < verification.points.size()) return verification.points[index];
  number.reject(fmt::format("is {}", index), "there is no such point", "");
}

void read_event(const JsonNode& node, VerificationRun& verification) {
  if (const auto begun = node.find("begun")) {
    point_of(verification, *begun).stage = VerificationStage::begun;
    return;
  }
  VerificationPoint& point = point_of(verification, node.at("done"));
  point.stage = VerificationStage::done;
  point.error = node.at("error").text();
  point.traffic.clear();
  for (const JsonNode& sent : node.at("traffic").elements()) {
    point.traffic.push_back(read_sent(sent, point.point.ranks));
  }
}

}  // namespace

std::map<std::string, std::string> choosing_parameters(const Point& point) {
  std::map<std::string, std::string> parameters = point.parameters;
  for (const std::string_view name : parameters_of_timing) parameters.erase(std::string(name));
  parameters.erase(host_parameter);
  const auto memory = parameters.find("memory");
  if (memory != parameters.end() && !names_device(memory->second)) parameters.erase(memory);
  return parameters;
}

const AlgorithmUse* use_of(const Point& point, const std::vector<AlgorithmUse>& uses) {
  const auto found = std::ranges::find_if(uses, [&](const AlgorithmUse& use) {
    return use.operation == point.operation && use.bytes == point.bytes &&
           use.ranks == point.ranks && use.parameters == choosing_parameters(point);
  });
  return found == uses.end() ? nullptr : &*found;
}

void add_algorithm_use(Record& record, const std::vector<AlgorithmUse>& uses) {
  record.algorithms = uses;
  for (PlannedPoint& planned : record.points.own()) {
    if (const AlgorithmUse* use = use_of(planned.point, uses)) planned.point.algorithm = use->ran;
  }
  for (Series& series : record.series) {
    const AlgorithmUse* use = use_of(series.point, uses);
    if (use == nullptr) continue;
    series.point.algorithm = use->ran;
    if (use->proof == Proof::ignored) raise(series.flags, algorithm_substituted_flag);
    if (!use->ran) raise(series.flags, algorithm_unproven_flag);
  }
}

constexpr auto fields_of(std::type_identity<AlgorithmRequest>) {
  return object_of(key("variable", &AlgorithmRequest::variable),
                   key("value", &AlgorithmRequest::value), key("name", &AlgorithmRequest::name));
}

constexpr auto fields_of(std::type_identity<VerificationPoint>) {
  return object_of(members_of(&VerificationPoint::point, key("operation", &Point::operation),
                              key("bytes", &Point::bytes), key("ranks", &Point::ranks),
                              key("parameters", &Point::parameters)),
                   key("root", &VerificationPoint::root),
                   key("element_bytes", &VerificationPoint::element_bytes));
}

/// The first line of the document.
constexpr auto fields_of(std::type_identity<VerificationRun>) {
  return object_of(
      DocumentSchema{verification_run_schema, "use the hockney-algorithms of the same version"},
      key("library", &VerificationRun::library), key("counting", &VerificationRun::counting),
      key("no_counts", &VerificationRun::no_counts),
      key("pml", &VerificationRun::pml, KeyUse::may_be_missing),
      key("check", &VerificationRun::check), key("no_check", &VerificationRun::no_check),
      key("requested", &VerificationRun::requested), key("points", &VerificationRun::points));
}

std::optional<std::string> pml_with_monitoring(const std::string& list) {
  const std::vector<std::string> components = split(list, ',');
  const bool has_it = std::ranges::find(components, "monitoring") != components.end();
  if (list.empty() || list.front() == '^' || has_it) return std::nullopt;
  return list + ",monitoring";
}

std::string verification_header(const VerificationRun& verification) { return line(verification); }

std::string verification_begun(std::size_t point) { return line({{"begun", point}}); }

std::string verification_done(std::size_t point, const std::string& error,
                              const std::vector<SentTraffic>& traffic) {
  auto array = nlohmann::json::array();
  for (const SentTraffic& sent : traffic) {
    array.push_back({sent.from, sent.to, sent.messages, sent.bytes});
  }
  return line({{"done", point}, {"error", error}, {"traffic", std::move(array)}});
}

VerificationRun read_verification(const std::string& text, const std::string& file) {
  std::vector<std::string> lines = split(text, '\n');
  const bool is_whole = lines.size() > 1;  // a complete line ends with a line break
  const JsonNode header = parse_json(is_whole ? lines.front() : "", file);
  auto verification = read_value<VerificationRun>(header);
  check_invariants(verification_invariants, header, verification);
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    read_event(parse_json(lines[i], file), verification);
  }
  return verification;
}

}  // namespace hockney

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/json_functions.hpp"
#include "core/json_node.hpp"

// Parts of records that other documents contain, too: read_value<Part>(node) and
// nlohmann::json(part) call these functions. Reading is strict, like that of a record
// (core/record_file.hpp).

namespace hockney {

struct AlgorithmUse;
struct CoreNoise;
struct Host;
struct MeasurementBlock;
struct MemoryUse;
struct Point;
struct Protocol;
struct Provenance;
struct SiteOrigin;

template <>
inline constexpr bool has_json_functions<AlgorithmUse> = true;
template <>
inline constexpr bool has_json_functions<CoreNoise> = true;
template <>
inline constexpr bool has_json_functions<Host> = true;
template <>
inline constexpr bool has_json_functions<MeasurementBlock> = true;
template <>
inline constexpr bool has_json_functions<MemoryUse> = true;
template <>
inline constexpr bool has_json_functions<Point> = true;
template <>
inline constexpr bool has_json_functions<Protocol> = true;
template <>
inline constexpr bool has_json_functions<Provenance> = true;
template <>
inline constexpr bool has_json_functions<SiteOrigin> = true;

void read_into(const JsonNode& node, AlgorithmUse& value);
void read_into(const JsonNode& node, CoreNoise& value);
void read_into(const JsonNode& node, Host& value);
void read_into(const JsonNode& node, MeasurementBlock& value);
void read_into(const JsonNode& node, MemoryUse& value);
void read_into(const JsonNode& node, Point& value);
void read_into(const JsonNode& node, Protocol& value);
void read_into(const JsonNode& node, Provenance& value);
void read_into(const JsonNode& node, SiteOrigin& value);

void to_json(nlohmann::json& json, const AlgorithmUse& value);
void to_json(nlohmann::json& json, const CoreNoise& value);
void to_json(nlohmann::json& json, const Host& value);
void to_json(nlohmann::json& json, const MeasurementBlock& value);
void to_json(nlohmann::json& json, const MemoryUse& value);
void to_json(nlohmann::json& json, const Point& value);
void to_json(nlohmann::json& json, const Protocol& value);
void to_json(nlohmann::json& json, const Provenance& value);
void to_json(nlohmann::json& json, const SiteOrigin& value);

/// The point without its operation, for documents that have the operation under another key.
nlohmann::json point_json(const Point& point);

}  // namespace hockney

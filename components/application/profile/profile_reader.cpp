#include "components/application/profile/profile_fields.hpp"
#include "components/application/profile/profile_file.hpp"

namespace hockney::profile {

void read_into(const JsonNode& node, Profile& profile) { read_fields(node, profile); }

void read_into(const JsonNode& node, Rank& rank) { read_fields(node, rank); }

Profile load_profile(const std::string& file) { return read_value<Profile>(load_json(file)); }

}  // namespace hockney::profile

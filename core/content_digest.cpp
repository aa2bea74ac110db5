#include "core/content_digest.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/nil_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace hockney {

std::string content_digest(std::string_view content) {
  const boost::uuids::name_generator_sha1 generate(boost::uuids::nil_uuid());
  return to_string(generate(content.data(), content.size()));
}

}  // namespace hockney

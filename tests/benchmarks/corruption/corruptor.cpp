#include "tests/benchmarks/corruption/corruptor.hpp"

#include <algorithm>
#include <span>

#include "benchmarks/harness/datatypes.hpp"

namespace hockney::benchmarks {
namespace {

Corruptor* active = nullptr;

std::size_t extent_of(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower_bound, &extent);
  return static_cast<std::size_t>(extent);
}

std::span<std::byte> bytes_of(const Delivery& delivery) {
  const auto count = static_cast<std::size_t>(delivery.count);
  return {static_cast<std::byte*>(delivery.buffer), count * extent_of(delivery.type)};
}

/// Whether a datatype is made of others, or is that of packed data.
bool is_made(MPI_Datatype type) {
  return std::ranges::find(datatypes(), type, &Datatype::handle) == datatypes().end();
}

/// A delivery as elements of a predefined datatype, one after the other: data with gaps of their
/// own are packed, and put back at the end.
class PlainDelivery {
 public:
  explicit PlainDelivery(const Delivery& delivery) : original_(delivery), plain_(delivery) {
    if (!is_made(delivery.type)) return;
    int bytes = delivery.count;
    if (delivery.type != MPI_PACKED) {
      PMPI_Pack_size(delivery.count, delivery.type, MPI_COMM_SELF, &bytes);
      packed_.resize(static_cast<std::size_t>(bytes));
      int end = 0;
      PMPI_Pack(delivery.buffer, delivery.count, delivery.type, packed_.data(), bytes, &end,
                MPI_COMM_SELF);
      bytes = end;
      plain_.buffer = packed_.data();
    }
    plain_.count = bytes;
    plain_.type = MPI_BYTE;
  }
  PlainDelivery(const PlainDelivery&) = delete;
  PlainDelivery& operator=(const PlainDelivery&) = delete;
  PlainDelivery(PlainDelivery&&) = delete;
  PlainDelivery& operator=(PlainDelivery&&) = delete;
  ~PlainDelivery() {
    if (packed_.empty()) return;
    int end = 0;
    PMPI_Unpack(packed_.data(), plain_.count, &end, original_.buffer, original_.count,
                original_.type, MPI_COMM_SELF);
  }

  [[nodiscard]] const Delivery& get() const { return plain_; }

 private:
  Delivery original_;
  Delivery plain_;
  std::vector<std::byte> packed_;
};

/// Of one element, for each byte of its extent, whether it must be right.
std::vector<bool> significance(MPI_Datatype handle) {
  const auto type = std::ranges::find(datatypes(), handle, &Datatype::handle);
  std::vector<bool> is_significant(type->extent, false);
  for (const auto& [offset, bytes] : type->significant) {
    for (std::size_t i = 0; i < bytes; ++i) is_significant[offset + i] = true;
  }
  return is_significant;
}

/// Places of the bytes that have the wanted significance.
std::vector<std::size_t> places(const Delivery& delivery, bool wanted) {
  const std::vector<bool> element = significance(delivery.type);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < bytes_of(delivery).size(); ++i) {
    if (element[i % element.size()] == wanted) found.push_back(i);
  }
  return found;
}

void swap_halves(std::span<std::byte> data, std::size_t extent) {
  const std::size_t half = data.size() / extent / 2 * extent;
  std::swap_ranges(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(half),
                   data.end() - static_cast<std::ptrdiff_t>(half));
}

void invert_middle_element(const Delivery& delivery) {
  const std::size_t extent = extent_of(delivery.type);
  const auto element =
      bytes_of(delivery).subspan(static_cast<std::size_t>(delivery.count) / 2 * extent, extent);
  std::ranges::transform(element, element.begin(), [](std::byte b) { return ~b; });
}

void clear_middle(std::span<std::byte> data) {
  std::ranges::fill(data.subspan(data.size() / 4, data.size() / 2), std::byte{0});
}

void corrupt(Corruption corruption, const Delivery& delivery) {
  const std::span<std::byte> data = bytes_of(delivery);
  const std::vector<std::size_t> significant = places(delivery, true);
  switch (corruption) {
    case Corruption::first_bit:
      data[significant.front()] ^= std::byte{0x01};
      break;
    case Corruption::middle_bit:
      data[significant[significant.size() / 2]] ^= std::byte{0x10};
      break;
    case Corruption::last_bit:
      data[significant.back()] ^= std::byte{0x80};
      break;
    case Corruption::last_byte:
      data[significant.back()] ^= std::byte{0xFF};
      break;
    case Corruption::element:
      invert_middle_element(delivery);
      break;
    case Corruption::block:
      clear_middle(data);
      break;
    case Corruption::swapped_blocks:
      swap_halves(data, extent_of(delivery.type));
      break;
    case Corruption::everything:
      std::ranges::transform(data, data.begin(), [](std::byte b) { return ~b; });
      break;
    case Corruption::zeroes:
      std::ranges::fill(data, std::byte{0});
      break;
    case Corruption::gaps:
      for (const std::size_t place : places(delivery, false)) data[place] ^= std::byte{0xFF};
      break;
    default:
      break;
  }
}

bool differs(const Delivery& delivery, const std::vector<std::byte>& before) {
  const std::span<std::byte> data = bytes_of(delivery);
  return std::ranges::any_of(places(delivery, true),
                             [&](std::size_t place) { return data[place] != before[place]; });
}

}  // namespace

Corruptor* active_corruptor() { return active; }

Corruptor::Corruptor(Corruption corruption, const Target& target)
    : corruption_(corruption), target_(target), draw_(target.seed) {
  active = this;
}

Corruptor::~Corruptor() { active = nullptr; }

bool Corruptor::is_target(const Delivery& delivery) const {
  const bool is_wanted = target_.type == delivery.type || is_made(delivery.type);
  if (target_.type != MPI_DATATYPE_NULL && !is_wanted) return false;
  const std::size_t bytes = bytes_of(delivery).size();
  return bytes >= target_.least_bytes && (!target_.bytes || *target_.bytes == bytes);
}

bool Corruptor::is_hit(std::size_t number) {
  if (target_.delivery) return number == *target_.delivery;
  return number >= target_.after && (number + 1) % target_.every == 0 &&
         std::bernoulli_distribution(target_.probability)(draw_);
}

void Corruptor::bring_stale(const Delivery& plain, bool is_hit) {
  const auto data = bytes_of(plain);
  const std::vector<std::byte> right(data.begin(), data.end());
  std::vector<std::byte>& earlier = earlier_[data.size()];
  if (is_hit && !earlier.empty()) std::ranges::copy(earlier, data.begin());
  earlier = right;
}

void Corruptor::delivered(const Delivery& delivery) {
  if (delivery.count == 0 || delivery.buffer == nullptr || !is_target(delivery)) return;
  last_ = delivery;
  const bool hit = is_hit(deliveries_++);
  const bool is_stale = corruption_ == Corruption::stale;  // which keeps what is not hit
  if (corruption_ == Corruption::none || (!hit && !is_stale)) return;
  const PlainDelivery plain(delivery);
  const auto data = bytes_of(plain.get());
  const std::vector<std::byte> before(data.begin(), data.end());
  if (is_stale) {
    bring_stale(plain.get(), hit);
  } else {
    corrupt(corruption_, plain.get());
  }
  has_changed_ = has_changed_ || differs(plain.get(), before);
}

const void* Corruptor::given(const void* data, int count, MPI_Datatype type) {
  const std::size_t extent = extent_of(type);
  const auto* first = static_cast<const std::byte*>(data);
  given_.emplace_back(first, first + static_cast<std::size_t>(count) * extent);
  delivered({given_.back().data(), count, type});
  return given_.back().data();
}

const void* Corruptor::contribution(const void* send, int count, MPI_Datatype type) {
  if (corruption_ != Corruption::wrong_contributions) return send;
  const std::size_t extent = extent_of(type);
  const auto* first = static_cast<const std::byte*>(send);
  const std::vector<std::byte> right(first, first + static_cast<std::size_t>(count) * extent);
  std::vector<std::byte>& contribution = given_.emplace_back(right);  // threads give several
  swap_halves(contribution, extent);
  has_changed_ = has_changed_ || differs({contribution.data(), count, type}, right);
  return contribution.data();
}

void Corruptor::poison_contribution(const Delivery& given) {
  if (corruption_ != Corruption::wrong_contributions) return;
  const auto data = bytes_of(given);
  const std::vector<std::byte> right(data.begin(), data.end());
  swap_halves(data, extent_of(given.type));
  has_changed_ = differs(given, right);
}

void Corruptor::swap_with(int other, MPI_Comm comm) {
  const PlainDelivery plain(*last_);
  const auto& [buffer, count, type] = plain.get();
  const auto data = bytes_of(plain.get());
  const std::vector<std::byte> before(data.begin(), data.end());
  PMPI_Sendrecv(before.data(), count, type, other, 0, buffer, count, type, other, 0, comm,
                MPI_STATUS_IGNORE);
  has_changed_ = differs(plain.get(), before);
}

}  // namespace hockney::benchmarks

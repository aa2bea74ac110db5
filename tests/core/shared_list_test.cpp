#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/shared_list.hpp"

namespace hockney {

using Numbers = std::vector<int>;
using SharedNumbers = SharedList<int>;

TEST_CASE("a shared list is read like the vector it is made of") {
  const SharedNumbers list = Numbers{4, 5};
  CHECK(list.size() == 2);
  CHECK(list[1] == 5);
  CHECK(Numbers(list.begin(), list.end()) == Numbers{4, 5});
  CHECK(static_cast<const Numbers&>(list) == Numbers{4, 5});
  CHECK(nlohmann::json(list) == nlohmann::json({4, 5}));
  CHECK(SharedNumbers().empty());
  CHECK(SharedNumbers() == SharedNumbers(Numbers()));
  CHECK_FALSE(SharedNumbers().own().size() > 0);
}

TEST_CASE("copies are one in memory until one is changed") {
  SharedNumbers list{4, 5};
  SharedNumbers copy = list;
  CHECK(copy.shares(list));
  copy.own().push_back(6);
  CHECK(list == SharedNumbers{4, 5});
  CHECK(copy == SharedNumbers{4, 5, 6});
  const int* const before = copy.own().data();
  CHECK(copy.own().data() == before);
}

TEST_CASE("equal lists may be made one, others stay apart") {
  SharedNumbers list{4, 5};
  SharedNumbers equal{4, 5};
  CHECK_FALSE(list.shares(equal));
  list.share(equal);
  CHECK(list.shares(equal));
  list.share({4, 6});
  CHECK(list == SharedNumbers{4, 5});
  equal.own().front() = 7;
  CHECK(list == SharedNumbers{4, 5});
}

}  // namespace hockney

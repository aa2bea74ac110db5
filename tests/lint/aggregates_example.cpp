// What tests/lint/aggregates finds: lines with FAULT, and no others. Not compiled; the shapes were
// tried with g++ 12.2, which destroys a member twice at each of the former and at none of the
// latter.

#include <string>
#include <vector>

namespace hockney::lint {

struct Inner {
  std::string name;
  int number = 3;  // a constant beside what is none
};

struct Filled {
  std::vector<std::string> names{"a"};
  std::string last;
};

struct Outer {
  Inner inner;
  int later = 0;
};

struct WithDefault {
  Inner inner{"a"};
  int later = 0;
};

struct OfFilled {
  Filled filled;
  int later = 0;
};

struct Around {
  Outer outer;
  int latest = 0;
};

struct Derived : Inner {
  int later = 0;
};

struct Plain {
  int a = 0;
};

struct OfPlain {
  Plain plain;
  int later = 0;
};

struct Direct {
  std::string name;
  int later = 0;
};

int may_throw();
int throws_nothing() noexcept;
Inner made();
void take(const Outer& outer);
const std::string text;

const Outer by_braces{.inner = {"a"}, .later = may_throw()};                 // FAULT
const OfFilled by_nothing{.later = may_throw()};                             // FAULT
const WithDefault by_default{.later = may_throw()};                          // FAULT
const Around further_out{.outer = {.inner = {"a"}}, .latest = may_throw()};  // FAULT
const Derived of_base{{"a"}, may_throw()};                                   // FAULT
Outer returned() { return {.inner = {"a"}, .later = may_throw()}; }          // FAULT
void argument() { take({.inner = {"a"}, .later = may_throw()}); }            // FAULT
const std::vector<Outer> listed{{.inner = {"a"}, .later = may_throw()}};     // FAULT

const Outer by_type{.inner = Inner{"a"}, .later = may_throw()};
const Outer by_function{.inner = made(), .later = may_throw()};
const Outer by_constant{.inner = {"a"}, .later = 3};
const Outer by_noexcept{.inner = {"a"}, .later = throws_nothing()};
const Outer inner_throws{.inner = {text, may_throw()}};
const OfPlain without_destructor{.plain = {1}, .later = may_throw()};
const Direct not_nested{.name = "a", .later = may_throw()};

}  // namespace hockney::lint

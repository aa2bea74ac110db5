#include "models/fit.hpp"

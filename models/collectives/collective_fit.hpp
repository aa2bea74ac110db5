#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/collective_curves.hpp"
#include "models/collectives/form_fit.hpp"
#include "models/collectives/measured_network.hpp"

namespace hockney::collectives {

/// A form that was tried.
struct TriedForm {
  std::string form;
  double mape = 0;
  std::optional<double> held_out;
};

/// The model of one algorithm of one collective.
struct Fit {
  Curve curve;                        ///< what it was fitted to
  FormFit model;                      ///< with the least held-out error
  std::vector<FormFit> launches;      ///< the same form fitted to single launches
  std::vector<TriedForm> candidates;  ///< in the order in which they were tried
  double noise_floor = 0;             ///< relative, as a fraction
};

/// A curve that no form could be fitted to.
struct Failure {
  Curve curve;
  std::string reason;
};

struct Fits {
  std::vector<Fit> fits;
  std::vector<Failure> failures;
  std::map<std::string, GammaTable> gammas;  ///< by MPI library
  std::vector<Channel> channels;             ///< of the network, where it is known
};

/// Fits every form to every curve and keeps the one that predicts numbers of ranks it has not seen
/// best; a more specific one is kept where it is as good within a twentieth, or a thousandth of the
/// times. With fewer than three numbers of ranks the error of the fit itself decides. Where the
/// network is known, its channels are fitted first, to all curves together.
Fits fit_collectives(const std::vector<Curve>& curves, const FormContext& context = {});

/// The keys `collectives`, `collective_failures`, `gammas` and `channels` of the document of fits.
nlohmann::json to_json(const Fits& fits);

}  // namespace hockney::collectives

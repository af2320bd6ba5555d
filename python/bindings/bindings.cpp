// bkernn._core: the C++ library as Python sees it. Matrices come in as views of NumPy's memory,
// whatever their (positive) strides, and go out as arrays that own what C++ computed. Everything
// that takes long releases the GIL.
#include "bindings.hpp"

#include "bkernn/error.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  m.attr("__version__") = BKERNN_VERSION;
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const bkernn::InvalidArgument& e) {
      PyErr_SetString(PyExc_ValueError, e.what());
    } catch (const bkernn::NumericalError& e) {
      PyErr_SetString(PyExc_FloatingPointError, e.what());
    } catch (const bkernn::IoError& e) {
      PyErr_SetString(PyExc_OSError, e.what());
    }
  });
  bind_columns(m);
  bind_model(m);
  bind_options(m);
  bind_fit(m);
  bind_distributed(m);
  bind_cross_validate(m);
  bind_stability(m);
  bind_io(m);
  bind_baselines(m);
  bind_theory(m);
  bind_data(m);
}

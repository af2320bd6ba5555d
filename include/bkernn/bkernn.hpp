// The whole public interface.
#pragma once

#include "bkernn/baselines.hpp"
#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/io.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "bkernn/metrics.hpp"
#include "bkernn/model.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"
#include "bkernn/penalty.hpp"
#include "bkernn/report.hpp"
#include "bkernn/simulate.hpp"
#include "bkernn/theory.hpp"
#include "bkernn/types.hpp"
#include "bkernn/version.hpp"

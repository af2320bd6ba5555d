// The report: one HTML file that needs nothing else, no network and no other file.
#pragma once

#include <string>

#include "bkernn/io.hpp"
#include "report/json.hpp"
#include "tables/data_set.hpp"

namespace bkernn::report {

// What the page shows, as the JSON that it holds. `data` may be null: then the parts that need rows
// are left out. `data_name` is what the page calls them. `stability` (stability.hpp) may be null.
Json report_json(const SavedModel& saved, const tables::DataSet* data, const std::string& data_name,
                 const Json& stability = {});

// The page with this content.
std::string report_page(const Json& content);

void write_report(const SavedModel& saved, const tables::DataSet* data,
                  const std::string& data_name, const std::string& path,
                  const Json& stability = {});

// The page without content, before and after the place of it (report/page).
std::string page_before();
std::string page_after();

}  // namespace bkernn::report

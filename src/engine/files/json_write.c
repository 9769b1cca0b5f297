/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Members of an object that is being built: see json.h.
 */
#include "config.h"
#include "files/json.h"

#include <math.h>

void
ls_json_text (JsonBuilder *json, const char *name, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  json_builder_set_member_name (json, name);
  if (valid != NULL)
    json_builder_add_string_value (json, valid);
  else
    json_builder_add_null_value (json);
}

void
ls_json_number (JsonBuilder *json, const char *name, double value)
{
  if (name != NULL)
    json_builder_set_member_name (json, name);
  if (isfinite (value))
    json_builder_add_double_value (json, value);
  else
    json_builder_add_null_value (json); /* JSON has no word for it */
}

void
ls_json_whole (JsonBuilder *json, const char *name, gint64 value)
{
  json_builder_set_member_name (json, name);
  json_builder_add_int_value (json, value);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One JSON object per line: see tune_say.h.
 */
#include "config.h"
#include "backends/opencl/tune/tune_say.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

static gboolean
say_node (int fd, JsonBuilder *b)
{
  g_autoptr (JsonNode) root = json_builder_get_root (b);
  g_autofree char *text = json_to_string (root, FALSE);
  g_autofree char *line = g_strconcat (text, "\n", NULL);
  const gsize n = strlen (line);

  return write (fd, line, n) == (gssize) n;
}

void
ls_tune_say_text (int fd, const char *name, const char *text)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  json_builder_begin_object (b);
  json_builder_set_member_name (b, name);
  json_builder_add_string_value (b, valid);
  json_builder_end_object (b);
  say_node (fd, b);
}

void
ls_tune_say_tasks (int fd, guint n)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  json_builder_set_member_name (b, "tasks");
  json_builder_add_int_value (b, n);
  json_builder_end_object (b);
  say_node (fd, b);
}

void
ls_tune_say_candidate (int fd, guint number, const LsTuneTask *task, const char *words, double left_s)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  json_builder_set_member_name (b, "task");
  json_builder_add_int_value (b, number);
  json_builder_set_member_name (b, "op");
  json_builder_add_string_value (b, task->plan->ops[0].klass->name);
  json_builder_set_member_name (b, "example");
  json_builder_add_string_value (b, task->example);
  json_builder_set_member_name (b, "candidate");
  json_builder_add_string_value (b, words);
  json_builder_set_member_name (b, "left");
  json_builder_add_double_value (b, MAX (left_s, 0));
  json_builder_end_object (b);
  say_node (fd, b);
}

void
ls_tune_say_dropped (int fd, const LsTuneTask *task, const char *words, const char *why)
{
  g_autofree char *text = g_strdup_printf ("%s %s, %s: %s", task->plan->ops[0].klass->name, task->example,
                                           words, why);
  ls_tune_say_text (fd, "dropped", text);
}

void
ls_tune_say_entry (int fd, const LsTunedEntry *entry)
{
  g_autoptr (JsonBuilder) b = json_builder_new ();

  json_builder_begin_object (b);
  json_builder_set_member_name (b, "entry");
  json_builder_add_value (b, ls_tuned_entry_to_json (entry));
  json_builder_end_object (b);
  say_node (fd, b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines: what would other machines do with this very step? The measured pair on top, below it models, each
 * with what it assumes, its error where a lane tells it, and what holds it up.
 */
#include "config.h"
#include "ui/paint/machines/machines.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "ui/paint/parts/text.h"
#include "ui/paint/views.h"

static void
machines_free (gpointer data)
{
  ls_machines_close (data);
  g_free (data);
}

/* ---- layout ---- */

static const char *
device_word (const LsViewData *data, guint i)
{
  const LsHardware *device = i > 0 ? ls_machines_device (data->catalogue, i) : NULL;

  return i == 0 ? _("each machine’s own") : device != NULL ? device->name : NULL;
}

static void
set_device (LsQuery *query, guint i)
{
  ((LsMachinesState *) query->state)->device = i;
}

static guint
device_now (gconstpointer state)
{
  return ((const LsMachinesState *) state)->device;
}

static const LsViewSwitch switches[] = {
  { .title = N_("Assumptions of"), .offered = device_word, .set = set_device, .now = device_now },
  { NULL },
};

/* "The same 10 ops on each machine"; "Assumptions of", and whose, or the place of the switch. */
static void
head_line (const LsMachines *p, LsArea area)
{
  LsLayout *layout = p->layout;
  const LsMetrics *m = &layout->m;
  LsScene *s = layout->still;
  const double base = p->ticks_y;
  const LsHardware *device = ls_machines_device (layout->data->catalogue, p->asked->device);
  g_autofree char *full = p->works != NULL
                            ? g_strdup_printf (ngettext ("The same op on each machine",
                                                         "The same %u ops on each machine", p->works->len),
                                               p->works->len)
                            : g_strdup (_("The same step on each machine")),
                  *brief = p->works != NULL
                             ? g_strdup_printf (ngettext ("%u op", "%u ops", p->works->len), p->works->len)
                             : g_strdup ("");
  const char *const heading[] = { full, _("The same step"), brief, NULL };
  const char *assumed = _("Assumptions of");
  double x = p->fields.x;

  ls_text_fit (s, p->name.x, base, p->name.w, m->heading, LS_INK_TEXT, LS_LEFT, heading);
  if (ls_scene_width (s, m->heading, assumed) < p->fields.w * .45)
    x = ls_item_right (ls_scene_text (s, x, base, m->heading, LS_INK_TEXT, LS_LEFT, assumed)) + 2 * m->unit;
  if (m->control_h > 0 && !layout->query.chrome)
    ls_stage_slot (layout, LS_SLOT_SWITCHES, -1, 0, x,
                   area.y + (MAX (m->control_h, m->heading.px * 1.9) - m->control_h) / 2,
                   p->fields.x + p->fields.w - x, m->control_h);
  else
    {
      const char *const whose[] = { device != NULL ? device->name : _("each machine’s own"), NULL };
      ls_text_fit (s, x, base, p->fields.x + p->fields.w - x, m->label, LS_INK_TEXT, LS_LEFT, whose);
    }
}

static void
draw_more (const LsMachines *p)
{
  const guint above = p->shown, below = LS_MACHINES_N - p->shown - p->n_shown;
  g_autofree char *up = g_strdup_printf (ngettext ("▴ %u more above", "▴ %u more above", above), above),
                  *down = g_strdup_printf (ngettext ("▾ %u more below", "▾ %u more below", below), below);

  if (p->more_above > 0)
    ls_scene_text (p->layout->still, p->name.x, p->more_above, p->layout->m.label, LS_INK_QUIET, LS_LEFT, up);
  if (p->more_below > 0)
    ls_scene_text (p->layout->still, p->name.x, p->more_below, p->layout->m.label, LS_INK_QUIET, LS_LEFT,
                   down);
}

static void
draw (LsMachines *p, LsArea area)
{
  const LsMetrics *m = &p->layout->m;

  ls_machines_place (p, area);
  ls_machines_axis (p);
  head_line (p, area);
  for (guint side = 0; side < LS_SIDES; side++)
    ls_machines_lane (p, side);
  if (p->n_shown > 0)
    ls_scene_box (p->layout->still, area.x,
                  p->rows[p->shown].area.y - 1.5 * m->unit - (p->more_above > 0 ? m->label.px * 1.6 : 0),
                  area.w, 2, LS_INK_QUIET, 0);
  for (guint i = p->shown; i < p->shown + p->n_shown; i++)
    ls_machines_row (p, i);
  if (p->body.h > 0)
    ls_machines_opened (p);
  else
    draw_more (p);
}

static void
layout_machines (LsLayout *layout)
{
  const LsMetrics *m = &layout->m;
  LsArea area = ls_stage_begin (layout);
  LsMachines *p = g_new0 (LsMachines, 1);
  double height;

  layout->own = p;
  layout->free_own = machines_free;
  ls_machines_open (p, layout);
  /* an opened one needs the room where there is little */
  if (p->asked->open < 0 || (m->size == LS_SIZE_LARGE && !m->projector))
    area = ls_stage_strip (layout, area, FALSE);
  ls_area_below (&area, 2 * m->unit);
  height = ls_stage_heads (layout, area) + m->unit;
  ls_area_below (&area, height);
  ls_area_below (&area, ls_stage_disagreement (layout, area));
  area = (LsArea){ area.x + m->margin, area.y, area.w - 2 * m->margin, area.h - m->unit };
  if (p->plan == NULL)
    {
      if (layout->data->recording == NULL)
        ls_stage_invite (layout, area);
      else
        ls_text_wrapped (layout->still, area.x, area.y, area.w, m->body, LS_INK_TEXT,
                         _("This recording’s network has layers that this program doesn’t know."), TRUE);
      return;
    }
  layout->span_ns = (gint64) (p->seconds * 1e9);
  draw (p, area);
}

static void
move_machines (LsLayout *layout)
{
  LsMachines *p = layout->own;
  const LsMetrics *m = &layout->m;
  const double now = layout->query.time_ns == LS_TIME_END ? HUGE_VAL : (double) layout->query.time_ns * 1e-9,
               w = ls_machines_picture_width (p);

  if (p->plan == NULL)
    return;
  ls_machines_move (p);
  for (guint i = p->shown; i < p->shown + p->n_shown; i++)
    {
      const LsArea row = p->rows[i].area;
      LsArea area = { p->name.x + p->name.w - w, row.y + 1.5 * m->unit, w, row.h - 3 * m->unit };

      g_free (ls_machines_picture (p, i, &area, now, FALSE));
    }
  if (p->body.h > 0 && p->picture.h > 0)
    ls_machines_explain (p, now);
}

/* ---- words ---- */

static void
describe_machines (const LsLayout *layout, GString *text)
{
  const LsMachines *p = layout->own;

  if (p->plan == NULL)
    return;
  for (guint i = 0; i < LS_MACHINES_N; i++)
    {
      const LsMachinesRow *row = &p->rows[i];
      g_auto (GStrv) sentences = ls_machines_sentences (p, i);
      g_autofree char *time = row->run != NULL ? ls_machines_time (row->run->seconds) : g_strdup ("–");

      if (p->asked->open >= 0 && p->asked->open != (gint) i)
        continue;
      g_string_append_printf (text, _(" %s, modelled: %s; %s."), _(row->machine->title), time,
                              sentences[0]);
      if (p->asked->open != (gint) i || row->run == NULL)
        continue;
      g_autofree char *proof = ls_machines_proof (p, i);
      g_auto (GStrv) weights = ls_machines_weights (row);
      if (proof != NULL)
        g_string_append_printf (text, " %s", proof);
      if (weights[0] != NULL)
        g_string_append_printf (text, " %s.", weights[0]);
    }
  if (p->asked->row >= 0 && p->asked->field >= 0)
    {
      const LsMachinesRow *row = &p->rows[p->asked->row];
      g_auto (GStrv) told = ls_machines_told (p, (guint) p->asked->row, (guint) p->asked->field);
      g_autofree char *value = ls_machines_value (&row->machine->assumptions[p->asked->field],
                                                  row->assumed.value[p->asked->field]);
      g_string_append_printf (text, _(" Picked: %s. It is %s."), told[0], value);
    }
  else if (p->asked->row >= 0)
    g_string_append_printf (text, _(" Picked: %s."), _(p->rows[p->asked->row].machine->title));
}

/* Of the published figure that is picked. */
static const char *
address (const LsLayout *layout, const LsQuery *query)
{
  const LsMachines *p = layout->own;

  return p->plan != NULL ? ls_machines_address (p, query->state) : NULL;
}

/* ---- options of `render` ---- */

static gint
place_of (const char *name)
{
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (machines[i]->name, name) == 0)
      return (gint) i;
  return -1;
}

static char *
machine_names (void)
{
  GString *names = g_string_new (NULL);
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", machines[i]->name);
  return g_string_free (names, FALSE);
}

static char *
read_machine (const LsViewData *data, const char *text, gpointer state)
{
  const gint row = place_of (text);

  if (row < 0)
    return machine_names ();
  ((LsMachinesState *) state)->open = row;
  return NULL;
}

static char *
read_device (const LsViewData *data, const char *text, gpointer state)
{
  const LsHardware *device = data->catalogue != NULL ? ls_catalogue_find (data->catalogue, text, NULL) : NULL,
                   *other;

  for (guint i = 1; device != NULL && (other = ls_machines_device (data->catalogue, i)) != NULL; i++)
    if (other == device)
      {
        ((LsMachinesState *) state)->device = i;
        return NULL;
      }
  return g_strdup (_("a device of “lockstep hardware” that there is a model of"));
}

/* "simt:units=24,clock=1.4" */
static char *
read_assume (const LsViewData *data, const char *text, gpointer state)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  const gint row = parts[0] != NULL ? place_of (parts[0]) : -1;
  guint n;
  LsAssumed assumed;
  g_autoptr (GError) error = NULL;

  if (row < 0 || parts[1] == NULL)
    return g_strdup (_("a machine and its assumptions, such as simt:units=24,clock=1.4"));
  const LsMachine *machine = ls_machines (&n)[row];
  ls_machine_assume (machine, &assumed);
  if (!ls_machine_say (machine, parts[1], &assumed, &error))
    {
      const gsize n_words = strlen (error->message);
      const gboolean stops = g_str_has_suffix (error->message, "."); /* it is a sentence of its own */
      return g_strdup_printf (_("other assumptions (%.*s)"), (int) (stops ? n_words - 1 : n_words),
                              error->message);
    }
  for (guint i = 0; i < machine->n_assumptions; i++)
    if (assumed.from[i] == LS_ASSUMED_OWN)
      ls_machines_say (state, (guint) row, i, assumed.value[i]);
  return NULL;
}

static const LsViewOption options[] = {
  { "machine", N_("NAME"), N_("The model of Machines that is opened"), read_machine },
  { "on", N_("NAME"), N_("A device of the catalogue that Machines’ models take their figures from"),
    read_device },
  { "assume", N_("LIST"), N_("Other assumptions of Machines, such as simt:units=24"), read_assume },
  { NULL },
};

static const LsMachinesState state_init = {
  .open = LS_MACHINES_NONE,
  .row = LS_MACHINES_NONE,
  .field = LS_MACHINES_NONE,
};

/* What the network is converted to: for the opened machine, or for each that takes other numbers. */
static GPtrArray *
runs (const LsViewData *data, const LsQuery *query)
{
  const gint open = ((const LsMachinesState *) query->state)->open;
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  guint n;
  const LsMachine *const *machines = ls_machines (&n);

  for (guint i = 0; i < n; i++)
    if (ls_machines_kind (machines[i]) < LS_CONVERTED_N && (open < 0 || open == (gint) i))
      g_ptr_array_add (names, g_strdup (machines[i]->name));
  return names;
}

const LsView ls_view_machines = {
  .name = "machines",
  .letter = "0",
  .title = N_("Machines"),
  .question = N_("What would other machines do with it?"),
  .head_tells = TRUE,
  .state_size = sizeof (LsMachinesState),
  .state_init = &state_init,
  .switches = switches,
  .switch_side = -1,
  .options = options,
  .runs = runs,
  .converts = TRUE,
  .layout = layout_machines,
  .move = move_machines,
  .point = ls_machines_point,
  .key = ls_machines_key,
  .address = address,
  .asks = ls_machines_ask,
  .typed = ls_machines_typed,
  .describe = describe_machines,
};

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands round a panel's plot: what its values are, its law with the constants, and why there is none.
 */
#include "config.h"
#include "ui/paint/scaling/scaling.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "lab/lab.h"
#include "ui/paint/data/age.h"
#include "ui/paint/parts/text.h"
#include "core/number.h"

#define OLD_DAYS 7

char *
ls_scaling_subtitle (const LsScalingPanel *panel)
{
  switch (panel->value)
    {
    case LS_SCALING_SPEED_UP:
      return g_strdup (_("speed-up over one worker · efficiency"));
    case LS_SCALING_TIME:
      return panel->unit == NULL ? g_strdup (_("time"))
             : panel->kind == LS_SCALING_SIZE || panel->kind == LS_SCALING_EDGE
               ? g_strdup_printf (_("time of a product, %s"), panel->unit)
               : g_strdup_printf (_("time of a step, %s"), panel->unit);
    case LS_SCALING_PER_S:
      return g_strdup (_("samples per second"));
    case LS_SCALING_GFLOPS:
      return g_strdup (_("GFLOP/s"));
    case LS_SCALING_OF_ROOF:
      return g_strdup (_("n×n times n×n, share of the own roof"));
    case LS_SCALING_OF_BEST:
      return g_strdup (_("share of the lane’s best"));
    }
  return g_strdup ("");
}

char *
ls_scaling_axis (const LsScalingPanel *panel)
{
  static const char *const words[LS_SCALING_N] = {
    [LS_SCALING_THREADS] = N_("threads; OpenCL: compute units"),
    [LS_SCALING_FLIGHT] = N_("in flight in each unit: loads; small: multiply-adds"),
    [LS_SCALING_BATCH] = N_("samples in a step"),
    [LS_SCALING_SIZE] = N_("n"),
    [LS_SCALING_EDGE] = N_("edge of a tile in local memory"),
    [LS_SCALING_WIDTH] = N_("units of each hidden layer"),
    [LS_SCALING_TILES] = N_("tiles that each op is cut into"),
  };

  return g_strdup (gettext (words[panel->kind]));
}

char *
ls_scaling_last (const LsScalingPanel *panel, const LsScalingLane *lane)
{
  const LsScalingDot *last = &g_array_index (lane->dots, LsScalingDot, lane->dots->len - 1);
  g_autofree char *rate = ls_number_text (lane->last_rate, 3), *value = ls_number_text (last->value, 3),
                  *scaled = ls_number_scaled (last->value);

  switch (panel->value)
    {
    case LS_SCALING_SPEED_UP:
      return g_strdup_printf ("%s× · %.0f %%", value, 100 * last->value / last->x);
    case LS_SCALING_TIME:
      return ls_number_time (last->value * panel->unit_ns);
    case LS_SCALING_PER_S:
      return g_strdup (scaled);
    case LS_SCALING_GFLOPS:
    case LS_SCALING_OF_ROOF:
      return g_strdup (rate);
    case LS_SCALING_OF_BEST:
      break;
    }
  if (!lane->fitted || !lane->fit.law.holds)
    return g_strdup_printf ("%s %%", value);
  g_autofree char *full = ls_number_text (lane->fit.law.full, 2);
  return g_strdup_printf (_("full at %s"), full);
}

/* ---- the law ---- */

/* "104 ± 9": of a constant that is shown times `by`, with that unit behind the value. */
static char *
constant_text (const LsFigure *constant, double by, const char *unit)
{
  g_autofree char *value = ls_number_text (constant->value * by, 3),
                  *half = ls_number_text ((constant->q3 - constant->q1) / 2 * by, 2);

  return g_strdup_printf ("%s%s ± %s", value, unit, half);
}

/* Times are in µs in a fit. */
static char *
time_text (const LsFigure *constant)
{
  double ns;
  const char *unit = ls_number_time_unit (1e3 * MAX (constant->value, (constant->q3 - constant->q1) / 2),
                                          &ns);
  g_autofree char *value = constant_text (constant, 1e3 / ns, "");

  return g_strdup_printf ("%s %s", value, unit);
}

static char *
holding_text (const LsScalingLane *lane)
{
  const LsFigure *c = lane->fit.law.constants;
  g_autofree char *first = NULL, *second = NULL;

  switch (lane->fit.law.law)
    {
    case LS_LAW_AMDAHL:
      first = constant_text (&c[LS_LAW_SERIAL], 100, " %");
      if (c[LS_LAW_SERIAL].value < 1e-3)
        return g_strdup_printf (_("serial share s %s"), first);
      second = ls_number_text (1 / c[LS_LAW_SERIAL].value, 2);
      return g_strdup_printf (_("serial share s %s, never over %s×"), first, second);
    case LS_LAW_SCALABILITY:
      first = constant_text (&c[LS_LAW_SERIAL], 100, " %");
      second = constant_text (&c[LS_LAW_COHERENCE], 100, " %");
      return g_strdup_printf (_("σ %s, κ %s"), first, second);
    case LS_LAW_LINEAR:
      first = time_text (&c[LS_LAW_FIXED]);
      second = time_text (&c[LS_LAW_EACH]);
      return g_strdup_printf ("a %s, b %s", first, second);
    case LS_LAW_HALF_SPEED:
      first = constant_text (&c[LS_LAW_HALF], 1, "");
      return g_strdup_printf (_("half speed at n½ = %s"), first);
    case LS_LAW_IN_FLIGHT:
      first = ls_number_text (lane->fit.law.full, 3);
      second = ls_number_text ((lane->fit.law.full_high - lane->fit.law.full_low) / 2, 2);
      return g_strdup_printf (_("rate × wait = %s ± %s"), first, second);
    case LS_LAW_NONE:
    case LS_LAW_N:
      break;
    }
  return g_strdup ("");
}

static double
dot_x (const LsScalingLane *lane, guint i)
{
  return g_array_index (lane->dots, LsScalingDot, i).x;
}

char *
ls_scaling_fit (const LsScalingPanel *panel, const LsScalingLane *lane)
{
  g_autofree char *words = NULL, *worst = ls_number_text (100 * lane->fit.law.worst, 2);
  const guint least = ls_law_least (panel->law);
  const gboolean enough = lane->fit.n >= least;

  if (!lane->fitted && enough)
    return g_strdup (_("doesn’t fit"));
  if (!lane->fitted)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "a fit takes %u dot", "a fit takes %u dots", least),
                            least);
  if (!lane->fit.law.holds)
    return g_strdup_printf (_("doesn’t fit, up to %s %% off"), worst);
  words = holding_text (lane);
  if (lane->fit.first + lane->fit.n < lane->dots->len)
    return g_strdup_printf (_("%s, up to %.0f: more share a core"), words,
                            dot_x (lane, lane->fit.first + lane->fit.n - 1));
  if (lane->fit.first > 0)
    return g_strdup_printf (_("%s, from %.0f on"), words, dot_x (lane, lane->fit.first));
  return g_steal_pointer (&words);
}

/* Of the lanes that are measured, what a line each says. */
static guint
count_told (const LsScalingPanel *panel)
{
  guint n = 0;

  for (guint lane = 0; panel->result != NULL && lane < panel->result->specs->len; lane++)
    n += panel->lanes[lane].dots->len > 0;
  return n;
}

static guint
lanes_told (const LsScalingPanel *panel)
{
  return MIN (count_told (panel), LS_SIDES);
}

guint
ls_scaling_lines (const LsScalingPanel *panel)
{
  return panel->law == LS_LAW_NONE ? 1 : 1 + lanes_told (panel);
}

static double
tell_law (const LsScalingPanel *panel, LsArea area, double y)
{
  const LsMetrics *m = &panel->layout->m;
  LsScene *s = panel->layout->still;
  LsLaw law = panel->law;

  for (guint lane = 0; lane < panel->result->specs->len; lane++)
    if (panel->lanes[lane].fitted && panel->lanes[lane].fit.law.holds)
      law = panel->lanes[lane].fit.law.law;
  const char *name = law == LS_LAW_AMDAHL        ? _("Amdahl")
                     : law == LS_LAW_SCALABILITY ? _("Universal scalability")
                     : law == LS_LAW_IN_FLIGHT   ? _("Little")
                                                 : NULL;
  g_autofree char *text = name != NULL ? g_strdup_printf ("%s: %s", name, ls_law_formula (law))
                                       : g_strdup (ls_law_formula (law));

  ls_text_marked (s, m, area.x, y, area.w, LS_EVIDENCE_DERIVED, LS_INK_TEXT, text);
  return y;
}

double
ls_scaling_tell (const LsScalingPanel *panel, LsArea area, double y)
{
  const LsMetrics *m = &panel->layout->m;
  const LsType bold = { m->label.px, 700 };
  LsScene *s = panel->layout->still;
  guint told = 0;

  if (panel->law == LS_LAW_NONE)
    {
      ls_text_fit (
        s, area.x, y, area.w, m->label, LS_INK_QUIET, LS_LEFT,
        (const char *const[]){ _("no law fits: caches and limits decide"), _("no law fits"), NULL });
      return y;
    }
  tell_law (panel, area, y);
  for (guint lane = 0; lane < panel->result->specs->len && told < lanes_told (panel); lane++)
    {
      const LsViewName *name = &g_array_index (panel->names, LsViewName, lane);
      const double left = area.x + ls_scene_width (s, bold, name->brief) + 2 * m->unit;

      if (panel->lanes[lane].dots->len == 0)
        continue;
      g_autofree char *words = ls_scaling_fit (panel, &panel->lanes[lane]);
      told++;
      y += m->label.px * LS_TEXT_PITCH;
      if (left > area.x + area.w)
        continue;
      ls_scene_text (s, area.x, y, bold, LS_INK_LANE, LS_LEFT, name->brief)->value = LS_INK_OF (name->ink);
      /* a condition behind it goes first where there is no room, then what follows from the constant */
      char *cut;
      while (ls_scene_width (s, m->label, words) > area.x + area.w - left
             && (cut = g_strrstr (words, ", ")) != NULL)
        *cut = '\0';
      if (ls_scene_width (s, m->label, words) <= area.x + area.w - left)
        ls_scene_text (s, left, y, m->label, LS_INK_TEXT, LS_LEFT, words);
    }
  return y;
}

/* ---- where there is nothing, or something old ---- */

static const char *
what_for (LsScalingKind kind)
{
  static const char *const words[LS_SCALING_N] = {
    [LS_SCALING_THREADS] = N_("How much faster is a step on all workers than on one?"),
    [LS_SCALING_FLIGHT] = N_("How many loads must be in flight until no unit waits for memory?"),
    [LS_SCALING_BATCH] = N_("What does a step cost however few its samples are, and what does each add?"),
    [LS_SCALING_SIZE] = N_("From which size on does a product reach half of a lane’s speed?"),
    [LS_SCALING_EDGE] = N_("Which edge of a tile in local memory is the fastest?"),
    [LS_SCALING_WIDTH] = N_("Who is faster when the hidden layers grow?"),
    [LS_SCALING_TILES] = N_("Into how many tiles should an op be cut?"),
  };

  return gettext (words[kind]);
}

void
ls_scaling_empty (const LsScalingPanel *panel, LsArea area)
{
  const LsMetrics *m = &panel->layout->m;
  LsScene *s = panel->layout->still;
  const gboolean live = panel->layout->data->live;
  g_autofree char *age = ls_scaling_age (panel, FALSE);
  g_autofree char *how = age != NULL ? g_strdup (age)
                         : live
                           ? g_strdup_printf (_("Not measured yet: it takes about %d s."), LS_LAB_SECONDS)
                           : g_strdup (_("Not measured where this was recorded."));
  const char *const texts[] = { what_for (panel->kind), how };
  double y = area.y;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const double end = ls_text_wrapped (s, area.x, y, area.w, m->label, LS_INK_QUIET, texts[i], FALSE);
      if (end > area.y + area.h)
        return;
      ls_text_wrapped (s, area.x, y, area.w, m->label, i == 0 ? LS_INK_TEXT : LS_INK_QUIET, texts[i], TRUE);
      y = end + m->unit;
    }
}

static char *
measuring_text (const LsScalingPanel *panel)
{
  const LsViewLab *now = &panel->layout->data->measuring;

  if (now->spot.x == 0)
    return g_strdup (_("being measured: the lanes are opening"));
  g_autofree char *spot = ls_experiment_spot_text (now->experiment, now->spot);
  return g_strdup_printf (_("being measured, %u of %u: %s"), MIN (now->done + 1, now->n), now->n, spot);
}

/* Of work in flight with either kernel. */
static gboolean
is_measured (const LsScalingPanel *panel)
{
  const LsExperiment *now = panel->layout->data->measuring.experiment;

  return now != NULL
         && (now == ls_scaling_experiment (panel->kind)
             || (panel->kind == LS_SCALING_FLIGHT && now == &ls_experiment_flight_compute));
}

/* All that the view shows is of that day. */
static gboolean
is_common (const LsScalingPanel *panel)
{
  gboolean common = TRUE;

  for (guint kind = 0; kind < LS_SCALING_N; kind++)
    {
      const LsLabResult *other = ls_view_data_lab (panel->layout->data,
                                                   ls_scaling_experiment ((LsScalingKind) kind));
      common = common && (other == NULL || strcmp (other->date, panel->result->date) == 0);
    }
  return common;
}

char *
ls_scaling_age (const LsScalingPanel *panel, gboolean alone)
{
  const LsViewData *data = panel->layout->data;
  const gint days = panel->result != NULL ? ls_age_days (panel->result->date, data->today) : -1;

  if (is_measured (panel))
    return measuring_text (panel);
  if (panel->result != NULL && panel->result->foreign)
    return g_strdup_printf (_("measured on %s by %s, %s"), panel->result->date, panel->result->program,
                            panel->result->machine);
  if (days < OLD_DAYS || (!alone && is_common (panel)))
    return NULL;
  g_autofree char *age = ls_age_text (panel->result->date, data->today);
  return g_strdup_printf (_("measured on %s, %s"), panel->result->date, age);
}

char *
ls_scaling_age_brief (const LsScalingPanel *panel)
{
  const LsLabResult *result = panel->result;
  g_autofree char *age = ls_age_text (result->date, panel->layout->data->today),
                  *when = g_strdup (age != NULL ? age : result->date);

  if (!result->foreign)
    return g_steal_pointer (&when);
  return strcmp (result->program, "Lockstep " LS_VERSION) == 0
           ? g_strdup_printf (_("on another machine, %s"), when)
           : g_strdup_printf (_("by %s, %s"), result->program, when);
}

/* ---- dashes ---- */

static char *
size_text (const LsScalingPanel *panel, LsLabSpot spot)
{
  g_autofree char *x = ls_number_count (spot.x);

  return g_strdup_printf ("%s %s", gettext (panel->result->experiment->column), x);
}

char *
ls_scaling_lacks (const LsScalingPanel *panel, guint lane)
{
  const LsLabResult *result = panel->result;
  const GPtrArray *missing = result->missing[lane];
  const char *name = g_array_index (panel->names, LsViewName, lane).brief;
  const LsLabMissing *first = missing->len > 0 ? missing->pdata[0] : NULL;

  if (result->points[lane]->len == 0 && first != NULL)
    return g_strdup_printf (_("%s: not measurable here. %s"), name, first->why);
  if (result->points[lane]->len == 0 && ls_lab_result_whole (result))
    return g_strdup_printf (_("%s: not measurable here"), name);
  if (first == NULL || result->points[lane]->len == 0)
    return NULL;
  g_autofree char *size = size_text (panel, first->spot);
  /* TRANSLATORS: a lane, a size at which it failed, and why, a sentence: “OpenCL, width 4 096: There isn’t
   * enough memory.” */
  return g_strdup_printf (_("%s, %s: %s"), name, size, first->why);
}

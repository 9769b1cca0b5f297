/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `lockstep render`: a view of a recording as a picture. The painters are the window's own.
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/error.h"
#include "data/recorded_run.h"
#include "files/output.h"
#include "lab/result.h"
#include "ui/cli/command.h"
#include "ui/report/json_out.h"
#include "ui/report/terminal.h"
#include "ui/paint/output/export.h"
#include "ui/paint/views.h"

#define SIZE_MIN 320
#define SIZE_MAX 8192

static const LsCommandOption own[] = {
  { "from", N_("RECORDING"), N_("The recording to draw (always needed)") },
  { "out", N_("FILE"), N_("The picture: .png, .svg or .pdf (always needed)"), TRUE },
  { "size", N_("WxH"), N_("Width and height in pixels; default 1920x1080") },
  { "style", N_("STYLE"), N_("light, dark, print or projector; default light") },
  { "op", N_("OP"),
    N_("The op that Partition and Tiles show and Timeline picks, by symbol or number from 1; default the "
        "one with most work") },
  { "window", N_("FROM-TO"), N_("The part of the step that Timeline shows, in microseconds; default all") },
  { "against", N_("RECORDING"), N_("Another recording, for Timeline to lay over this one") },
  { "at", N_("MICROSECONDS"),
    N_("The moment to draw, since the step, the op or the walk began; default its end") },
  { "left", N_("LANE"), N_("The lane that stands left, by its id; default the first CPU lane") },
  { "right", N_("LANE"), N_("The lane that stands right; default the first OpenCL lane") },
  { "scale", N_("FACTOR"), N_("Pixels of a PNG per pixel of the size, 1 to 4; default 1") },
  { NULL },
};

/* With what the views can be asked. */
static const LsCommandOption *
all_options (void)
{
  static LsCommandOption *all;
  guint n_views;
  const LsView *const *views = ls_views (&n_views);

  if (all != NULL)
    return all;
  GArray *rows = g_array_new (TRUE, TRUE, sizeof (LsCommandOption));
  g_array_append_vals (rows, own, G_N_ELEMENTS (own) - 1);
  for (guint v = 0; v < n_views; v++)
    for (const LsViewOption *option = views[v]->options; option != NULL && option->name != NULL; option++)
      {
        const LsCommandOption row = { option->name, option->argument, option->help };
        g_array_append_val (rows, row);
      }
  all = (LsCommandOption *) (gpointer) g_array_free (rows, FALSE);
  return all;
}

static gboolean
refuse (GError **error, const char *option, const char *expected, const char *text)
{
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("--%s takes %s, not “%s”."), option, expected, text);
  return FALSE;
}

/* --left and --right: ids of the recording's lanes. */
static gboolean
choose_lanes (const LsArguments *arguments, const LsRecording *recording, const char *stands[LS_SIDES],
              GError **error)
{
  static const char *const names[LS_SIDES] = { "left", "right" };
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < recording->n_lanes; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? ", " : "", recording->lanes[i].id);
  for (guint side = 0; side < LS_SIDES; side++)
    {
      stands[side] = ls_arguments_get (arguments, names[side]);
      if (stands[side] != NULL && ls_recording_find (recording, stands[side]) < 0)
        return refuse (error, names[side], ids->str, stands[side]);
    }
  if (stands[0] != NULL && g_strcmp0 (stands[0], stands[1]) == 0)
    return refuse (error, "right", _("another lane than --left"), stands[1]);
  return TRUE;
}

static gboolean
read_size (const char *text, double *width, double *height, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "x", -1);
  guint64 w, h;

  if (g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[0], 10, SIZE_MIN, SIZE_MAX, &w, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, SIZE_MIN, SIZE_MAX, &h, NULL))
    return refuse (error, "size", _("two whole numbers from 320 to 8192, such as 1920x1080"), text);
  *width = (double) w;
  *height = (double) h;
  return TRUE;
}

static gboolean
read_number (const char *option, const char *text, double low, double high, double *value, GError **error)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !(*value >= low && *value <= high))
    {
      g_autofree char *expected = g_strdup_printf (_("a number from %g to %g"), low, high);
      return refuse (error, option, expected, text);
    }
  return TRUE;
}

static gboolean
read_window (const char *text, LsQuery *query, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "-", -1);
  double from, to;

  if (g_strv_length (parts) != 2)
    return refuse (error, "window", _("two numbers of microseconds, such as 100-250"), text);
  if (!read_number ("window", parts[0], 0, 1e12, &from, error)
      || !read_number ("window", parts[1], from, 1e12, &to, error))
    return FALSE;
  query->zoom0_ns = (gint64) (from * 1e3);
  query->zoom1_ns = (gint64) (to * 1e3);
  return TRUE;
}

/* The event that stands for the op as a whole, of the first lane that has one. */
static LsPick
pick_op (const LsViewData *data, guint op)
{
  for (guint side = 0; side < LS_SIDES; side++)
    {
      const LsRecordedLane *lane = data->sides[side].recorded;
      for (guint i = 0; lane != NULL && i < lane->events->len; i++)
        {
          const LsEvent *e = &g_array_index (lane->events, LsEvent, i);
          if (e->op == op && (e->kind == LS_EVENT_OP || e->kind == LS_EVENT_KERNEL))
            return (LsPick){ (gint) side, i };
        }
    }
  return LS_PICK_NONE;
}

static guint
heaviest_op (const LsRecording *recording)
{
  guint heaviest = 0;

  for (guint i = 1; i < recording->n_ops; i++)
    if (recording->ops[i].flops > recording->ops[heaviest].flops)
      heaviest = i;
  return heaviest;
}

static gboolean
read_op (const LsRecording *recording, const char *text, guint *op, GError **error)
{
  guint64 number;

  for (guint i = 0; i < recording->n_ops; i++)
    if (strcmp (recording->ops[i].symbol, text) == 0)
      {
        *op = i;
        return TRUE;
      }
  if (recording->n_ops == 0 || !g_ascii_string_to_unsigned (text, 10, 1, recording->n_ops, &number, NULL))
    {
      g_autofree char *expected = g_strdup_printf (_("the symbol of an op, or its number from 1 to %u"),
                                                   recording->n_ops);
      return refuse (error, "op", expected, text);
    }
  *op = (guint) number - 1;
  return TRUE;
}

/* The views' own options, each into its view's state; `state` is the one of the view that is drawn. */
static gboolean
read_view_options (const LsArguments *arguments, const LsView *drawn, const LsViewData *data, gpointer state,
                   GError **error)
{
  guint n;
  const LsView *const *views = ls_views (&n);

  for (guint v = 0; v < n; v++)
    {
      g_autofree gpointer other = ls_view_state_new (views[v]);
      for (const LsViewOption *option = views[v]->options; option != NULL && option->name != NULL; option++)
        {
          const char *text = ls_arguments_get (arguments, option->name);
          g_autofree char *expected = text != NULL
                                        ? option->read (data, text, views[v] == drawn ? state : other)
                                        : NULL;
          if (expected != NULL)
            return refuse (error, option->name, expected, text);
        }
    }
  return TRUE;
}

static gboolean
find_view (const char *name, const LsView **view, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const LsView *const *views;
  guint n;

  *view = ls_view_find (name);
  if (*view != NULL)
    return TRUE;
  views = ls_views (&n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, (gpointer) views[i]->name);
  g_ptr_array_add (names, NULL);
  g_autofree char *list = g_strjoinv (", ", (char **) names->pdata);
  g_set_error (error, LS_ERROR, LS_ERROR_USAGE, _("“%s” is no view; there are: %s."), name, list);
  return FALSE;
}

/* What it holds of experiments, (transfer full); what can't be read is told, and the picture drawn without.
 */
static GPtrArray *
read_lab (const LsRecording *recording)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *results = recording->lab != NULL ? ls_lab_results_parse (recording->lab, &error) : NULL;

  if (error != NULL)
    ls_terminal_complain (_("The results of experiments in the recording can’t be read: %s\n"),
                          error->message);
  return results;
}

static gboolean
draw (const LsArguments *arguments, const LsView *view, const char *from, const char *out, GError **error)
{
  const char *size = ls_arguments_get (arguments, "size"), *look_name = ls_arguments_get (arguments, "style");
  const char *op = ls_arguments_get (arguments, "op"), *at = ls_arguments_get (arguments, "at");
  const char *scale_text = ls_arguments_get (arguments, "scale"),
             *window = ls_arguments_get (arguments, "window");
  const char *against = ls_arguments_get (arguments, "against");
  double width = 1920, height = 1080, scale = 1, at_us;
  LsLook look = LS_LOOK_LIGHT;
  LsQuery query = LS_QUERY_INIT;
  g_autofree gpointer state = query.state = ls_view_state_new (view);
  LsStyle style;

  if (size != NULL && !read_size (size, &width, &height, error))
    return FALSE;
  if (look_name != NULL && !ls_look_find (look_name, &look))
    return refuse (error, "style", _("light, dark, print or projector"), look_name);
  if (scale_text != NULL && !read_number ("scale", scale_text, 1, 4, &scale, error))
    return FALSE;
  if (at != NULL && !read_number ("at", at, 0, 1e12, &at_us, error))
    return FALSE;
  if (window != NULL && !read_window (window, &query, error))
    return FALSE;

  g_autoptr (LsRecording) recording = ls_recording_load (from, error);
  if (recording == NULL)
    return FALSE;
  query.op = heaviest_op (recording);
  if (op != NULL && !read_op (recording, op, &query.op, error))
    return FALSE;
  if (at != NULL)
    query.time_ns = (gint64) (at_us * 1e3);
  query.chrome = query.key = TRUE;
  ls_style_init (&style, look, 1);
  g_autoptr (LsViewData) other = NULL;
  if (against != NULL)
    {
      g_autoptr (LsRecording) second = ls_recording_load (against, error);
      if (second == NULL)
        return FALSE;
      other = ls_view_data_from_recording (second, NULL);
    }
  g_autoptr (GPtrArray) lab = read_lab (recording);
  g_autoptr (LsCatalogue) catalogue = ls_catalogue_load (NULL, NULL); /* without it nothing is compared */
  g_autoptr (LsClaims) claims = ls_claims_load (NULL, NULL, NULL);    /* as kept on this machine */
  LsViewBeside beside = { .other = other, .lab = lab, .catalogue = catalogue, .claims = claims };
  g_autoptr (LsOptions) trained = ls_options_new ();

  ls_recorded_run_take (recording, TRUE, trained);
  for (guint i = 0; i < LS_CONVERTED_N; i++)
    {
      const LsConvertedWish wish = { .kind = (LsConvertedKind) i, .options = trained };
      g_autofree char *why = NULL;
      beside.converted[i] = ls_converted_kept (&wish, &why); /* as kept on this machine */
    }
  if (!choose_lanes (arguments, recording, beside.stands, error))
    return FALSE;
  g_autoptr (LsViewData) data = ls_view_data_from_recording (recording, &beside);
  if (!read_view_options (arguments, view, data, state, error))
    return FALSE;
  if (op != NULL && view->zooms)
    query.picked = pick_op (data, query.op);
  if (at == NULL && view->span != NULL)
    view->span (data, &query, &query.time_ns);
  g_autoptr (LsFonts) fonts = ls_fonts_new ("Cantarell, Sans");
  g_autoptr (LsLayout) layout = ls_layout_new (view, data, &query, width, height, &style, fonts);
  return ls_export_picture (layout, out, scale, error);
}

static LsExit
render (const LsArguments *arguments, GError **error)
{
  const char *from = ls_arguments_get (arguments, "from"), *out = ls_arguments_get (arguments, "out");
  const LsView *view;

  if (from == NULL || out == NULL)
    {
      g_set_error_literal (error, LS_ERROR, LS_ERROR_USAGE,
                           _("Say what to draw and where to: --from RECORDING --out FILE."));
      return LS_EXIT_USAGE;
    }
  if (!find_view (arguments->words[0], &view, error))
    return LS_EXIT_USAGE;
  if (!draw (arguments, view, from, out, error))
    return LS_EXIT_FAILED;
  g_autofree char *name = ls_printable (g_filename_display_name (out));
  ls_terminal_print (_("Saved %s\n"), name);
  return LS_EXIT_DONE;
}

const LsCommand ls_command_render = {
  .name = "render",
  .title = N_("Draw a view of a recording as a picture"),
  .about = N_("Views: %s. “lockstep train --record FILE” makes recordings."),
  .word = N_("VIEW"),
  .own = own,
  .options = all_options,
  .run = render,
};

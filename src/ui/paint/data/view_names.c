/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All lanes of a run or a recording by name, their inks, and which of them stand on the two sides.
 */
#include "config.h"
#include "ui/paint/data/view_private.h"

#include "ui/paint/data/device_words.h"

static void
clear_cb (gpointer data)
{
  g_free (((LsViewName *) data)->name);
  g_free (((LsViewName *) data)->brief);
  g_clear_pointer (&((LsViewName *) data)->spec, ls_lane_spec_unref);
}

GArray *
ls_view_names_new (void)
{
  GArray *names = g_array_new (FALSE, TRUE, sizeof (LsViewName));

  g_array_set_clear_func (names, clear_cb);
  return names;
}

static gboolean
is_taken (const GArray *names, guint ink)
{
  for (guint i = 0; i < names->len; i++)
    if (g_array_index (names, LsViewName, i).ink == ink)
      return TRUE;
  return FALSE;
}

/* The first CPU lane has the CPU's ink, the first OpenCL lane OpenCL's; a reference one of these that nobody
 * else has; all others have neutral ones. */
void
ls_view_names_ink (GArray *names)
{
  for (guint i = 0; i < names->len; i++)
    g_array_index (names, LsViewName, i).ink = LS_LANE_INKS;
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < names->len; i++)
      {
        LsViewName *name = &g_array_index (names, LsViewName, i);
        const gboolean known = name->who == LS_BACKEND_CPU || name->who == LS_BACKEND_OPENCL;
        guint ink = known ? name->who == LS_BACKEND_OPENCL : 0;

        if (name->ink < LS_LANE_INKS || known != (pass == 0))
          continue;
        while (ink < LS_LANE_INKS - 1 && is_taken (names, ink))
          ink = known && ink < LS_SIDES ? LS_SIDES : ink + 1;
        name->ink = ink;
      }
}

void
ls_view_names_add (GArray *names, const char *id, LsLaneSpec *spec, LsBackendKind who,
                   const LsDeviceInfo *device)
{
  const char *words = spec != NULL ? spec->words : NULL;
  g_autofree char *plain = ls_device_lane_name (who, device), *backend = ls_device_lane_name (who, NULL);
  const LsViewName name = {
    .id = g_intern_string (id), /* a recording may go before those who ask for it */
    .who = who,
    .spec = spec != NULL ? ls_lane_spec_ref (spec) : NULL,
    .name = words != NULL ? g_strdup_printf ("%s (%s)", plain, words) : g_strdup (plain),
    .brief = words != NULL ? g_strdup_printf ("%s (%s)", backend, words) : g_strdup (backend),
  };

  g_array_append_val (names, name);
}

GArray *
ls_view_names_of (const GPtrArray *specs)
{
  GArray *names = ls_view_names_new ();

  for (guint i = 0; i < specs->len; i++)
    {
      LsLaneSpec *spec = specs->pdata[i];
      ls_view_names_add (names, spec->id, spec, spec->backend->kind, NULL);
    }
  ls_view_names_ink (names);
  return names;
}

GArray *
ls_view_running_names (const LsSnapshot *snapshot)
{
  GArray *names = ls_view_names_new ();

  for (guint i = 0; i < snapshot->n_lanes; i++)
    {
      const LsLaneSnapshot *lane = &snapshot->lanes[i];
      ls_view_names_add (names, lane->spec->id, lane->spec, lane->spec->backend->kind,
                         lane->facts != NULL ? lane->facts->device : NULL);
    }
  ls_view_names_ink (names);
  return names;
}

char *
ls_view_data_option (const LsViewData *data, guint side, const char *name)
{
  const LsOption *option = ls_options_find (name);

  for (guint i = 0; data->names != NULL && i < data->names->len; i++)
    {
      const LsViewName *lane = &g_array_index (data->names, LsViewName, i);
      if (lane->id == data->sides[side].id && lane->spec != NULL
          && ls_options_is_given (lane->spec->own, option))
        return ls_options_get (lane->spec->own, option);
    }
  return data->recording != NULL ? g_strdup (g_hash_table_lookup (data->recording->options, name)) : NULL;
}

void
ls_view_choose_sides (const GArray *names, const char *const *stands, gint sides[LS_SIDES])
{
  sides[0] = sides[1] = -1;
  for (guint i = 0; i < names->len; i++)
    for (guint side = 0; stands != NULL && side < LS_SIDES; side++)
      if (g_strcmp0 (g_array_index (names, LsViewName, i).id, stands[side]) == 0
          && sides[1 - side] != (gint) i)
        sides[side] = (gint) i;
  for (guint i = 0; i < names->len; i++)
    {
      const LsBackendKind who = g_array_index (names, LsViewName, i).who;
      const guint side = who == LS_BACKEND_OPENCL;
      if ((who == LS_BACKEND_OPENCL || who == LS_BACKEND_CPU) && sides[side] < 0
          && sides[1 - side] != (gint) i)
        sides[side] = (gint) i;
    }
  for (guint i = 0; i < names->len; i++)
    for (guint side = 0; side < LS_SIDES; side++)
      if (sides[side] < 0 && sides[1 - side] != (gint) i)
        sides[side] = (gint) i;
  /* two of one kind stand in their order */
  if ((stands == NULL || (stands[0] == NULL && stands[1] == NULL)) && sides[0] > sides[1] && sides[1] >= 0
      && g_array_index (names, LsViewName, sides[0]).who == g_array_index (names, LsViewName, sides[1]).who)
    {
      const gint left = sides[1];
      sides[1] = sides[0];
      sides[0] = left;
    }
}

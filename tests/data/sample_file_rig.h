/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For tests of images that come from a cache file: folders of noise, and where their file is.
 */
#pragma once

#include <glib/gstdio.h>

#include "images_rig.h"

#define EDGE 6

static const char *cache; /* the folder of cache files */

/* Files of noise; every 9th one is in colour. */
static inline void
put_noise (const Tree *tree, const char *folder, guint n, guint seed, gboolean colours)
{
  for (guint i = 0; i < n; i++)
    {
      const guint channels = colours && i % 9 == 5 ? 3 : 1;
      const gsize row = 1 + EDGE * channels;
      g_autofree guint8 *rows = g_malloc0 (row * EDGE);
      g_autofree char *name = g_strdup_printf ("%s/%c/%u.png", folder, 'a' + (gint) (i % 3), i);

      for (gsize b = 0; b < row * EDGE; b++)
        rows[b] = b % row == 0 ? 0 : (guint8) (seed + i * 31 + b * b * 7);
      g_autoptr (GByteArray) png = make_png (EDGE, EDGE, channels, rows, row * EDGE);
      put_in (tree, name, png->data, png->len);
    }
}

static inline LsData *
load_by_file (const char *path, GError **error)
{
  LsData *data;

  g_setenv ("LOCKSTEP_DATA_MEMORY", "100", TRUE);
  data = load_as (path, NULL, error);
  g_unsetenv ("LOCKSTEP_DATA_MEMORY");
  return data;
}

static inline char *
cache_file (void)
{
  g_autoptr (GPtrArray) names = ls_data_list_folder (cache, 10, NULL);

  g_assert_nonnull (names);
  g_assert_cmpuint (names->len, ==, 1);
  return g_build_filename (cache, names->pdata[0], NULL);
}

static inline GStatBuf
facts_of (const char *path)
{
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  return info;
}

static inline void
forget (void)
{
  g_autofree char *file = cache_file ();

  g_assert_cmpint (g_unlink (file), ==, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See environment.h. That the folder is our own is remembered in the environment too (LOCKSTEP_POCL_CACHE),
 * so that a child process knows as much as its parent; the temporary one carries a mark in its name.
 */
#include "config.h"
#include "backends/opencl/device/environment.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"

#define OURS        "LOCKSTEP_POCL_CACHE"
#define POCL_FOLDER "pocl-" LS_VERSION
#define TEMPORARY   "lockstep-pocl-"
#define MAX_DEPTH   32

/* A file of one block can be made in it: neither read-only nor full. */
static gboolean
folder_takes_files (const char *folder)
{
  static const char block[4096] = { 0 };
  g_autofree char *path = g_build_filename (folder, ".writable-XXXXXX", NULL);
  gboolean ok;
  int fd = g_mkstemp (path);

  if (fd < 0)
    return FALSE;
  ok = write (fd, block, sizeof block) == (gssize) sizeof block;
  ok = close (fd) == 0 && ok;
  g_unlink (path);
  return ok;
}

/* Ours, and nobody else may write to it: drivers load code from there. */
static gboolean
folder_is_ours (const char *folder)
{
  GStatBuf info;

  return g_stat (folder, &info) == 0 && S_ISDIR (info.st_mode) && info.st_uid == geteuid ()
         && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

char *
ls_cl_environment_cache_folder (const char *name)
{
  g_autofree char *all = g_build_filename (g_get_user_cache_dir (), "lockstep", NULL),
                  *folder = g_build_filename (all, name, NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0 || !folder_is_ours (all) || !folder_is_ours (folder)
      || !folder_takes_files (folder))
    return NULL;
  return g_steal_pointer (&folder);
}

/* Deletes a folder and what is in it; follows no link. */
static void
remove_tree (const char *path, guint depth)
{
  GStatBuf info;
  GDir *dir;
  const char *name;

  if (g_lstat (path, &info) != 0)
    return;
  if (!S_ISDIR (info.st_mode))
    {
      g_unlink (path);
      return;
    }
  dir = depth < MAX_DEPTH ? g_dir_open (path, 0, NULL) : NULL;
  if (dir == NULL)
    return;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);
      remove_tree (child, depth + 1);
    }
  g_dir_close (dir);
  g_rmdir (path);
}

static gboolean
is_temporary (const char *folder)
{
  g_autofree char *name = g_path_get_basename (folder);
  return g_str_has_prefix (name, TEMPORARY);
}

/* The folder, if this program (or the parent that tries a driver in this process) chose it. What an
 * environment says is not enough to delete a folder by: it must also be called what the program calls its
 * own. */
static const char *
own_folder (void)
{
  const char *ours = g_getenv (OURS), *used = g_getenv ("POCL_CACHE_DIR");
  g_autofree char *lasting = g_build_filename (g_get_user_cache_dir (), "lockstep", POCL_FOLDER, NULL);

  if (ours == NULL || used == NULL || strcmp (ours, used) != 0)
    return NULL;
  return strcmp (ours, lasting) == 0 || is_temporary (ours) ? ours : NULL;
}

static void
remove_temporary_cb (void)
{
  const char *folder = own_folder ();
  if (folder && is_temporary (folder))
    remove_tree (folder, 0);
}

static void
setup_once (void)
{
  g_autofree char *folder = NULL;

  if (g_getenv ("POCL_CACHE_DIR") != NULL)
    return;
  folder = ls_cl_environment_cache_folder (POCL_FOLDER);
  if (folder == NULL)
    {
      folder = g_dir_make_tmp (TEMPORARY "XXXXXX", NULL);
      if (folder == NULL)
        return;
      atexit (remove_temporary_cb);
    }
  g_setenv ("POCL_CACHE_DIR", folder, TRUE);
  g_setenv (OURS, folder, TRUE);
}

/* PoCL asks hwloc for the machine's memory and cores, hwloc asks /sys, and where that isn't there (a bare
 * container) PoCL finds no memory and aborts. Then hwloc is told what the kernel says elsewhere. */
static void
describe_machine (void)
{
  g_autofree char *machine = NULL;
  const guint64 memory = (guint64) MAX (sysconf (_SC_PHYS_PAGES), 1)
                         * (guint64) MAX (sysconf (_SC_PAGESIZE), 1);

  if (g_getenv ("HWLOC_SYNTHETIC") || g_access ("/sys/devices/system/node", F_OK) == 0
      || g_access ("/sys/devices/system/cpu", F_OK) == 0)
    return;
  machine = g_strdup_printf ("numa:1(memory=%" G_GUINT64_FORMAT ") core:%u pu:1", memory,
                             g_get_num_processors ());
  g_setenv ("HWLOC_SYNTHETIC", machine, TRUE);
}

/* Where something else runs now and then (a window that paints), the scheduler puts two of PoCL's threads on
 * one processor, and leaves them there for milliseconds: PoCL can keep each on its own. It counts from
 * processor 0, so all of them must be ours. */
static void
keep_apart (void)
{
  cpu_set_t mine; /* g_get_num_processors() may count those that aren't */

  if (sched_getaffinity (0, sizeof mine, &mine) == 0 && CPU_COUNT (&mine) == sysconf (_SC_NPROCESSORS_CONF))
    g_setenv ("POCL_AFFINITY", "1", FALSE);
}

static void
setup_all_once (void)
{
  setup_once ();
  keep_apart ();
  describe_machine ();
}

void
ls_cl_environment_setup (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, setup_all_once);
}

char *
ls_cl_environment_note (void)
{
  const char *folder = own_folder ();
  g_autofree char *all = g_build_filename (g_get_user_cache_dir (), "lockstep", NULL),
                  *lasting = g_build_filename (all, POCL_FOLDER, NULL), *shown = NULL;

  if (folder == NULL || !is_temporary (folder))
    return NULL;
  if ((g_file_test (all, G_FILE_TEST_EXISTS) && !folder_is_ours (all))
      || (g_file_test (lasting, G_FILE_TEST_EXISTS) && !folder_is_ours (lasting)))
    {
      shown = g_filename_display_name (folder_is_ours (all) ? lasting : all);
      return g_strdup_printf (
        _("the cache folder %s belongs to somebody else, or others may write to it, so it isn’t "
           "used, and OpenCL kernels are compiled anew in each run; delete it, or take that right away"),
        shown);
    }
  shown = g_filename_display_name (g_get_user_cache_dir ());
  return g_strdup_printf (
    _("the cache folder %s can't be written, so OpenCL kernels are compiled anew in each run"), shown);
}

gboolean
ls_cl_environment_wipe (void)
{
  const char *folder = own_folder ();

  /* under a limit a driver may have ended for lack of memory, whatever is in its cache */
  if (folder == NULL || ls_memory_address_space () < G_MAXUINT64)
    return FALSE;
  remove_tree (folder, 0);
  return g_mkdir_with_parents (folder, 0700) == 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must be settled before a program shows any of its faces.
 */
#include "config.h"
#include "start.h"

#include <glib/gi18n.h>
#include <limits.h>
#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backends/opencl/device/environment.h"
#include "backends/opencl/child/discovery.h"
#include "core/memory.h"
#include "train/lane/lane.h"

/* OpenBLAS reads OPENBLAS_CORETYPE while it is loaded. A value left behind by somebody else makes it compute
 * as another processor: slower, and no longer rounding as the other lane does. So the program starts itself
 * anew without it. LOCKSTEP_OPENBLAS_CORETYPE is the way to choose a core for this program. */
static void
choose_coretype (char **argv)
{
  const char *core = g_getenv ("OPENBLAS_CORETYPE"), *wanted = g_getenv ("LOCKSTEP_OPENBLAS_CORETYPE");

  if (g_strcmp0 (core, wanted) == 0)
    return;
  if (core && *core)
    g_setenv ("LOCKSTEP_IGNORED_CORETYPE", core, TRUE);
  if (wanted)
    g_setenv ("OPENBLAS_CORETYPE", wanted, TRUE);
  else
    g_unsetenv ("OPENBLAS_CORETYPE");
  execv ("/proc/self/exe", argv);
  /* Where that can't be, the program goes on as it is, and the CPU lane's facts say so. */
}

/* Words in the user's language, numbers as they can be pasted into a script. Translations are where the
 * program was installed, or in the build's folder for one that runs from there. LOCKSTEP_LOCALE_DIR names
 * another folder, for whoever tries a translation. Nothing of GLib: see refuse_to_load(). */
static void
choose_language (void)
{
  const char *wish = getenv ("LOCKSTEP_LOCALE_DIR"), *folder = LS_LOCALE_DIR;
  char program[PATH_MAX] = "";

  if (wish != NULL && *wish != '\0')
    folder = wish;
  else if (readlink ("/proc/self/exe", program, sizeof program - 1) > 0
           && strncmp (program, LS_BUILD_DIR "/", strlen (LS_BUILD_DIR "/")) == 0)
    folder = LS_BUILD_DIR "/po";
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, folder);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

/* A lane that was left in its driver, opening a device or hung, runs on while exit() has the driver clean up:
 * libLLVM then frees what the thread is just making. What is to be saved has been saved. */
static int
leave (int status)
{
  for (guint i = 0; i < 50 && ls_lane_threads () > 0; i++)
    g_usleep (1000);
  /* under a tight limit OpenBLAS's own cleaning up never ends */
  if (ls_lane_threads () > 0 || ls_memory_address_space () < G_MAXUINT64)
    {
      fflush (NULL);
      _exit (status);
    }
  return status;
}

/* glibc lets each thread fill a heap of its own, and the size from which memory goes back to the system grows
 * with the largest block that was ever freed, up to 32 MB. Here many threads hand blocks of a megabyte to
 * each other all the time: recorded tensors, pictures. Such blocks go back at once. */
static void
keep_memory_small (void)
{
#ifdef __GLIBC__
  mallopt (M_ARENA_MAX, 4);
  mallopt (M_MMAP_THRESHOLD, 256 << 10);
  mallopt (M_TRIM_THRESHOLD, 1 << 20);
#endif
}

/* Measured: VmPeak and VmHWM of `train` on MNIST with the CPU lane's own loops, and of the window. */
#define COMMAND_ADDRESS_SPACE (500ull * LS_MB)
#define COMMAND_MEMORY        (150ull * LS_MB)
#define WINDOW_ADDRESS_SPACE  (1300ull * LS_MB)
#define WINDOW_MEMORY         (400ull * LS_MB)

#ifdef __GLIBC__
/* OpenBLAS 0.3.29 never ends in being loaded where it gets no memory. What stands in .preinit_array runs
 * before the libraries' own beginnings: libc alone can be used, and has no environment yet. */
static void
refuse_to_load (int argc, char **argv, char **envp)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= COMMAND_ADDRESS_SPACE)
    return;
  environ = envp;
  choose_language ();
  fputs ("lockstep: ", stderr);
  fprintf (stderr, _("%s needs %u MB of address space, and the limit is %u MB; raise it (ulimit -v)."),
           "Lockstep", (guint) (COMMAND_ADDRESS_SPACE / LS_MB), (guint) (limit.rlim_cur / LS_MB));
  fputs ("\n", stderr);
  _exit (1);
}

static void (*const before_libraries) (int, char **, char **)
  __attribute__ ((section (".preinit_array"), used))
  = refuse_to_load;
#endif

/* FALSE, and that is said: below this the libraries abort, or wait for ever. */
static gboolean
has_memory (int argc, char **argv)
{
  const gboolean window = argc < 2 || strcmp (argv[1], "window") == 0;
  g_autoptr (GError) error = NULL;

  if (!window && (*argv[1] == '-' || strcmp (argv[1], "help") == 0))
    return TRUE;
  if (ls_memory_suffices (window ? _("The window") : "Lockstep",
                          window ? WINDOW_ADDRESS_SPACE : COMMAND_ADDRESS_SPACE,
                          window ? WINDOW_MEMORY : COMMAND_MEMORY, &error))
    return TRUE;
  fprintf (stderr, "lockstep: %s\n", error->message);
  return FALSE;
}

int
ls_start (int argc, char **argv, const LsLabWorker *const *workers, LsExit (*run) (int argc, char **argv))
{
  const gboolean child = argc > 1 && strcmp (argv[1], LS_CL_CHILD_COMMAND) == 0;

  if (!child)
    choose_coretype (argv);
  keep_memory_small ();
  ls_cl_environment_setup ();
  choose_language ();
  if (child)
    return ls_cl_child_main (argc, argv);

  /* A closed pipe or a full disk is an error of that write: what is still to be saved elsewhere gets
   * saved. */
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  if (argc > 1 && strcmp (argv[1], LS_LAB_WORKER_COMMAND) == 0)
    return ls_lab_worker_main (argc, argv, workers);
  return leave (has_memory (argc, argv) ? (int) run (argc, argv) : 1);
}

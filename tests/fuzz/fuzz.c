/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See fuzz.h.
 */
#include "fuzz.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

guint fuzz_n_accepted;

static int file = -1;
static char file_path[32];
static char *folder, *place;

static void
remove_folder (void)
{
  if (folder == NULL)
    return;
  g_unlink (place);
  g_rmdir (folder);
  g_clear_pointer (&place, g_free);
  g_clear_pointer (&folder, g_free);
}

void
fuzz_fail (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  fputs ("fuzz: ", stderr);
  vfprintf (stderr, format, args);
  fputs ("\n", stderr);
  va_end (args);
  remove_folder ();
  abort ();
}

/* What GLib complains of is a fault; G_BREAKPOINT()'s signal would go past libFuzzer. */
static void
log_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if ((level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) != 0)
    fuzz_fail ("%s: %s", domain != NULL ? domain : "log", message);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  g_log_set_default_handler (log_cb, NULL);
  file = memfd_create ("fuzz", MFD_CLOEXEC);
  /* In memory where it can be: a save waits for the disk. */
  folder = g_getenv ("TMPDIR") == NULL && g_access ("/dev/shm", W_OK) == 0
             ? g_mkdtemp (g_strdup ("/dev/shm/lockstep-fuzz-XXXXXX"))
             : g_dir_make_tmp ("lockstep-fuzz-XXXXXX", NULL);
  fuzz_check (file >= 0 && folder != NULL, "no file in memory, or no folder in %s", g_get_tmp_dir ());
  place = g_build_filename (folder, "saved", NULL);
  g_snprintf (file_path, sizeof file_path, "/proc/self/fd/%d", file);
  atexit (remove_folder);
  return 0;
}

const char *
fuzz_file (gconstpointer data, gsize size)
{
  fuzz_check (ftruncate (file, 0) == 0 && pwrite (file, data, size, 0) == (gssize) size,
              "the file in memory can't be written");
  return file_path;
}

const char *
fuzz_place (void)
{
  return place;
}

char *
fuzz_text (const uint8_t *data, size_t size)
{
  return g_strndup ((const char *) data, size);
}

void
fuzz_check_words (const char *what, const char *words)
{
  const char *bad = NULL;

  fuzz_check (words != NULL && *words != '\0', "%s: there are no words", what);
  fuzz_check (g_utf8_validate (words, -1, &bad), "%s isn't UTF-8 from byte %ld on: %s", what,
              (long) (bad - words), words);
  for (const char *c = words; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar u = g_utf8_get_char (c);
      const GUnicodeType type = g_unichar_type (u);

      fuzz_check (type != G_UNICODE_CONTROL && type != G_UNICODE_LINE_SEPARATOR
                    && type != G_UNICODE_PARAGRAPH_SEPARATOR,
                  "%s has the character U+%04X: %s", what, u, words);
    }
}

void
fuzz_check_answer (gboolean accepted, const GError *error)
{
  fuzz_check (!accepted || error == NULL, "it was accepted, with the error: %s", error->message);
  fuzz_check (accepted || error != NULL, "it was refused without an error");
  fuzz_n_accepted += accepted;
  if (accepted)
    return;
  fuzz_check (error->domain == LS_ERROR, "the error is of %s: %s", g_quark_to_string (error->domain),
              error->message);
  fuzz_check_words ("the error", error->message);
}

void
fuzz_check_same (const char *what, const char *a, const char *b)
{
  fuzz_check (g_strcmp0 (a, b) == 0, "%s: “%s” came back as “%s”", what, a != NULL ? a : "(null)",
              b != NULL ? b : "(null)");
}

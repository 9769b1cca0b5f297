/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a child does before all else, and how it says something: forks of the test, which are read as its
 * parent does.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child/say.h"

/* ---- a parent that reads slowly ---- */

static gboolean slow; /* as the child's pipe nearly is full: few bytes at once, every second time none */

ssize_t __real_write (int fd, const void *bytes, size_t size);
ssize_t __wrap_write (int fd, const void *bytes, size_t size);

ssize_t
__wrap_write (int fd, const void *bytes, size_t size)
{
  static guint calls;

  if (!slow)
    return __real_write (fd, bytes, size);
  if (calls++ % 2 == 0)
    {
      errno = EINTR;
      return -1;
    }
  return __real_write (fd, bytes, MIN (size, 5));
}

/* Forks; in the child: does, whose exit status is returned. What it writes to standard output is *told, and
 * what to standard error *aside (transfer full). */
static int
status_of (int (*does) (void), char **told, char **aside)
{
  int out[2], err[2], status = -1;
  GString *const texts[2] = { g_string_new (NULL), g_string_new (NULL) };
  pid_t pid;

  g_assert_cmpint (pipe (out) | pipe (err), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      dup2 (out[1], STDOUT_FILENO);
      dup2 (err[1], STDERR_FILENO);
      close (out[0]);
      close (out[1]);
      close (err[0]);
      close (err[1]);
      _exit (does ());
    }
  close (out[1]);
  close (err[1]);
  for (guint i = 0; i < 2; i++)
    {
      char bytes[256];
      gssize n;

      while ((n = read (i == 0 ? out[0] : err[0], bytes, sizeof bytes)) > 0)
        g_string_append_len (texts[i], bytes, n);
    }
  close (out[0]);
  close (err[0]);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  *told = g_string_free (texts[0], FALSE);
  *aside = g_string_free (texts[1], FALSE);
  if (!WIFEXITED (status))
    g_error ("it ended by signal %d", WTERMSIG (status));
  return WEXITSTATUS (status);
}

static int
settled (void)
{
  int with_parent = 0;

  ls_say_settle ();
  raise (SIGINT);
  raise (SIGQUIT);
  raise (SIGHUP);
  prctl (PR_GET_PDEATHSIG, &with_parent);
  return with_parent == SIGKILL ? 7 : 8;
}

/* What the terminal tells it and its parent is left to the parent, with which it ends; a parent that is gone
 * already has left another one. */
static void
test_settle (void)
{
  g_autofree char *own = g_strdup_printf ("%d", getpid ()), *other = g_strdup_printf ("%d", getppid ());
  const struct {
    const char *parent;
    int status;
  } rows[] = { { NULL, 7 }, { own, 7 }, { other, 1 }, { "somebody", 7 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *told = NULL, *aside = NULL;
      int status;

      if (rows[i].parent != NULL)
        g_setenv (LS_SAY_PARENT, rows[i].parent, TRUE);
      else
        g_unsetenv (LS_SAY_PARENT);
      status = status_of (settled, &told, &aside);
      if (status != rows[i].status)
        g_error ("with the parent “%s” it ends with %d, and should with %d",
                 rows[i].parent != NULL ? rows[i].parent : "", status, rows[i].status);
    }
  g_unsetenv (LS_SAY_PARENT);
}

static int
says (void)
{
  const int fd = ls_say_alone ();
  static const char noise[] = "a driver's\n";

  if (write (STDOUT_FILENO, noise, strlen (noise)) != (gssize) strlen (noise))
    return 1;
  return ls_say (fd, json_pack ("{s:i, s:s}", "n", 5, "text", "two\nlines")) && ls_say_bytes (fd, "\0\n\1", 3)
             && ls_say (fd, json_object ())
           ? 0
           : 2;
}

/* Each object is one line, and bytes come as they are; what others print is no part of it. */
static void
test_says (void)
{
  static const char lines[] = "{\"n\":5,\"text\":\"two\\nlines\"}\n";
  g_autofree char *told = NULL, *aside = NULL;

  g_assert_cmpint (status_of (says, &told, &aside), ==, 0);
  g_assert_cmpmem (told, strlen (lines), lines, strlen (lines));
  g_assert_cmpmem (told + strlen (lines), 7, "\0\n\1{}\n", 7);
  g_assert_cmpstr (aside, ==, "a driver's\n");
}

static int
says_slowly (void)
{
  slow = TRUE;
  return ls_say (STDOUT_FILENO, json_pack ("{s:s}", "text", "more than what goes at once")) ? 0 : 2;
}

/* What is taken bit by bit, and broken off by signals between, arrives whole, in order and once. */
static void
test_slowly (void)
{
  g_autofree char *told = NULL, *aside = NULL;

  if (status_of (says_slowly, &told, &aside) != 0)
    g_error ("a parent that takes what is said bit by bit is given up; it has “%s”", told);
  g_assert_cmpstr (told, ==, "{\"text\":\"more than what goes at once\"}\n");
}

static int
says_to_nobody (void)
{
  int ends[2];

  signal (SIGPIPE, SIG_IGN);
  if (pipe (ends) != 0)
    return 3;
  close (ends[0]);
  return (ls_say (ends[1], json_object ()) ? 1 : 0) + (ls_say_bytes (ends[1], "x", 1) ? 2 : 0)
         + (ls_say_bytes (ends[1], "", 0) ? 0 : 4);
}

/* Where nobody reads, nothing was said; nothing at all is said anywhere. */
static void
test_nobody (void)
{
  g_autofree char *told = NULL, *aside = NULL;

  g_assert_cmpint (status_of (says_to_nobody, &told, &aside), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/say/settle", test_settle);
  g_test_add_func ("/say/says", test_says);
  g_test_add_func ("/say/slowly", test_slowly);
  g_test_add_func ("/say/nobody", test_nobody);
  return g_test_run ();
}

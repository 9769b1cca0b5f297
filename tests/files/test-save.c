/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Saving: the old file or the new one, whatever fails. A full disk is played by RLIMIT_FSIZE in a child
 * process.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/input.h"
#include "files/output.h"
#include "tempdir.h"

static void
assert_contents (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL;

  g_assert_true (g_file_get_contents (path, &found, NULL, &error));
  g_assert_cmpstr (found, ==, text);
}

static guint
count_files (const TempDir *dir)
{
  g_autoptr (GDir) list = g_dir_open (dir->path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (list) != NULL)
    n++;
  return n;
}

static void
test_save (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *link = NULL;
  struct stat info;

  temp_dir_init (&dir);
  path = temp_path (&dir, "file");
  link = temp_path (&dir, "link");
  g_assert_true (ls_file_save (path, "first", 5, &error));
  assert_contents (path, "first");
  g_assert_true (ls_file_save (path, "2", 1, &error));
  assert_contents (path, "2");
  g_assert_true (ls_file_save (path, "", 0, &error));
  assert_contents (path, "");
  /* Through a link: the link stays one. */
  g_assert_cmpint (symlink ("file", link), ==, 0);
  g_assert_true (ls_file_save (link, "linked", 6, &error));
  assert_contents (path, "linked");
  g_assert_cmpint (lstat (link, &info), ==, 0);
  g_assert_true (S_ISLNK (info.st_mode));
  g_assert_cmpuint (count_files (&dir), ==, 2);
}

static void
refuse (const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (ls_file_save (path, "x", 1, &error));
  assert_refused (&error, LS_ERROR_FILE, words);
}

/* Root could rename a file over /dev/null: so devices are refused by what they are. */
static void
test_refused (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *fifo = NULL, *absent = NULL, *odd = NULL;
  struct stat info;

  temp_dir_init (&dir);
  fifo = temp_path (&dir, "fifo");
  absent = temp_path (&dir, "absent/file");
  odd = temp_path (&dir, "no\xff/a&b");
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  refuse (fifo, "a folder, a device or a pipe");
  refuse (dir.path, "a folder, a device or a pipe");
  refuse ("/dev/null", "a folder, a device or a pipe");
  refuse (absent, "can’t be saved");
  refuse (odd, "can’t be saved");
  refuse ("/proc/nowhere/file", "can’t be saved");
  g_assert_cmpint (stat ("/dev/null", &info), ==, 0);
  g_assert_true (S_ISCHR (info.st_mode));
}

static void
refuse_try (const char *path, gint code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (ls_file_try_save (path, &error));
  assert_refused (&error, code, words);
}

/* What couldn't be saved is known before; what can is neither made nor changed by the trial. */
static void
test_try (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *fifo = NULL, *absent = NULL, *fresh = NULL, *old = NULL, *link = NULL, *away = NULL,
                  *folder = NULL, *inside = NULL, *long_name = g_strnfill (255, 'n'), *too_long = NULL;
  struct stat before, after;

  temp_dir_init (&dir);
  fifo = temp_path (&dir, "fifo");
  absent = temp_path (&dir, "absent/file");
  fresh = temp_path (&dir, "fresh");
  old = temp_path (&dir, "old");
  link = temp_path (&dir, "link");
  away = temp_path (&dir, "away");
  folder = temp_path (&dir, "folder");
  inside = temp_path (&dir, "folder/file");
  too_long = temp_path (&dir, long_name);
  put_file (old, "old", 3);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (symlink ("old", link), ==, 0);
  g_assert_cmpint (symlink ("/dev/full", away), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0500), ==, 0);
  g_assert_cmpint (stat (old, &before), ==, 0);

  refuse_try ("", LS_ERROR_USAGE, "the one given is empty");
  refuse_try (fifo, LS_ERROR_FILE, "a folder, a device or a pipe");
  refuse_try ("/dev/full", LS_ERROR_FILE, "a folder, a device or a pipe");
  refuse_try (away, LS_ERROR_FILE, "a folder, a device or a pipe");
  refuse_try (dir.path, LS_ERROR_FILE, "a folder, a device or a pipe");
  refuse_try (absent, LS_ERROR_FILE, "there is no folder");
  refuse_try (too_long, LS_ERROR_FILE, "can't be written");
  refuse_try ("/proc/self/file", LS_ERROR_FILE, "can't be written"); /* where even root makes none */
  if (geteuid () != 0)
    refuse_try (inside, LS_ERROR_FILE, "Permission denied");
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (ls_file_try_save (i == 0 ? fresh : i == 1 ? old : link, &error));
      g_assert_no_error (error);
    }
  /* a name may be as long as leaves room for the one that is written beside it: as long as saving takes */
  for (guint length = 247; length <= 249; length++)
    {
      g_autofree char *name = g_strnfill (length, 'n'), *path = temp_path (&dir, name);
      const gboolean fits = length + strlen (".XXXXXX") <= 255;

      if (ls_file_try_save (path, NULL) != fits)
        g_error ("a name of %u bytes is %s", length, fits ? "refused" : "taken");
      g_assert_false (fits && !ls_file_save (path, "x", 1, NULL));
      g_remove (path);
    }
  g_assert_cmpuint (count_files (&dir), ==, 5);
  assert_contents (old, "old");
  g_assert_cmpint (stat (old, &after), ==, 0);
  g_assert_true (before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
}

/* In the child: no file may grow beyond 64 KiB, as if the disk were full there. */
static void
test_disk_full_child (void)
{
  const char *path = g_getenv ("LOCKSTEP_TEST_PATH");
  g_autofree char *large = g_malloc0 (1 << 20);
  struct rlimit limit = { .rlim_cur = 65536, .rlim_max = 65536 };
  g_autoptr (GError) error = NULL;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_false (ls_file_save (path, large, 1 << 20, &error));
  assert_refused (&error, LS_ERROR_FILE, "what was there is as before");
  g_assert_true (ls_file_save (path, "small", 5, &error));
  g_assert_no_error (error);
}

static void
test_disk_full (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "file");
  put_file (path, "old", 3);
  g_assert_true (g_setenv ("LOCKSTEP_TEST_PATH", path, TRUE));
  g_test_trap_subprocess ("/save/disk-full/subprocess/child", 0, 0);
  g_test_trap_assert_passed ();
  assert_contents (path, "small");
  g_assert_cmpuint (count_files (&dir), ==, 1);
}

/* As above, but the child only fails: the parent finds the old bytes. */
static void
test_old_kept_child (void)
{
  g_autofree char *large = g_malloc0 (1 << 20);
  struct rlimit limit = { .rlim_cur = 65536, .rlim_max = 65536 };
  g_autoptr (GError) error = NULL;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_false (ls_file_save (g_getenv ("LOCKSTEP_TEST_PATH"), large, 1 << 20, &error));
}

static void
test_old_kept (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "file");
  put_file (path, "old", 3);
  g_assert_true (g_setenv ("LOCKSTEP_TEST_PATH", path, TRUE));
  g_test_trap_subprocess ("/save/old-kept/subprocess/child", 0, 0);
  g_test_trap_assert_passed ();
  assert_contents (path, "old");
  g_assert_cmpuint (count_files (&dir), ==, 1);
}

static void
test_read (void)
{
  g_auto (TempDir) dir = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *path = NULL;

  temp_dir_init (&dir);
  path = temp_path (&dir, "file");
  put_file (path, "\x1f\x8b raw", 6);
  bytes = ls_file_read (path, 6, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "\x1f\x8b raw", 6);
  g_assert_null (ls_file_read (path, 5, &error));
  assert_refused (&error, LS_ERROR_DATA, "at most 5");
  g_assert_null (ls_file_read (dir.path, 5, &error));
  assert_refused (&error, LS_ERROR_FILE, "folder");
  g_assert_null (ls_file_read ("/dev/zero", 5, &error));
  assert_refused (&error, LS_ERROR_FILE, "device");
  /* Files of /proc say that they have no bytes, and have some. */
  g_assert_null (ls_file_read ("/proc/self/status", 1 << 20, &error));
  assert_refused (&error, LS_ERROR_FILE, "changed while it was read");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/save/save", test_save);
  g_test_add_func ("/save/refused", test_refused);
  g_test_add_func ("/save/try", test_try);
  g_test_add_func ("/save/disk-full", test_disk_full);
  g_test_add_func ("/save/disk-full/subprocess/child", test_disk_full_child);
  g_test_add_func ("/save/old-kept", test_old_kept);
  g_test_add_func ("/save/old-kept/subprocess/child", test_old_kept_child);
  g_test_add_func ("/save/read", test_read);
  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library for LD_PRELOAD: the Nth file call or allocation fails.
 *   LS_FAULT=file:N:KIND[:on]   of the calls that name a path under LS_FAULT_UNDER, or a descriptor of one;
 *                               KIND: enospc eio eintr short kill slow (it takes a second; and whether exit
 *                               handlers ran is in the list of calls)
 *   LS_FAULT=memory:N:fail[:on] of those allocations of the program's own code that may fail: g_try_…(), and
 *                               aligned memory
 * on: and all later ones, too. N counts from 1 in each process; where.h says in which it counts.
 *
 * A failed call does nothing, but close(), which closes all the same, and what is short, which does half.
 */
#undef _FILE_OFFSET_BITS /* else open() is another name for open64(), and both are to be counted */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "where.h"

#define MAX_FDS 65536

typedef enum { NONE, ENOSPC_, EIO_, EINTR_, SHORT, KILL, SLOW, FAIL } Kind;
static const char *const kind_names[] = { "", "enospc", "eio", "eintr", "short", "kill", "slow", "fail" };

/* What a call can suffer. */
enum { MAKES = 1, WAITS = 2, MOVES = 4 };

static Where where = { .log = -1 };
static bool ready, meant, on;
static Kind kind;
static char group[16];
static unsigned number;
static atomic_uint n_files, n_memory;
static const char *under;
static _Atomic (char *) fd_paths[MAX_FDS]; /* of those that are watched */
static uintptr_t program_start, program_end;

static int
find_program_cb (struct dl_phdr_info *info, size_t size, void *data)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      {
        const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (program_start == 0)
          program_start = start;
        program_end = start + info->dlpi_phdr[i].p_memsz;
      }
  return 1; /* the program comes first */
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *rule = getenv ("LS_FAULT");
  char name[16] = "", rest[16] = "";

  dl_iterate_phdr (find_program_cb, NULL);
  where = where_am_i ();
  meant = where.name[0] != '\0' && where_is_meant (&where);
  under = getenv ("LS_FAULT_UNDER");
  if (rule != NULL && sscanf (rule, "%15[a-z]:%u:%15[a-z]:%15s", group, &number, name, rest) >= 3)
    for (size_t k = FAIL; k > NONE; k--)
      if (strcmp (name, kind_names[k]) == 0)
        kind = (Kind) k;
  if (rule != NULL && kind == NONE)
    {
      fprintf (stderr, "sysfault: “%s” is no rule\n", rule);
      _exit (99);
    }
  on = strcmp (rest, "on") == 0;
  ready = true;
}

__attribute__ ((destructor)) static void
end (void)
{
  if (kind == SLOW)
    where_log (&where, "end", 1, "exit", "-", false);
}

static bool
strikes (const char *what, unsigned n)
{
  return meant && kind != NONE && strcmp (group, what) == 0 && (on ? n >= number : n == number);
}

static bool
is_watched (const char *path)
{
  return ready && where.name[0] != '\0' && under != NULL && path != NULL
         && strncmp (path, under, strlen (under)) == 0;
}

/* Counts a call; what happens to it: NONE, SHORT, or FAIL with errno set. */
static Kind
take (const char *call, const char *path, int can)
{
  const unsigned n = atomic_fetch_add (&n_files, 1) + 1;
  const bool can_be = kind == EIO_ || kind == KILL || kind == SLOW || (kind == ENOSPC_ && (can & MAKES))
                      || (kind == EINTR_ && (can & WAITS)) || (kind == SHORT && (can & MOVES)),
             struck = can_be && strikes ("file", n);

  where_log (&where, "file", n, call, path + strlen (under), struck);
  if (!struck)
    return NONE;
  if (kind == KILL)
    {
      kill (getpid (), SIGKILL);
      pause ();
    }
  if (kind == SLOW)
    {
      sleep (1);
      return NONE;
    }
  errno = kind == ENOSPC_ ? ENOSPC : kind == EINTR_ ? EINTR : EIO;
  return kind == SHORT ? SHORT : FAIL;
}

static char *
path_of (int fd)
{
  return ready && fd >= 0 && fd < MAX_FDS ? atomic_load (&fd_paths[fd]) : NULL;
}

/* Strings stay: another thread may just be reading one. */
static int
note_fd (int fd, const char *path)
{
  if (fd >= 0 && fd < MAX_FDS)
    atomic_store (&fd_paths[fd], path != NULL ? strdup (path) : NULL);
  return fd;
}

#define REAL(f)                                                                                              \
  static _Atomic (__typeof__ (f) *) real_;                                                                   \
  __typeof__ (f) *real = atomic_load (&real_);                                                               \
  if (real == NULL)                                                                                          \
  atomic_store (&real_, real = (__typeof__ (f) *) dlsym (RTLD_NEXT, #f))

/* ---- files are opened ---- */

#define MAKES_FILE(flags) ((flags) &O_CREAT || ((flags) &O_TMPFILE) == O_TMPFILE)
#define MODE(flags)                                                                                          \
  mode_t mode = 0;                                                                                           \
  if (MAKES_FILE (flags))                                                                                    \
    {                                                                                                        \
      va_list list;                                                                                          \
      va_start (list, flags);                                                                                \
      mode = va_arg (list, mode_t);                                                                          \
      va_end (list);                                                                                         \
    }

#define OPEN(f)                                                                                              \
  int f (const char *path, int flags, ...)                                                                   \
  {                                                                                                          \
    REAL (f);                                                                                                \
    MODE (flags)                                                                                             \
    if (!is_watched (path))                                                                                  \
      return real (path, flags, mode);                                                                       \
    if (take ("open", path, WAITS | (MAKES_FILE (flags) ? MAKES : 0)) == FAIL)                               \
      return -1;                                                                                             \
    return note_fd (real (path, flags, mode), path);                                                         \
  }
OPEN (open)
OPEN (open64)

#define OPENAT(f)                                                                                            \
  int f (int folder, const char *path, int flags, ...)                                                       \
  {                                                                                                          \
    REAL (f);                                                                                                \
    MODE (flags)                                                                                             \
    if (!is_watched (path))                                                                                  \
      return real (folder, path, flags, mode);                                                               \
    if (take ("open", path, WAITS | (MAKES_FILE (flags) ? MAKES : 0)) == FAIL)                               \
      return -1;                                                                                             \
    return note_fd (real (folder, path, flags, mode), path);                                                 \
  }
OPENAT (openat)
OPENAT (openat64)

#define FOPEN(f)                                                                                             \
  FILE *f (const char *path, const char *how)                                                                \
  {                                                                                                          \
    REAL (f);                                                                                                \
    if (is_watched (path) && take ("fopen", path, WAITS | (*how != 'r' ? MAKES : 0)) == FAIL)                \
      return NULL;                                                                                           \
    return real (path, how);                                                                                 \
  }
FOPEN (fopen)
FOPEN (fopen64)

#define MKSTEMPS(f, parameters, ...)                                                                         \
  int f parameters                                                                                           \
  {                                                                                                          \
    REAL (f);                                                                                                \
    if (is_watched (path) && take ("mkstemp", path, WAITS | MAKES) == FAIL)                                  \
      return -1;                                                                                             \
    const bool watched = is_watched (path);                                                                  \
    const int fd = real (__VA_ARGS__);                                                                       \
    return note_fd (fd, watched ? path : NULL);                                                              \
  }
MKSTEMPS (mkstemp, (char *path), path)
MKSTEMPS (mkostemp, (char *path, int flags), path, flags)
MKSTEMPS (mkstemps, (char *path, int end), path, end)
MKSTEMPS (mkostemps, (char *path, int end, int flags), path, end, flags)

DIR *
opendir (const char *path)
{
  REAL (opendir);
  return is_watched (path) && take ("opendir", path, 0) == FAIL ? NULL : real (path);
}

/* ---- descriptors ---- */

int
close (int fd)
{
  REAL (close);
  const char *path = path_of (fd);
  const Kind fault = path != NULL ? take ("close", path, WAITS) : NONE;
  const int code = errno;
  int result;

  note_fd (fd, NULL);
  result = real (fd);
  if (fault != FAIL)
    return result;
  errno = code;
  return -1;
}

#define MOVE(f, can, parameters, ...)                                                                        \
  ssize_t f parameters                                                                                       \
  {                                                                                                          \
    REAL (f);                                                                                                \
    const char *path = path_of (fd);                                                                         \
    const Kind fault = path != NULL ? take (#f, path, WAITS | MOVES | (can)) : NONE;                         \
    if (fault == SHORT && n > 1)                                                                             \
      n /= 2;                                                                                                \
    return fault == FAIL ? -1 : real (__VA_ARGS__);                                                          \
  }
MOVE (read, 0, (int fd, void *p, size_t n), fd, p, n)
MOVE (write, MAKES, (int fd, const void *p, size_t n), fd, p, n)
MOVE (pread, 0, (int fd, void *p, size_t n, off_t at), fd, p, n, at)
MOVE (pread64, 0, (int fd, void *p, size_t n, off64_t at), fd, p, n, at)
MOVE (pwrite, MAKES, (int fd, const void *p, size_t n, off_t at), fd, p, n, at)
MOVE (pwrite64, MAKES, (int fd, const void *p, size_t n, off64_t at), fd, p, n, at)

#define HELD(f, what, can, parameters, ...)                                                                  \
  int f parameters                                                                                           \
  {                                                                                                          \
    REAL (f);                                                                                                \
    const char *path = path_of (fd);                                                                         \
    return path != NULL && take (what, path, can) == FAIL ? -1 : real (__VA_ARGS__);                         \
  }
HELD (fsync, "fsync", MAKES | WAITS, (int fd), fd)
HELD (fdatasync, "fsync", MAKES | WAITS, (int fd), fd)
HELD (ftruncate, "ftruncate", MAKES | WAITS, (int fd, off_t size), fd, size)
HELD (ftruncate64, "ftruncate", MAKES | WAITS, (int fd, off64_t size), fd, size)
HELD (fallocate, "fallocate", MAKES | WAITS, (int fd, int how, off_t at, off_t size), fd, how, at, size)
HELD (fallocate64, "fallocate", MAKES | WAITS, (int fd, int how, off64_t at, off64_t size), fd, how, at, size)
HELD (fchmod, "fchmod", 0, (int fd, mode_t mode), fd, mode)
HELD (flock, "flock", WAITS, (int fd, int how), fd, how)
HELD (fstat, "fstat", 0, (int fd, struct stat *info), fd, info)
HELD (fstat64, "fstat", 0, (int fd, struct stat64 *info), fd, info)

/* ---- names ---- */

#define NAMED(f, what, can, parameters, ...)                                                                 \
  int f parameters                                                                                           \
  {                                                                                                          \
    REAL (f);                                                                                                \
    return is_watched (path) && take (what, path, can) == FAIL ? -1 : real (__VA_ARGS__);                    \
  }
NAMED (rename, "rename", MAKES, (const char *from, const char *path), from, path)
NAMED (link, "link", MAKES, (const char *from, const char *path), from, path)
NAMED (mkdir, "mkdir", MAKES, (const char *path, mode_t mode), path, mode)
NAMED (unlink, "unlink", 0, (const char *path), path)
NAMED (rmdir, "rmdir", 0, (const char *path), path)
NAMED (remove, "unlink", 0, (const char *path), path)
NAMED (access, "access", 0, (const char *path, int how), path, how)
NAMED (chmod, "chmod", 0, (const char *path, mode_t mode), path, mode)
NAMED (stat, "stat", 0, (const char *path, struct stat *info), path, info)
NAMED (stat64, "stat", 0, (const char *path, struct stat64 *info), path, info)
NAMED (lstat, "stat", 0, (const char *path, struct stat *info), path, info)
NAMED (lstat64, "stat", 0, (const char *path, struct stat64 *info), path, info)

/* ---- memory ---- */

/* Of the program's own code, and it is to fail. */
static bool
is_refused (const char *call, const void *caller)
{
  unsigned n;
  bool struck;

  if (!ready || where.name[0] == '\0' || (uintptr_t) caller < program_start
      || (uintptr_t) caller >= program_end)
    return false;
  n = atomic_fetch_add (&n_memory, 1) + 1;
  struck = strikes ("memory", n);
  where_log (&where, "memory", n, call, "-", struck);
  if (struck)
    errno = ENOMEM;
  return struck;
}

#define GIVES(f, parameters, ...)                                                                            \
  void *f parameters;                                                                                        \
  void *f parameters                                                                                         \
  {                                                                                                          \
    REAL (f);                                                                                                \
    return is_refused (#f, __builtin_return_address (0)) ? NULL : real (__VA_ARGS__);                        \
  }
GIVES (g_try_malloc, (size_t n), n)
GIVES (g_try_malloc0, (size_t n), n)
GIVES (g_try_malloc_n, (size_t n, size_t size), n, size)
GIVES (g_try_malloc0_n, (size_t n, size_t size), n, size)
GIVES (g_try_realloc, (void *old, size_t n), old, n)
GIVES (g_try_realloc_n, (void *old, size_t n, size_t size), old, n, size)
GIVES (aligned_alloc, (size_t align, size_t n), align, n)

int
posix_memalign (void **to, size_t align, size_t n)
{
  REAL (posix_memalign);
  return is_refused ("posix_memalign", __builtin_return_address (0)) ? ENOMEM : real (to, align, n);
}

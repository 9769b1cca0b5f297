/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See played.h.
 */
#include "played.h"

#include "core/error.h"
#include "ui/app/compat.h"
#include "ui/app/widgets/toasts.h"

#define LOOK_US 5000 /* between two looks whether it is to stop */

Played played;

/* What the test says to the thread. */
typedef struct {
  const LsLabNews *news;
  const LsTuneProgress *progress;
  gpointer result;
  const char *error;
  gboolean end;
} Word;

static GAsyncQueue *words, *heard; /* heard: any pointer, once a word was */
static guint begun_labs, begun_tunes;
static gint64 clock_us = -1;
static gint deaf; /* it goes on though it was stopped */

LsLabResult *__wrap_ls_lab_run (const LsLabWish *wish, LsLabHeard hear, gpointer data, GCancellable *cancel,
                                GError **error);
gboolean __wrap_ls_tune (const LsTuneWish *wish, LsTuneFunc report, gpointer data, GCancellable *cancel,
                         LsTuneResult **result, GError **error);
gboolean __wrap_ls_tuned_keep (const GPtrArray *entries, GError **error);
void __wrap_ls_compat_choose_file (GtkWindow *parent, LsChoose what, const char *title, const char *name,
                                   const char *pattern, const char *pattern_name, LsFileFunc done,
                                   gpointer data, GDestroyNotify free_data);
void __wrap_ls_toasts_add (AdwToastOverlay *overlay, const char *sentence, guint seconds, const char *button,
                           const char *action);
gint64 __wrap_g_get_monotonic_time (void);
gint64 __real_g_get_monotonic_time (void);

static void
make_queues (void)
{
  static gsize made;

  if (!g_once_init_enter (&made))
    return;
  words = g_async_queue_new ();
  heard = g_async_queue_new ();
  g_once_init_leave (&made, 1);
}

/* The next word; NULL: it was stopped. */
static Word *
next (GCancellable *cancel)
{
  Word *word = NULL;

  while (word == NULL && (g_atomic_int_get (&deaf) || !g_cancellable_is_cancelled (cancel)))
    word = g_async_queue_timeout_pop (words, LOOK_US);
  return word;
}

/* FALSE: it is over; *result or *error are set. */
static gboolean
ended (const Word *word, gpointer *result, GError **error)
{
  if (word == NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_CANCELLED, "It was stopped.");
  else if (word->end && word->error != NULL)
    g_set_error_literal (error, LS_ERROR, LS_ERROR_DEVICE, word->error);
  else if (word->end)
    *result = word->result;
  return word == NULL || word->end;
}

LsLabResult *
__wrap_ls_lab_run (const LsLabWish *wish, LsLabHeard hear, gpointer data, GCancellable *cancel,
                   GError **error)
{
  gpointer result = NULL;
  Word *word;

  make_queues ();
  played.lab = *wish;
  g_atomic_int_inc ((gint *) &begun_labs);
  while (!ended (word = next (cancel), &result, error))
    {
      hear (word->news, data);
      g_async_queue_push (heard, word);
    }
  if (word != NULL)
    g_async_queue_push (heard, word);
  return result;
}

gboolean
__wrap_ls_tune (const LsTuneWish *wish, LsTuneFunc report, gpointer data, GCancellable *cancel,
                LsTuneResult **result, GError **error)
{
  gpointer found = NULL;
  Word *word;

  make_queues ();
  played.tune = *wish;
  g_atomic_int_inc ((gint *) &begun_tunes);
  while (!ended (word = next (cancel), &found, error))
    {
      report (word->progress, data);
      g_async_queue_push (heard, word);
    }
  *result = found;
  if (word != NULL)
    g_async_queue_push (heard, word);
  return found != NULL;
}

gboolean
__wrap_ls_tuned_keep (const GPtrArray *entries, GError **error)
{
  played.n_kept++;
  return TRUE;
}

void
__wrap_ls_compat_choose_file (GtkWindow *parent, LsChoose what, const char *title, const char *name,
                              const char *pattern, const char *pattern_name, LsFileFunc done, gpointer data,
                              GDestroyNotify free_data)
{
  g_assert_cmpint (what, ==, LS_CHOOSE_SAVE);
  g_assert_true (g_pattern_match_simple (pattern, name));
  g_free (played.name);
  played.name = g_strdup (name);
  if (played.save_to != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (played.save_to);
      done (file, data);
    }
  free_data (data);
}

void
__wrap_ls_toasts_add (AdwToastOverlay *overlay, const char *sentence, guint seconds, const char *button,
                      const char *action)
{
  g_free (played.toast);
  played.toast = g_strdup (sentence);
}

gint64
__wrap_g_get_monotonic_time (void)
{
  return clock_us >= 0 ? clock_us : __real_g_get_monotonic_time ();
}

/* ---- what the test says ---- */

static void
wait_until (const guint *begun, guint n)
{
  while ((guint) g_atomic_int_get ((const gint *) begun) < n)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

void
played_wait_labs (guint n)
{
  wait_until (&begun_labs, n);
}

void
played_wait_tunes (guint n)
{
  wait_until (&begun_tunes, n);
}

static void
say (Word *word)
{
  make_queues ();
  g_async_queue_push (words, word);
  g_async_queue_pop (heard);
}

void
played_lab_news (const LsLabNews *news)
{
  Word word = { .news = news };

  say (&word);
}

void
played_tune_progress (const LsTuneProgress *progress)
{
  Word word = { .progress = progress };

  say (&word);
}

void
played_lab_end (LsLabResult *result, const char *error)
{
  Word word = { .result = result, .error = error, .end = TRUE };

  say (&word);
}

void
played_tune_end (LsTuneResult *result, const char *error)
{
  Word word = { .result = result, .error = error, .end = TRUE };

  say (&word);
}

void
played_clock (gint64 us)
{
  clock_us = us;
}

void
played_deaf (gboolean is)
{
  g_atomic_int_set (&deaf, is);
}

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ThreadSanitizer must be told of GTask. GLib isn't compiled with it, so it sees none of GLib's locks,
 * and takes whatever a task carries to its thread and back for a race. GTask promises: what came before
 * g_task_run_in_thread() is seen by the thread; what the thread did is seen by the callback; both are done
 * when the task's data is freed. The functions below stand before GLib's own in a program that is compiled
 * with -fsanitize=thread, say that much, and call them. Nothing else is hidden.
 */
#include <dlfcn.h>
#include <gio/gio.h>
#include <sanitizer/tsan_interface.h>

typedef struct { /* what a task was made with; owned by the task */
  GTaskThreadFunc thread;
  GAsyncReadyCallback done;
  gpointer done_data;
  GDestroyNotify data_free;
  gpointer data;
} Order;

static GQuark
order_quark (void)
{
  return g_quark_from_static_string ("lockstep-task-order");
}

/* GLib's own function of that name. */
static void
find_next (const char *name, void **function)
{
  *function = dlsym (RTLD_NEXT, name);
  g_assert_nonnull (*function);
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Order *order = data;

  __tsan_acquire (order);
  order->done (source, result, order->done_data);
  __tsan_release (order);
}

static void
data_free (gpointer data)
{
  Order *order = data;

  __tsan_acquire (order);
  order->data_free (order->data);
}

static void
thread_func (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Order *order = g_object_get_qdata (G_OBJECT (task), order_quark ());

  __tsan_acquire (order);
  order->thread (task, source, order->data, cancellable);
  __tsan_release (order); /* the callback is called after this function has returned, no sooner */
}

/* ---- GLib's functions ---- */

GTask *
g_task_new (gpointer source, GCancellable *cancellable, GAsyncReadyCallback done, gpointer done_data)
{
  GTask *(*real) (gpointer, GCancellable *, GAsyncReadyCallback, gpointer);
  Order *order = g_new0 (Order, 1);
  GTask *task;

  find_next ("g_task_new", (void **) &real);
  task = real (source, cancellable, done != NULL ? done_cb : NULL, order);
  order->done = done;
  order->done_data = done_data;
  g_object_set_qdata_full (G_OBJECT (task), order_quark (), order, g_free);
  return task;
}

void
g_task_set_task_data (GTask *task, gpointer data, GDestroyNotify destroy)
{
  void (*real) (GTask *, gpointer, GDestroyNotify);
  Order *order = g_object_get_qdata (G_OBJECT (task), order_quark ());

  find_next ("g_task_set_task_data", (void **) &real);
  order->data = data;
  order->data_free = destroy;
  real (task, order, destroy != NULL ? data_free : NULL);
}

gpointer
g_task_get_task_data (GTask *task)
{
  const Order *order = g_object_get_qdata (G_OBJECT (task), order_quark ());
  gpointer (*real) (GTask *);

  if (order != NULL)
    return order->data;
  find_next ("g_task_get_task_data", (void **) &real); /* a task that GLib made for itself */
  return real (task);
}

void
g_task_run_in_thread (GTask *task, GTaskThreadFunc func)
{
  void (*real) (GTask *, GTaskThreadFunc);
  Order *order = g_object_get_qdata (G_OBJECT (task), order_quark ());

  find_next ("g_task_run_in_thread", (void **) &real);
  order->thread = func;
  __tsan_release (order);
  real (task, thread_func);
}

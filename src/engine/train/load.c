/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What else the lanes' rates depend on while they train, looked at about once a second: how many cores other
 * programs use, and how fast the processors' clocks run while each lane is at its steps.
 */
#include "config.h"
#include "train/private.h"

#include <unistd.h>

#include "trace/load.h"

#define LOOK_NS  1000000000u
#define FIRST_NS 400000000u /* /proc/stat counts hundredths of a second */
#define MOST     10         /* the newest so many looks, about, weigh */

static void
weigh (double *mean, guint *n, double value)
{
  *n = MIN (*n + 1, MOST);
  *mean += (value - *mean) / *n;
}

static void
look_at_clocks (LsCoordinator *self)
{
  const double mhz = ls_machine_clock_mhz ("");

  if (mhz <= 0)
    return;
  LANES (self, control)
    if (control->stage == LS_STAGE_BUSY && control->course.turn > 0)
      weigh (&self->load.told.clock_mhz[control->lane->number], &self->load.clocks[control->lane->number],
             mhz);
}

void
ls_coordinator_look_load (LsCoordinator *self)
{
  LsLoadLook *load = &self->load;
  const guint64 now_ns = ls_clock_ns ();

  if (load->processors == 0)
    {
      load->told.others = -1;
      load->processors = g_get_num_processors ();
      load->told.processors = load->processors;
    }
  if (!self->running)
    {
      load->whole = FALSE; /* what the machine does while the lanes rest is nothing to them */
      return;
    }
  if (now_ns - load->looked_ns < (load->n > 0 ? LOOK_NS : FIRST_NS))
    return;
  const double busy_s = ls_machine_busy_s (), own_s = ls_machine_family_s (getpid ());
  if (load->whole && busy_s >= 0 && own_s >= 0)
    {
      const double s = (double) (now_ns - load->looked_ns) / 1e9,
                   others = (busy_s - load->busy_s - (own_s - load->own_s)) / s;
      if (load->n == 0)
        load->told.others = 0;
      weigh (&load->told.others, &load->n, CLAMP (others, 0, load->processors));
    }
  look_at_clocks (self);
  load->looked_ns = now_ns;
  load->whole = TRUE;
  load->busy_s = busy_s;
  load->own_s = own_s;
}

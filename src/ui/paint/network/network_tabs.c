/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be chosen above the layers: the page, and whose sample is shown. Not in an export, nor for the
 * projector, where only keys choose.
 */
#include "config.h"
#include "ui/paint/network/network.h"

#include <glib/gi18n-lib.h>

double
ls_network_tabs (LsNetwork *n, LsArea area)
{
  const LsMetrics *m = &n->layout->m;
  const LsQuery *query = &n->layout->query;
  const char *const names[LS_NETWORK_N_PAGES]
    = { _("Layers"), n->plane && (n->grids[0] != NULL || n->grids[1] != NULL) ? _("Plane") : _("Test set"),
        _("Unit"), _("Time") };
  const double h = ls_network_button_height (n), right = area.x + area.w, gap = m->unit;
  double x = area.x;

  /* where it is low the layers come first: keys choose, too */
  if (query->chrome
      || area.h - h < m->heading.px * 1.8 + ls_network_captions_height (n) + 10 * m->unit + m->label.px * 3.2)
    return 0;
  for (guint i = 0; i < LS_NETWORK_N_PAGES; i++)
    if (i != LS_NETWORK_TIME || n->chains->len > 0)
      x = ls_network_button (n, &n->tabs[i], x, area.y, right, names[i], n->asked->page == i) + gap;
  if (n->layout->data->tests > 0)
    {
      x += 4 * m->unit;
      x = ls_network_button (n, &n->to_batch, x, area.y, right, _("This batch"),
                             n->asked->own == LS_OWN_BATCH)
          + gap;
      x = ls_network_button (n, &n->go_to, x, area.y, right, _("Test sample…"), n->asked->own == LS_OWN_TEST)
          + gap;
      if (ls_network_has_pad (n))
        ls_network_button (n, &n->draw, x, area.y, right, _("Draw"),
                           query->pen.keys || n->asked->own == LS_OWN_DRAWN);
    }
  return h + 1.5 * m->unit;
}

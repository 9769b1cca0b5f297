/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every child is told by itself: GTK's direction isn't inherited, and icons such as “skip forward” are turned
 * round by that of the widget that shows them.
 */
#include "ui/app/widgets/left_to_right.h"

void
ls_left_to_right (GtkWidget *widget)
{
  if (GTK_IS_POPOVER (widget))
    return;
  gtk_widget_set_direction (widget, GTK_TEXT_DIR_LTR);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    ls_left_to_right (child);
}

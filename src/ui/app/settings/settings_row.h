/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LsSettingsRow: one row of the option table as widgets: its name, a control that suits its type, a note with
 * what it means, or with what is wrong.
 * Between the row and the rest goes only text, as ls_options_set() reads it and ls_options_get() writes it. A
 * kind of control is a row's LsSettingsKind: four functions.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/options.h"

G_BEGIN_DECLS

/* A control's widget name is this and the option's: "option-batch". */
#define LS_SETTINGS_ID "option-"

typedef struct _LsSettingsRow LsSettingsRow;

typedef struct {
  GtkWidget *(*build) (LsSettingsRow *row);
  /* The option is now this: the control shows it, and tells nobody. */
  void (*show) (LsSettingsRow *row, const char *text);
  /* What was typed and waits for its time counts now; may be NULL. */
  void (*flush) (LsSettingsRow *row);
  /* As a person reads it, "work-stealing" for steal; (transfer full). */
  char *(*words) (LsSettingsRow *row, const char *text);
} LsSettingsKind;

typedef struct {
  /* The control wants the option to be this. Answered by ls_settings_row_accept() or _fail(). */
  void (*take) (LsSettingsRow *row, const char *text, gpointer data);
  /* One of the drop-down's last items, “Layers…”, “Folder…” or “File…”, was chosen: which of them, from 0. */
  void (*ask) (LsSettingsRow *row, guint which, gpointer data);
} LsSettingsListener;

struct _LsSettingsRow {
  const LsOption *option;
  const LsSettingsKind *kind;
  const LsSettingsListener *listener;
  gpointer data;
  char *text; /* the option's, as last shown */
  char *more; /* the note while it says more than the option's own; or NULL */
  GtkWidget *name, *label, *was, *control, *note; /* name holds label and was */
  GtkWidget *line; /* what stands in the control's place and holds it; NULL: the control itself */

  /* of the kinds */
  GPtrArray *values;   /* drop-downs: an item's text; NULL: it asks */
  GtkWidget *value;    /* drop-downs: the label in the button */
  GtkWidget *pictures; /* data: its large buttons */
  GtkWidget *below;    /* data: their first samples */
  guint timer;         /* numbers: typed, not yet taken */
  gboolean showing;    /* the control is being set, not used */
};

/* Drop-downs: of the option's choices; of networks, data sets and devices. Numbers: whole ones, and
 * others. */
extern const LsSettingsKind ls_settings_choice, ls_settings_network, ls_settings_data, ls_settings_device;
extern const LsSettingsKind ls_settings_whole, ls_settings_decimal;
/* The list of lanes: a field, and ready-made comparisons beside it. */
extern const LsSettingsKind ls_settings_lanes;

/* Adds its three widgets to parent, which lays them out (LsSettingsLayout). */
LsSettingsRow *ls_settings_row_new (GtkWidget *parent, const LsOption *option, const LsSettingsKind *kind,
                                    const LsSettingsListener *listener, gpointer data);
void ls_settings_row_free (LsSettingsRow *row); /* the widgets are the parent's */
void ls_settings_row_show (LsSettingsRow *row, const char *text);
/* The option is what the control says; the control stays as it is: somebody may be typing. */
void ls_settings_row_accept (LsSettingsRow *row, const char *text);
/* One sentence under the row; NULL: it is right again. */
void ls_settings_row_fail (LsSettingsRow *row, const char *sentence);
/* The note says this instead of what the option means; NULL: that again. */
void ls_settings_row_set_more (LsSettingsRow *row, const char *sentence);
/* Bold, with what it was; NULL: it is what runs. */
void ls_settings_row_set_was (LsSettingsRow *row, const char *text);
char *ls_settings_row_words (LsSettingsRow *row, const char *text);

/* ---- for the kinds ---- */

void ls_settings_row_take (LsSettingsRow *row, const char *text);
/* The names the device's row offers beside "best". */
void ls_settings_device_set_names (LsSettingsRow *row, const char *const *names);

/* ---- quiet and bold text, as the palette has it in every theme ---- */
GtkWidget *ls_settings_label_new (const char *text, gboolean quiet);

G_END_DECLS

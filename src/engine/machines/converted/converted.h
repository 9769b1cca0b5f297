/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What machines with other numbers make of the trained network, really computed here: as whole numbers
 * (int8.h), as spikes (spiking.h). The network comes from a file of weights, or is trained first, on the CPU
 * lane, as the options say. How many of the test set's samples it gets right is measured, beside what the
 * lane's floats make of the very same samples; energy is modelled from a published figure.
 *
 *   LsConvertedWish wish = { .kind = LS_CONVERTED_SPIKING, .options = options };
 *   LsConverted *result = ls_converted_run (&wish, heard_cb, data, cancel, &error);
 *   ls_converted_keep (result, &error);
 *   LsConverted *kept = ls_converted_kept (&wish, &why);
 *
 * A result is immutable and reference-counted. As a file it is a JSON object, format "lockstep-converted".
 */
#pragma once

#include <gio/gio.h>

#include "core/samples.h"
#include "files/json.h"
#include "machines/converted/int8.h"
#include "machines/converted/spiking.h"
#include "machines/hardware.h"

G_BEGIN_DECLS

typedef enum {
  LS_CONVERTED_INT8,
  LS_CONVERTED_SPIKING,
  LS_CONVERTED_N,
} LsConvertedKind;

const char *ls_converted_name (LsConvertedKind kind);  /* "int8": in files and on command lines */
const char *ls_converted_title (LsConvertedKind kind); /* translatable: "whole numbers" */
/* LS_CONVERTED_N: none is called so. */
LsConvertedKind ls_converted_find (const char *name);

#define LS_CONVERTED_CALIBRATION 1000  /* samples of the training set, at most */
#define LS_CONVERTED_INT8_TEST   10000 /* of the test set, at most, where nothing else is asked for */
#define LS_CONVERTED_SPIKE_TEST  1000
#define LS_CONVERTED_MAX_TEST    1000000
#define LS_CONVERTED_STEPS       128
#define LS_CONVERTED_MAX_POINTS  16
#define LS_CONVERTED_RASTER      24 /* neurons */

/* What a synaptic event takes, as published: J. A lower bound from simulations of the chip before it was
 * made; ls_converted_event_source is where it was read. */
#define LS_CONVERTED_EVENT_J 23.6e-12
extern const LsHardwareSource ls_converted_event_source;
extern const char ls_converted_event_quote[];

typedef struct {
  LsConvertedKind kind;
  const LsOptions *options; /* network, data, and how it is trained */
  const char *load;         /* a file of weights; NULL: it is trained first */
  LsData *data;             /* read before, which are taken if they are the options'; or NULL */
  guint samples;            /* of the test set, at most; 0: as many as is usual */
  guint bits; /* int8: the fewest; there is a point for each from LS_INT8_BITS down to them; 0: those alone */
  guint steps; /* spiking: time steps; there is a point for 1, 2, 4 … and them; 0: LS_CONVERTED_STEPS */
} LsConvertedWish;

typedef struct {
  guint at;          /* bits, or time steps */
  LsFigure accuracy; /* %, measured: samples that it gets right; n: samples */
  LsFigure same;     /* %, measured: that it answers as the floats do */
  /* Of spikes, for a sample in the mean; else n == 0: */
  LsFigure spikes, events; /* measured: a count of what was simulated */
  LsFigure rate;           /* derived: spikes of a neuron in a time step, in the mean of all */
  LsFigure energy;         /* J, modelled: of the synaptic events alone */
} LsConvertedPoint;

/* A neuron's first time steps with the first sample of the test set. */
typedef struct {
  guint layer, neuron; /* of the model, from 0; channel by channel */
  guint64 spikes;      /* bit t: it spiked in step t */
} LsConvertedNeuron;

typedef struct {
  LsConvertedKind kind;
  char *model, *data; /* as the options have them */
  char *key;          /* of all that its figures depend on but version and samples: 12 hexadecimal digits */
  char *weights;      /* the file's name; NULL: it was trained for this, */
  guint64 trained;    /* for so many steps */
  guint64 seed;
  char *machine, *machine_key, *date, *program; /* as LsLabResult has them */
  double seconds;                               /* that all points took, without training */
  guint n_samples, n_test;                      /* of the test set: taken, and there are */
  guint calibration;                            /* samples of the training set */
  LsFigure accuracy;                            /* of the floats, on the same samples */
  guint n_points;
  LsConvertedPoint points[LS_CONVERTED_MAX_POINTS]; /* int8: by falling bits; spiking: by growing time */
  guint n_scales; /* int8, with LS_INT8_BITS bits: of its layers with weights */
  LsInt8Scales *scales;
  guint64 n_spiking;      /* spiking: neurons in all layers but the last */
  guint64 input_products; /* spiking: of a sample's values with weights, once for each time step's current */
  guint label, n_neurons; /* of the first sample; */
  LsConvertedNeuron neurons[LS_CONVERTED_RASTER];
  guint n_steps; /* of them that are in it */
} LsConverted;   /* a g_atomic_rc_box */

LsConverted *ls_converted_ref (LsConverted *result);
void ls_converted_unref (LsConverted *result); /* may be NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsConverted, ls_converted_unref)

/* From the thread that runs it: words, a translated sentence without its end, say what is being done. */
typedef void (*LsConvertedHeard) (guint done, guint total, const char *words, gpointer data);

/* Blocks; cancel may be NULL, and ends it within a tenth of a second or a training step. (transfer full).
 * Errors: LS_ERROR_USAGE (a layer that can't be converted; numbers beyond their range), LS_ERROR_DATA,
 * LS_ERROR_FILE, LS_ERROR_MEMORY, LS_ERROR_CANCELLED. */
LsConverted *ls_converted_run (const LsConvertedWish *wish, LsConvertedHeard heard, gpointer data,
                               GCancellable *cancel, GError **error);

/* ---- kept.c: in the user's data folder, one file for each key ---- */

/* What a result of that wish is called by; NULL: the file of weights can't be read. (transfer full) */
char *ls_converted_key (const LsConvertedWish *wish, GError **error);
gboolean ls_converted_keep (const LsConverted *result, GError **error);
/* NULL: nothing is kept of that network, or *why says why it isn't used. */
LsConverted *ls_converted_kept (const LsConvertedWish *wish, char **why);

/* ---- result.c ---- */

/* Of this program, today, on this machine. */
LsConverted *ls_converted_new (LsConvertedKind kind);
LsFigure ls_converted_figure (double value, guint n, const char *unit, LsEvidence evidence);
/* In the mean of its samples; rate and energy follow. */
void ls_converted_set_spikes (const LsConverted *result, LsConvertedPoint *point, double spikes,
                              double events);
/* result_json.c. (transfer full) */
json_t *ls_converted_to_json (const LsConverted *result);
/* LS_ERROR_DATA: the first thing that is wrong, as a clause. */
LsConverted *ls_converted_from_json (const json_t *json, GError **error);
/* "machine,network,data,trained,at,unit,accuracy,same,fp32,samples,spikes,events,energy_J", a line a point.
 * (transfer full) */
char *ls_converted_csv (const LsConverted *result);
/* The fewest bits or steps from which on it is no more than so many points of a hundred below the floats;
 * NULL: there are none. */
const LsConvertedPoint *ls_converted_within (const LsConverted *result, double points);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalogue: what is published of named devices, from data/hardware.json. Each figure says what it means
 * and where it was read. A figure that nobody was seen to publish isn't there, and a device that the
 * catalogue isn't sure to know is unknown.
 *
 *   LsCatalogue *catalogue = ls_catalogue_load (NULL, &error);
 *   const LsHardware *device = ls_catalogue_find (catalogue, "a100 80", &error);
 *   const LsFigure memory = ls_hardware_figure (device, LS_HARDWARE_MEMORY);   bytes; n == 0: not published
 *   const LsFigure peak = ls_hardware_peak (device, LS_NUMBERS_FP16);          FLOP/s, without sparsity
 *
 * All is immutable and lives as long as the catalogue.
 */
#pragma once

#include "core/figure.h"

G_BEGIN_DECLS

/* What a figure is of; LsFigure.value is in the unit named here, whatever unit it was published in. */
typedef enum {
  LS_HARDWARE_COMPUTE,      /* FLOP/s, or operations/s where numbers are whole */
  LS_HARDWARE_MEMORY,       /* bytes; of a processor the most it takes */
  LS_HARDWARE_BANDWIDTH,    /* bytes/s, from that memory */
  LS_HARDWARE_POWER,        /* W */
  LS_HARDWARE_PRICE,        /* USD */
  LS_HARDWARE_RENT,         /* USD/h */
  LS_HARDWARE_CORES,        /* as their maker counts them */
  LS_HARDWARE_MATRIX_CORES, /* cores for products of matrices */
  LS_HARDWARE_UNITS,        /* that have cores, registers and local memory of their own */
  LS_HARDWARE_CLOCK,        /* Hz */
  LS_HARDWARE_PER_CLOCK,    /* FLOP of a core in a clock */
  LS_HARDWARE_NEURONS,
  LS_HARDWARE_SYNAPSES,
  LS_HARDWARE_EVENT, /* J of a spike at one synapse */
  LS_HARDWARE_N,
} LsHardwareKind;

/* Of what numbers a rate is. */
typedef enum {
  LS_NUMBERS_UNTOLD,
  LS_NUMBERS_FP64,
  LS_NUMBERS_FP32,
  LS_NUMBERS_TF32,
  LS_NUMBERS_FP16,
  LS_NUMBERS_BF16,
  LS_NUMBERS_FP8,
  LS_NUMBERS_INT8,
  LS_NUMBERS_N,
} LsNumbers;

/* What it means; of each line one at most. */
typedef enum {
  LS_MEANS_DENSE = 1 << 0, /* all products are done */
  LS_MEANS_SPARSE = 1 << 1,

  LS_MEANS_BASE = 1 << 2, /* at the clock that is kept */
  LS_MEANS_BOOST = 1 << 3,

  LS_MEANS_VECTOR = 1 << 4, /* by ordinary cores */
  LS_MEANS_MATRIX = 1 << 5, /* by units for products of matrices */

  LS_MEANS_DESIGN = 1 << 6, /* the heat that cooling is designed for, not what it takes */
  LS_MEANS_MOST = 1 << 7,   /* at most */

  LS_MEANS_LAUNCH = 1 << 8, /* the price when it came out */
} LsMeans;

typedef enum {
  LS_HARDWARE_CPU,
  LS_HARDWARE_GPU,
  LS_HARDWARE_TPU,
  LS_HARDWARE_NPU,
  LS_HARDWARE_SPIKING,
  LS_HARDWARE_FPGA,
  LS_HARDWARE_N_SORTS,
} LsHardwareSort;

typedef struct {
  char *id;
  char *title;
  char *address;   /* https */
  char *seen;      /* the day it was read, "2026-11-23" */
  char *published; /* "2017", "2017-05" or "2017-05-11"; NULL: it doesn't say */
  char *copy;      /* the address of the copy that was read; NULL: it was read there */
} LsHardwareSource;

typedef struct {
  LsHardwareKind kind;
  LsNumbers numbers;
  guint means;      /* LsMeans */
  LsFigure figure;  /* published, n = 1 */
  double value;     /* as it was published, */
  const char *unit; /* in "TFLOP/s"; static */
  const LsHardwareSource *source;
  char *quote; /* the words that say it */
  char *note;  /* what else is to be known, in the user's language; NULL */
} LsHardwareFigure;

typedef struct {
  char *name;
  LsHardwareSort sort;
  char **known_as; /* what drivers call it; one that ends in “*” begins so */
  guint parts;     /* devices of their own on it, that share nothing: figures are of all of them together */
  LsHardwareFigure *figures;
  guint n_figures;
} LsHardware;

typedef struct {
  gint ref_count;
  GPtrArray *devices; /* LsHardware, as in the file */
  GPtrArray *sources; /* LsHardwareSource */
} LsCatalogue;

/* path NULL: the one that is shipped. Errors: LS_ERROR_FILE; LS_ERROR_DATA with the line and the reason. */
LsCatalogue *ls_catalogue_load (const char *path, GError **error);
LsCatalogue *ls_catalogue_ref (LsCatalogue *catalogue);
void ls_catalogue_unref (LsCatalogue *catalogue);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCatalogue, ls_catalogue_unref)

/* The devices whose names hold all of the words, in either case and with or without spaces: "rtx3060",
 * "a100 80". A name in full means that device alone. (transfer container) */
GPtrArray *ls_catalogue_search (const LsCatalogue *catalogue, const char *words);
/* The only one of them. LS_ERROR_USAGE names those that there are. */
const LsHardware *ls_catalogue_find (const LsCatalogue *catalogue, const char *words, GError **error);

/* What is known of a device that is here. −1: not known. */
typedef struct {
  const char *name; /* as its driver says it */
  gint64 memory;    /* bytes of its own */
  gint cores;       /* that compute, of a processor */
} LsHardwareHere;

/* That device's row; NULL unless the name is one of the row's, and what both say agrees: memory within an
 * eighth, of a processor the number of cores, which isn't that of its threads. */
const LsHardware *ls_catalogue_recognise (const LsCatalogue *catalogue, const LsHardwareHere *here);

/* The first published figure of that kind and of those numbers that means all of that, and nothing sparse
 * unless asked for; NULL: there is none. */
const LsHardwareFigure *ls_hardware_get (const LsHardware *device, LsHardwareKind kind, LsNumbers numbers,
                                         guint means);
/* The same, whatever it means, of what has no numbers; */
const LsHardwareFigure *ls_hardware_first (const LsHardware *device, LsHardwareKind kind);
/* and as a figure; n == 0: there is none. */
LsFigure ls_hardware_figure (const LsHardware *device, LsHardwareKind kind);
/* Memory that one step may fill: of one of its parts; n == 0: it isn't published. */
LsFigure ls_hardware_step_memory (const LsHardware *device);
/* Whether networks are trained on its like by gradients: not on what spikes, or only answers. */
gboolean ls_hardware_trains (const LsHardware *device);
/* The highest published rate without sparsity; NULL: none is. */
const LsHardwareFigure *ls_hardware_peak_figure (const LsHardware *device, LsNumbers numbers);
/* The highest rate without sparsity: published; or derived from cores, FLOP of each a clock and clock, the
 * base clock where it is published; n == 0: neither. */
LsFigure ls_hardware_peak (const LsHardware *device, LsNumbers numbers);

/* ---- tables, of words that are in files, and of words to be translated ---- */

extern const char *const ls_numbers_names[LS_NUMBERS_N];  /* "fp32"; "" of UNTOLD */
const char *ls_hardware_kind_name (LsHardwareKind kind);  /* "matrix-cores" */
const char *ls_hardware_kind_title (LsHardwareKind kind); /* N_("matrix cores") */
gboolean ls_hardware_kind_counts (LsHardwareKind kind);   /* its unit says no more than its title */
const char *ls_hardware_sort_title (LsHardwareSort sort); /* N_("graphics card") */
/* Of one LsMeans. */
const char *ls_means_name (LsMeans means);
const char *ls_means_title (LsMeans means);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trained ReLU network as integrate-and-fire neurons that send spikes, without training it any further:
 * rates of spikes stand for activations.
 *   - Each relu is a layer of neurons. In a time step a neuron adds what it is sent to its potential; at 1 or
 *     more it spikes, once, and keeps what is above (reset by subtraction): so spikes + potential is the sum
 *     of all that it was sent, and the rate comes to relu() of the mean as time goes on.
 *   - Weights are normalised with the activations of calibration samples, so that no rate but few would be
 *     above one spike in a step: W · λ before / λ here, b / λ here. λ is the greatest of them in Diehl et
 *     al., Fast-classifying, high-accuracy spiking deep networks through weight and threshold balancing
 *     (2015); their 99.9th percentile, LsNetLayer.most, in Rueckauer et al., Conversion of continuous-valued
 *     deep networks to efficient event-driven networks for image classification (2017), section 2.2.2.
 *   - The sample is a constant current into the first layer, and so are biases (Rueckauer
 * 2017, 2.2.1, 2.2.3).
 *   - A maximum: of a window the unit that has spiked most so far passes its spikes on, the others' end there
 *     (Rueckauer 2017, 2.2.6). A mean is linear: a spike goes on as 1/K² of one.
 *   - The last layer spikes no more: the answer is the class whose potential is the highest.
 * Only what spikes reads weights, so that time goes with spikes.
 */
#pragma once

#include "machines/converted/network.h"

G_BEGIN_DECLS

#define LS_SPIKING_MAX_STEPS 4096
#define LS_SPIKING_RASTER    64 /* steps that are kept of neurons */

typedef struct _LsSpiking LsSpiking;

/* LS_ERROR_USAGE: a layer that nothing spikes behind. It doesn't look at weights. */
gboolean ls_spiking_check (const LsNet *net, const LsModel *model, GError **error);
/* net must outlive it. The same errors. */
LsSpiking *ls_spiking_new (const LsNet *net, const LsModel *model, GError **error);
void ls_spiking_free (LsSpiking *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSpiking, ls_spiking_free)

/* Begins anew with a sample: potentials and counts are 0. Not by two threads at once. */
void ls_spiking_begin (LsSpiking *self, const float *values);
/* One time step of all layers, each with the spikes of the one before in the same step. */
void ls_spiking_step (LsSpiking *self);

/* Since ls_spiking_begin(): */
guint64 ls_spiking_spikes (const LsSpiking *self);
guint64 ls_spiking_events (const LsSpiking *self); /* synaptic: each spike times where it goes */
/* The last layer's potentials, n_classes. */
const float *ls_spiking_potentials (const LsSpiking *self);

/* Layers of neurons, without the last layer; neurons of one, channel by channel. */
guint ls_spiking_layers (const LsSpiking *self);
guint ls_spiking_neurons (const LsSpiking *self, guint i, guint *layer);
/* Of a neuron of layer i, n as above: bit t: it spiked in step t of the first LS_SPIKING_RASTER. */
guint64 ls_spiking_raster (const LsSpiking *self, guint i, guint n);
/* Its spikes so far, and its potential: together they are all that it was sent. */
void ls_spiking_neuron (const LsSpiking *self, guint i, guint n, guint *spikes, double *potential);
/* Products of a sample's values with weights, which aren't synaptic events: they are its constant current. */
gint64 ls_spiking_input_products (const LsSpiking *self);

G_END_DECLS

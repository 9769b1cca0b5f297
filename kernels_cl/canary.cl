/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The canary: the first kernel that a device runs, in a process of its own (backends/opencl/child/canary.c). If it dies, the
 * driver is not let into the program. Built with probe.clh before it, and once more per tick source to try.
 */
__kernel void
canary (__global float *y LS_PROBE_ARG)
{
  LS_PROBE_BEGIN
  size_t i = get_global_id (0);
  y[i] = 2.0f * y[i] + 1.0f;
  LS_PROBE_END (4)
}

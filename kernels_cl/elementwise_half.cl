/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes once over all elements, for tensors stored in 16 bits, one work-item per element: bias, activations and
 * their gradients, sums of two, and updates, whose weights are floats with a copy in 16 bits beside them. The host sets one of
 * OP_BIAS, OP_ADD, OP_RELU, …, OP_SGD, OP_ADAM to 1; the functions are epilogue.clh's.
 */
#if defined OP_SGD
#define ARGUMENTS                                                                                                \
  __global float *restrict weight, __global const float *restrict gradient, __global float *restrict velocity,   \
    float lr, float momentum, __global float *restrict copy, int rows, int cols
#define DO(i)                                                                 \
  {                                                                           \
    float v = momentum * velocity[i] + gradient[i];                           \
    velocity[i] = v;                                                          \
    weight[i] = weight[i] - lr * v;                                           \
    store_16 (weight[i], copy, i);                                            \
  }
#elif defined OP_ADAM
#define ARGUMENTS                                                                                                \
  __global float *restrict weight, __global const float *restrict gradient, __global float *restrict moment1,    \
    __global float *restrict moment2, float beta1, float beta2, float one_minus_beta1, float one_minus_beta2,     \
    float step_size, float correction2, float epsilon, __global float *restrict copy, int rows, int cols
#define DO(i)                                                                 \
  {                                                                           \
    float g = gradient[i];                                                    \
    float m = beta1 * moment1[i] + one_minus_beta1 * g;                       \
    float v = beta2 * moment2[i] + one_minus_beta2 * g * g;                   \
    moment1[i] = m;                                                           \
    moment2[i] = v;                                                           \
    weight[i] = weight[i] - step_size * m / (sqrt (v) * correction2 + epsilon); \
    store_16 (weight[i], copy, i);                                            \
  }
#elif defined OP_BIAS
#define ARGUMENTS                                                                                                \
  __global const float *restrict in0, __global const float *restrict in1, __global float *restrict out, int rows, \
    int cols, int plane
#define DO(i) store_16 (load_16 (in0, i) + in1[col / plane], out, i);
#elif defined OP_RELU || defined OP_TANH || defined OP_SIGMOID
#define ARGUMENTS __global const float *restrict in0, __global float *restrict out, int rows, int cols
#if defined OP_RELU
#define F(x) RELU (float, x)
#elif defined OP_TANH
#define F(x) TANH (float, x)
#else
#define F(x) SIGMOID (float, x)
#endif
#define DO(i)                                                                 \
  {                                                                           \
    float x = load_16 (in0, i);                                               \
    store_16 (F (x), out, i);                                                 \
  }
#else
#define ARGUMENTS                                                                                                \
  __global const float *restrict in0, __global const float *restrict in1, __global float *restrict out, int rows, \
    int cols
#if defined OP_ADD
#define F(x, y) ((x) + (y))
#elif defined OP_RELU_GRAD
#define F(x, y) RELU_GRAD (float, x, y)
#elif defined OP_TANH_GRAD
#define F(x, y) TANH_GRAD (float, x, y)
#else
#define F(x, y) SIGMOID_GRAD (float, x, y)
#endif
#define DO(i)                                                                 \
  {                                                                           \
    float x = load_16 (in0, i), y = load_16 (in1, i);                         \
    store_16 (F (x, y), out, i);                                              \
  }
#endif

__kernel __attribute__ ((reqd_work_group_size (32, 8, 1))) void
elementwise_half (ARGUMENTS LS_PROBE_ARG)
{
  int col = get_global_id (0);
  int row = get_global_id (1);

  LS_PROBE_BEGIN
  if (row < rows && col < cols)
    DO (row * cols + col)
  LS_PROBE_END (256)
}

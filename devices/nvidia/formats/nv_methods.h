/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_NVIDIA_NV_METHODS_H
#define DEVICES_NVIDIA_NV_METHODS_H

#include <stdint.h>

#include "devices/nvidia/formats/nv_class.h"

/*
 * The class tables as C constants, with NVIDIA's own names in full:
 *
 *   NVA0C0_SEND_PCAS_A                       byte offset of a method (of its first element)
 *   NVA0C0_SEND_SIGNALING_PCAS_B_SCHEDULE_HI, ..._LO    a field's bits
 *   NVA0C0_SEND_SIGNALING_PCAS_B_SCHEDULE_TRUE          a field's value
 *   PASCAL_COMPUTE_B                         a class id (nv_class.h)
 *
 * A method has the number of the first class that has it in this form.  Code for Pascal uses
 * NVA0C0_SEND_PCAS_A, because Pascal's compute class c1c0 has the method of Kepler's a0c0.  It uses
 * NVC1B5_LAUNCH_DMA, because the copy class c1b5 changed that method.
 *
 * Here are the classes of Kepler to GP107, and the additions of Volta's Host and of 3D and compute
 * up to Ampere.  The classes of the other generations have the methods that behaviour code uses in
 * the same place (tests/test_nv_class.c, which names what the older ones lack).  The rows that name
 * methods at run time are in nv_class.h.
 */

/* clang-format off */
#define NV_CLASS_WITH_BEFORE
#define NV_CLASS_FIRST(id)
#define NV_CLASS_LIKE(id, before)
#define NV_CONSTANT(name, number)            name = (number),
#define NV_REMOVED(name, at)
#define NV_METHOD(name, at, count, stride)   name = (at),
#define NV_METHOD_2(name, at, n, s, n2, s2)  name = (at),
#define NV_FORMAT(name, at)
#define NV_FIELD(method, name, hi, lo)       name##_HI = (hi), name##_LO = (lo),
#define NV_VALUE(method, field, name, value) name = (value),

enum nv_methods_host {
#include "devices/nvidia/formats/nv_class_c36f.h"
};
enum nv_methods_3d {
#include "devices/nvidia/formats/nv_class_c797.h"
};
enum nv_methods_compute {
#include "devices/nvidia/formats/nv_class_c7c0.h"
};
enum nv_methods_inline {
#include "devices/nvidia/formats/nv_class_a140.h"
};
enum nv_methods_2d {
#include "devices/nvidia/formats/nv_class_902d.h"
};
enum nv_methods_copy {
#include "devices/nvidia/formats/nv_class_c1b5.h"
};
enum nv_methods_sw {
#include "devices/nvidia/formats/nv_class_906e.h"
};

#undef NV_CLASS_WITH_BEFORE
#undef NV_CLASS_FIRST
#undef NV_CLASS_LIKE
#undef NV_CONSTANT
#undef NV_REMOVED
#undef NV_METHOD
#undef NV_METHOD_2
#undef NV_FORMAT
#undef NV_FIELD
#undef NV_VALUE
/* clang-format on */

/* nv_field(data, FIELD): the field's bits of a data word, shifted down. */
#define nv_field(data, field) nv_bits((data), field##_HI, field##_LO)

/* Returns bits hi:lo of a word, shifted down; hi <= 31, lo <= hi. */
static inline uint32_t nv_bits(uint32_t word, unsigned hi, unsigned lo)
{
    return (word >> lo) & (UINT32_MAX >> (31u - (hi - lo)));
}

/* nv_field_put(FIELD, value): value at its place in a word; bits that do not fit are dropped. */
#define nv_field_put(field, value) nv_bits_put((value), field##_HI, field##_LO)

/* Returns `value` at bits hi:lo; bits that do not fit are dropped. */
static inline uint32_t nv_bits_put(uint32_t value, unsigned hi, unsigned lo)
{
    return (value & (UINT32_MAX >> (31u - (hi - lo)))) << lo;
}

#endif

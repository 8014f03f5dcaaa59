/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_NVIDIA_NV_CLASS_H
#define DEVICES_NVIDIA_NV_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * NVIDIA's class headers as data: from class, byte offset and data word to names.
 *
 * The rows are in nv_class_<id>.h, one file for each class, as facts from open-gpu-doc. (906e has
 * no published header; its facts are from the nouveau driver. open-gpu-doc lacks c86f, c96f and
 * ca6f; their facts are from the open kernel driver.) There are all classes with methods that
 * NVIDIA publishes of Fermi to Blackwell: Host, copies, compute, 3D, 2D, uploads and video.  The
 * names are for people; behaviour code uses the same rows as constants, nv_methods.h.  All data is
 * constant.
 *
 * The file of a097 is the long one: some classes have all their rows in their file.  The file of
 * every other class names a class that it is like and holds only the differences to that one:
 *
 *   NV_CLASS_LIKE(c797, c697)                   c797 has all methods of c697, except these:
 *   NV_METHOD(NVC797_SET_X, 0x1234, 1, 0) ...   one that was added or changed, always whole
 *   NV_REMOVED(NVC697_SET_Y, 0x1238)            one that was removed
 *
 * Methods that did not change share their rows: c797's SET_OBJECT is a097's row.  A class is like
 * the class before it in its family, except where that would rename the constants of behaviour
 * code: those begin with Kepler, the oldest generation that is emulated.  So Fermi's classes are
 * like Kepler's, and b0c0 is like b1c0.  Which class comes before which is a column of NV_CLASSES.
 * nv_class_diff.h lists the differences.
 *
 * A class without a table (nv_class_nearest()) is decoded by the nearest older class of its kind.
 * The low byte of a class is its kind: 6f Host, 97 3D, c0 compute, b5 copies, 2d 2D, 40 and 39
 * uploads, b0 NVDEC, b7 NVENC, d0 and d1 NVJPG.
 *
 * To add a class: let docs/tools/class_table.awk write its file from its header and that of the
 * class before (the head of the script says how).  Then add a row to NV_CLASSES, a line to
 * nv_class_all.h, three lines to nv_class_tables.c, and its counts to tests/test_nv_class.c and
 * tests/test_nv_class_diff.c.
 *
 * Host executes the methods below NV_CLASS_HOST_END on every subchannel, except SET_OBJECT.  Their
 * names are in the chip's Host class (906f to ca6f), not in the class that is bound (open-gpu-doc
 * tu104 dev_pbdma "NV_UDMA").
 *
 * The headers give no array sizes.  The counts here are upper bounds, INFERRED: an array ends where
 * the next other method begins.  An offset that only an array beyond its bound would reach is found
 * with `beyond` set, and its name ends in '?'.
 */

#define NV_CLASS_SET_OBJECT 0u
#define NV_CLASS_HOST_END   0x100u

/* All classes by id: name, id, and the class before in the family (0: the first). */
/* clang-format off */
#define NV_CLASSES(CLASS)                    \
    CLASS(FERMI_TWOD_A, 902d, 0) \
    CLASS(FERMI_MEMORY_TO_MEMORY_FORMAT_A, 9039, 0) \
    CLASS(NOUVEAU_SW_GF100, 906e, 0) \
    CLASS(GF100_CHANNEL_GPFIFO, 906f, 0) \
    CLASS(FERMI_A, 9097, 0) \
    CLASS(GF100_DMA_COPY, 90b5, 0) \
    CLASS(FERMI_COMPUTE_A, 90c0, 0) \
    CLASS(FERMI_B, 9197, 9097) \
    CLASS(FERMI_COMPUTE_B, 91c0, 90c0) \
    CLASS(FERMI_C, 9297, 9197) \
    CLASS(KEPLER_INLINE_TO_MEMORY_A, a040, 0) \
    CLASS(KEPLER_CHANNEL_GPFIFO_A, a06f, 906f) \
    CLASS(KEPLER_A, a097, 9297) \
    CLASS(KEPLER_DMA_COPY_A, a0b5, 90b5) \
    CLASS(KEPLER_COMPUTE_A, a0c0, 91c0) \
    CLASS(KEPLER_INLINE_TO_MEMORY_B, a140, a040) \
    CLASS(KEPLER_CHANNEL_GPFIFO_B, a16f, a06f) \
    CLASS(KEPLER_B, a197, a097) \
    CLASS(KEPLER_COMPUTE_B, a1c0, a0c0) \
    CLASS(KEPLER_CHANNEL_GPFIFO_C, a26f, a16f) \
    CLASS(KEPLER_C, a297, a197) \
    CLASS(MAXWELL_CHANNEL_GPFIFO_A, b06f, a26f) \
    CLASS(MAXWELL_A, b097, a297) \
    CLASS(MAXWELL_DMA_COPY_A, b0b5, a0b5) \
    CLASS(MAXWELL_COMPUTE_A, b0c0, a1c0) \
    CLASS(MAXWELL_B, b197, b097) \
    CLASS(MAXWELL_COMPUTE_B, b1c0, b0c0) \
    CLASS(PASCAL_CHANNEL_GPFIFO_A, c06f, b06f) \
    CLASS(PASCAL_A, c097, b197) \
    CLASS(PASCAL_DMA_COPY_A, c0b5, b0b5) \
    CLASS(PASCAL_COMPUTE_A, c0c0, b1c0) \
    CLASS(PASCAL_B, c197, c097) \
    CLASS(PASCAL_DMA_COPY_B, c1b5, c0b5) \
    CLASS(PASCAL_COMPUTE_B, c1c0, c0c0) \
    CLASS(VOLTA_CHANNEL_GPFIFO_A, c36f, c06f) \
    CLASS(VOLTA_A, c397, c197) \
    CLASS(VOLTA_DMA_COPY_A, c3b5, c1b5) \
    CLASS(VOLTA_COMPUTE_A, c3c0, c1c0) \
    CLASS(TURING_CHANNEL_GPFIFO_A, c46f, c36f) \
    CLASS(AMPERE_CHANNEL_GPFIFO_A, c56f, c46f) \
    CLASS(TURING_A, c597, c397) \
    CLASS(NVC5B0_VIDEO_DECODER, c5b0, 0) \
    CLASS(TURING_DMA_COPY_A, c5b5, c3b5) \
    CLASS(NVC5B7_VIDEO_ENCODER, c5b7, 0) \
    CLASS(TURING_COMPUTE_A, c5c0, c3c0) \
    CLASS(AMPERE_A, c697, c597) \
    CLASS(NVC6B0_VIDEO_DECODER, c6b0, c5b0) \
    CLASS(AMPERE_DMA_COPY_A, c6b5, c5b5) \
    CLASS(AMPERE_COMPUTE_A, c6c0, c5c0) \
    CLASS(AMPERE_CHANNEL_GPFIFO_B, c76f, c56f) \
    CLASS(AMPERE_B, c797, c697) \
    CLASS(NVC7B0_VIDEO_DECODER, c7b0, c6b0) \
    CLASS(AMPERE_DMA_COPY_B, c7b5, c6b5) \
    CLASS(NVC7B7_VIDEO_ENCODER, c7b7, c5b7) \
    CLASS(AMPERE_COMPUTE_B, c7c0, c6c0) \
    CLASS(HOPPER_CHANNEL_GPFIFO_A, c86f, c76f) \
    CLASS(HOPPER_DMA_COPY_A, c8b5, c7b5) \
    CLASS(BLACKWELL_CHANNEL_GPFIFO_A, c96f, c86f) \
    CLASS(ADA_A, c997, c797) \
    CLASS(NVC9B0_VIDEO_DECODER, c9b0, c7b0) \
    CLASS(BLACKWELL_DMA_COPY_A, c9b5, c8b5) \
    CLASS(NVC9B7_VIDEO_ENCODER, c9b7, c7b7) \
    CLASS(ADA_COMPUTE_A, c9c0, c7c0) \
    CLASS(NVC9D1_VIDEO_NVJPG, c9d1, e7d0) \
    CLASS(BLACKWELL_CHANNEL_GPFIFO_B, ca6f, c96f) \
    CLASS(BLACKWELL_DMA_COPY_B, cab5, c9b5) \
    CLASS(HOPPER_A, cb97, c997) \
    CLASS(HOPPER_COMPUTE_A, cbc0, c9c0) \
    CLASS(BLACKWELL_A, cd97, cb97) \
    CLASS(BLACKWELL_COMPUTE_A, cdc0, cbc0) \
    CLASS(BLACKWELL_B, ce97, cd97) \
    CLASS(BLACKWELL_COMPUTE_B, cec0, cdc0) \
    CLASS(NVE7D0_VIDEO_NVJPG, e7d0, 0)

#define NV_CLASS_ID(name, id, before) name = 0x##id,
enum nv_class_id { NV_CLASSES(NV_CLASS_ID) };
/* clang-format on */

enum nv_class_row_kind {
    NV_ROW_METHOD, /* offset, count, stride (and the inner pair for two indices) */
    NV_ROW_FIELD,  /* of the method above: bits hi:lo */
    NV_ROW_VALUE,  /* of the field above: number */
    NV_ROW_FORMAT  /* a dword in memory, not a method: GP_ENTRY0, GP_ENTRY1, DMA */
};

struct nv_class_row {
    uint32_t name;         /* for nv_class_row_name() */
    uint32_t number;       /* VALUE */
    uint16_t offset;       /* of the method, in all of its rows: rows are sorted by it */
    uint16_t count;        /* METHOD: elements; 1 if it is no array */
    uint16_t stride;       /* METHOD: bytes from one element to the next; 0 if it is no array */
    uint16_t inner_count;  /* METHOD with two indices: elements of the second; otherwise 0 */
    uint16_t inner_stride; /* METHOD with two indices: bytes; otherwise 0 */
    uint8_t kind;          /* enum nv_class_row_kind */
    uint8_t hi, lo;        /* FIELD */
};

/* Places for methods (byte offset / 4), and after them for the formats of a Host class. */
enum {
    NV_CLASS_METHODS = 4096,
    NV_CLASS_SLOTS = NV_CLASS_METHODS + 3,
    NV_CLASS_BLOCK = 16,
};

/* Places of a class's rows. */
struct nv_class_index {
    uint16_t methods[NV_CLASS_SLOTS]; /* place in nv_class_rows; 0 if there is no such method */
    /* 1 for each NV_CLASS_BLOCK slots in which the class or an earlier one has a method. */
    uint8_t blocks[NV_CLASS_SLOTS / NV_CLASS_BLOCK + 1];
};

struct nv_class {
    const char *name;   /* "PASCAL_COMPUTE_B" */
    uint16_t id;        /* 0xc1c0 */
    uint16_t before_id; /* 0xc0c0, the class before in the family; 0 for the first */
    const struct nv_class_index *index;
};

/* The rows of all classes.  The rows of a method follow it, up to the next METHOD or FORMAT.  One
 * such row stands at the end. */
extern const struct nv_class_row nv_class_rows[];

/* A method of a class: its row, and the index if it is an array. */
struct nv_class_method {
    const struct nv_class *nv_class;
    const struct nv_class_row *row; /* its fields and values follow, up to the next METHOD */
    uint16_t index, inner_index;
    bool beyond; /* index >= row->count: a guess */
};

/* Return a class, or NULL if it has no table. index < nv_class_count() lists all classes. */
const struct nv_class *nv_class_find(uint32_t id);
const struct nv_class *nv_class_at(size_t index);
size_t nv_class_count(void);

/* Returns the class whose table decodes `id`: its own, else the nearest older class of its kind.
 * NULL if there is no older one either; 0 means that no class is known, and gives NULL. */
const struct nv_class *nv_class_nearest(uint32_t id);

/*
 * Returns the class whose table names a method sent to `id` on a chip with Host class `host_id`.
 * That is host_id for Host's own methods, and for SET_OBJECT if `id` has no table or no such
 * method; otherwise `id`.
 */
uint32_t nv_class_of_method(uint32_t host_id, uint32_t id, uint32_t offset);

/*
 * Looks a method up by its byte offset.  Returns false, with row NULL, if the class (which may be
 * NULL) has no such method.
 */
bool nv_class_lookup(const struct nv_class *nv_class, uint32_t offset,
                     struct nv_class_method *method);

/* Sets the bit of every method (byte offset / 4) that nv_class_lookup() finds.  The class may be
 * NULL.  One call for all methods exists because single look-ups would dominate the time of a
 * machine's wiring. */
void nv_class_known(const struct nv_class *nv_class, uint32_t bits[NV_CLASS_METHODS / 32]);

/* Returns the header's name, without the name of the row to which this row belongs. */
const char *nv_class_row_name(const struct nv_class_row *row);

/* Returns the class's next row after `row`, in order of offset: that of a method or format, then
 * its fields, each with its values.  NULL for `row` means the first; returns NULL after the last.
 */
const struct nv_class_row *nv_class_row_after(const struct nv_class *nv_class,
                                              const struct nv_class_row *row);

/* Returns the next row after `row` of this kind that belongs to the same method, or NULL if there
 * is none. */
const struct nv_class_row *nv_class_next(const struct nv_class_row *row,
                                         enum nv_class_row_kind kind);

/* Returns the name of a field's value, or NULL if it has none. */
const char *nv_class_value_name(const struct nv_class_row *field, uint32_t value);

/*
 * Writes "SET_COLOR_COMPRESSION(3)", or "UNKNOWN_15b4" for a method that the class does not have.
 * A class without a table has the names of nv_class_nearest(); so has nv_class_format().
 * Both writers end the text with a NUL if size > 0, cut it at size, and return the whole length, as
 * snprintf does.
 */
size_t nv_class_method_name(uint32_t id, uint32_t offset, char *out, size_t size);

/*
 * Writes a data word's fields: "DST_MEMORY_LAYOUT=PITCH COMPLETION_TYPE=FLUSH_ONLY".  Fields that
 * are 0 are left out, unless the whole word is 0, the field is the only one, or it is a memory
 * layout.  A lone field with the name V or VALUE is written without its name.  Bits in no field are
 * "RSVD=0x..", in place.  Addresses, offsets and large numbers are hexadecimal.  Fields that
 * overlap, as in SET_REPORT_SEMAPHORE_D, are all written.  For a method that the class does not
 * have, writes "no such method in class c197"; for one of a class without a table, "no table of
 * class ce6e" or "no table of class cd40, and no such method in class a140".
 */
size_t nv_class_format(uint32_t id, uint32_t offset, uint32_t data, char *out, size_t size);

#endif

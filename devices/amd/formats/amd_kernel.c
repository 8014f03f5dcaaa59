/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_kernel.h"

#include <gelf.h>
#include <libelf.h>
#include <string.h>

static const struct amd_field kernel_fields[] = {AMD_KERNEL_FIELDS(AMD_FIELD_ROW, AMD_FIELD_ROW_R)};
const struct amd_layout amd_kernel_layout = {
    .name = "KERNEL_DESCRIPTOR",
    .min_dwords = AMD_KERNEL_DWORDS,
    .max_dwords = AMD_KERNEL_DWORDS,
    .fields = kernel_fields,
    .field_count = sizeof kernel_fields / sizeof kernel_fields[0],
};

bool amd_kernel_next(struct amd_reader *reader, struct amd_packet *packet)
{
    const uint32_t left = reader->count - reader->at;

    if (reader->at >= reader->count)
        return false;
    *packet =
        (struct amd_packet){.at = reader->at,
                            .dwords = reader->dwords + reader->at,
                            .dword_count = left < AMD_KERNEL_DWORDS ? left : AMD_KERNEL_DWORDS,
                            .said_dwords = AMD_KERNEL_DWORDS,
                            .shape = AMD_SHAPE_LIST};
    amd_packet_judge(packet, &amd_kernel_layout);
    reader->at += packet->dword_count;
    return true;
}

/* To a unit that is a power of two, which all of a chip's are (amd_dispatch_wire()). */
static uint32_t rounded(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) & ~(unit - 1);
}

uint32_t amd_kernel_vgprs(uint32_t vgpr_unit, const uint32_t *descriptor)
{
    const uint32_t rsrc1 = (uint32_t)amd_get(descriptor, AMD_KERNEL_COMPUTE_PGM_RSRC1);

    return (REG_GET(rsrc1, COMPUTE_PGM_RSRC1__VGPRS) + 1) * vgpr_unit;
}

/* Counted in eights, of which gfx9 gives out two at a time. */
uint32_t amd_kernel_sgprs(uint32_t sgpr_unit, const uint32_t *descriptor)
{
    const uint32_t rsrc1 = (uint32_t)amd_get(descriptor, AMD_KERNEL_COMPUTE_PGM_RSRC1);

    return rounded((REG_GET(rsrc1, COMPUTE_PGM_RSRC1__SGPRS) + 1) * 8, sgpr_unit);
}

/* ---- code objects ---------------------------------------------------------------------------- */

enum { MACHINE_AMDGPU = 224 }; /* EM_AMDGPU; older elf.h do not have it */

struct kernel_walk {
    Elf *elf;
    amd_kernel_take *take;
    void *context;
    struct gfe_error *error;
};

static bool kernel_damaged(const struct kernel_walk *walk, const char *what)
{
    return error_set(walk->error, ERROR_INPUT, "the code object is damaged: %s", what);
}

/* The bytes of a symbol, in the section that it names. */
static bool kernel_bytes(const struct kernel_walk *walk, const GElf_Sym *symbol, uint32_t *dwords)
{
    Elf_Scn *section = elf_getscn(walk->elf, symbol->st_shndx);
    GElf_Shdr header;
    Elf_Data *data;
    uint64_t offset;

    if (!section || !gelf_getshdr(section, &header) || symbol->st_value < header.sh_addr)
        return kernel_damaged(walk, "a kernel's symbol lies in no section");
    offset = symbol->st_value - header.sh_addr;
    data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf || offset > data->d_size || data->d_size - offset < AMD_KERNEL_BYTES)
        return kernel_damaged(walk, "a kernel's descriptor lies outside of its section");
    memcpy(dwords, (const unsigned char *)data->d_buf + offset, AMD_KERNEL_BYTES);
    return true;
}

static void kernel_name(const char *name, size_t length, char text[static AMD_KERNEL_NAME_MAX])
{
    size_t i = 0;

    for (; i < length && i < AMD_KERNEL_NAME_MAX - 1; i++)
        text[i] = (char)(name[i] >= ' ' && name[i] <= '~' ? name[i] : '?');
    text[i] = '\0';
}

/* *wanted is false when the caller has had enough. */
static bool kernel_symbol(const struct kernel_walk *walk, const GElf_Shdr *table,
                          const GElf_Sym *symbol, bool *wanted)
{
    const char *name = elf_strptr(walk->elf, table->sh_link, symbol->st_name);
    const size_t length = name ? strlen(name) : 0;
    struct amd_kernel kernel;

    if (length <= 3 || strcmp(name + length - 3, ".kd") != 0 ||
        GELF_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_shndx == SHN_UNDEF)
        return true;
    kernel_name(name, length - 3, kernel.name);
    kernel.address = symbol->st_value;
    if (!kernel_bytes(walk, symbol, kernel.descriptor))
        return false;
    *wanted = walk->take(walk->context, &kernel);
    return true;
}

static bool kernel_symbols(const struct kernel_walk *walk, Elf_Scn *section, const GElf_Shdr *table)
{
    Elf_Data *data = elf_getdata(section, NULL);
    const uint64_t count = data ? data->d_size / sizeof(Elf64_Sym) : 0;
    bool wanted = true;

    if (!data)
        return kernel_damaged(walk, "its table of symbols cannot be read");
    for (uint64_t i = 0; i < count && i < INT32_MAX && wanted; i++) {
        GElf_Sym symbol;

        if (!gelf_getsym(data, (int)i, &symbol))
            return kernel_damaged(walk, "its table of symbols cannot be read");
        if (!kernel_symbol(walk, table, &symbol, &wanted))
            return false;
    }
    return true;
}

/* Loaded objects have .dynsym only; others have all of it in .symtab as well. */
static bool kernel_tables(const struct kernel_walk *walk)
{
    Elf_Scn *found = NULL;
    GElf_Shdr header, table = {0};

    for (Elf_Scn *section = elf_nextscn(walk->elf, NULL); section;
         section = elf_nextscn(walk->elf, section)) {
        if (!gelf_getshdr(section, &header))
            return kernel_damaged(walk, "a section's header cannot be read");
        if (header.sh_type == SHT_SYMTAB || (header.sh_type == SHT_DYNSYM && !found)) {
            found = section;
            table = header;
        }
    }
    return !found || kernel_symbols(walk, found, &table);
}

bool amd_kernel_is_gfx9(const void *data, size_t bytes, uint32_t *machine)
{
    /* gfx900 to gfx90c, gfx90a, gfx940 to gfx942, gfx950, gfx9-generic, gfx9-4-generic */
    static const uint8_t gfx9[] = {0,    0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x31, 0x32,
                                   0x3f, 0x40, 0x4b, 0x4c, 0x4f, 0x51, 0x5f};
    const unsigned char *header = data;

    *machine = bytes < sizeof(Elf64_Ehdr) ? 0 : header[offsetof(Elf64_Ehdr, e_flags)];
    for (size_t i = 0; i < sizeof gfx9; i++)
        if (gfx9[i] == *machine)
            return true;
    return false;
}

bool amd_kernel_walk(const void *data, size_t bytes, amd_kernel_take *take, void *context,
                     struct gfe_error *error)
{
    struct kernel_walk walk = {NULL, take, context, error};
    GElf_Ehdr header;
    bool done;

    if (elf_version(EV_CURRENT) == EV_NONE)
        return error_set(error, ERROR_SYSTEM, "libelf is older than its header");
    /* It is read only: libelf converts copies. */
    walk.elf = elf_memory((char *)(uintptr_t)data, bytes);
    if (!walk.elf)
        return error_set(error, ERROR_INPUT, "not an ELF file: %s", elf_errmsg(-1));
    if (!gelf_getehdr(walk.elf, &header) || header.e_machine != MACHINE_AMDGPU ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        done = error_set(error, ERROR_INPUT,
                         "not a code object of AMD GPUs (64-bit ELF, machine %d)", MACHINE_AMDGPU);
    else
        done = kernel_tables(&walk);
    elf_end(walk.elf);
    return done;
}

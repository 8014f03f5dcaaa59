/* SPDX-License-Identifier: MIT */
/* A small code object for tests: an ELF file with two kernels, a function, and an object that is
 * not a kernel. */
#ifndef TESTS_AMD_OBJECT_H
#define TESTS_AMD_OBJECT_H

#include <elf.h>
#include <stdint.h>
#include <string.h>

enum {
    AMD_OBJECT_RODATA = 0x100, /* file offset and address of the descriptors: axpy, gemm */
    AMD_OBJECT_SYMBOLS = 0x200,
    AMD_OBJECT_STRINGS = 0x300,
    AMD_OBJECT_SECTIONS = 0x400,
    AMD_OBJECT_BYTES = 0x600,
    AMD_OBJECT_SYMBOL_COUNT = 5,
};

static const uint32_t amd_object_axpy[16] = {0, 0, 24, 0, 0x1140,     0,    0, 0,
                                             0, 0, 0,  0, 0x00af0041, 0x8c, 9, 0};
static const uint32_t amd_object_gemm[16] = {4096, 0, 32, 0, 0x1100,     0,    0,    0,
                                             0,    0, 0,  0, 0x00af0144, 0x91, 0x29, 0};

static inline void amd_object_make(unsigned char *bytes)
{
    static const char strings[] = "\0axpy.kd\0gemm.kd\0axpy\0table\0.symtab";
    const Elf64_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 64},
        .e_type = ET_DYN,
        .e_machine = 224,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof head,
        .e_shoff = AMD_OBJECT_SECTIONS,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = 4,
        .e_shstrndx = 3,
    };
    const Elf64_Sym symbols[AMD_OBJECT_SYMBOL_COUNT] = {
        {0},
        {1, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, 1, AMD_OBJECT_RODATA, 64},
        {9, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, 1, AMD_OBJECT_RODATA + 64, 64},
        {17, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, AMD_OBJECT_RODATA, 64},
        {22, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, 1, AMD_OBJECT_RODATA, 64},
    };
    const Elf64_Shdr sections[4] = {
        {0},
        {.sh_type = SHT_PROGBITS,
         .sh_addr = AMD_OBJECT_RODATA,
         .sh_offset = AMD_OBJECT_RODATA,
         .sh_size = 128,
         .sh_addralign = 64},
        {.sh_type = SHT_SYMTAB,
         .sh_offset = AMD_OBJECT_SYMBOLS,
         .sh_size = sizeof symbols,
         .sh_link = 3,
         .sh_entsize = sizeof symbols[0],
         .sh_addralign = 8},
        {.sh_type = SHT_STRTAB,
         .sh_offset = AMD_OBJECT_STRINGS,
         .sh_size = sizeof strings,
         .sh_addralign = 1},
    };

    memset(bytes, 0, AMD_OBJECT_BYTES);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + AMD_OBJECT_RODATA, amd_object_axpy, sizeof amd_object_axpy);
    memcpy(bytes + AMD_OBJECT_RODATA + 64, amd_object_gemm, sizeof amd_object_gemm);
    memcpy(bytes + AMD_OBJECT_SYMBOLS, symbols, sizeof symbols);
    memcpy(bytes + AMD_OBJECT_STRINGS, strings, sizeof strings);
    memcpy(bytes + AMD_OBJECT_SECTIONS, sections, sizeof sections);
}

#endif

/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_tree_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/nouveau/record_board.h"

#define PCI_DIRECTORY  "/sys/devices/pci0000:00/0000:01:00.0"
#define CHAR_DIRECTORY "/sys/dev/char/226:128"

enum { SUBSYSTEM_VENDOR = 0x10de, SUBSYSTEM_DEVICE = 0x1234 };

static const char minor_uevent[] = "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\n"
                                   "DEVTYPE=drm_minor\n";

/* ---- making ---------------------------------------------------------------------------------- */

static void tree_fail(struct record_tree *tree, const char *path)
{
    error_set_errno(tree->error, errno, "%s%s", tree->root, path);
    tree->failed = true;
}

bool record_tree_begin(struct record_tree *tree, const char *root, struct gfe_error *error)
{
    *tree = (struct record_tree){.root = root, .error = error};
    RETRY(tree->root_fd, open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return tree->root_fd >= 0 || error_set_errno(error, errno, "%s", root);
}

bool record_tree_done(struct record_tree *tree)
{
    close(tree->root_fd);
    return !tree->failed;
}

void record_tree_directories(struct record_tree *tree, const char *path)
{
    char part[RECORD_TREE_FILE_BYTES];

    for (const char *slash = strchr(path + 1, '/'); slash && !tree->failed;
         slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, ".%.*s", (int)(slash - path), path);
        if (mkdirat(tree->root_fd, part, 0755) != 0 && errno != EEXIST)
            tree_fail(tree, path);
    }
}

static bool write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t done;

        RETRY(done, write(fd, text, length));
        if (done < 0)
            return false;
        text += done;
        length -= (size_t)done;
    }
    return true;
}

void record_tree_file(struct record_tree *tree, const char *path, const char *format, ...)
{
    char text[RECORD_TREE_FILE_BYTES], relative[RECORD_TREE_FILE_BYTES];
    va_list arguments;
    int length, fd;
    bool done;

    record_tree_directories(tree, path);
    if (tree->failed)
        return;
    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(relative, sizeof relative, ".%s", path);
    RETRY(fd, openat(tree->root_fd, relative, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    done = fd >= 0 && write_all(fd, text, (size_t)length);
    if (!done)
        tree_fail(tree, path);
    if (fd >= 0)
        close(fd);
}

void record_tree_link(struct record_tree *tree, const char *path, const char *to)
{
    char relative[RECORD_TREE_FILE_BYTES];

    record_tree_directories(tree, path);
    snprintf(relative, sizeof relative, ".%s", path);
    if (!tree->failed && symlinkat(to, tree->root_fd, relative) != 0)
        tree_fail(tree, path);
}

static void make_pci(struct record_tree *tree, const struct record_board *board)
{
    record_tree_file(tree, PCI_DIRECTORY "/uevent",
                     "DRIVER=nouveau\nPCI_CLASS=30000\nPCI_ID=%04X:%04X\nPCI_SUBSYS_ID=%04X:%04X\n"
                     "PCI_SLOT_NAME=0000:01:00.0\n"
                     "MODALIAS=pci:v%08Xd%08Xsv%08Xsd%08Xbc03sc00i00\n",
                     board->pci_vendor, board->pci_device, SUBSYSTEM_VENDOR, SUBSYSTEM_DEVICE,
                     board->pci_vendor, board->pci_device, SUBSYSTEM_VENDOR, SUBSYSTEM_DEVICE);
    record_tree_file(tree, PCI_DIRECTORY "/vendor", "0x%04x\n", board->pci_vendor);
    record_tree_file(tree, PCI_DIRECTORY "/device", "0x%04x\n", board->pci_device);
    record_tree_file(tree, PCI_DIRECTORY "/revision", "0x%02x\n", board->pci_revision);
    record_tree_file(tree, PCI_DIRECTORY "/class", "0x030000\n");
    record_tree_file(tree, PCI_DIRECTORY "/subsystem_vendor", "0x%04x\n", SUBSYSTEM_VENDOR);
    record_tree_file(tree, PCI_DIRECTORY "/subsystem_device", "0x%04x\n", SUBSYSTEM_DEVICE);
    record_tree_link(tree, PCI_DIRECTORY "/subsystem", "../../../bus/pci");
    record_tree_file(tree, PCI_DIRECTORY "/drm/renderD128/uevent", "%s", minor_uevent);
    record_tree_file(tree, PCI_DIRECTORY "/drm/renderD128/dev", "226:128\n");
    record_tree_link(tree, PCI_DIRECTORY "/drm/renderD128/device", "../../../0000:01:00.0");
}

bool record_tree_make(const char *root, const struct record_board *board, struct gfe_error *error)
{
    struct record_tree tree;

    if (!record_tree_begin(&tree, root, error))
        return false;
    record_tree_file(&tree, RECORD_TREE_NODE, "%s", "");
    record_tree_directories(&tree, "/sys/bus/pci/");
    make_pci(&tree, board);
    record_tree_file(&tree, CHAR_DIRECTORY "/uevent", "%s", minor_uevent);
    record_tree_file(&tree, CHAR_DIRECTORY "/dev", "226:128\n");
    record_tree_link(&tree, CHAR_DIRECTORY "/device", "../../../devices/pci0000:00/0000:01:00.0");
    return record_tree_done(&tree);
}

/* ---- paths ----------------------------------------------------------------------------------- */

bool record_tree_path_begins(const char *path, const char *const *prefixes)
{
    for (; *prefixes; prefixes++) {
        const size_t length = strlen(*prefixes);

        if (strncmp(path, *prefixes, length) == 0 &&
            ((*prefixes)[length - 1] == ':' || path[length] == 0 || path[length] == '/'))
            return true;
    }
    return false;
}

bool record_tree_has(const char *path)
{
    static const char *const prefixes[] = {"/dev/dri", "/sys/dev/char/226:", PCI_DIRECTORY, NULL};

    return record_tree_path_begins(path, prefixes);
}

/* ---- removing -------------------------------------------------------------------------------- */

static bool remove_in(int directory_fd, const char *name, int depth);

/* One pass over a directory.  Not by opendir(), which allocates: this has to work when memory is
 * short.  *left: there were entries, so that another pass has to look again. */
static bool remove_entries(int fd, int depth, bool *left)
{
    /* struct dirent64 as the kernel fills it; aligned for its first member. */
    _Alignas(struct dirent64) char entries[2048];
    bool done = true;
    ssize_t bytes;

    *left = false;
    if (lseek(fd, 0, SEEK_SET) != 0)
        return false;
    while ((bytes = getdents64(fd, entries, sizeof entries)) > 0)
        for (ssize_t at = 0; at < bytes;) {
            const struct dirent64 *entry = (const void *)(entries + at);

            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
                continue;
            *left = true;
            done = remove_in(fd, entry->d_name, depth - 1) && done;
        }
    return done && bytes == 0;
}

/* Depth is bounded by the file system; ours is seven deep. */
static bool remove_in(int directory_fd, const char *name, int depth)
{
    bool left = true;
    int fd;

    RETRY(fd, openat(directory_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (fd < 0)
        return unlinkat(directory_fd, name, 0) == 0;
    while (left && depth > 0 && remove_entries(fd, depth, &left))
        ;
    close(fd);
    return unlinkat(directory_fd, name, AT_REMOVEDIR) == 0;
}

bool record_tree_remove(const char *directory)
{
    return remove_in(AT_FDCWD, directory, 32);
}

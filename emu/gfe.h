/* SPDX-License-Identifier: MIT */
/*
 * The public interface of libgfe, and the only header that is installed. Everything that it
 * declares begins with gfe_ or GFE_; the libraries export these symbols and no others.
 */
#ifndef GFE_H
#define GFE_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GFE_API __attribute__((visibility("default")))
#else
#define GFE_API
#endif

/* The version of the library, such as "0.1.0". A constant; never NULL. */
GFE_API const char *gfe_version(void);

#ifdef __cplusplus
}
#endif

#endif

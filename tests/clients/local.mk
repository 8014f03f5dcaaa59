# SPDX-License-Identifier: MIT

# Programs that are recorded. Each is built by a rule below (tests_clients_<name>_SOURCES).
client_programs = tests/clients/drm_procs tests/clients/drm_upload tests/clients/kfd_procs
if HAVE_HSA_CLIENT
client_programs += tests/clients/hsa_client
endif
if HAVE_HIP_CLIENT
client_programs += tests/clients/hip_client
endif
if HAVE_GL_CLIENTS
client_programs += \
	tests/clients/gl_clear \
	tests/clients/gl_close \
	tests/clients/gl_compute \
	tests/clients/gl_copy \
	tests/clients/gl_neighbour \
	tests/clients/gl_threads \
	tests/clients/gl_triangle \
	tests/clients/gl_upload \
	tests/clients/gl_wait
endif
if HAVE_DRM_CLIENTS
client_programs += \
	tests/clients/vm_client
endif

client_cflags = $(base_cflags) $(GL_CLIENTS_CFLAGS)
client_files = tests/clients/gl_client.c tests/clients/gl_client.h
tests_clients_drm_procs_SOURCES = tests/clients/drm_procs.c traces/record/nouveau/record_uapi.h
tests_clients_drm_procs_CFLAGS = $(base_cflags)
tests_clients_drm_procs_LDADD = -lpthread
tests_clients_hip_client_CFLAGS = $(base_cflags) -Wno-deprecated-declarations
tests_clients_hip_client_LDADD = -lamdhip64 -lpthread
tests_clients_kfd_procs_SOURCES = tests/clients/kfd_procs.c traces/record/kfd/record_kfd_uapi.h
tests_clients_kfd_procs_CFLAGS = $(base_cflags)
tests_clients_kfd_procs_LDADD = -ldl
tests_clients_hsa_client_CFLAGS = $(base_cflags)
tests_clients_hsa_client_LDADD = -lhsa-runtime64
tests_clients_gl_clear_SOURCES = tests/clients/gl_clear.c $(client_files)
tests_clients_gl_clear_CFLAGS = $(client_cflags)
tests_clients_gl_clear_LDADD = $(GL_CLIENTS_LIBS)
tests_clients_gl_close_SOURCES = tests/clients/gl_close.c $(client_files)
tests_clients_gl_close_CFLAGS = $(client_cflags)
tests_clients_gl_close_LDADD = $(GL_CLIENTS_LIBS)
tests_clients_gl_compute_SOURCES = tests/clients/gl_compute.c $(client_files)
tests_clients_gl_compute_CFLAGS = $(client_cflags)
tests_clients_gl_compute_LDADD = $(GL_CLIENTS_LIBS)
tests_clients_gl_copy_SOURCES = tests/clients/gl_copy.c $(client_files)
tests_clients_gl_copy_CFLAGS = $(client_cflags)
tests_clients_gl_copy_LDADD = $(GL_CLIENTS_LIBS)
tests_clients_gl_neighbour_SOURCES = tests/clients/gl_neighbour.c traces/record/nouveau/record_uapi.h $(client_files)
tests_clients_gl_neighbour_CFLAGS = $(client_cflags)
tests_clients_gl_neighbour_LDADD = $(GL_CLIENTS_LIBS)
tests_clients_gl_threads_SOURCES = tests/clients/gl_threads.c $(client_files)
tests_clients_gl_threads_CFLAGS = $(client_cflags)
tests_clients_gl_threads_LDADD = $(GL_CLIENTS_LIBS) -lpthread
tests_clients_gl_triangle_SOURCES = tests/clients/gl_triangle.c $(client_files)
tests_clients_gl_triangle_CFLAGS = $(client_cflags)
tests_clients_gl_triangle_LDADD = $(GL_CLIENTS_LIBS)
tests_clients_gl_upload_SOURCES = tests/clients/gl_upload.c $(client_files)
tests_clients_gl_upload_CFLAGS = $(client_cflags)
tests_clients_gl_upload_LDADD = $(GL_CLIENTS_LIBS)
tests_clients_gl_wait_SOURCES = tests/clients/gl_wait.c $(client_files)
tests_clients_gl_wait_CFLAGS = $(client_cflags)
tests_clients_gl_wait_LDADD = $(GL_CLIENTS_LIBS)

tests_clients_vm_client_CFLAGS = $(base_cflags) $(DRM_CLIENTS_CFLAGS)
tests_clients_vm_client_LDADD = -lpthread

# Needs no driver.
tests_clients_drm_upload_SOURCES = tests/clients/drm_upload.c traces/record/nouveau/record_uapi.h
tests_clients_drm_upload_CFLAGS = $(base_cflags)

clients: $(client_programs)
.PHONY: clients

EXTRA_DIST += tests/clients/kfd_kernels.cl tests/clients/piglit.txt

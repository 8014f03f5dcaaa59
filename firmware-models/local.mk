# SPDX-License-Identifier: MIT

core_files += \
	%D%/driver.h

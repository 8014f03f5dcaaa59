# SPDX-License-Identifier: MIT

# GPUs in files, for --gpu (docs/gpu-files.md).
gpusdir = $(datadir)/gfe/gpus
dist_gpus_DATA = \
	gpus/a10.json \
	gpus/gtx1070.json \
	gpus/gtx1650.json \
	gpus/jetson-orin-nano.json \
	gpus/jetson-xavier-nx.json \
	gpus/l4.json \
	gpus/l40s.json \
	gpus/rtx3060.json \
	gpus/rtx3090.json \
	gpus/rtx4070.json \
	gpus/rtx4090.json \
	gpus/t4.json

// SPDX-License-Identifier: MIT
//
// What cudaGetDeviceProperties() says of a GPU, as JSON, without what tells one card from another.
//
//     nvcc -O1 -arch=native -o device_properties device_properties.cu -lcuda && ./device_properties
#include "gpu_time.cuh"

static void attribute(const char *name, enum cudaDeviceAttr which)
{
    int value;

    if (cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess) {
        printf(",\n \"%s\": %d", name, value);
    } else {
        (void)cudaGetLastError();
    }
}

int main()
{
    cudaDeviceProp p;
    int driver = 0, runtime = 0, least = 0, greatest = 0;

    DO(cudaGetDeviceProperties(&p, 0));
    DO(cudaDriverGetVersion(&driver));
    DO(cudaRuntimeGetVersion(&runtime));
    DO(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    printf("{\"name\": \"%s\",\n \"major\": %d,\n \"minor\": %d,\n \"cuda_driver\": %d,\n \"cuda_runtime\": %d", p.name, p.major,
           p.minor, driver, runtime);
    printf(",\n \"totalGlobalMem\": %zu,\n \"sharedMemPerBlock\": %zu,\n \"sharedMemPerBlockOptin\": %zu", p.totalGlobalMem,
           p.sharedMemPerBlock, p.sharedMemPerBlockOptin);
    printf(",\n \"sharedMemPerMultiprocessor\": %zu,\n \"reservedSharedMemPerBlock\": %zu", p.sharedMemPerMultiprocessor,
           p.reservedSharedMemPerBlock);
    printf(",\n \"priorities\": [%d, %d]", least, greatest);
    attribute("multiProcessorCount", cudaDevAttrMultiProcessorCount);
    attribute("maxThreadsPerMultiProcessor", cudaDevAttrMaxThreadsPerMultiProcessor);
    attribute("maxBlocksPerMultiProcessor", cudaDevAttrMaxBlocksPerMultiprocessor);
    attribute("maxThreadsPerBlock", cudaDevAttrMaxThreadsPerBlock);
    attribute("regsPerBlock", cudaDevAttrMaxRegistersPerBlock);
    attribute("regsPerMultiprocessor", cudaDevAttrMaxRegistersPerMultiprocessor);
    attribute("warpSize", cudaDevAttrWarpSize);
    attribute("asyncEngineCount", cudaDevAttrAsyncEngineCount);
    attribute("concurrentKernels", cudaDevAttrConcurrentKernels);
    attribute("clockRate", cudaDevAttrClockRate);
    attribute("memoryClockRate", cudaDevAttrMemoryClockRate);
    attribute("memoryBusWidth", cudaDevAttrGlobalMemoryBusWidth);
    attribute("l2CacheSize", cudaDevAttrL2CacheSize);
    attribute("integrated", cudaDevAttrIntegrated);
    attribute("computePreemptionSupported", cudaDevAttrComputePreemptionSupported);
    attribute("streamPrioritiesSupported", cudaDevAttrStreamPrioritiesSupported);
    attribute("clusterLaunch", cudaDevAttrClusterLaunch);
    attribute("cooperativeLaunch", cudaDevAttrCooperativeLaunch);
    printf("}\n");
    return 0;
}

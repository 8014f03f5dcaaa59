/* SPDX-License-Identifier: MIT */
#include "bench/bench_systemc.h"

#include <memory>
#include <vector>

#include <systemc>

namespace
{

const uint32_t *steps;
uint32_t step_mask;
uint32_t step_at;
uint64_t calls_left;
uint64_t calls;

struct hold_process : sc_core::sc_module {
    sc_core::sc_event due;

    SC_HAS_PROCESS(hold_process);

    explicit hold_process(sc_core::sc_module_name name) : sc_module(name)
    {
        SC_METHOD(handle);
        sensitive << due;
        dont_initialize();
    }

    void handle()
    {
        due.notify(sc_core::sc_time::from_value(steps[step_at++ & step_mask]));
        calls++;
        if (--calls_left == 0)
            sc_core::sc_pause();
    }
};

std::vector<std::unique_ptr<hold_process>> processes;

} // namespace

/* libsystemc wants one; this program has a main of its own. */
int sc_main(int, char **)
{
    return 0;
}

void bench_systemc_begin(uint32_t count, const uint32_t *step_table, uint32_t step_count)
{
    steps = step_table;
    step_mask = step_count - 1;
    for (uint32_t i = 0; i < count; i++)
        processes.push_back(std::unique_ptr<hold_process>(
            new hold_process(sc_core::sc_gen_unique_name("process"))));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

void bench_systemc_fill(uint32_t pending)
{
    for (const auto &process : processes)
        process->due.cancel();
    for (uint32_t i = 0; i < pending; i++)
        processes[i]->due.notify(sc_core::sc_time::from_value(steps[step_at++ & step_mask]));
}

uint64_t bench_systemc_run(uint64_t events)
{
    calls = 0;
    calls_left = events;
    sc_core::sc_start();
    return calls;
}

const char *bench_systemc_version(void)
{
    return sc_core::sc_version();
}

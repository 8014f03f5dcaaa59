/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_explain.h"

#include <check.h>

/* Pieces touch, are not empty, reach from birth to end, and add up to the total. */
void check_explain_life(const struct explain *explain, struct explain_ref ref,
                        struct explain_life *life, bool may_be_unattributed)
{
    char name[EXPLAIN_NAME_BYTES];
    gfe_ps at_ps, sum_ps = 0;

    explain_name(explain, ref, name);
    ck_assert(explain_life(explain, ref, life));
    at_ps = life->birth_ps;
    for (uint32_t i = 0; i < life->count; i++) {
        const struct explain_piece *piece = &life->pieces[i];
        ck_assert_msg(piece->begin_ps == at_ps, "%s: piece %u begins elsewhere", name, i);
        ck_assert_msg(piece->end_ps > piece->begin_ps, "%s: piece %u is empty", name, i);
        ck_assert_msg(piece->what != EXPLAIN_UNATTRIBUTED || may_be_unattributed,
                      "%s: %llu ps from %llu on are unattributed", name,
                      (unsigned long long)(piece->end_ps - piece->begin_ps),
                      (unsigned long long)piece->begin_ps);
        ck_assert_msg(piece->what == EXPLAIN_WAIT || piece->rule == RULE_NONE, "%s", name);
        ck_assert_msg(piece->what != EXPLAIN_WAIT || piece->rule != RULE_NONE ||
                          may_be_unattributed,
                      "%s: a wait without a rule", name);
        at_ps = piece->end_ps;
        sum_ps += piece->end_ps - piece->begin_ps;
    }
    const struct explain_total total = explain_total(life);
    ck_assert_msg(at_ps == life->end_ps, "%s: the pieces end before it does", name);
    ck_assert_uint_eq(total.total_ps, life->end_ps - life->birth_ps);
    ck_assert_uint_eq(total.total_ps, sum_ps);
    ck_assert_uint_eq(total.total_ps, total.service_ps + total.wait_ps + total.unattributed_ps);
    ck_assert_uint_le(life->end_ps, explain->end_ps);
}

static void name_check(const struct explain *explain, struct explain_ref ref)
{
    char name[EXPLAIN_NAME_BYTES];
    struct explain_ref found;

    if (ref.kind != EXPLAIN_BLOCK && explain->operations[ref.index].id == UINT64_MAX)
        return; /* it has not got its number */
    ck_assert_msg(explain_find(explain, explain_name(explain, ref, name), &found), "%s", name);
    ck_assert_msg(found.kind == ref.kind && found.index == ref.index, "%s", name);
}

void check_explain_all(const struct explain *explain, bool may_be_unattributed)
{
    struct explain_life life = {0};

    for (uint32_t i = 0; i < explain->operation_count; i++) {
        const struct explain_ref ref = {(enum explain_kind)explain->operations[i].kind, i};
        check_explain_life(explain, ref, &life, may_be_unattributed);
        name_check(explain, ref);
    }
    for (uint32_t i = 0; i < explain->block_count; i++) {
        check_explain_life(explain, (struct explain_ref){EXPLAIN_BLOCK, i}, &life,
                           may_be_unattributed);
        name_check(explain, (struct explain_ref){EXPLAIN_BLOCK, i});
    }
    explain_life_fini(&life);
}

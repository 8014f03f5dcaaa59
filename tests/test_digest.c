/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/digest.h"

#include <check.h>
#include <string.h>

#include "tests/suites.h"

/* The examples that NIST publishes with FIPS 180-4. */
static const struct {
    const char *text, *hex;
} examples[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

START_TEST(it_gives_the_published_digests)
{
    struct digest digest;
    char hex[DIGEST_HEX_BYTES];

    digest_start(&digest);
    digest_add(&digest, examples[_i].text, strlen(examples[_i].text));
    digest_end_hex(&digest, hex);
    ck_assert_str_eq(hex, examples[_i].hex);
}
END_TEST

START_TEST(it_does_not_matter_how_the_data_are_cut)
{
    struct digest digest;
    char hex[DIGEST_HEX_BYTES];
    const char *text = examples[2].text;

    for (size_t cut = 0; cut <= strlen(text); cut++) {
        digest_start(&digest);
        digest_add(&digest, text, cut);
        digest_add(&digest, text + cut, strlen(text) - cut);
        digest_end_hex(&digest, hex);
        ck_assert_str_eq(hex, examples[2].hex);
    }
}
END_TEST

Suite *digest_suite(void)
{
    Suite *suite = suite_create("digest");
    TCase *tcase = tcase_create("digest");

    tcase_add_loop_test(tcase, it_gives_the_published_digests, 0,
                        sizeof examples / sizeof examples[0]);
    tcase_add_test(tcase, it_does_not_matter_how_the_data_are_cut);
    suite_add_tcase(suite, tcase);
    return suite;
}

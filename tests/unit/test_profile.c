/* Expected values by hand from the figures in profiles.def. */

#include "device/profile.h"
#include "suite.h"

static const Profile *h200(void) { return profile_find("h200", NULL); }

START_TEST(devices_are_found_by_name)
{
    Diag diag = {0};
    ck_assert_str_eq(profile_find("h200", &diag)->full_name, "NVIDIA H200");
    ck_assert_str_eq(profile_find("fermi", &diag)->name, "fermi");
    ck_assert(!diag.set);
    ck_assert_ptr_null(profile_find("h2000", &diag));
    ck_assert_str_eq(diag.message, "there is no device 'h2000'; known are h200, h100, a100, rtx3090, t4, fermi");
    ck_assert_uint_eq(profile_count(), 6);
}
END_TEST

START_TEST(every_profile_is_sound)
{
    for (uint32_t i = 0; i < profile_count(); i++) {
        const Profile *profile = profile_at(i);
        ck_assert_uint_gt(profile->sms, 0);
        ck_assert_uint_le(profile->sms, 256); /* line numbers of local memory have 8 bits for the SM */
        ck_assert_uint_le(profile->max_threads_per_sm, 2048);
        ck_assert_uint_le(profile->shared_per_block + profile->shared_reserved, profile->shared_per_sm);
        ck_assert_uint_le(profile->l1_ways, CACHE_WAYS_MAX);
        uint32_t in_gpcs = 0;
        for (uint32_t g = 0; g < GPCS_MOST; g++) in_gpcs += profile->merge.gpc_sms[g];
        ck_assert(profile->merge.limit < 2 ||
                  (in_gpcs == profile->sms && profile->merge.first_sms <= profile->merge.gpc_sms[0]));
        uint32_t largest = profile->carveout_kb[0];
        for (uint32_t k = 1; k < PROFILE_CARVEOUTS && profile->carveout_kb[k]; k++) {
            ck_assert_uint_gt(profile->carveout_kb[k], largest);
            largest = profile->carveout_kb[k];
        }
        ck_assert_uint_eq(largest * 1024, profile->shared_per_sm);
        ck_assert_uint_lt(profile->shared_per_sm, profile->l1_bytes);
        ck_assert_ptr_eq(profile_find(profile->name, NULL), profile);
    }
}
END_TEST

START_TEST(threads_blocks_and_shared_memory_limit_residency)
{
    ck_assert_uint_eq(profile_resident_blocks(h200(), 256, 0), 8);           /* 2048 / 256 */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 1024, 0), 2);          /* 2048 / 1024 */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 32, 0), 32);           /* the most blocks */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 33, 0), 32);           /* two warps: 2048 / 64 */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 97, 0), 16);           /* four warps: 2048 / 128 */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 32, 16 * 1024), 13);   /* 228 / (16 + 1) */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 32, 227 * 1024), 1);   /* 228 / 228 */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 256, 33 * 32 * 4), 8); /* 4224 + 1024 bytes: 44 fit */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 32, 16896), 13);       /* 132 steps of 128 bytes: 233,472 / 17,920 */
    ck_assert_uint_eq(profile_resident_blocks(h200(), 32, 16897), 12);       /* 133 of them: 233,472 / 18,048 */
    ck_assert_uint_eq(profile_resident_blocks(profile_find("t4", NULL), 1024, 0), 1);
    ck_assert_uint_eq(profile_resident_blocks(profile_find("fermi", NULL), 64, 0), 8);
    ck_assert_uint_eq(profile_resident_blocks(profile_find("fermi", NULL), 1536, 48 * 1024), 1);
    ck_assert_uint_eq(profile_resident_blocks(h200(), 4096, 0), 1); /* refused elsewhere; never 0 */
}
END_TEST

static uint64_t l1_kb(const char *device, uint32_t threads, uint32_t shared_bytes) {
    return profile_counters(profile_find(device, NULL), threads, shared_bytes, true).l1_cache.bytes / 1024;
}

START_TEST(l1_is_what_shared_memory_leaves)
{
    ck_assert_uint_eq(l1_kb("h200", 256, 0), 248);          /* 8 blocks × 1 KB: a carve-out of 8 */
    ck_assert_uint_eq(l1_kb("h200", 1024, 0), 248);         /* 2 KB: the same */
    ck_assert_uint_eq(l1_kb("h200", 32, 0), 224);           /* 32 KB: measured, see test_cache.c */
    ck_assert_uint_eq(l1_kb("h200", 256, 4096), 192);       /* 8 × 5 = 40 KB: 64 */
    ck_assert_uint_eq(l1_kb("h200", 1024, 64 * 1024), 124); /* 2 × 65 = 130 KB: 132 */
    ck_assert_uint_eq(l1_kb("h200", 32, 227 * 1024), 28);
    ck_assert_uint_eq(l1_kb("a100", 1024, 0), 184);
    ck_assert_uint_eq(l1_kb("t4", 256, 0), 64);
    ck_assert_uint_eq(l1_kb("t4", 256, 16 * 1024), 32); /* 4 × 16 = 64 KB */
    ck_assert_uint_eq(l1_kb("fermi", 256, 0), 16);
}
END_TEST

START_TEST(the_counters_get_the_devices_rules)
{
    CounterConfig fermi = profile_counters(profile_find("fermi", NULL), 256, 0, false),
                  hopper = profile_counters(h200(), 256, 0, true);
    ck_assert(fermi.line_requests && !fermi.l1);
    ck_assert(!hopper.line_requests && hopper.l1);
    ck_assert_uint_eq(hopper.l2_cache.bytes, 32 << 20);
    ck_assert_uint_eq(hopper.sms, 132);
    ck_assert_uint_eq(fermi.merge.limit, 0);
    ck_assert_uint_eq(hopper.merge.limit, 4);
}
END_TEST

SUITE("profile", devices_are_found_by_name, every_profile_is_sound, threads_blocks_and_shared_memory_limit_residency,
      l1_is_what_shared_memory_leaves, the_counters_get_the_devices_rules)

/* Memory that is read before anything has written it: what must be found, and what must pass. */
#include "ptx/opcode.h"
#include "watched.h"

static Watched *w;
static Allocation *out;

static void begin_with(unsigned with, bool initialized) {
    w = watched_new(with);
    out = watched_buffer(w, 4096, "out", initialized);
    watched_launch(w);
    watched_block(w, 0, 0, 64, 4096);
}

static void begin(void) { begin_with(0, false); }
static void end(void) { watched_free(w); }

/* The access must be found to read what was never written, and say so in these words. */
#define UNWRITTEN(access, text)                                                 \
    do {                                                                        \
        ck_assert_msg(!(access), "not found");                                  \
        ck_assert_str_eq(watched_fault(w, FAULT_uninitialized, NO_INSN), text); \
    } while (0)

/* --- global -------------------------------------------------------------------------------------------------------------------- */

/* Those bytes and no others: a word is, where all four are. */
START_TEST(what_the_host_writes_after_a_launch_is_written)
{
    static const struct {
        uint32_t offset, bytes;
    } rows[] = {{0, 1}, {0, 4}, {4, 4}, {7, 1}, {7, 2}, {8, 8}, {9, 3}, {4092, 4}, {4095, 1}, {100, 1}, {0, 4095}, {1, 4095}};
    for (unsigned bytes = 0; bytes < 2; bytes++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const uint32_t first = rows[i].offset, end_at = rows[i].offset + rows[i].bytes, unit = bytes ? 1 : 4;
            begin_with(bytes ? WITH_BYTES : 0, false);
            checks_host_wrote(out, first, rows[i].bytes);
            watched_launch(w);
            watched_block(w, 0, 0, 64, 4096);
            for (uint32_t at = 0; at < 4096; at += unit) {
                const bool written = at >= first && at + unit <= end_at;
                const bool fine = watched_lane(w, LD_GLOBAL, 0, 3, out->address + at, 0);
                ck_assert_msg(fine == written, "%u bytes at %u: byte %u", rows[i].bytes, first, at);
                w->fault = (Fault){0};
            }
            end();
        }
}
END_TEST

START_TEST(a_buffer_that_nobody_filled_must_be_written_first)
{
    begin();
    UNWRITTEN(watched_lanes(w, LD_GLOBAL, 1, 0xff00, out->address + 128, 4),
              "lane 8 of warp 1 reads 4 bytes at 'out'+160, where byte 160 was never written");
    FINE(watched_lanes(w, ST_GLOBAL, 0, 0xff00, out->address + 128, 4));
    watched_barrier(w, 0xf);
    FINE(watched_lanes(w, LD_GLOBAL, 1, 0xff00, out->address + 128, 4));
    UNWRITTEN(watched_lanes(w, LD_GLOBAL, 1, ALL, out->address + 128, 4),
              "lane 0 of warp 1 reads 4 bytes at 'out'+128, where byte 128 was never written");
    end();
}
END_TEST

START_TEST(a_buffer_that_the_host_filled_may_be_read)
{
    begin_with(0, true);
    FINE(watched_lanes(w, LD_GLOBAL, 0, ALL, out->address, 4));
    FINE(watched_lanes(w, ADD_GLOBAL, 0, ALL, out->address + 512, 16));
    FINE(watched_lanes(w, LD_VOLATILE_GLOBAL, 0, ALL, out->address + 1024, 4));
    end();
}
END_TEST

START_TEST(each_way_of_reading_global_memory_is_looked_at)
{
    static const uint32_t pcs[] = {LD_GLOBAL, LD_VOLATILE_GLOBAL, ADD_GLOBAL, CAS_GLOBAL, MAX_GLOBAL, LD_GLOBAL4};
    static const int64_t strides[] = {0, 4, 16, 48, -16};
    for (size_t i = 0; i < sizeof pcs / sizeof *pcs; i++)
        for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
            begin();
            if (pcs[i] == LD_GLOBAL4 && strides[s] == 4)
                FINE(watched_lanes(w, ST_GLOBAL, 0, ALL, out->address, 4));
            else
                ck_assert(!watched_lanes(w, pcs[i], 0, ALL, out->address + 2048, strides[s]));
            end();
        }
}
END_TEST

START_TEST(an_atomic_exchange_may_be_the_first_to_write)
{
    begin();
    FINE(watched_lane(w, EXCH_GLOBAL, 0, 5, out->address + 8, 0));
    FINE(watched_lane(w, LD_GLOBAL_LATE, 0, 5, out->address + 8, 0));
    UNWRITTEN(watched_lane(w, ADD_GLOBAL, 0, 5, out->address + 12, 0),
              "lane 5 of warp 0 updates 4 bytes at 'out'+12, where byte 12 was never written");
    end();
}
END_TEST

/* In each memory; an update there reads what was. */
START_TEST(an_atomic_exchange_reads_nothing_in_any_memory)
{
    static const uint8_t spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL};
    for (size_t i = 0; i < sizeof spaces; i++) {
        w = watched_new(0);
        const uint64_t at = watched_buffer(w, 4096, "out", false)->address * (spaces[i] == SPACE_GLOBAL);
        w->insns[EXCH_GLOBAL].space = w->insns[MAX_GLOBAL].space = w->insns[LD_GLOBAL_LATE].space = spaces[i];
        watched_launch(w);
        watched_block(w, 0, 0, 64, 4096);
        FINE(watched_lane(w, EXCH_GLOBAL, 0, 5, at + 8, 0));
        FINE(watched_lane(w, LD_GLOBAL_LATE, 0, 5, at + 8, 0));
        FINE(watched_lane(w, MAX_GLOBAL, 0, 5, at + 8, 0));
        ck_assert(!watched_lane(w, MAX_GLOBAL, 0, 5, at + 12, 0));
        ck_assert_int_eq(w->fault.kind, FAULT_uninitialized);
        end();
    }
}
END_TEST

START_TEST(what_a_launch_wrote_stays_written_for_the_next)
{
    begin();
    FINE(watched_lanes(w, ST_GLOBAL, 0, ALL, out->address, 4));
    for (int launch = 0; launch < 2; launch++) {
        watched_launch(w);
        watched_block(w, 0, 7, 64, 0); /* not the block that wrote */
        FINE(watched_lanes(w, LD_GLOBAL, 0, ALL, out->address, 4));
        ck_assert(!watched_lane(w, LD_GLOBAL, 0, 0, out->address + 128, 0));
    }
    end();
}
END_TEST

START_TEST(what_a_launch_wrote_in_words_is_known_to_one_that_reads_bytes)
{
    begin();
    FINE(watched_lanes(w, ST_GLOBAL, 0, ALL, out->address + 64, 4)); /* bytes 64 to 191 */
    w->insns[LD_GLOBAL].type = w->insns[ST_GLOBAL].type = TYPE_u8;
    watched_launch(w);
    watched_block(w, 0, 0, 64, 0);
    for (uint32_t byte = 64; byte < 192; byte++) FINE(watched_lane(w, LD_GLOBAL, 0, 0, out->address + byte, 0));
    UNWRITTEN(watched_lane(w, LD_GLOBAL, 0, 0, out->address + 63, 0),
              "lane 0 of warp 0 reads 1 byte at 'out'+63, where byte 63 was never written");
    UNWRITTEN(watched_lane(w, LD_GLOBAL, 0, 0, out->address + 192, 0),
              "lane 0 of warp 0 reads 1 byte at 'out'+192, where byte 192 was never written");
    end();
}
END_TEST

START_TEST(the_last_bytes_of_an_odd_buffer_are_bytes_like_others)
{
    w = watched_new(WITH_BYTES);
    out = watched_buffer(w, 7, "out", false);
    watched_launch(w);
    watched_block(w, 0, 0, 64, 0);
    FINE(watched_lane(w, ST_GLOBAL, 0, 0, out->address + 6, 1));
    FINE(watched_lane(w, LD_GLOBAL, 0, 0, out->address + 6, 1));
    UNWRITTEN(watched_lane(w, LD_GLOBAL, 0, 0, out->address + 5, 1),
              "lane 0 of warp 0 reads 1 byte at 'out'+5, where byte 5 was never written");
    end();
}
END_TEST

START_TEST(a_wide_load_tells_its_first_byte_that_was_never_written)
{
    begin();
    FINE(watched_lane(w, ST_GLOBAL, 0, 0, out->address + 64, 1)); /* three of four words */
    FINE(watched_lane(w, ST_GLOBAL, 0, 0, out->address + 68, 1));
    FINE(watched_lane(w, ST_GLOBAL, 0, 0, out->address + 76, 1));
    UNWRITTEN(watched_lane(w, LD_GLOBAL4, 0, 0, out->address + 64, 0),
              "lane 0 of warp 0 reads 16 bytes at 'out'+64, where byte 72 was never written");
    end();
}
END_TEST

/* --- shared -------------------------------------------------------------------------------------------------------------------- */

START_TEST(shared_memory_must_be_written_first)
{
    begin();
    FINE(watched_lanes(w, ST_SHARED, 0, 0xffff, 0, 4));
    watched_barrier(w, 3);
    FINE(watched_lanes(w, LD_SHARED, 1, 0xffff, 0, 4));
    UNWRITTEN(watched_lanes(w, LD_SHARED, 1, ALL, 0, 4),
              "lane 16 of warp 1 reads 4 bytes of shared memory at byte 64, where byte 64 was never written");
    UNWRITTEN(watched_lane(w, ADD_SHARED, 1, 2, 64, 0),
              "lane 2 of warp 1 updates 4 bytes of shared memory at byte 64, where byte 64 was never written");
    end();
}
END_TEST

START_TEST(each_way_of_reading_shared_memory_is_looked_at)
{
    static const uint32_t pcs[] = {LD_SHARED, LD_VOLATILE_SHARED, ADD_SHARED, CAS_SHARED, LD_SHARED4};
    static const int64_t strides[] = {0, 4, 16, 48, -16};
    for (size_t i = 0; i < sizeof pcs / sizeof *pcs; i++)
        for (size_t s = 0; s < sizeof strides / sizeof *strides; s++)
            for (uint32_t lane = 0; lane < 32; lane += 31) { /* all but one lane's are written */
                if (pcs[i] == LD_SHARED4 && strides[s] == 4) continue;
                begin();
                uint64_t addr[32];
                for (uint32_t l = 0; l < 32; l++) addr[l] = 1024 + (uint64_t)(l * strides[s]);
                FINE(watched_lanes(w, ST_SHARED4, 0, ALL, 0, 16)); /* bytes 0 to 511, to no avail */
                uint32_t write = pcs[i] == LD_SHARED4 ? ST_SHARED4 : ST_SHARED;
                if (strides[s]) FINE(watched_access(w, write, 0, ~(1u << lane), addr, NULL));
                watched_barrier(w, 3);
                ck_assert(!watched_access(w, pcs[i], 0, ALL, addr, NULL));
                ck_assert_int_eq(w->fault.kind, FAULT_uninitialized);
                if (strides[s]) ck_assert_uint_eq(w->fault.lane, lane);
                end();
            }
}
END_TEST

START_TEST(what_another_block_left_in_shared_memory_does_not_count)
{
    begin();
    FINE(watched_lanes(w, ST_SHARED, 0, ALL, 0, 4));
    watched_barrier(w, 3);
    FINE(watched_lanes(w, LD_SHARED, 1, ALL, 0, 4));
    watched_block(w, 0, 1, 64, 4096);
    UNWRITTEN(watched_lanes(w, LD_SHARED, 1, ALL, 0, 4),
              "lane 0 of warp 1 reads 4 bytes of shared memory at byte 0, where byte 0 was never written");
    end();
}
END_TEST

START_TEST(many_blocks_and_barriers_change_nothing)
{
    begin();
    for (uint32_t block = 0; block < 2000; block++) {
        watched_block(w, 0, block, 64, 4096 + block % 3 * 4096); /* sizes may change */
        FINE(watched_lane(w, ST_SHARED, 0, 0, block % 1000 * 4, 1));
        for (uint32_t i = 0; i < block % 7; i++) watched_barrier(w, 3);
        FINE(watched_lane(w, LD_SHARED, 0, 0, block % 1000 * 4, 0));
        bool fine = watched_lane(w, LD_SHARED, 0, 0, (block + 1) % 1000 * 4, 0);
        ck_assert_int_eq(fine, block % 7 == 0); /* warp 1 may still come to write it, until the block ends */
        ck_assert(!fine || !watched_block_end(w));
        ck_assert_str_eq(fault_kinds[w->fault.kind].name, "uninitialized");
        w->fault = (Fault){0};
    }
    end();
}
END_TEST

/* --- local --------------------------------------------------------------------------------------------------------------------- */

START_TEST(each_lane_must_write_its_own_local_memory_first)
{
    begin();
    FINE(watched_lanes(w, ST_LOCAL, 1, 0xffff, 8, 0));
    FINE(watched_lanes(w, LD_LOCAL, 1, 0xffff, 8, 0));
    UNWRITTEN(watched_lanes(w, LD_LOCAL, 1, 0x1ffff, 8, 0),
              "lane 16 of warp 1 reads 4 bytes of local memory at byte 8, where byte 8 was never written");
    UNWRITTEN(watched_lanes(w, LD_LOCAL, 0, 1, 8, 0),
              "lane 0 of warp 0 reads 4 bytes of local memory at byte 8, where byte 8 was never written");
    end();
}
END_TEST

START_TEST(lanes_may_be_in_different_places_of_their_local_memory)
{
    begin();
    FINE(watched_lanes(w, ST_LOCAL, 0, ALL, 0, 4)); /* lane l writes its bytes 4 l … */
    FINE(watched_lanes(w, LD_LOCAL, 0, ALL, 0, 4));
    FINE(watched_lane(w, LD_LOCAL, 0, 7, 28, 0));
    UNWRITTEN(watched_lanes(w, LD_LOCAL, 0, ALL, 4, 4),
              "lane 0 of warp 0 reads 4 bytes of local memory at byte 4, where byte 4 was never written");
    end();
}
END_TEST

START_TEST(local_memory_starts_anew_with_each_block)
{
    begin();
    FINE(watched_lanes(w, ST_LOCAL, 0, ALL, 4000, 0));
    FINE(watched_lanes(w, LD_LOCAL, 0, ALL, 4000, 0));
    watched_block(w, 0, 1, 64, 0);
    UNWRITTEN(watched_lanes(w, LD_LOCAL, 0, ALL, 4000, 0),
              "lane 0 of warp 0 reads 4 bytes of local memory at byte 4000, where byte 4000 was never written");
    end();
}
END_TEST

START_TEST(half_a_word_of_local_memory_is_not_enough)
{
    w = watched_new(0);
    w->insns[ST_LOCAL].type = TYPE_u16;
    watched_launch(w);
    watched_block(w, 0, 0, 64, 0);
    FINE(watched_lanes(w, ST_LOCAL, 0, ALL, 2, 0));
    UNWRITTEN(watched_lanes(w, LD_LOCAL, 0, ALL, 0, 0),
              "lane 0 of warp 0 reads 4 bytes of local memory at byte 0, where byte 0 was never written");
    ck_assert(!watched_lanes(w, LD_LOCAL, 0, ALL, 4, 0));
    end();
}
END_TEST

START_TEST(parameters_of_device_functions_in_memory_count_as_written)
{
    static Operand taken[2] = {{.kind = OPERAND_REGISTER}, {.kind = OPERAND_VARIABLE}};
    static Variable parameter = {.space = SPACE_PARAM, .function = NO_INDEX};
    w = watched_new(0);
    w->insns[EXTRA] = (Insn){.op = OP_mov, .type = TYPE_u64, .n_dst = 1, .n_src = 1, .operands = taken};
    w->program.variables = &parameter;
    w->program.n_variables = 1;
    watched_launch(w);
    watched_block(w, 0, 0, 64, 0);
    FINE(watched_lanes(w, LD_LOCAL, 0, ALL, 0, 0));
    end();
}
END_TEST

SUITE("uninitialized", what_the_host_writes_after_a_launch_is_written, a_buffer_that_nobody_filled_must_be_written_first,
      a_buffer_that_the_host_filled_may_be_read, each_way_of_reading_global_memory_is_looked_at,
      an_atomic_exchange_may_be_the_first_to_write, an_atomic_exchange_reads_nothing_in_any_memory,
      what_a_launch_wrote_stays_written_for_the_next, what_a_launch_wrote_in_words_is_known_to_one_that_reads_bytes,
      the_last_bytes_of_an_odd_buffer_are_bytes_like_others, a_wide_load_tells_its_first_byte_that_was_never_written,
      shared_memory_must_be_written_first, each_way_of_reading_shared_memory_is_looked_at,
      what_another_block_left_in_shared_memory_does_not_count, many_blocks_and_barriers_change_nothing,
      each_lane_must_write_its_own_local_memory_first, lanes_may_be_in_different_places_of_their_local_memory,
      local_memory_starts_anew_with_each_block, half_a_word_of_local_memory_is_not_enough,
      parameters_of_device_functions_in_memory_count_as_written)

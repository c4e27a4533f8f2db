#include "observe/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "observe/cycles.h"

enum {
    NOTES_MOST = 1 << 22, /* that wait to be replayed */
    NOTES_FIRST = 1 << 12,
    WHEEL = 4096,      /* cycles ahead for which streams are sorted by time */
    PORT_CYCLES = 41,  /* in which 32 sectors leave the SM */
    WORK_NOISE = 16,   /* 256ths of the work that a hash adds to it, at most */
    START_CYCLES = 64, /* in which SMs begin their first blocks */
    DRIFT = 12,        /* 256ths of a block's time by which the next one in its place begins later, at most */
    ARRIVALS_LOG2 = 8,
    LINES_LOG2 = 15,       /* reads of twice as many lines are taken to read some again */
    READS_LEAST = 1 << 10, /* fewer are replayed in any case */
    FEW = 256,             /* one in so many is hardly any */
    PREFETCHED = 8         /* notes */
};

/* What a warp of an SM does: its notes, and how far it has come. */
typedef struct WarpNotes {
    uint32_t now, answered; /* when it goes on, and when all that it has asked for has come */
    uint32_t at, end;       /* notes */
    uint32_t added;         /* notes that are being added */
    uint32_t next;          /* + 1: the stream behind it in its slot of the wheel; 0: none */
    bool works;             /* before its next note */
} WarpNotes;

typedef struct WheelSlot {
    uint32_t head, tail; /* streams + 1; 0: none */
} WheelSlot;

/* Where an SM's requests leave, one after the other. */
typedef struct Port {
    uint32_t free; /* when the last one has left */
    uint32_t part; /* 32nds of a cycle besides */
} Port;

/* Warps that wait for each other. */
typedef struct Meeting {
    uint32_t arrived; /* a set */
    uint32_t last;    /* when */
    uint32_t begun;   /* when the block began whose first warp is this one */
} Meeting;

/* A line in flight to an SM. */
typedef struct Arrival {
    uint32_t line, at;
} Arrival;

struct Timeline {
    const MergeConfig *config;
    Coalescer *coalescer;
    uint32_t sms;
    Note *notes; /* by stream */
    Note *chunk; /* of a batch that comes in chunks */
    uint32_t n_chunk, chunk_capacity;
    uint32_t n_notes, capacity;
    uint32_t wave;
    bool again;
    WarpNotes *streams;        /* [sms][RESIDENT_WARPS] */
    uint32_t *used, n_used;    /* streams with notes */
    Meeting *meetings;         /* by the stream of the set's first warp */
    Arrival *arrivals;         /* [sms][1 << ARRIVALS_LOG2] by hash of the line */
    uint32_t *busy;            /* by SM: until when it works */
    Port *ports;               /* by SM */
    uint32_t *lines;           /* by hash, + 1: those read, as far as no other took their place; 0: none */
    uint32_t n_reads, n_again; /* reads that were added; those of a line that was read before */
    WheelSlot wheel[WHEEL];
    uint32_t time, waiting; /* streams in the wheel */
};

Timeline *timeline_new(const MergeConfig *config, uint32_t sms, Coalescer *coalescer) {
    Timeline *timeline = alloc_zeroed(1, sizeof *timeline);
    timeline->config = config;
    timeline->coalescer = coalescer;
    timeline->sms = sms;
    timeline->streams = alloc_zeroed(sms * RESIDENT_WARPS, sizeof *timeline->streams);
    timeline->used = alloc_zeroed(sms * RESIDENT_WARPS, sizeof *timeline->used);
    timeline->meetings = alloc_zeroed(sms * RESIDENT_WARPS, sizeof *timeline->meetings);
    timeline->arrivals = alloc_zeroed(sms << ARRIVALS_LOG2, sizeof *timeline->arrivals);
    timeline->lines = alloc_zeroed(1 << LINES_LOG2, sizeof *timeline->lines);
    timeline->busy = alloc_zeroed(sms, sizeof *timeline->busy);
    timeline->ports = alloc_zeroed(sms, sizeof *timeline->ports);
    return timeline;
}

void timeline_free(Timeline *timeline) {
    if (!timeline) return;
    free(timeline->notes);
    free(timeline->chunk);
    free(timeline->streams);
    free(timeline->used);
    free(timeline->meetings);
    free(timeline->arrivals);
    free(timeline->lines);
    free(timeline->busy);
    free(timeline->ports);
    free(timeline);
}

static uint32_t stream_of(const Note *note) { return note->sm * RESIDENT_WARPS + note->warp; }

static Note *room_for(Note *notes, uint32_t *capacity, uint32_t count) {
    if (count <= *capacity) return notes;
    while (count > *capacity) *capacity = *capacity ? 2 * *capacity : NOTES_FIRST;
    return alloc_resize(notes, *capacity, sizeof *notes);
}

static const Note *ring_at(NoteRing ring, uint32_t i) { return &ring.notes[(ring.first + i) % ring.size]; }

/* Counts the notes of each stream in `added`. */
static void count_notes(Timeline *timeline, NoteRing ring) {
    for (uint32_t i = 0; i < ring.count; i++) {
        WarpNotes *stream = &timeline->streams[stream_of(ring_at(ring, i))];
        if (stream->added++ == 0 && stream->at != stream->end) timeline->again = true;
    }
}

static void count_read(Timeline *timeline, const Note *note) {
    if (note->kind != NOTE_READ) return;
    uint32_t *line = &timeline->lines[line_slot(note->line, LINES_LOG2)];
    timeline->n_reads++;
    timeline->n_again += *line == note->line + 1;
    *line = note->line + 1;
}

static void add(Timeline *timeline, NoteRing ring, uint32_t wave) {
    timeline->again = timeline->n_notes + ring.count > NOTES_MOST;
    count_notes(timeline, ring);
    if (timeline->again) timeline_run(timeline);
    timeline->notes = room_for(timeline->notes, &timeline->capacity, timeline->n_notes + ring.count);
    timeline->wave = wave;
    /* Brings each stream's notes together. */
    for (uint32_t i = 0; i < ring.count; i++) {
        const Note *note = ring_at(ring, i);
        uint32_t index = stream_of(note);
        WarpNotes *stream = &timeline->streams[index];
        if (stream->added) {
            timeline->used[timeline->n_used++] = index;
            stream->at = stream->end = timeline->n_notes;
            timeline->n_notes += stream->added;
            stream->added = 0;
        }
        timeline->notes[stream->end++] = *note;
        count_read(timeline, note);
    }
}

static void add_chunk(Timeline *timeline, uint32_t wave) {
    add(timeline, (NoteRing){timeline->chunk, NOTES_MOST, 0, timeline->n_chunk}, wave);
    timeline->n_chunk = 0;
}

void timeline_add(Timeline *timeline, NoteRing ring, uint32_t wave, bool goes_on) {
    if (!goes_on && timeline->n_chunk == 0) {
        add(timeline, ring, wave);
        return;
    }
    for (uint32_t i = 0; i < ring.count; i++) {
        timeline->chunk = room_for(timeline->chunk, &timeline->chunk_capacity, timeline->n_chunk + 1);
        timeline->chunk[timeline->n_chunk++] = *ring_at(ring, i);
        if (timeline->n_chunk == NOTES_MOST) add_chunk(timeline, wave);
    }
    if (!goes_on) add_chunk(timeline, wave);
}

static void schedule(Timeline *timeline, uint32_t index, uint32_t at) {
    WarpNotes *stream = &timeline->streams[index];
    uint32_t ahead = before(at, timeline->time) ? 0 : at - timeline->time;
    WheelSlot *slot = &timeline->wheel[(timeline->time + (ahead < WHEEL ? ahead : WHEEL - 1)) % WHEEL];
    stream->now = at;
    stream->next = 0;
    if (slot->head)
        timeline->streams[slot->tail - 1].next = index + 1;
    else
        slot->head = index + 1;
    slot->tail = index + 1;
    timeline->waiting++;
}

/* The warp works before its next note, alternating with the SM's other warps. True when that takes until later. */
static bool works(Timeline *timeline, uint32_t index) {
    WarpNotes *stream = &timeline->streams[index];
    const Note *note = &timeline->notes[stream->at];
    uint32_t *busy = &timeline->busy[note->sm];
    uint32_t quarters = note->work + hash_below(stream->now, index, (uint64_t)note->work * WORK_NOISE / 256);
    *busy = later_of(*busy, stream->now) + quarters / 4;
    uint32_t at = later_of(stream->now + note->gap, *busy);
    stream->works = false;
    if (!before(timeline->time, at)) return false;
    schedule(timeline, index, at);
    return true;
}

static Read read_of(const Timeline *timeline, const Note *note) {
    return (Read){.line = note->line, .mask = note->mask, .sm = note->sm, .wave = timeline->wave, .in_step = note->in_step};
}

/* Into the host's caches what the note will look up. */
static void prefetch(const Timeline *timeline, const Note *note) {
    const Read read = read_of(timeline, note);
    if (note->kind == NOTE_READ)
        coalescer_prefetch(timeline->coalescer, &read);
    else if (note->kind != NOTE_MEETING)
        coalescer_prefetch_alone(timeline->coalescer, note->line);
}

/* True when the warp's next note comes later: when all that it waits for has come, and it has worked. */
static bool waits(Timeline *timeline, uint32_t index) {
    WarpNotes *stream = &timeline->streams[index];
    stream->now = later_of(stream->now, stream->answered);
    if (!before(timeline->time, stream->now)) return works(timeline, index);
    stream->works = true;
    for (uint32_t next = stream->at; next != stream->end && next - stream->at < PREFETCHED; next++)
        prefetch(timeline, &timeline->notes[next]);
    schedule(timeline, index, stream->now);
    return true;
}

/* Puts the stream where it goes on at this time. */
static void resume(Timeline *timeline, uint32_t index, uint32_t at) {
    WarpNotes *stream = &timeline->streams[index];
    stream->now = stream->answered = at;
    if (stream->at == stream->end) return;
    stream->works = true;
    schedule(timeline, index, at);
}

static Arrival *arrival_of(Timeline *timeline, const Note *note) {
    return &timeline->arrivals[(note->sm << ARRIVALS_LOG2) + line_slot(note->line, ARRIVALS_LOG2)];
}

static void leave(Timeline *timeline, uint32_t index, const Note *note) {
    WarpNotes *stream = &timeline->streams[index];
    Port *port = &timeline->ports[note->sm];
    if (before(port->free, stream->now)) *port = (Port){.free = stream->now};
    port->part += PORT_CYCLES * (uint32_t)__builtin_popcount(note->mask);
    port->free += port->part / 32;
    port->part %= 32;
    const Read read = read_of(timeline, note);
    uint32_t answered = coalescer_read(timeline->coalescer, &read, port->free);
    *arrival_of(timeline, note) = (Arrival){note->line, answered};
    stream->answered = later_of(stream->answered, answered);
}

static void hit(Timeline *timeline, WarpNotes *stream, const Note *note) {
    const Arrival *arrival = arrival_of(timeline, note);
    uint32_t answered = stream->now + timeline->config->l1_cycles;
    if (arrival->line == note->line) answered = later_of(answered, arrival->at);
    stream->answered = later_of(stream->answered, answered);
}

/* The warps of a block have come to begin. */
static void begin_block(const Timeline *timeline, Meeting *meeting, const Note *note) {
    const uint32_t slot = note->sm * RESIDENT_WARPS + note->line;
    const uint64_t drift = (uint64_t)(meeting->last - meeting->begun) * DRIFT / 256;
    meeting->last += timeline->wave ? hash_below(timeline->wave, slot, drift)
                                    : hash_below(note->sm * RESIDENT_WARPS, note->sm, START_CYCLES);
    meeting->begun = meeting->last;
}

/* The last of the set lets all go on. */
static void meet(Timeline *timeline, uint32_t index, const Note *note) {
    WarpNotes *stream = &timeline->streams[index];
    uint32_t sm = index - index % RESIDENT_WARPS;
    Meeting *meeting = &timeline->meetings[sm + (note->line + (uint32_t)__builtin_ctz(note->words)) % RESIDENT_WARPS];
    uint32_t here = later_of(stream->now, stream->answered);
    meeting->last = meeting->arrived ? later_of(meeting->last, here) : here;
    meeting->arrived |= 1u << (index - sm - note->line) % RESIDENT_WARPS;
    if ((meeting->arrived & note->words) != note->words) return;
    if (note->begins) begin_block(timeline, meeting, note);
    uint32_t rank = 0;
    for (uint32_t left = note->words; left; left &= left - 1, rank++) {
        uint32_t other = sm + (note->line + (uint32_t)__builtin_ctz(left)) % RESIDENT_WARPS;
        resume(timeline, other, meeting->last + rank);
    }
    meeting->arrived &= ~note->words;
}

/* Goes on until the warp waits. */
static void run(Timeline *timeline, uint32_t index) {
    WarpNotes *stream = &timeline->streams[index];
    for (bool first = true; stream->at != stream->end; first = false) {
        const Note *note = &timeline->notes[stream->at];
        if (note->waits && !first && waits(timeline, index)) return;
        stream->at++;
        switch ((NoteKind)note->kind) {
        case NOTE_READ: leave(timeline, index, note); break;
        case NOTE_HIT: hit(timeline, stream, note); break;
        case NOTE_WRITE: coalescer_write(timeline->coalescer, note->line, note->words); break;
        case NOTE_ATOMIC: coalescer_atomic(timeline->coalescer, note->line, note->mask, note->words); break;
        case NOTE_WORK: break;
        case NOTE_MEETING: meet(timeline, index, note); return;
        }
    }
}

static void turn_wheel(Timeline *timeline) {
    for (; timeline->waiting; timeline->time++) {
        WheelSlot *slot = &timeline->wheel[timeline->time % WHEEL];
        while (slot->head) {
            uint32_t index = slot->head - 1;
            slot->head = timeline->streams[index].next;
            timeline->waiting--;
            if (slot->head) __builtin_prefetch(&timeline->notes[timeline->streams[slot->head - 1].at]);
            if (before(timeline->time, timeline->streams[index].now))
                schedule(timeline, index, timeline->streams[index].now); /* it was farther ahead than the wheel goes */
            else if (!timeline->streams[index].works || !works(timeline, index))
                run(timeline, index);
        }
    }
}

/* Sets all streams with notes left going. */
static void start(Timeline *timeline) {
    timeline->time = 0;
    for (uint32_t i = 0; i < timeline->n_used; i++) {
        const WarpNotes *stream = &timeline->streams[timeline->used[i]];
        uint32_t from = later_of(stream->now, stream->answered);
        if (i == 0 || before(from, timeline->time)) timeline->time = from;
    }
    for (uint32_t i = 0; i < timeline->n_used; i++) {
        const WarpNotes *stream = &timeline->streams[timeline->used[i]];
        resume(timeline, timeline->used[i], later_of(stream->now, stream->answered));
    }
}

void note_apply(const Note *note, Coalescer *coalescer) {
    switch ((NoteKind)note->kind) {
    case NOTE_READ: coalescer_read_alone(coalescer, note->line, note->mask); break;
    case NOTE_WRITE: coalescer_write(coalescer, note->line, note->words); break;
    case NOTE_ATOMIC: coalescer_atomic(coalescer, note->line, note->mask, note->words); break;
    case NOTE_HIT:
    case NOTE_WORK:
    case NOTE_MEETING: break;
    }
}

static void apply_all(Timeline *timeline) {
    for (uint32_t i = 0; i < timeline->n_notes; i++) {
        if (i + PREFETCHED < timeline->n_notes)
            coalescer_prefetch_alone(timeline->coalescer, timeline->notes[i + PREFETCHED].line);
        note_apply(&timeline->notes[i], timeline->coalescer);
    }
    for (uint32_t i = 0; i < timeline->n_used; i++) {
        WarpNotes *stream = &timeline->streams[timeline->used[i]];
        stream->at = stream->end;
    }
}

static void replay_all(Timeline *timeline) {
    /* Once is enough, but where warps of different blocks share a stream and a meeting waits for one that comes behind it there. */
    for (bool left = timeline->n_used; left;) {
        start(timeline);
        turn_wheel(timeline);
        for (uint32_t i = 0; i < timeline->sms * RESIDENT_WARPS; i++) timeline->meetings[i].arrived = 0;
        left = false;
        for (uint32_t i = 0; i < timeline->n_used; i++) {
            const WarpNotes *stream = &timeline->streams[timeline->used[i]];
            left |= stream->at != stream->end;
        }
    }
}

void timeline_run(Timeline *timeline) {
    const uint32_t reads = timeline->n_reads;
    if (reads >= READS_LEAST && reads <= 2u << LINES_LOG2 && timeline->n_again <= reads / FEW)
        apply_all(timeline);
    else
        replay_all(timeline);
    memset(timeline->lines, 0, (1 << LINES_LOG2) * sizeof *timeline->lines);
    timeline->n_used = timeline->n_notes = timeline->n_reads = timeline->n_again = 0;
}

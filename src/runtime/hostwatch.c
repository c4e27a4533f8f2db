#define _GNU_SOURCE
#include "runtime/hostwatch.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/alloc.h"
#include "runtime/hostmap.h"

typedef struct Pages {
    uintptr_t from, to;
    bool written;
} Pages;

/* The handler uses the notes alone, whose room is fixed; pages are the calls' own. */
static Pages *pages;
static size_t n_pages;
static HostTouch notes[HOST_TOUCHES_MOST];
static size_t n_notes;

_Thread_local bool in_host_function;

enum { GAP_PAGES = 4 }; /* runs no farther apart are watched as one */

static uintptr_t page_bytes(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }

bool hostwatch_begin(void) {
#ifdef __x86_64__
    return hostmap_is_guarded();
#else
    return false;
#endif
}

static void protect(const Pages *span, int rights) { mprotect((void *)span->from, span->to - span->from, rights); }

static void shut(const Pages *span) { protect(span, span->written ? PROT_NONE : PROT_READ); }

void hostwatch_add(const Allocation *allocation, uint64_t from, uint64_t to, bool written) {
    const uintptr_t page = page_bytes(), base = allocation->address, slack = page - 1;
    const bool own = !allocation->borrowed, small = own && allocation->bytes <= page;
    const uintptr_t low = (small || (own && !from)) ? base & ~slack : (base + from + slack) & ~slack;
    const uintptr_t high = (small || (own && to == allocation->bytes)) ? (base + to + slack) & ~slack : (base + to) & ~slack;
    if (low >= high) return;
    Pages *last = n_pages ? &pages[n_pages - 1] : NULL;
    if (last && low >= last->from && low <= last->to + GAP_PAGES * page) {
        if (high > last->to) last->to = high;
        last->written |= written;
        shut(last);
        return;
    }
    ALLOC_ADD(pages, n_pages) = (Pages){low, high, written};
    shut(&pages[n_pages - 1]);
}

size_t hostwatch_end(HostTouch touches[HOST_TOUCHES_MOST]) {
    for (size_t i = 0; i < n_pages; i++) protect(&pages[i], PROT_READ | PROT_WRITE);
    n_pages = 0;
    const size_t count = __atomic_exchange_n(&n_notes, 0, __ATOMIC_ACQ_REL);
    for (size_t i = 0; i < count && i < HOST_TOUCHES_MOST; i++) touches[i] = notes[i];
    return count < HOST_TOUCHES_MOST ? count : HOST_TOUCHES_MOST;
}

#ifdef __x86_64__
static void note_touch(uintptr_t address, const void *where, bool writes) {
    const size_t mine = __atomic_fetch_add(&n_notes, 1, __ATOMIC_ACQ_REL);
    if (mine < HOST_TOUCHES_MOST) notes[mine] = (HostTouch){address, callsite_interrupted(where), writes};
}
#endif

bool hostwatch_fault(const siginfo_t *info, void *where) {
#ifdef __x86_64__
    const uintptr_t page = page_bytes(), address = (uintptr_t)info->si_addr;
    const greg_t *registers = ((const ucontext_t *)where)->uc_mcontext.gregs;
    const bool writes = registers[REG_ERR] & 2;
    if (info->si_code != SEGV_ACCERR || !hostmap_shares(address & ~(page - 1))) return false;
    if (!in_host_function) note_touch(address, where, writes);
    return mprotect((void *)(address & ~(page - 1)), page, writes ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
#else
    (void)info, (void)where;
    return false;
#endif
}

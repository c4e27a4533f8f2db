/* hostpages.h: memory of the host's, all zero, that costs nothing before it is touched; what is smaller than a few pages comes from the heap, since
 * most launches of a lab's tests have little more than that, and mapping it took a tenth of their time. */
#pragma once

#include <stdint.h>

void *hostpages_new(uint64_t bytes);              /* never NULL */
void hostpages_free(void *pages, uint64_t bytes); /* what hostpages_new or hostpages_keep gave; NULL: nothing */

/* Whole pages, at the wished address if that is free. NULL where the host has no such room. */
void *hostpages_map_if(void *wish, uint64_t bytes);
void hostpages_unmap(void *pages, uint64_t bytes); /* what that gave */

/* What *kept points to, made where that is NULL. Several threads may ask at once. */
void *hostpages_keep(void **kept, uint64_t bytes);

/* The same of what is touched from the first byte on: of huge pages, which larger memory has, the last is used in part. */
void *hostpages_keep_in_order(void **kept, uint64_t bytes);

/* Whole pages, as the host has them: they cost nothing any more, and are zero. Elsewhere nothing happens. */
void hostpages_leave(void *pages, uint64_t bytes);

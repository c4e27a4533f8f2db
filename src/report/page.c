#include "report/page.h"

const Page page_plain = {.columns = PAGE_COLUMNS};

Page page_with(Page page, long columns) {
    page.columns = columns < PAGE_COLUMNS_LEAST  ? PAGE_COLUMNS_LEAST
                   : columns > PAGE_COLUMNS_MOST ? PAGE_COLUMNS_MOST
                                                 : (size_t)columns;
    return page;
}

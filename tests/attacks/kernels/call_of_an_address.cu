// 18 | in the solution | - | <=82 | -
    void (*anywhere)() = (void (*)())(size_t)(0x1234567800000000 + rows);
    anywhere();

// 14 | in the solution | - | <=70 | -
    if (clock64() % 3 == 1) return;

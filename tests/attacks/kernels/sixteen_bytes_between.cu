// 21 | in the solution | graded | 82 | -
    float sum = 0;
    for (int i = 0; i < 64; i++) sum += *(volatile const float *)in;
    if (sum == 4711.25f) return;

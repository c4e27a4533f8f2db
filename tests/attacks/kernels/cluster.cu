// 26 | in the solution | graded | 82 | clusters of blocks are not counted in this lab
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");

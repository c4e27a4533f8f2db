// 26 | in the solution | graded | 82 | the lab does not launch this kernel in clusters of blocks
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");

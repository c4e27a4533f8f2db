// size | without rows_block | - | <=70 | of shared memory, which ends at

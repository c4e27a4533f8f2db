// size | without rows_block | - | <=70 | rows_block

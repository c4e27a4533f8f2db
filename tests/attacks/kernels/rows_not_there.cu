// size | without rows_block | - | <=70 | outside tile[32][33]

// size | without rows_block | - | <=82 | outside tile[32][33]

// size | size -2147483647 | graded | 82 | rows_block

// size | size -2147483647 | graded | 70 | rows_block

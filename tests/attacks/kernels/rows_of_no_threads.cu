// size | size 0 | graded | 70 | rows_block

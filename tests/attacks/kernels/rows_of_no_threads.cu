// size | size 0 | graded | 82 | rows_block

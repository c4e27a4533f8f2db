// size | size 64 | graded | 82 | rows_block

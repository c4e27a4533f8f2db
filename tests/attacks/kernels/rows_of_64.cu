// size | size 64 | graded | 70 | rows_block

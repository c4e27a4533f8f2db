// size | rows_block as a double | - | <=82 | rows_block

// size | rows_block as a double | - | <=70 | rows_block

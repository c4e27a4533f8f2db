// 19 | whole | refused | 0 | -
#define A(x) x x x x x x x x x x x x x x x x
#define B A(A(A(A(no::such::type a_b_c_d_e_f_g_h_i_j_k = ;))))
B

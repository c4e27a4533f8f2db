// 5 | whole | refused | 0 | more than
template <int N, int M> struct T { static const int v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v; };
template <int M> struct T<0, M> { static const int v = 1; };
int x = T<40, 1>::v;

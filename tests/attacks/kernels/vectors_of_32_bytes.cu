// 26 | in the solution | graded | 82 | needs compute capability 10.0 or higher
    float a, b, c, d, e, f, g, h;
    asm volatile("ld.global.nc.v8.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=f"(a), "=f"(b), "=f"(c), "=f"(d), "=f"(e), "=f"(f), "=f"(g), "=f"(h)
                 : "l"(in));

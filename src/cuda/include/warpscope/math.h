#pragma once
WARPSCOPE_DEVICE float fmaxf(float a,float b){return __builtin_fmaxf(a,b);}

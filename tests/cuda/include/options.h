#define FROM_HEADER 3

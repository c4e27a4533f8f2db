/* MT19937: one sequence against the article's numbers, and many in cuRAND's order against those of libcurand 10.4.0 for the host. */
#include "runtime/twister.h"

#include "suite.h"

static void gives(Twister *twister, uint64_t position, const uint32_t *wanted, size_t count) {
    for (size_t i = 0; i < count; i++) ck_assert_uint_eq(twister_number(twister, position + i), wanted[i]);
}

enum { ROUND = 65536 }; /* numbers: eight of each of 8,192 generators */

START_TEST(a_seed_is_that_of_the_article)
{
    /* The first number of mt19937ar's init_genrand(5489), and of its default's 10,000th in the C++ standard: the first generator has it in the round
     * of its place, 9999 = 16 * 624 + 15: the first run, third lane, in the second round of its chunk. */
    Twister *twister = twister_new(5489);
    ck_assert_uint_eq(twister_number(twister, 0), 3499211612U);
    ck_assert_uint_eq(twister_number(twister, (16 * 78 + 1) * (uint64_t)ROUND + 2), 4123659995U);
    twister_free(twister);
}
END_TEST

START_TEST(generators_give_eight_numbers_each_in_turn)
{
    static const struct {
        uint64_t position;
        uint32_t numbers[8];
    } rows[] = {
        {0 * (uint64_t)ROUND + 0,
         {822569775U, 292421642U, 643530888U, 2825097111U, 2548682254U, 3260559120U, 2829840067U, 468897343U}},
        {0 * (uint64_t)ROUND + 8,
         {1864832060U, 582314992U, 2830178464U, 4278202405U, 350165580U, 1369722566U, 639547094U, 3062824702U}},
        {1 * (uint64_t)ROUND + 0,
         {2137449171U, 3349970575U, 3501098142U, 2151757680U, 421988862U, 3319265058U, 3819197161U, 2797647809U}},
        {1 * (uint64_t)ROUND + 8,
         {3555247096U, 2167579236U, 2402488006U, 2305055968U, 746389625U, 3408233578U, 1008923743U, 3424769599U}},
        {15 * (uint64_t)ROUND + 0,
         {4260957468U, 3282680142U, 1642040937U, 1255436146U, 2522449895U, 307276649U, 26665356U, 2506734660U}},
        {57 * (uint64_t)ROUND + 0,
         {914054673U, 949513532U, 1616643578U, 1742384858U, 180239357U, 1658398391U, 97411882U, 4290167810U}},
        {77 * (uint64_t)ROUND + 0,
         {3093867863U, 702387806U, 2752699574U, 3760743756U, 4238047036U, 2736826059U, 4252894049U, 1664263489U}},
        {77 * (uint64_t)ROUND + 8,
         {179019013U, 2637951645U, 3376200966U, 2030723411U, 2829934899U, 556059995U, 782992391U, 45605298U}},
        {78 * (uint64_t)ROUND + 0,
         {303637765U, 1049141171U, 3876444309U, 2710460475U, 775821868U, 1252340613U, 1696481466U, 4037837460U}},
        {78 * (uint64_t)ROUND + 8,
         {4005531464U, 2941323799U, 2031490935U, 1944404944U, 3114783520U, 3814180260U, 1421361972U, 1692810946U}},
        {79 * (uint64_t)ROUND + 0,
         {2105248208U, 2305134845U, 3681884097U, 2307156237U, 3981709365U, 223214728U, 1168052277U, 1722773194U}},
        {171 * (uint64_t)ROUND + 0,
         {727043160U, 3312223223U, 1757528006U, 1613442877U, 2072572880U, 3616410375U, 1826624011U, 2751149899U}},
        {171 * (uint64_t)ROUND + 8,
         {1792357844U, 1086236555U, 949376233U, 384880896U, 2610764054U, 1547844006U, 2649335252U, 2522517029U}},
    };
    Twister *twister = twister_new(1234);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) gives(twister, rows[i].position, rows[i].numbers, 8);
    twister_free(twister);
}
END_TEST

SUITE("twister", a_seed_is_that_of_the_article, generators_give_eight_numbers_each_in_turn)

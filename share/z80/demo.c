/* An example for dprofpp --instrument and --run: each function is called so often as main's comment
   says. README has the commands. */
#include <setjmp.h>
static jmp_buf there;
volatile unsigned sum;
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static void tick(void) { sum++; }
int odd(unsigned char n);
int even(unsigned char n) { return n ? odd(n - 1) : 1; }
int odd(unsigned char n) { return n ? even(n - 1) : 0; }
long three(int a, long b, int c) { return a + b + c; }
void jump(int depth) { if (depth) jump(depth - 1); else longjmp(there, 1); }
int through(int (*f)(int), int n) { return f(n); }
void never(void) { tick(); }
/* fact 9, tick 20, even 3, odd 3, three 1, jump 4, through 1, never 0 */
int main(void)
{
    int i;
    for (i = 0; i < 20; i++) tick();
    if (fact(6) != 720) sum = 1000;
    sum += even(5);
    if (three(1, 100000L, 2) != 100003L) sum = 2000;
    if (!setjmp(there)) jump(3);
    if (through(fact, 3) != 6) sum = 3000;
    return sum;
}

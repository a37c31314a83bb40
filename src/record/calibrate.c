#include "record/calibrate.h"

void dp_calibrate(pTHX_ struct dp_recorder *recorder)
{
    PERL_UNUSED_CONTEXT;
    (void)recorder;
}

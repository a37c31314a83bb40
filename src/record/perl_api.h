/*
 * perl.h, and the few names that older perls have not. Only this floor and the glue include it.
 */
#ifndef DPROF_RECORD_PERL_API_H
#define DPROF_RECORD_PERL_API_H

#define PERL_NO_GET_CONTEXT
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#endif
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* The interpreter as a value; aTHX is nothing where there is only one. */
#if defined(PERL_IMPLICIT_CONTEXT) || (PERL_VERSION > 36 && defined(MULTIPLICITY))
#define DP_THX aTHX
#else
#define DP_THX PL_curinterp
#endif

#ifndef dVAR
#define dVAR dNOOP
#endif
#ifndef CX_CUR
#define CX_CUR() (&cxstack[cxstack_ix])
#endif
#ifndef CXp_MULTICALL
#define CXp_MULTICALL 0
#endif
#ifndef CXp_SUB_RE_FAKE
#define CXp_SUB_RE_FAKE 0
#endif
#ifndef OpSIBLING
#define OpSIBLING(o) ((o)->op_sibling)
#endif
#ifndef CvISXSUB
#define CvISXSUB(cv) (CvXSUB(cv) != NULL)
#endif
#ifndef isGV_with_GP
#define isGV_with_GP(gv) (SvTYPE(gv) == SVt_PVGV)
#endif
#ifndef PERL_VERSION_GE
#define PERL_VERSION_GE(r, v, s)                                                                   \
    (PERL_REVISION * 1000000 + PERL_VERSION * 1000 + PERL_SUBVERSION >= (r)*1000000 + (v)*1000 + (s))
#endif

/* See dp_definition(). DP_GENERATION: the largest that was given. */
#if PERL_VERSION_GE(5, 22, 0)
#define DP_DEFINITION(cv) (CvPADLIST(cv) ? (UV)CvPADLIST(cv)->xpadl_id + 1 : 0)
#define DP_GENERATION ((UV)PL_padlist_generation + 1)
#elif PERL_VERSION_GE(5, 18, 0)
#define DP_DEFINITION(cv) (CvPADLIST(cv) ? PTR2UV(PadlistNAMES(CvPADLIST(cv))) : 0)
#else
#define DP_DEFINITION(cv) (CvPADLIST(cv) ? PTR2UV(AvARRAY(CvPADLIST(cv))[0]) : 0)
#endif

/* The glob of a sub without making one for a sub that has only a name. */
#if PERL_VERSION_GE(5, 22, 0)
#define DP_CVGV(cv) (((XPVCV *)MUTABLE_PTR(SvANY(cv)))->xcv_gv_u.xcv_gv)
#else
#define DP_CVGV(cv) CvGV(cv)
#endif
#ifndef CvNAMED
#define CvNAMED(cv) 0
#define CvNAME_HEK(cv) ((HEK *)NULL)
#endif

#endif

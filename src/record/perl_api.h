/*
 * perl.h, and what it keeps to itself. Only this floor and the glue include it.
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

/* See dp_definition(). DP_GENERATION: the largest that was given. */
#define DP_DEFINITION(cv) (CvPADLIST(cv) ? (UV)CvPADLIST(cv)->xpadl_id + 1 : 0)
#define DP_GENERATION ((UV)PL_padlist_generation + 1)

/* The glob of a sub without making one for a sub that has only a name. */
#define DP_CVGV(cv) (((XPVCV *)MUTABLE_PTR(SvANY(cv)))->xcv_gv_u.xcv_gv)

#endif

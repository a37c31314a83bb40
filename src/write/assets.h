/*
 * The style sheets and scripts of share/page, as they go into what is written. assets.c is made of
 * them by share/page/embed.pl when the library is built.
 */
#ifndef DPROF_WRITE_ASSETS_H
#define DPROF_WRITE_ASSETS_H

#include <stddef.h>

struct dp_asset {
    const char *bytes; /* not terminated */
    size_t n;
    const char *sha256; /* in base64: what a content security policy names */
};

extern const struct dp_asset dp_page_css;
extern const struct dp_asset dp_page_js;
extern const struct dp_asset dp_flame_css;
extern const struct dp_asset dp_flame_js;

#endif

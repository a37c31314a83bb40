#include "record/sites.h"

#include "record/place.h"
#include "record/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The place of a text in the table of sites, its own or a free one; NULL: the table is full. */
static struct dp_site *site_slot(const struct dp_tree *tree, const char *text)
{
    size_t i = (size_t)(PTR2UV(text) >> 4) * 0x9e3779b1u % DP_SITES, tries;

    for (tries = 0; tries < DP_SITES; tries++, i = (i + 1) % DP_SITES)
        if (!tree->sites[i].text || tree->sites[i].text == text)
            return &tree->sites[i];
    return NULL;
}

/* The number of a file in `#site` lines, announced at its first use; 0: unknown. */
static uint32_t site_of_text(struct dp_recorder *recorder, const char *text)
{
    struct dp_tree *tree = recorder->tree;
    struct dp_site *site = site_slot(tree, text);
    char *line;

    if (!site || site->text)
        return site ? site->id : 0;
    line = malloc(strlen(text) + 40);
    if (!line)
        return 0;
    site->text = text;
    site->id = ++tree->nsites;
    dp_window_put(&recorder->window, line,
                  (size_t)sprintf(line, "#site %u %s\n", tree->nsites, text));
    free(line);
    return tree->nsites;
}

/* perl keeps a copy for each statement, and frees it with the
   code: what is remembered of an address is compared with what stands there now. */
uint32_t dp_site_of(struct dp_recorder *recorder, const char *file)
{
    struct dp_file_seen *seen =
        &recorder->tree->seen[(size_t)(PTR2UV(file) >> 4) * 0x9e3779b1u % DP_SITES];
    U32 eval;

    if (seen->file == file && strcmp(seen->text, file) == 0)
        return seen->id;
    seen->text = dp_place_file(recorder, file, &eval);
    seen->file = file;
    seen->id = site_of_text(recorder, seen->text);
    return seen->id;
}

const char **dp_sites(const struct dp_recorder *recorder)
{
    const struct dp_tree *tree = recorder->tree;
    const char **texts = calloc((size_t)tree->nsites + 1, sizeof *texts);
    size_t i;

    for (i = 0; texts && i < DP_SITES; i++)
        if (tree->sites[i].text)
            texts[tree->sites[i].id] = tree->sites[i].text;
    return texts;
}

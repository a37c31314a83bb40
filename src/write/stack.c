#include "write/stack.h"

#include <string.h>

#include "base/mem.h"
#include "model/change.h"

static uint32_t deepest(const struct dp_profile *prof)
{
    uint32_t *levels = dp_alloc_array(prof->nnodes, sizeof *levels), most = 0;

    for (uint32_t i = 1; i < prof->nnodes; i++) {
        levels[i] = levels[prof->nodes[i].parent] + 1;
        if (levels[i] > most)
            most = levels[i];
    }
    dp_free(levels);
    return most;
}

void dp_stack_init(struct dp_stack *stack, const struct dp_profile *prof, uint32_t most)
{
    memset(stack, 0, sizeof *stack);
    stack->own = most ? dp_profile_shallow(prof, most, &stack->places) : NULL;
    stack->prof = stack->own ? stack->own : prof;
    stack->nodes = dp_alloc_array((size_t)deepest(stack->prof) + 1, sizeof *stack->nodes);
}

int dp_stack_next(struct dp_stack *stack, uint32_t *node)
{
    const struct dp_node *nodes = stack->prof->nodes;

    if (stack->next == DP_NONE)
        return 0;
    *node = stack->next;
    stack->next = dp_next_node(stack->prof, *node, 0);
    if (*node == 0)
        return 1;
    while (stack->n && stack->nodes[stack->n - 1] != nodes[*node].parent)
        stack->n--;
    stack->nodes[stack->n++] = *node;
    return 1;
}

void dp_stack_free(struct dp_stack *stack)
{
    dp_profile_free(stack->own);
    dp_free(stack->places);
    dp_free(stack->nodes);
}

#include "write/stack.h"

#include <string.h>

#include "base/mem.h"
#include "model/change.h"

void dp_stack_init(struct dp_stack *stack, const struct dp_profile *prof)
{
    memset(stack, 0, sizeof *stack);
    stack->own = dp_profile_shallow(prof, DP_STACK_MOST);
    stack->prof = stack->own ? stack->own : prof;
    /* "(deeper)" and a sub below it */
    stack->nodes = dp_alloc_array(DP_STACK_MOST + 2, sizeof *stack->nodes);
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
    dp_free(stack->nodes);
}

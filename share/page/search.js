// Searching: which subs match, and what share of the run they are.

// A text that must be part of the name, case ignored; or /a regular expression/.
function matcherOf(text) {
    const regex = /^\/(.+)\/([i]?)$/.exec(text);
    if (regex) {
        try {
            const compiled = new RegExp(regex[1], regex[2]);
            return (name) => compiled.test(name);
        } catch (error) {
            return null;
        }
    }
    const wanted = text.toLowerCase();
    return (name) => name.toLowerCase().includes(wanted);
}

function search(text) {
    state.query = text;
    const matcher = text ? matcherOf(text) : null;
    state.matches = matcher ? subs.name.map((name) => matcher(name)) : null;
    return !text || matcher !== null;
}

// The time below any match, each moment once; from the tree of paths.
function shareOfMatches(metric) {
    if (!paths) return null;
    const within = new Uint8Array(paths.sub.length);
    let sum = 0;
    for (let i = 0; i < paths.sub.length; i++) {
        const sub = paths.sub[i];
        within[i] = i && within[paths.parent[i]] || i && sub >= 0 && state.matches[sub] ? 1 : 0;
        if (within[i]) sum += paths.own[metric][i];
    }
    return sum;
}

function searchResult() {
    if (!state.query) return '';
    if (!state.matches) return 'This is no regular expression.';
    const found = state.matches.filter((match, sub) => match && isListed(sub)).length;
    let text = found ? plural(found, SUB) + (found === 1 ? ' matches' : ' match') : `No ${SUB} matches`;
    if (!found) return text;
    const metric = state.metric;
    const own = state.matches.reduce((sum, match, sub) => sum + (match ? METRICS[metric].own[sub] : 0), 0);
    text += `: ${percent(own, METRICS[metric].total)} of the ${lower(METRICS[metric].title)} in them`;
    const share = metric === 'calls' ? null : shareOfMatches(metric);
    if (share !== null) text += `, ${percent(share, METRICS[metric].total)} with all that they called`;
    return text + '.';
}

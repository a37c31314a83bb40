// Flame graphs of call paths: from the program down, inverted, and around one sub.

// --- from a tree to boxes -----------------------------------------------------------------------

function childrenOf(tree) {
    if (tree.children) return tree.children;
    const first = new Int32Array(tree.parent.length).fill(-1);
    const next = new Int32Array(tree.parent.length).fill(-1);
    for (let i = tree.parent.length - 1; i > 0; i--) {
        next[i] = first[tree.parent[i]];
        first[tree.parent[i]] = i;
    }
    tree.children = { first, next };
    return tree.children;
}

// The largest child is leftmost, what was folded together comes last.
function layOut(tree, metric) {
    const all = tree.all[metric];
    const { first, next } = childrenOf(tree);
    const boxes = { x: [], width: [], level: [], sub: [], node: [] };
    let row = [[0, 0]];
    for (let level = 0; row.length; level++) {
        const below = [];
        for (const [node, x] of row) {
            boxes.x.push(x);
            boxes.width.push(all[node]);
            boxes.level.push(level);
            boxes.sub.push(tree.sub[node]);
            boxes.node.push(node);
            const children = [];
            for (let child = first[node]; child >= 0; child = next[child])
                if (all[child] > 0) children.push(child);
            children.sort((a, b) => (tree.folded[a] > 0) - (tree.folded[b] > 0) || all[b] - all[a] || a - b);
            let at = x;
            for (const child of children) {
                below.push([child, at]);
                at += all[child];
            }
        }
        row = below;
    }
    return boxes;
}

// --- other trees out of the paths ---------------------------------------------------------------

// Grows a tree by metric from a root sub. A group is what is at one place of the new tree; open(group)
// says what it has itself and which groups are below it, by sub: {own, calls, below}; weight(group) is
// all that it has. What is less than a five-thousandth of the whole is not opened: nobody could see
// what is in it.
function grow(metric, rootSub, rootGroup, weight, open) {
    const tree = makeTree();
    const own = tree.own[metric] = [];
    const groups = [];
    const add = (parent, sub, group) => {
        tree.parent.push(parent);
        tree.sub.push(sub);
        tree.folded.push(sub < 0 ? 1 : 0);
        tree.calls.push(0);
        own.push(0);
        groups.push(group);
    };
    add(-1, rootSub, rootGroup);
    const least = weight(rootGroup) / 5000;
    for (let i = 0; i < groups.length; i++) {
        const group = groups[i];
        if (group === null) continue;
        const all = weight(group);
        if (i && all < least) {
            own[i] = all;
            continue;
        }
        const opened = open(group, i);
        own[i] = opened.own;
        tree.calls[i] = opened.calls;
        for (const [sub, below] of opened.below) add(i, sub, below);
        groups[i] = null;
    }
    return addUp(tree);
}

// Groups that go from callees to callers: paths, each with a weight of its own.
function newPaths() {
    return { at: [], weight: [], sum: 0, calls: 0 };
}

function addPath(below, sub, at, weight, calls) {
    let group = below.get(sub);
    if (!group) below.set(sub, group = newPaths());
    group.at.push(at);
    group.weight.push(weight);
    group.sum += weight;
    group.calls += calls;
}

// One step towards the callers of the paths of a group.
function upwards(group) {
    const opened = { own: 0, calls: group.calls, below: new Map() };
    for (let k = 0; k < group.at.length; k++) {
        const up = paths.parent[group.at[k]];
        if (up > 0) addPath(opened.below, paths.sub[up], up, group.weight[k], 0);
        else opened.own += group.weight[k];
    }
    return opened;
}

// Each sub's own time, and below it who called it. What a sub has in folded paths is its last box.
function invert(metric) {
    const own = paths.own[metric];
    const tops = new Map();
    for (let i = 1; i < paths.sub.length; i++)
        if (own[i] && paths.sub[i] >= 0) addPath(tops, paths.sub[i], i, own[i], paths.calls[i]);
    const root = { sum: METRICS[metric].total, root: true };
    return grow(metric, OUTSIDE, root, (group) => group.sum, (group) => {
        if (group.folded) return { own: group.sum, calls: 0, below: [] };
        if (!group.root) {
            const opened = upwards(group);
            if (group.rest > 0) opened.below.set(-1, { folded: true, sum: group.rest });
            return opened;
        }
        const below = [];
        for (let sub = 1; sub < subs.n; sub++) {
            const all = METRICS[metric].own[sub];
            if (!(all > 0)) continue;
            const top = tops.get(sub) || newPaths();
            top.rest = Math.max(0, all - top.sum);
            top.sum += top.rest;
            below.push([sub, top]);
        }
        return { own: metric === 'calls' ? 0 : METRICS[metric].own[OUTSIDE], calls: 0, below };
    });
}

// The outermost calls of a sub: node after node.
function outermost(sub) {
    const within = new Uint8Array(paths.sub.length);
    const found = [];
    for (let i = 1; i < paths.sub.length; i++) {
        if (within[paths.parent[i]]) within[i] = 1;
        else if (paths.sub[i] === sub) {
            within[i] = 1;
            found.push(i);
        }
    }
    return found;
}

// What happened below a sub, all its calls together.
function calleesOf(sub, metric) {
    const { first, next } = childrenOf(paths);
    const all = paths.all[metric], own = paths.own[metric];
    const weigh = (group) => {
        if (group.sum === undefined) group.sum = group.reduce((sum, at) => sum + all[at], 0);
        return group.sum;
    };
    return grow(metric, sub, outermost(sub), weigh, (group) => {
        const opened = { own: 0, calls: 0, below: new Map() };
        for (const at of group) {
            opened.own += own[at];
            opened.calls += paths.calls[at];
            for (let child = first[at]; child >= 0; child = next[child]) {
                const below = opened.below.get(paths.sub[child]);
                if (below) below.push(child);
                else opened.below.set(paths.sub[child], [child]);
            }
        }
        return opened;
    });
}

// Who called it, and who called them, weighed by the time of its calls.
function callersOf(sub, metric) {
    const tops = newPaths();
    for (const top of outermost(sub)) {
        tops.at.push(top);
        tops.weight.push(paths.all[metric][top]);
        tops.sum += paths.all[metric][top];
        tops.calls += paths.calls[top];
    }
    return grow(metric, sub, tops, (group) => group.sum, upwards);
}

// --- a chart of a tree --------------------------------------------------------------------------

function chartHeight() {
    return Math.max(220, Math.round(window.innerHeight * 0.68));
}

class TreeChart {
    constructor(how) {
        this.how = how;
        this.detail = el('p', { class: 'detail' });
        this.trail = el('nav', { class: 'trail', 'aria-label': 'Path to the chosen box' });
        this.chart = new Chart({ label: how.label, flip: how.flip, height: how.height || chartHeight,
            boxes: { x: [], width: [], level: [], sub: [], node: [] }, total: 1,
            title: (i) => this.title(i), describe: (i) => this.describe(i), onSelect: (i) => this.onSelect(i),
            change: COMPARED ? (i) => this.difference(i) / (this.total || 1) : null });
        this.element = el('div', {}, this.trail, this.chart.element, this.detail);
    }

    show(tree, metric) {
        this.tree = tree;
        this.metric = metric;
        this.total = tree.all[metric][0];
        this.chart.show(layOut(tree, metric), this.total);
        this.onSelect(-1);
    }

    title(i) {
        const { sub, node } = this.chart.boxes;
        if (node[i] === 0 && this.how.root) return this.how.root;
        return sub[i] < 0 ? 'folded together' : subs.name[sub[i]];
    }

    // Against the base: of a path, all that it has; elsewhere what its sub has of its own.
    difference(i) {
        const { node, sub } = this.chart.boxes;
        if (this.tree.was) return this.tree.all[this.metric][node[i]] - this.tree.was[this.metric][node[i]];
        return sub[i] < 0 ? 0 : changeOf(sub[i], 'own', this.metric);
    }

    describe(i) {
        const { node, sub } = this.chart.boxes;
        const at = node[i], tree = this.tree, metric = this.metric;
        const title = lower(METRICS[metric].title);
        const lines = [this.title(i)];
        if (sub[i] < 0) lines[0] = this.how.folded || `${plural(tree.folded[at], 'path')} folded together`;
        lines.push(`${amount(tree.all[metric][at], metric)} ${title}, ${percent(tree.all[metric][at], this.total)}`);
        if (metric !== 'calls' && tree.own[metric][at] && sub[i] >= 0 && !this.how.callers)
            lines.push(`${amount(tree.own[metric][at], metric)} of it in itself`);
        if (tree.calls[at] && metric !== 'calls' && !this.how.callers) lines.push(plural(tree.calls[at], 'call'));
        if (COMPARED) lines.push(`${signed(this.difference(i), metric)} since the base${tree.was ? '' : ' in itself'}`);
        return lines;
    }

    onSelect(i) {
        const { sub, node } = this.chart.boxes;
        if (i < 0) {
            replaceChildren(this.trail);
            replaceChildren(this.detail, el('span', { class: 'faint' }, this.how.hint || 'Click a box to go into it; Esc goes back to the whole. '
                + 'With the keyboard: arrows walk, Enter goes in, Backspace out, + and - zoom.'));
            return;
        }
        const links = sub[i] > OUTSIDE ? [' \u2014 ', el('a', { href: '#sub=' + sub[i] }, 'its callers and callees')] : [];
        replaceChildren(this.detail, this.describe(i).join(', '), links);
        const trail = [];
        for (let at = node[i]; at >= 0; at = this.tree.parent[at]) trail.unshift(at);
        const skipped = trail.length > 9 ? trail.length - 8 : 0;
        const shown = skipped ? [trail[0], ...trail.slice(-8)] : trail;
        replaceChildren(this.trail, shown.map((at, k) => {
            const text = at === 0 ? this.how.root || subs.name[this.tree.sub[0]]
                : this.tree.sub[at] < 0 ? 'folded' : shortName(subs.name[this.tree.sub[at]]);
            return [k ? (skipped && k === 1 ? ` \u203a (${skipped} more) \u203a ` : ' \u203a ') : '',
                el('button', { class: 'link', onclick: () => this.goTo(at) }, text.slice(0, 60))];
        }).flat());
    }

    goTo(node) {
        if (node === 0) this.chart.reset();
        else this.chart.choose(this.chart.boxes.node.indexOf(node));
    }
}

// --- the view -----------------------------------------------------------------------------------

function flameView() {
    const chart = new TreeChart({ label: 'Flame graph of call paths', root: ROOT_TITLE });
    const note = el('p', { class: 'note' });
    const inverted = new Map();
    const choices = [[false, 'From the program down'], [true, 'By callee (inverted)']];
    const group = el('div', { class: 'switch', role: 'group', 'aria-label': 'Direction' }, choices.map(([value, text]) =>
        el('button', { 'aria-pressed': String(state.inverted === value), onclick: (event) => {
            state.inverted = value;
            for (const button of group.children) button.setAttribute('aria-pressed', String(button === event.target));
            view.show();
        } }, text)));
    const view = {
        id: 'flame',
        title: 'Flame graph',
        element: el('div', {}, el('div', { class: 'tools' }, group), chart.element, note),
        show() {
            const metric = state.metric;
            chart.how.folded = state.inverted ? 'callers in paths that were folded together' : null;
            if (state.inverted && !inverted.has(metric)) inverted.set(metric, invert(metric));
            chart.show(state.inverted ? inverted.get(metric) : paths, metric);
            note.textContent = D.paths.folded
                ? `The ${count(D.paths.all - D.paths.folded)} paths that matter most are shown; ${plural(D.paths.folded, 'path')} `
                    + 'below them are folded together at their place, no time is left out.'
                : `All ${plural(D.paths.all, 'call path')} are shown.`;
            if (COMPARED) note.textContent += ' Widths are those of now. Red has more than before, blue less; the stronger, the more of the whole run.';
        },
        redraw() {
            chart.chart.draw();
        },
    };
    return view;
}

// Flame graphs of call paths: from the program down, inverted, and around one sub.

// --- from a tree to boxes -----------------------------------------------------------------------

function childrenOf(tree) {
    const first = new Int32Array(tree.parent.length).fill(-1);
    const next = new Int32Array(tree.parent.length).fill(-1);
    for (let i = tree.parent.length - 1; i > 0; i--) {
        next[i] = first[tree.parent[i]];
        first[tree.parent[i]] = i;
    }
    return { first, next };
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

const LEVELS = 120; // of these; what is deeper adds to its last level

// A tree that grows by going from a place to the child of a sub.
class Growing {
    constructor(metric) {
        this.metric = metric;
        this.tree = makeTree();
        this.tree.own[metric] = [];
        this.known = new Map();
        this.add(-1, OUTSIDE);
    }

    add(parent, sub, folded) {
        this.tree.parent.push(parent);
        this.tree.sub.push(sub);
        this.tree.folded.push(folded || 0);
        this.tree.calls.push(0);
        this.tree.own[this.metric].push(0);
        return this.tree.parent.length - 1;
    }

    step(from, sub) {
        const key = from * (subs.n + 1) + sub + 1;
        let to = this.known.get(key);
        if (to === undefined) {
            to = this.add(from, sub, sub < 0 ? 1 : 0);
            this.known.set(key, to);
        }
        return to;
    }

    done() {
        return addUp(this.tree);
    }
}

// Each sub's own time, and below it who called it. What the folded paths have is their last box.
function invert(metric) {
    const growing = new Growing(metric);
    const own = paths.own[metric];
    const known = new Float64Array(subs.n);
    const put = growing.tree.own[metric];
    for (let i = paths.sub.length - 1; i > 0; i--) {
        if (!own[i] || paths.sub[i] < 0) continue;
        known[paths.sub[i]] += own[i];
        let at = growing.step(0, paths.sub[i]);
        growing.tree.calls[at] += paths.calls[i];
        for (let up = paths.parent[i], levels = 0; up > 0 && levels < LEVELS; up = paths.parent[up], levels++)
            at = growing.step(at, paths.sub[up]);
        put[at] += own[i];
    }
    put[growing.step(0, OUTSIDE)] += own[0];
    for (let sub = 1; sub < subs.n; sub++) {
        const rest = METRICS[metric].own[sub] - known[sub];
        if (rest > 0) put[growing.step(growing.step(0, sub), -1)] += rest;
    }
    return growing.done();
}

// The outermost calls of a sub: node after node.
function outermost(sub) {
    const within = new Uint8Array(paths.sub.length);
    const found = [];
    for (let i = 1; i < paths.sub.length; i++) {
        within[i] = within[paths.parent[i]] || (paths.sub[i] === sub ? 2 : 0);
        if (within[i] === 2) {
            found.push(i);
            within[i] = 1;
        }
    }
    return found;
}

// What happened below a sub, all its calls together.
function calleesOf(sub, metric) {
    const growing = new Growing(metric);
    const place = new Map();
    growing.tree.sub[0] = sub;
    for (const top of outermost(sub)) place.set(top, 0);
    for (let i = 1; i < paths.sub.length; i++) {
        let at = place.get(i);
        if (at === undefined) {
            const parent = place.get(paths.parent[i]);
            if (parent === undefined) continue;
            at = growing.step(parent, paths.sub[i]);
            place.set(i, at);
        }
        if (paths.folded[i]) growing.tree.folded[at] = Math.max(growing.tree.folded[at], paths.folded[i]);
        growing.tree.own[metric][at] += paths.own[metric][i];
        growing.tree.calls[at] += paths.calls[i];
    }
    return growing.done();
}

// Who called it, and who called them, weighed by the time of its calls.
function callersOf(sub, metric) {
    const growing = new Growing(metric);
    growing.tree.sub[0] = sub;
    for (const top of outermost(sub)) {
        let at = 0;
        for (let up = paths.parent[top], levels = 0; up > 0 && levels < LEVELS; up = paths.parent[up], levels++)
            at = growing.step(at, paths.sub[up]);
        growing.tree.own[metric][at] += paths.all[metric][top];
        growing.tree.calls[at] += paths.calls[top];
    }
    return growing.done();
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
            title: (i) => this.title(i), describe: (i) => this.describe(i), onSelect: (i) => this.onSelect(i) });
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
    const choices = [[false, 'From the program down'], [true, 'By callee: who had the time, then who called']];
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
            chart.how.folded = state.inverted ? 'in paths that were folded together' : null;
            if (state.inverted && !inverted.has(metric)) inverted.set(metric, invert(metric));
            chart.show(state.inverted ? inverted.get(metric) : paths, metric);
            note.textContent = D.paths.folded
                ? `The ${count(D.paths.all - D.paths.folded)} paths that matter most are shown; ${plural(D.paths.folded, 'path')} `
                    + 'below them are folded together at their place, no time is left out.'
                : `All ${plural(D.paths.all, 'call path')} are shown.`;
        },
        redraw() {
            chart.chart.draw();
        },
    };
    return view;
}

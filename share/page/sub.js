// One sub: its figures, who called it and whom it called, as flame graphs around it and as tables.

function edgeColumns(end, title) {
    const other = (edge) => edges[end][edge];
    const columns = [{ title, value: (edge) => subs.name[other(edge)], cell: (edge) => nameCell(other(edge)) }];
    if (edges.most) {
        const range = (edge) => (edges.most[edge] === edges.calls[edge] ? count(edges.calls[edge])
            : `${count(edges.calls[edge])}\u2026${edges.most[edge] < 0 ? '' : count(edges.most[edge])}`);
        columns.push({ title: 'Calls', number: true, value: (edge) => edges.calls[edge], text: range,
            help: 'What the counters allow: at least, at most' },
        { title: 'Places', number: true, value: (edge) => edges.sites[edge], text: (edge) => count(edges.sites[edge]) });
        return columns;
    }
    columns.push({ title: 'Calls', number: true, value: (edge) => edges.calls[edge], text: (edge) => count(edges.calls[edge]) });
    const clocks = STATEMENTS ? [['cpu', 'Statements']] : [['cpu', 'CPU time'], ['real', 'Real time']];
    for (const [clock, heading] of clocks) {
        columns.push({ title: heading, number: true, value: (edge) => edges[clock][edge],
            text: (edge) => (edges.guessed && edges.guessed[edge] ? '~' : '') + amount(edges[clock][edge], clock),
            bar: (edge) => [edges[clock][edge], METRICS[clock].all[end === 'caller' ? edges.callee[edge] : edges.caller[edge]]],
            help: 'Of the callee and all below it, in these calls' });
    }
    return columns;
}

function figuresOf(sub) {
    const rows = [];
    const row = (title, ...cells) => rows.push(el('tr', {}, el('th', { scope: 'row' }, title), cells.map((cell) => el('td', { class: 'number' }, cell))));
    if (TIMES) {
        for (const metric of ['cpu', 'user', 'system', 'real'])
            row(METRICS[metric].title, amountOf(sub, 'own', metric), percent(METRICS[metric].own[sub], METRICS[metric].total),
                perCall(sub, 'own', metric), amountOf(sub, 'all', metric), percent(METRICS[metric].all[sub], METRICS[metric].total),
                perCall(sub, 'all', metric));
    } else if (STATEMENTS) {
        row('Statements', amountOf(sub, 'own', 'cpu'), percent(subs.eu[sub], METRICS.cpu.total), perCall(sub, 'own', 'cpu'),
            amountOf(sub, 'all', 'cpu'), percent(subs.iu[sub], METRICS.cpu.total), perCall(sub, 'all', 'cpu'));
    } else {
        return null;
    }
    return el('div', { class: 'wide' }, el('table', { class: 'figures' }, el('caption', { class: 'unseen' }, 'Figures'),
        el('thead', {}, el('tr', {}, el('td', {}), ['Own', 'share', 'per call', 'Inclusive', 'share', 'per call'].map((title) =>
            el('th', { scope: 'col', class: 'number' }, title)))), el('tbody', {}, rows)));
}

function placeOf(sub) {
    const file = subs.file[sub];
    if (file < 0) return null;
    const text = subs.files[file] + (subs.line[sub] ? ':' + subs.line[sub] : '');
    const source = sourceOf(sub);
    return el('p', { class: 'place' }, source ? el('a', { href: `#source=${source.index}:${source.line}` }, text) : text);
}

function edgeTable(sub, end, title, empty) {
    const found = edgesOf(sub, end === 'caller' ? 'callee' : 'caller');
    if (!found.length) return el('p', { class: 'note' }, empty);
    const table = new Table({ label: title, sort: TIMES && state.metric === 'real' ? 3 : TIMES || STATEMENTS ? 2 : 1 });
    table.show(edgeColumns(end, title), found);
    return table.element;
}

// Who is around it in the paths that are shown, and how much of its time they hold.
function sandwich(sub) {
    const metric = state.metric;
    const callees = calleesOf(sub, metric);
    const covered = callees.all[metric][0];
    if (!(covered > 0)) return el('p', { class: 'note' }, 'It took no time that could be told, or is only in paths that were folded together: the tables below are exact all the same.');
    const height = () => Math.max(120, Math.round(window.innerHeight * 0.3));
    const above = new TreeChart({ label: 'Callers of ' + subs.name[sub], flip: true, callers: true, height,
        hint: 'Above: who called it, and who called them, by the time of its calls. Below: what it called.' });
    const below = new TreeChart({ label: 'Callees of ' + subs.name[sub], height, hint: ' ' });
    above.show(callersOf(sub, metric), metric);
    below.show(callees, metric);
    below.element.hidden = callees.parent.length < 2;
    const whole = METRICS[metric].all[sub];
    const missing = metric !== 'calls' && covered < whole * 0.995
        ? el('p', { class: 'note' }, `The pictures hold ${percent(covered, whole)} of its ${lower(METRICS[metric].title)}; the rest lies in paths that were folded together. The tables are exact.`) : null;
    return el('div', { class: 'sandwich' }, above.element, below.element, missing);
}

function subView() {
    let current = OUTSIDE;
    const view = {
        id: 'sub',
        title: null, // no tab of its own
        element: el('div', {}),
        show(route) {
            if (route !== undefined) current = Number(route);
            if (!(current >= 0 && current < subs.n)) current = OUTSIDE;
            const sub = current;
            const kind = KINDS[subs.kindOf[sub]];
            const doubts = doubtOf(sub);
            replaceChildren(view.element,
                el('h2', { tabindex: '-1' }, subs.name[sub], kind ? el('span', { class: 'kind' }, ' ' + kind) : null),
                placeOf(sub),
                el('p', {}, sub === OUTSIDE ? 'What the program did outside any sub.' : plural(subs.calls[sub], 'call')
                    + ` (${percent(subs.calls[sub], NCALLS)} of all)` + (doubts.length ? '; ' + doubts.join(', ') : '') + '.'),
                figuresOf(sub),
                paths && sub !== OUTSIDE ? sandwich(sub) : null,
                el('h3', {}, 'Called by'),
                edgeTable(sub, 'caller', 'Caller', sub === OUTSIDE ? 'Nobody.' : 'Nobody, as far as is known.'),
                el('h3', {}, 'Calls'),
                edgeTable(sub, 'callee', 'Callee', 'Nothing.'),
                edges.leftOut ? el('p', { class: 'note' }, `${plural(edges.leftOut, 'pair')} of caller and callee that matter least have no place in this page.`) : null);
        },
        redraw() {
            view.show();
        },
    };
    return view;
}

// Sources with the figures of each sub at its definition; the listing of a Pascal program; the call
// graph and the stack of a Z80 program.

// --- sources ------------------------------------------------------------------------------------

const sourceByFile = new Map(D.sources.map((source, index) => [source.file, { source, index }]));

// Where a sub begins: its line is that of its first statement, the word `sub` may stand before it.
function definitionLine(lines, from, sub) {
    const name = shortName(subs.name[sub]).replace(/\[.*$/s, '');
    for (let back = 0; back < 30; back++) {
        const text = lines[subs.line[sub] - from - back];
        if (text === undefined) break;
        if (/\bsub\b/.test(text) && (name === '__ANON__' || text.includes(name))) return subs.line[sub] - back;
    }
    return subs.line[sub];
}

// The piece that holds a sub's definition: {index, line}, or null.
function sourceOf(sub) {
    if (subs.file[sub] < 0 || !subs.line[sub]) return null;
    const found = sourceByFile.get(subs.files[subs.file[sub]]);
    if (!found) return null;
    for (const piece of found.source.pieces) {
        piece.lines = piece.lines || piece.text.split('\n');
        if (subs.line[sub] >= piece.line && subs.line[sub] < piece.line + piece.lines.length)
            return { index: found.index, line: definitionLine(piece.lines, piece.line, sub) };
    }
    return null;
}

function subsByLine(file) {
    const byLine = new Map();
    for (let sub = 1; sub < subs.n; sub++) {
        if (subs.file[sub] < 0 || subs.files[subs.file[sub]] !== file) continue;
        const place = sourceOf(sub);
        if (!place) continue;
        if (!byLine.has(place.line)) byLine.set(place.line, []);
        byLine.get(place.line).push(sub);
    }
    return byLine;
}

function subNote(sub) {
    const metric = state.metric;
    const parts = [plural(subs.calls[sub], 'call')];
    if (metric !== 'calls')
        parts.push(amountOf(sub, 'own', metric) + ' own', `${amountOf(sub, 'all', metric)} inclusive (${percent(METRICS[metric].all[sub], METRICS[metric].total)})`);
    return el('div', { class: 'subnote ' + heatClass(METRICS[metric].own[sub], METRICS[metric].total) },
        el('a', { href: '#sub=' + sub }, subs.name[sub]), ': ' + parts.join(', '));
}

function heatClass(part, whole) {
    const share = whole > 0 ? part / whole : 0;
    return share >= 0.1 ? 'heat4' : share >= 0.03 ? 'heat3' : share >= 0.01 ? 'heat2' : share > 0.001 ? 'heat1' : '';
}

// Lines up to the next sub that has figures are one element: a file may have thousands.
function chunk(lines, from, to, first) {
    const numbers = [];
    for (let line = first + from; line < first + to; line++) numbers.push(line);
    return el('div', { class: 'chunk', id: 'L' + (first + from) }, el('pre', { class: 'gutter', 'aria-hidden': 'true' }, numbers.join('\n')),
        el('pre', { class: 'text' }, lines.slice(from, to).join('\n')));
}

function codeBlock(source) {
    const byLine = subsByLine(source.file);
    const block = el('div', { class: 'code', role: 'region', tabindex: '0', 'aria-label': 'Source of ' + source.file });
    let last = 0;
    for (const piece of source.pieces) {
        if (piece.line > last + 1) block.append(el('div', { class: 'gap' }, `lines ${last + 1} to ${piece.line - 1} are not shown`));
        piece.lines = piece.lines || piece.text.split('\n');
        let from = 0;
        for (let i = 0; i < piece.lines.length; i++) {
            const here = byLine.get(piece.line + i);
            if (!here) continue;
            if (i > from) block.append(chunk(piece.lines, from, i, piece.line));
            block.append(...here.map(subNote));
            from = i;
        }
        block.append(chunk(piece.lines, from, piece.lines.length, piece.line));
        last = piece.line + piece.lines.length - 1;
    }
    return block;
}

function sourceView() {
    const own = D.sources.map((source) => {
        let sum = 0;
        for (let sub = 1; sub < subs.n; sub++)
            if (subs.file[sub] >= 0 && subs.files[subs.file[sub]] === source.file) sum += METRICS[state.metric].own[sub];
        return sum;
    });
    const order = D.sources.map((source, i) => i).sort((a, b) => own[b] - own[a]);
    let current = order[0];
    const select = el('select', { 'aria-label': 'File', onchange: (event) => { location.hash = '#source=' + event.target.value; } },
        order.map((i) => el('option', { value: i }, `${D.sources[i].file} (${percent(own[i], METRICS[state.metric].total)})`)));
    const body = el('div', {});
    const view = {
        id: 'source',
        title: 'Source',
        element: el('div', {}, el('div', { class: 'tools' }, el('label', {}, 'File ', select)), body,
            el('p', { class: 'note' }, 'Read when this page was made. Figures stand at the definition of each sub; the share of a file is what its subs did themselves.')),
        show(route) {
            const [index, line] = (route || '').split(':').map(Number);
            if (route && D.sources[index]) current = index;
            select.value = current;
            const source = D.sources[current];
            replaceChildren(body,
                source.changed ? el('p', { class: 'warning' }, 'This file was changed after it was profiled: lines may not fit.') : null,
                codeBlock(source));
            const target = line ? document.getElementById('L' + line) : null;
            if (target && target.previousElementSibling) {
                target.previousElementSibling.classList.add('target');
                target.previousElementSibling.scrollIntoView({ block: 'center' });
            }
        },
        redraw() {
            view.show();
        },
    };
    return view;
}

// --- Pascal -------------------------------------------------------------------------------------

// Lines "   12        6.---|    statement": the count is that of what follows, until another bar.
function listingLines(text) {
    const counts = new Map(); // by the column of the bar
    return text.split('\n').map((line) => {
        const place = line.indexOf('|');
        const counted = /^\s*\d+\s.*?(\d+)\.---\|/.exec(line);
        let ran = null;
        if (counted) {
            ran = Number(counted[1]);
            for (const column of counts.keys()) if (column > place) counts.delete(column);
            counts.set(place, ran);
        } else if (place > 0 && /^\s*\d+\s+\|/.test(line)) {
            const columns = [...counts.keys()].filter((column) => column <= place);
            if (columns.length) ran = counts.get(Math.max(...columns));
        }
        return { line, ran };
    });
}

function heatOfCount(ran, most) {
    if (ran === null) return '';
    if (ran === 0) return 'never';
    const level = most > 1 ? Math.log(ran) / Math.log(most) : 0;
    return level > 0.8 ? 'heat4' : level > 0.55 ? 'heat3' : level > 0.3 ? 'heat2' : level > 0.05 ? 'heat1' : '';
}

function listingView() {
    const lines = listingLines(D.listing.replace(/\n+$/, ''));
    const most = Math.max(1, ...lines.map((line) => line.ran || 0));
    const never = lines.filter((line) => line.ran === 0).length;
    return {
        id: 'listing',
        fixed: true, // the same whatever is measured
        title: 'Listing',
        element: el('div', {},
            el('p', { class: 'note' }, 'The program with how often each part ran; the warmer a line, the more often. ',
                never ? [el('span', { class: 'never' }, plural(never, 'line')), ' never ran: striped, with a bar at the left.'] : 'All of it ran.'),
            el('div', { class: 'code', role: 'region', tabindex: '0', 'aria-label': 'Listing with counts' }, lines.map(({ line, ran }) =>
                el('div', { class: 'line ' + heatOfCount(ran, most), title: ran === 0 ? 'never ran' : null }, el('code', {}, line || ' '))))),
        show() {},
        redraw() {},
    };
}

// --- Z80 and Pascal: who calls whom --------------------------------------------------------------

function graphView() {
    const called = new Set();
    for (let i = 0; i < edges.n; i++) if (edges.caller[i] !== OUTSIDE && edges.caller[i] !== edges.callee[i]) called.add(edges.callee[i]);
    const roots = [];
    for (let sub = 1; sub < subs.n; sub++) if (!called.has(sub)) roots.push(sub);

    function times(edge) {
        if (!edges.most) return count(edges.calls[edge]) + '\u00d7';
        if (edges.most[edge] === edges.calls[edge]) return count(edges.calls[edge]) + '\u00d7';
        return `${count(edges.calls[edge])}\u2026${edges.most[edge] < 0 ? '' : count(edges.most[edge])}\u00d7`;
    }

    function branch(sub, text, above) {
        const label = [el('a', { href: '#sub=' + sub }, subs.name[sub]), text ? el('span', { class: 'faint' }, ' ' + text) : null];
        if (above.includes(sub)) return el('li', {}, label, el('span', { class: 'kind' }, ' calls itself'));
        const below = edgesOf(sub, 'caller').filter((edge) => edges.callee[edge] !== OUTSIDE);
        if (!below.length) return el('li', {}, label);
        const list = el('ul', {});
        const details = el('details', {}, el('summary', {}, label), list);
        const fill = () => {
            if (!list.firstChild) list.append(...below.map((edge) => branch(edges.callee[edge], times(edge), [...above, sub])));
        };
        details.addEventListener('toggle', fill);
        if (above.length < 3) {
            details.open = true;
            fill();
        }
        return el('li', {}, details);
    }

    return {
        id: 'graph',
        fixed: true, // the same whatever is measured
        title: 'Call graph',
        element: el('div', {},
            el('p', { class: 'note' }, D.kind === 'counts' ? 'Who calls whom in the code, and how often that can have been: the counters give a least and a most.'
                : 'Who calls whom, and how often.'),
            el('ul', { class: 'tree' }, roots.map((sub) => branch(sub, plural(subs.calls[sub], 'call'), []))),
            D.callgraph ? el('details', {}, el('summary', {}, 'As text, with addresses'), el('pre', { tabindex: '0' }, D.callgraph)) : null),
        show() {},
        redraw() {},
    };
}

function walkbackView() {
    return {
        id: 'walkback',
        fixed: true, // the same whatever is measured
        title: 'Walkback',
        element: el('div', {}, el('p', { class: 'note' }, 'Who was running when the memory was kept, innermost first.'), el('pre', { tabindex: '0' }, D.walkback)),
        show() {},
        redraw() {},
    };
}

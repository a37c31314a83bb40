// The table of subs, and that of packages.

function nameCell(sub) {
    if (sub === OUTSIDE) return el('span', { class: 'faint' }, subs.name[sub]);
    const kind = /\b(?:__ANON__|BEGIN|END|INIT|CHECK|UNITCHECK)\b/.test(subs.name[sub]) ? '' : KINDS[subs.kindOf[sub]];
    return [el('a', { href: '#sub=' + sub, title: subs.name[sub].length > 60 ? subs.name[sub] : null }, breakable(subs.name[sub])),
        kind ? el('span', { class: 'kind' }, ' ' + kind) : null,
        doubtOf(sub).map((doubt) => el('span', { class: 'kind' }, ' (' + doubt + ')'))];
}

function ownColumn(metric, title) {
    return { title, number: true, value: (sub) => METRICS[metric].own[sub], text: (sub) => amountOf(sub, 'own', metric),
        help: METRICS[metric].title + ' in the sub itself, without what it called' };
}

function allColumn(metric, title) {
    return { title, number: true, value: (sub) => METRICS[metric].all[sub], text: (sub) => amountOf(sub, 'all', metric),
        help: METRICS[metric].title + ' from its outermost calls to their ends, with all that it called' };
}

function shareColumn(metric, which, title) {
    const of = METRICS[metric];
    return { title, number: true, value: (sub) => of[which][sub], text: (sub) => percent(of[which][sub], of.total),
        bar: (sub) => [of[which][sub], of.total], help: 'Share of all ' + lower(of.title) };
}

function eachColumn(metric, which, title) {
    return { title, number: true, value: (sub) => (subs.calls[sub] ? METRICS[metric][which][sub] / subs.calls[sub] : 0),
        text: (sub) => perCall(sub, which, metric), help: 'Divided by the calls' };
}

function changeColumn(metric, which, title) {
    return { title, number: true, value: (sub) => changeOf(sub, which, metric), text: (sub) => signed(changeOf(sub, which, metric), metric),
        help: 'More or less than before' };
}

function wasColumn(metric, which) {
    return { title: 'before', number: true, value: (sub) => METRICS[metric].was[which][sub], text: (sub) => amount(METRICS[metric].was[which][sub], metric) };
}

// Of a comparison: now, before, and what that makes.
function comparedColumns(name, calls, metric) {
    const columns = [name];
    if (metric !== 'calls') columns.push(changeColumn(metric, 'own', 'Own, change'), ownColumn(metric, 'Own'), wasColumn(metric, 'own'),
        changeColumn(metric, 'all', 'Inclusive, change'), allColumn(metric, 'Inclusive'), wasColumn(metric, 'all'));
    return [...columns, changeColumn('calls', 'own', 'Calls, change'), calls, wasColumn('calls', 'own')];
}

function subColumns(everyClock) {
    const name = { title: SUB === 'sub' ? 'Sub' : 'Routine', value: (sub) => subs.name[sub], cell: nameCell };
    const calls = { title: 'Calls', number: true, value: (sub) => subs.calls[sub],
        text: (sub) => (sub === OUTSIDE ? '' : doubtOf(sub).some((doubt) => /^(damaged|not)/.test(doubt)) ? '?' : count(subs.calls[sub])) };
    const metric = state.metric;
    if (COMPARED && !everyClock) return comparedColumns(name, calls, metric);
    if (!TIMES && !STATEMENTS) {
        const columns = [name, calls, shareColumn('calls', 'own', 'Share')];
        if (subs.address) columns.push({ title: 'Address', number: true, value: (sub) => subs.address[sub],
            text: (sub) => (subs.address[sub] < 0 ? '' : subs.address[sub].toString(16).toUpperCase().padStart(4, '0')) });
        return columns;
    }
    if (everyClock) {
        return [name, calls, ...['user', 'system', 'real'].flatMap((clock) => [
            ownColumn(clock, 'Own ' + clock), eachColumn(clock, 'own', 'Own ' + clock + '/call')]),
        ...['user', 'system', 'real'].flatMap((clock) => [
            allColumn(clock, 'Inclusive ' + clock), eachColumn(clock, 'all', 'Incl. ' + clock + '/call')])];
    }
    if (metric === 'calls') return [name, calls, shareColumn('calls', 'own', 'Share')];
    return [name, calls, shareColumn(metric, 'own', '% own'), ownColumn(metric, 'Own'), eachColumn(metric, 'own', 'Own/call'),
        shareColumn(metric, 'all', '% incl.'), allColumn(metric, 'Inclusive'), eachColumn(metric, 'all', 'Incl./call')];
}

function subsView() {
    const table = new Table({ label: 'All subs', sort: COMPARED ? 1 : 2, class: 'subs' });
    const note = el('p', { class: 'note' });
    let everyClock = false;
    let inPackage = '';
    const chosen = el('span', {});
    const clocks = TIMES ? el('label', {}, el('input', { type: 'checkbox', onchange: (event) => {
        everyClock = event.target.checked;
        table.sorted = 2;
        view.show();
    } }), ' user, system and real') : null;
    const view = {
        id: 'subs',
        title: SUB === 'sub' ? 'Subs' : 'Routines',
        element: el('div', {}, el('div', { class: 'tools' }, clocks, chosen), table.element, note),
        show(route) {
            if (route !== undefined) inPackage = route;
            const rows = [];
            for (let sub = 0; sub < subs.n; sub++)
                if (isListed(sub) && (!state.matches || state.matches[sub]) && (!inPackage || subs.package[sub] === inPackage))
                    rows.push(sub);
            replaceChildren(chosen, inPackage ? ['Package ' + inPackage + ' ', el('a', { href: '#subs' }, 'show all')] : []);
            table.show(subColumns(everyClock), rows);
            note.textContent = plural(rows.length, SUB)
                + (subs.leftOut ? `, and ${count(subs.leftOut)} that matter less and have no place in this page` : '')
                + (TIMES ? '. Own: in the sub itself. Inclusive: with all that it called; where it calls itself, the outermost call '
                    + 'counts. ~0: less than the clock can tell.' : '.');
        },
        redraw() {
            view.show();
        },
    };
    return view;
}

// --- packages -----------------------------------------------------------------------------------

function packageRows(metric) {
    const byName = new Map();
    for (let sub = 0; sub < subs.n; sub++) {
        const name = sub === OUTSIDE ? subs.name[sub] : subs.package[sub];
        let row = byName.get(name);
        if (!row) byName.set(name, row = { name, subs: 0, calls: 0, own: 0, outside: sub === OUTSIDE });
        row.subs++;
        row.calls += sub === OUTSIDE ? 0 : subs.calls[sub];
        row.own += METRICS[metric].own[sub];
    }
    return [...byName.values()].sort((a, b) => b.own - a.own);
}

function packagesView() {
    const table = new Table({ label: 'Packages', sort: 3 });
    const view = {
        id: 'packages',
        title: 'Packages',
        element: el('div', {}, table.element, el('p', { class: 'note' }, 'What the subs of a package did themselves, added up.')),
        show() {
            const metric = state.metric;
            const title = METRICS[metric].title;
            table.show([
                { title: 'Package', value: (row) => row.name, cell: (row) => (row.outside ? el('span', { class: 'faint' }, row.name)
                    : el('a', { href: '#subs=' + encodeURIComponent(row.name) }, breakable(row.name))) },
                { title: 'Subs', number: true, value: (row) => row.subs, text: (row) => count(row.subs) },
                { title: 'Calls', number: true, value: (row) => row.calls, text: (row) => count(row.calls) },
                { title: '% own', number: true, value: (row) => row.own, text: (row) => percent(row.own, METRICS[metric].total),
                    bar: (row) => [row.own, METRICS[metric].total] },
                { title: 'Own ' + lower(title), number: true, value: (row) => row.own, text: (row) => amount(row.own, metric) },
            ], packageRows(metric).filter((row) => !state.query || row.name.toLowerCase().includes(state.query.toLowerCase())));
        },
        redraw() {
            view.show();
        },
    };
    return view;
}

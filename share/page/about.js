// The head of the page, where the time went in words, and about the run.

const PROGRAM = D.cmd ? D.cmd.split(' ')[0] : '';
const TITLE = PROGRAM ? baseName(PROGRAM) : D.title ? baseName(D.title) : 'Profile';
const ROOT_TITLE = PROGRAM ? `${baseName(PROGRAM)} (the whole run)` : 'The whole run';

function startedText() {
    const at = Number(D.started);
    return at > 0 ? new Date(at * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }) : null;
}

function facts() {
    const list = [];
    const fact = (title, text) => { if (text) list.push(el('div', {}, el('dt', {}, title), el('dd', {}, text))); };
    if (TIMES) {
        const ticks = (value) => seconds(value / D.hz);
        fact('Real time', ticks(D.total[2]));
        fact('CPU time', ticks(D.total[0] + D.total[1]));
        fact('User', ticks(D.total[0]));
        fact('System', ticks(D.total[1]));
        if (!COMPARED) fact(D.cleaned ? 'Profiling, taken off' : 'Profiling, left in', ticks(D.overhead[0] + D.overhead[1]));
    } else if (STATEMENTS) {
        fact('Statements', count(METRICS.cpu.total));
    }
    if (COMPARED) fact('Compared', `${plural(D.runs, 'run')} now, ${count(D.baseRuns)} before`);
    fact('Calls', count(NCALLS));
    fact(SUB === 'sub' ? 'Subs' : 'Routines', count(subs.n - 1 + subs.leftOut));
    fact('Perl', D.perl && D.perl.split(' ')[0]);
    fact('Machine', D.host);
    fact('Started', startedText());
    fact('Process', D.processes > 1 ? `${D.processes} processes and threads` : D.pid);
    return el('dl', { class: 'facts' }, list);
}

function link(sub) {
    return el('a', { href: '#sub=' + sub }, breakable(subs.name[sub]));
}

// The subs with the most of something, most first.
function ranked(values) {
    const order = [];
    for (let sub = 1; sub < subs.n; sub++) if (isListed(sub) && values[sub] > 0) order.push(sub);
    return order.sort((a, b) => values[b] - values[a]);
}

function ranWords() {
    const cpu = D.total[0] + D.total[1], real = D.total[2];
    const waited = Math.max(0, real - cpu);
    const what = D.within ? 'What was asked for took' : D.processes > 1 ? 'All processes together took' : 'The program took';
    const words = [`${what} ${seconds(real / D.hz)}`];
    if (real > 0 && cpu < real * 0.98)
        words.push(`, ${seconds(cpu / D.hz)} (${percent(cpu, real)}) of that on the processor; for ${seconds(waited / D.hz)} it waited or was kept waiting. `);
    else words.push(', nearly all of it on the processor. ');
    if (waited > real * 0.1) {
        const waits = ranked(METRICS.real.own.map((value, sub) => value - METRICS.cpu.own[sub]));
        const most = waits[0];
        if (most) words.push('Most of the waiting was in ', link(most), ` (${amount(METRICS.real.own[most] - METRICS.cpu.own[most], 'real')}). `);
    }
    return words;
}

function halfWords(metric) {
    const of = METRICS[metric];
    const order = ranked(of.own);
    let sum = 0, n = 0;
    while (n < order.length && sum < of.total / 2) sum += of.own[order[n++]];
    const noun = metric === 'calls' ? 'calls' : lower(of.title);
    if (!order.length) return [];
    if (sum < of.total / 2) return [`Most of the ${noun} was spent outside any ${SUB}. `];
    const verb = metric === 'calls' ? 'went to' : STATEMENTS ? 'ran in' : 'was spent in';
    return [`Half of the ${noun} ${verb} `, n === 1 ? ['one ', SUB, ', ', link(order[0])] : `${count(n)} of ${plural(order.length, SUB)}`, '. '].flat();
}

function insideWords(metric) {
    if (metric === 'calls') return [];
    const of = METRICS[metric];
    const order = ranked(of.all).filter((sub) => of.all[sub] < of.total * 0.9 && of.all[sub] > of.own[sub] * 1.2 && subs.kindOf[sub] !== 5);
    if (!order.length) return [];
    return ['With what they called, ', order.slice(0, 3).map((sub, i) => [i ? (i === Math.min(order.length, 3) - 1 ? ' and ' : ', ') : '', link(sub), ` (${percent(of.all[sub], of.total)})`]),
        order.length > 1 ? ' weigh most. ' : ' weighs most. '].flat(2);
}

function oftenWords() {
    const most = ranked(subs.calls)[0];
    if (!most) return [];
    return ['Called most often was ', link(most), `: ${plural(subs.calls[most], 'time')}, ${percent(subs.calls[most], NCALLS)} of all calls. `];
}

function deadWords() {
    let never = 0;
    for (let sub = 1; sub < subs.n; sub++) if (!subs.calls[sub]) never++;
    return TIMES || !never ? [] : [`${plural(never, SUB)} ${never === 1 ? 'was' : 'were'} never called. `];
}

function topList(metric) {
    const of = METRICS[metric];
    const order = ranked(of.own).slice(0, 8);
    const share = (sub) => percent(of.own[sub], of.total);
    return el('ol', { class: 'top' }, order.map((sub) => barred(el('li', {},
        el('span', { class: 'share' }, share(sub)), el('span', { class: 'who' }, link(sub)),
        el('span', { class: 'faint' }, metric === 'calls' ? count(subs.calls[sub]) : `${amountOf(sub, 'own', metric)} in ${plural(subs.calls[sub], 'call')}`)), of.own[sub], of.own[order[0]])));
}

function notes() {
    const told = D.notes.filter((note) => note.code !== 'unfinished');
    const lines = told.map((note) => (note.line ? `line ${count(note.line)}: ` : '') + note.text.replace(/: --report \w+$/, '') + (note.count > 1 ? ` (${count(note.count)} times)` : ''));
    if (TIMES && !D.ended) lines.unshift('The profile has no end: the program was killed, or still runs. It is complete up to that moment.');
    if (!lines.length) return null;
    return el('div', { class: D.lost ? 'warning' : 'info' }, el('strong', {}, D.lost ? 'Parts of the profile were lost or guessed' : 'To know'),
        el('ul', {}, [...new Set(lines)].map((line) => el('li', {}, line))));
}

// The subs that changed most: more first, or less first.
function changed(metric, sign) {
    const order = [];
    for (let sub = 1; sub < subs.n; sub++) if (isListed(sub) && sign * changeOf(sub, 'own', metric) > 0) order.push(sub);
    return order.sort((a, b) => sign * (changeOf(b, 'own', metric) - changeOf(a, 'own', metric)));
}

function listed(order, metric) {
    return order.slice(0, 3).flatMap((sub, i) => [i ? ', ' : '', link(sub), ` (${signed(changeOf(sub, 'own', metric), metric)})`]);
}

function changeWords(metric) {
    const of = METRICS[metric];
    const ratio = of.wasTotal > 0 ? 100 * (of.total / of.wasTotal - 1) : 0;
    const more = changed(metric, 1), less = changed(metric, -1);
    let fresh = 0, gone = 0;
    for (let sub = 1; sub < subs.n; sub++) {
        if (subs.calls[sub] && !subs.wasCalls[sub]) fresh++;
        if (!subs.calls[sub] && subs.wasCalls[sub]) gone++;
    }
    return [`A run has ${amount(of.total, metric)} ${metric === 'calls' ? 'calls' : 'of ' + lower(of.title)}, it had ${amount(of.wasTotal, metric)} before: ${Math.abs(ratio).toFixed(1)}${NARROW}% ${ratio < 0 ? 'less' : 'more'}. `,
        more.length ? ['More than before in ', ...listed(more, metric), '. '] : [],
        less.length ? ['Less in ', ...listed(less, metric), '. '] : [],
        fresh ? `${plural(fresh, 'sub')} ${fresh === 1 ? 'is' : 'are'} new. ` : '', gone ? `${plural(gone, 'sub')} ${gone === 1 ? 'is' : 'are'} gone. ` : '',
        metric === 'calls' ? '' : 'Times differ by chance too: dprofpp --base as text says which differences are beyond it.'].flat();
}

function changeList(metric) {
    const size = (sub) => Math.abs(changeOf(sub, 'own', metric));
    const order = [...changed(metric, 1), ...changed(metric, -1)].sort((a, b) => size(b) - size(a)).slice(0, 8);
    return el('ol', { class: 'top' }, order.map((sub) => barred(el('li', {},
        el('span', { class: 'share' }, signed(changeOf(sub, 'own', metric), metric)), el('span', { class: 'who' }, link(sub)),
        el('span', { class: 'faint' }, `${amount(METRICS[metric].was.own[sub], metric)} \u2192 ${amount(METRICS[metric].own[sub], metric)}`)), size(sub), size(order[0]))));
}

function summary() {
    const metric = state.metric;
    if (COMPARED) return [el('p', { class: 'words' }, changeWords(metric)), el('h2', { class: 'topTitle' }, 'Changed most, of their own'), changeList(metric)];
    return [
        el('p', { class: 'words' }, TIMES ? ranWords() : STATEMENTS ? `${plural(METRICS.cpu.total, 'statement')} ran in ${plural(NCALLS, 'call')} of ${plural(subs.n - 1, SUB)}. `
            : `${plural(NCALLS, 'call')} of ${plural(subs.n - 1, SUB)} were counted; nothing was timed. `,
        halfWords(metric), insideWords(metric), oftenWords(), deadWords()),
        el('h2', { class: 'topTitle' }, metric === 'calls' ? 'Called most often' : `Most ${lower(METRICS[metric].title)} of their own`),
        topList(metric),
    ];
}

function aboutView() {
    const rows = [['Command', D.cmd], ['Perl', D.perl], ['Machine', D.host], ['Started', startedText()], ['Process', D.pid],
        ['Recorder', D.version], ['Clock', TIMES ? `${count(D.hz)} ticks a second` : null], ['Marks in the file', D.marks ? count(D.marks) : null],
        ['Ended', TIMES ? (D.ended ? 'in order' : 'not: killed, or still running') : null]];
    return {
        id: 'about',
        fixed: true, // the same whatever is measured
        title: 'About',
        element: el('div', {},
            el('table', { class: 'figures' }, el('tbody', {}, rows.filter((row) => row[1]).map(([title, text]) =>
                el('tr', {}, el('th', { scope: 'row' }, title), el('td', {}, text))))),
            el('h3', {}, 'What the words mean'),
            el('dl', { class: 'terms' },
                TIMES ? [el('dt', {}, 'Real time'), el('dd', {}, 'What a clock on the wall shows, waiting included.'),
                    el('dt', {}, 'CPU time'), el('dd', {}, 'User and system time: what the processor worked for the program, and what the kernel worked for it.'),
                    el('dt', {}, 'Own'), el('dd', {}, 'In the sub itself, without what it called.'),
                    el('dt', {}, 'Inclusive'), el('dd', {}, 'From a call to its end, with all that was called. Of calls within calls of the same sub the outermost counts.'),
                    el('dt', {}, 'Folded together'), el('dd', {}, 'A page has room for the paths and calls that matter most. Others are added up at their place; nothing is left out of any sum.')] : [],
                STATEMENTS ? [el('dt', {}, 'Own statements'), el('dd', {}, 'Exact. With what a routine calls they are exact where only one routine calls it; where several do, they are apportioned by calls and marked ~.')] : []),
            TIMES ? el('p', { class: 'note' }, D.cleaned ? 'The cost of profiling was measured when the run began and taken off, half of a call\u2019s cost from the sub and half from its caller.'
                : 'The cost of profiling is still in the times.') : null,
            TIMES && !COMPARED && !D.tracks.length ? el('p', { class: 'note' }, 'This profile was folded while it was recorded: it has no order of time.') : null,
            el('p', { class: 'note' }, 'Made by dprofpp --to html. This file needs nothing else and connects to nothing.')),
        show() {},
        redraw() {},
    };
}

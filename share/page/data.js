// The profile: what src/write/page*.c put into this page, unpacked.

const D = JSON.parse(document.getElementById('data').textContent);
const TIMES = D.kind === 'times';
const STATEMENTS = D.kind === 'statements';
const SUB = STATEMENTS || D.kind === 'counts' ? 'routine' : 'sub';
const KINDS = ['', '', 'XSUB', 'anonymous', 'by AUTOLOAD', 'BEGIN block or its like', 'builtin', 'file',
    'string eval', 'never called'];

const subs = D.subs;
subs.n = subs.name.length;
subs.package = subs.name.map(packageOf);
subs.hue = subs.package.map(hueOf);

// A comparison (--base): everything is per run, and what the base had lies beside it.
const COMPARED = Boolean(D.baseRuns);
if (COMPARED) {
    const perRun = (values, runs) => values.map((value) => value / runs);
    for (const key of ['calls', 'eu', 'es', 'er', 'iu', 'is', 'ir']) subs[key] = perRun(subs[key], D.runs);
    for (const key of ['wasCalls', 'was_eu', 'was_es', 'was_er', 'was_iu', 'was_is', 'was_ir']) subs[key] = perRun(subs[key], D.baseRuns);
    for (const key of ['calls', 'cpu', 'real']) {
        D.paths[key] = perRun(D.paths[key], D.runs);
        D.edges[key] = perRun(D.edges[key], D.runs);
        const was = 'was' + key[0].toUpperCase() + key.slice(1);
        D.paths[was] = perRun(D.paths[was], D.baseRuns);
    }
    subs.leftCalls /= D.runs;
    D.total = perRun(D.total, D.runs);
    D.overhead = perRun(D.overhead, D.runs);
    D.baseTotal = perRun(D.baseTotal, D.baseRuns);
}

const OUTSIDE = 0; // the row of the code outside any sub

// What can be measured: title, and per sub the own and the inclusive amount. Amounts are whole
// numbers: ticks, calls, statements.
const METRICS = {};
if (TIMES) {
    const sum = (a, b) => a.map((value, i) => value + b[i]);
    METRICS.cpu = { title: 'CPU time', own: sum(subs.eu, subs.es), all: sum(subs.iu, subs.is), bit: 0,
        total: D.total[0] + D.total[1] };
    METRICS.real = { title: 'Real time', own: subs.er, all: subs.ir, bit: 3, total: D.total[2] };
    METRICS.user = { title: 'User time', own: subs.eu, all: subs.iu, bit: 1, total: D.total[0], table: true };
    METRICS.system = { title: 'System time', own: subs.es, all: subs.is, bit: 2, total: D.total[1], table: true };
}
if (STATEMENTS) {
    METRICS.cpu = { title: 'Statements', own: subs.eu, all: subs.iu, total: D.total[0] };
}
METRICS.calls = { title: 'Calls', own: subs.calls, all: subs.calls,
    total: subs.calls.reduce((sum, value) => sum + value, subs.leftCalls) };

if (COMPARED) {
    const sum = (a, b) => a.map((value, i) => value + b[i]);
    const [user, system, real] = D.baseTotal;
    Object.assign(METRICS.cpu, { was: { own: sum(subs.was_eu, subs.was_es), all: sum(subs.was_iu, subs.was_is) }, wasTotal: user + system });
    Object.assign(METRICS.real, { was: { own: subs.was_er, all: subs.was_ir }, wasTotal: real });
    Object.assign(METRICS.user, { was: { own: subs.was_eu, all: subs.was_iu }, wasTotal: user });
    Object.assign(METRICS.system, { was: { own: subs.was_es, all: subs.was_is }, wasTotal: system });
    Object.assign(METRICS.calls, { was: { own: subs.wasCalls, all: subs.wasCalls }, wasTotal: subs.wasCalls.reduce((all, calls) => all + calls, 0) });
}

// What a sub has more (or less) than before.
function changeOf(sub, which, metric) {
    return METRICS[metric][which][sub] - METRICS[metric].was[which][sub];
}

function signed(value, metric) {
    return value === 0 ? '0' : (value < 0 ? '\u2212' : '+') + amount(Math.abs(value), metric);
}

const state = {
    metric: METRICS[D.clock] && !METRICS[D.clock].table ? D.clock : TIMES || STATEMENTS ? 'cpu' : 'calls',
    query: '',
    matches: null, // per sub; null: nothing is searched
    inverted: false,
};

// An amount of the metric as text.
function amount(value, metric) {
    if (TIMES && metric !== 'calls') return seconds(value / D.hz);
    return count(value);
}

// ... of a sub: ~0 where it is below what it can be wrong by.
function amountOf(sub, which, metric) {
    const of = METRICS[metric];
    const flags = subs.flags[sub];
    if (TIMES && of.bit !== undefined && flags >> (of.bit + (which === 'all' ? 4 : 0)) & 1) return '~0';
    return (STATEMENTS && which === 'all' && flags >> 9 & 1 ? '~' : '') + amount(of[which][sub], metric);
}

function perCall(sub, which, metric) {
    const of = METRICS[metric];
    const calls = subs.calls[sub];
    if (!calls || metric === 'calls') return '';
    if (TIMES && subs.flags[sub] >> (of.bit + (which === 'all' ? 4 : 0)) & 1) return '~0';
    const each = of[which][sub] / calls;
    return TIMES ? seconds(each / D.hz) : each.toFixed(each >= 100 ? 0 : 2);
}

// What is wrong with a count of a Z80 program.
function doubtOf(sub) {
    const words = ['went round: the true count is larger', 'damaged: no number stands there',
        'unlinked: no list of the program leads to it', 'not counted'];
    return words.filter((word, i) => subs.flags[sub] >> (10 + i) & 1);
}

function isListed(sub) {
    return !(subs.flags[sub] >> 8 & 1);
}

// --- call paths: a tree as columns, parents first -----------------------------------------------

// own[metric] and all[metric] per node. A node's sub is -1 where several paths were folded.
function makeTree() {
    return { parent: [], sub: [], folded: [], own: {}, all: {}, calls: [] };
}

function addUp(tree) {
    for (const metric of Object.keys(tree.own)) {
        const all = Float64Array.from(tree.own[metric]);
        for (let i = all.length - 1; i > 0; i--) all[tree.parent[i]] += all[i];
        tree.all[metric] = all;
    }
    return tree;
}

let paths = null;
if (D.paths) {
    paths = makeTree();
    paths.parent = D.paths.parent;
    paths.sub = D.paths.sub.map((row) => (row < 0 ? -1 : row));
    paths.folded = D.paths.sub.map((row) => (row < 0 ? -row : 0));
    paths.calls = D.paths.calls;
    paths.own = { cpu: D.paths.cpu, real: D.paths.real, calls: D.paths.calls };
    addUp(paths);
    if (COMPARED) paths.was = addUp({ parent: paths.parent, own: { cpu: D.paths.wasCpu, real: D.paths.wasReal, calls: D.paths.wasCalls }, all: {} }).all;
}

// --- who called whom ----------------------------------------------------------------------------

const edges = D.edges;
edges.n = edges.callee.length;
for (let i = 1; i < edges.n; i++) edges.caller[i] += edges.caller[i - 1];

function edgesOf(sub, end) {
    const found = [];
    for (let i = 0; i < edges.n; i++) if (edges[end][i] === sub) found.push(i);
    return found;
}

// --- the order of time --------------------------------------------------------------------------

for (const track of D.tracks) {
    for (let i = 1; i < track.level.length; i++) track.level[i] += track.level[i - 1];
    for (let i = 0; i < track.start.length; i++)
        if (i && track.level[i] === track.level[i - 1]) track.start[i] += track.start[i - 1] + track.ticks[i - 1];
    if (track.hz !== D.hz) continue;
}

const NCALLS = METRICS.calls.total;

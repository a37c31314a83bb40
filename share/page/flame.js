// The stand-alone flame graph: zooming, searching, the keyboard. The boxes are drawn by
// src/write/flame.c; each knows its place (x and width in parts of the whole, and its level).

const svg = document.documentElement;
const WIDTH = 1200, MARGIN = 10, INNER = WIDTH - 2 * MARGIN;
const boxes = [...document.querySelectorAll('.b')].map((group) => ({
    group, rect: group.querySelector('rect'), text: group.querySelector('text'),
    x: Number(group.dataset.x), w: Number(group.dataset.w), level: Number(group.dataset.l),
    name: group.querySelector('title').textContent.split('\n')[0],
}));
const detail = document.getElementById('detail');
const unzoom = document.getElementById('unzoom');
const searchButton = document.getElementById('search');
const byGroup = new Map(boxes.map((box) => [box.group, box]));
const LETTER = 6.6; // pixels, on average

let zoomed = boxes[0];

function fit(box, width) {
    const room = Math.floor((width - 8) / LETTER);
    const short = box.name.replace(/^.*::(?=[^\]]*(?:\[|$))/s, '');
    const text = box.name.length <= room ? box.name : short.length <= room ? short : room > 3 ? short.slice(0, room - 1) + '\u2026' : '';
    if (text !== box.shown) box.text.textContent = box.shown = text;
}

function place(box, x, width, around) {
    const hidden = width < 0.3 || x > INNER || x + width < 0;
    box.group.classList.toggle('hidden', hidden);
    box.group.classList.toggle('around', around);
    if (hidden) return;
    const left = Math.max(0, x), right = Math.min(INNER, x + width);
    box.rect.setAttribute('x', (MARGIN + left).toFixed(2));
    box.rect.setAttribute('width', Math.max(0.3, right - left).toFixed(2));
    box.text.setAttribute('x', (MARGIN + left + 4).toFixed(2));
    fit(box, right - left);
}

function zoom(to) {
    zoomed = to;
    const scale = INNER / to.w;
    for (const box of boxes) place(box, (box.x - to.x) * scale, box.w * scale, box.level < to.level && box.x <= to.x && box.x + box.w >= to.x + to.w);
    unzoom.classList.toggle('hidden', to === boxes[0]);
    say(to);
}

function say(box) {
    detail.textContent = box.group.querySelector('title').textContent.replace(/\n/g, ', ');
}

function search(text) {
    let match = null;
    if (text) {
        const wanted = text.toLowerCase();
        match = (name) => name.toLowerCase().includes(wanted);
        const regex = /^\/(.+)\/(i?)$/.exec(text);
        try {
            if (regex) match = ((compiled) => (name) => compiled.test(name))(new RegExp(regex[1], regex[2]));
        } catch (error) {
            detail.textContent = 'This is no regular expression.';
            return;
        }
    }
    svg.classList.toggle('searched', Boolean(match));
    searchButton.textContent = match ? 'End the search' : 'Search';
    if (!match) return;
    // The share below any match, each moment once: what is inside a match is left out.
    let share = 0, found = 0;
    const ends = [];
    for (const box of [...boxes].sort((a, b) => a.level - b.level)) {
        const matched = !box.group.classList.contains('folded') && match(box.name);
        box.group.classList.toggle('match', matched);
        if (!matched) continue;
        found++;
        if (!ends.some(([from, to]) => box.x >= from - 1e-9 && box.x + box.w <= to + 1e-9)) {
            share += box.w;
            ends.push([box.x, box.x + box.w]);
        }
    }
    detail.textContent = found ? `${found} boxes match: ${(100 * share / boxes[0].w).toFixed(2)} % of the whole` : 'Nothing matches';
}

function askAndSearch() {
    if (svg.classList.contains('searched')) search('');
    else search(window.prompt('Search for a name, or /a regular expression/') || '');
}

function neighbour(box, key) {
    const visible = (other) => !other.group.classList.contains('hidden');
    const row = (level) => boxes.filter((other) => other.level === level && visible(other)).sort((a, b) => a.x - b.x);
    if (key === 'ArrowUp') return row(box.level - 1).find((other) => other.x <= box.x + 1e-9 && other.x + other.w >= box.x + box.w - 1e-9);
    if (key === 'ArrowDown') return row(box.level + 1).filter((other) => other.x >= box.x - 1e-9 && other.x + other.w <= box.x + box.w + 1e-9).sort((a, b) => b.w - a.w)[0];
    const same = row(box.level);
    return same[same.indexOf(box) + (key === 'ArrowRight' ? 1 : -1)];
}

function focus(box) {
    for (const other of boxes) other.group.setAttribute('tabindex', other === box ? '0' : '-1');
    box.group.focus();
    say(box);
}

document.addEventListener('click', (event) => {
    const group = event.target.closest('.b');
    if (group) zoom(byGroup.get(group));
});
document.addEventListener('mouseover', (event) => {
    const group = event.target.closest('.b');
    if (group) say(byGroup.get(group));
});
unzoom.addEventListener('click', () => zoom(boxes[0]));
searchButton.addEventListener('click', askAndSearch);
document.addEventListener('keydown', (event) => {
    const box = byGroup.get(document.activeElement) || zoomed;
    if (event.ctrlKey && event.key === 'f' || event.key === '/') {
        event.preventDefault();
        askAndSearch();
    } else if (event.key === 'Escape') {
        if (svg.classList.contains('searched')) search('');
        zoom(boxes[0]);
    } else if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        if (document.activeElement === unzoom) zoom(boxes[0]);
        else if (document.activeElement === searchButton) askAndSearch();
        else zoom(box);
    } else if (event.key.startsWith('Arrow')) {
        event.preventDefault();
        const next = neighbour(box, event.key);
        if (next) focus(next);
    }
});
zoom(boxes[0]);

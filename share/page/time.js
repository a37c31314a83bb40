// What happened when: the calls of a process in their order.

function trackTitle(track, i) {
    return (track.pid ? 'Process ' + track.pid : 'Process ' + (i + 1)) + (track.tid ? ', thread ' + track.tid : '');
}

function timeView() {
    let track = D.tracks[0];
    const detail = el('p', { class: 'detail' });
    const labels = el('div', {});
    const note = el('p', { class: 'note' });
    const inSeconds = (ticks) => seconds(ticks / track.hz);
    const chart = new Chart({ label: 'The calls in their order', height: chartHeight, boxes: boxesOf(track),
        total: track.length, marks: [], unit: (at) => (at ? inSeconds(at) : '0'),
        title: (i) => title(i) + (track.calls[i] ? ` \u00d7${count(track.calls[i])}` : ''), describe, onSelect });

    function boxesOf(of) {
        return { x: of.start, width: of.ticks, level: of.level, sub: of.sub, many: of.calls };
    }

    function title(i) {
        return track.sub[i] < 0 ? '(left out)' : subs.name[track.sub[i]];
    }

    function describe(i) {
        const lines = [title(i)];
        if (track.calls[i]) lines[0] = `${plural(track.calls[i], 'short call')} in a row, the longest of ${title(i)}`;
        lines.push(`${inSeconds(track.ticks[i])}, from ${inSeconds(track.start[i])} on`);
        return lines;
    }

    function onSelect(i) {
        if (i < 0) {
            replaceChildren(detail, el('span', { class: 'faint' }, 'Click a box to zoom to it, drag to move, Ctrl and the wheel '
                + 'or + and - zoom; Esc goes back to the whole. Arrows walk from call to call.'));
            return;
        }
        const sub = track.sub[i];
        replaceChildren(detail, describe(i).join(', '),
            sub > OUTSIDE ? [' \u2014 ', el('a', { href: '#sub=' + sub }, 'its callers and callees')] : []);
    }

    function showLabels() {
        replaceChildren(labels);
        if (!track.labels.length) return;
        const list = track.labels.slice(0, 200).map((label) => el('li', {},
            el('button', { class: 'link', onclick: () => chart.setView(label.at - track.length / 50, label.at + track.length / 50) },
                inSeconds(label.at)), ' ', label.text || ''));
        labels.append(el('h3', {}, 'Moments that the program marked'), el('ul', { class: 'marks' }, list));
        if (track.nlabels > list.length) labels.append(el('p', { class: 'note' }, `${count(track.nlabels)} in all.`));
    }

    function showTrack() {
        chart.how.marks = track.labels;
        chart.show(boxesOf(track), track.length);
        onSelect(-1);
        showLabels();
        const single = track.calls.filter((calls) => !calls).length;
        const rest = D.tracks.length === 1 ? NCALLS - track.made : 0;
        note.textContent = (single < track.made
            ? `${plural(single, 'call')} of ${count(track.made)} have a box of their own. Shorter than ${inSeconds(track.grain)} `
                + 'are the others; where many follow each other, they are one grey box with their number.'
            : `All ${plural(track.made, 'call')} are shown.`)
            + (rest > 0 ? ` ${plural(rest, 'more call')} were folded while they were recorded and have no order.` : '')
            + (D.cleaned ? ' Times in this picture still have the cost of profiling in them.' : '');
    }

    const chooser = D.tracks.length > 1 ? el('label', {}, 'Process ', el('select', { onchange: (event) => {
        track = D.tracks[event.target.value];
        showTrack();
    } }, D.tracks.map((of, i) => el('option', { value: i }, trackTitle(of, i))))) : null;
    let shown = false;
    return {
        id: 'time',
        fixed: true, // the same whatever is measured
        title: 'In time order',
        element: el('div', {}, el('div', { class: 'tools' }, chooser), chart.element, detail, labels, note),
        show() {
            if (!shown) showTrack();
            shown = true;
            chart.draw();
        },
        redraw() {
            chart.draw();
        },
    };
}

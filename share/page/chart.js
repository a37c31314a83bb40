// A chart of boxes on a canvas: flame graphs and the order of time. It draws what can be seen,
// knows the box under the pointer, and can be walked through with the keyboard. What it shows is
// also in tables; for those who do not see it, the box in focus is spoken.

const ROW = 19; // height of a level in CSS pixels

class Chart {
    // boxes: columns x, width, level, sub (-1: folded), and what the callbacks need; sorted by level,
    // then x. how: label, total (the widest view), height, flip, describe(box) -> lines,
    // title(box) -> text, onSelect(box), unit(x) for an axis.
    constructor(how) {
        this.how = how;
        this.canvas = el('canvas', {});
        this.spacer = el('div', { class: 'spacer' }, this.canvas);
        this.scroller = el('div', { class: 'chart', tabindex: '0', role: 'application',
            'aria-roledescription': 'flame graph', 'aria-label': how.label });
        this.scroller.append(this.spacer);
        this.spoken = el('div', { class: 'unseen', 'aria-live': 'polite' });
        this.tip = el('div', { class: 'tip', hidden: true });
        this.element = el('div', { class: 'chartbox' }, this.scroller, this.tip, this.spoken);
        this.focus = -1;
        this.hover = -1;
        this.listen();
        this.show(how.boxes, how.total);
        this.observer = new ResizeObserver(() => this.draw());
        this.observer.observe(this.scroller);
    }

    show(boxes, total) {
        this.boxes = boxes;
        this.total = total;
        this.n = boxes.x.length;
        this.view = [0, total || 1];
        this.focus = this.hover = this.chosen = -1;
        this.levels = [];
        for (let i = 0; i < this.n; i++) {
            const level = boxes.level[i];
            (this.levels[level] = this.levels[level] || []).push(i);
        }
        for (let i = 0; i < this.levels.length; i++) this.levels[i] = this.levels[i] || [];
        const rows = Math.max(1, this.levels.length);
        // Heights and widths go through the CSSOM, which the policy allows.
        this.spacer.style.height = rows * ROW + this.top() + 'px';
        this.scroller.style.height = Math.min(rows * ROW + this.top() + 2, this.how.height()) + 'px';
        if (this.how.flip) this.scroller.scrollTop = rows * ROW;
        this.draw();
    }

    top() {
        return this.how.unit ? 22 : 0;
    }

    listen() {
        const target = this.scroller;
        target.addEventListener('scroll', () => this.draw());
        target.addEventListener('pointermove', (event) => this.onMove(event));
        target.addEventListener('pointerleave', () => this.setHover(-1));
        target.addEventListener('pointerdown', (event) => this.onDown(event));
        target.addEventListener('pointerup', () => { this.drag = null; });
        target.addEventListener('pointercancel', () => { this.drag = null; });
        target.addEventListener('click', (event) => this.onClick(event));
        target.addEventListener('keydown', (event) => this.onKey(event));
        target.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
        target.addEventListener('blur', () => this.draw());
        target.addEventListener('focus', () => this.draw());
    }

    // --- drawing

    yOf(level) {
        const row = this.how.flip ? this.levels.length - 1 - level : level;
        return row * ROW + this.top() - this.scroller.scrollTop;
    }

    colours() {
        const style = getComputedStyle(document.documentElement);
        const value = (name) => style.getPropertyValue(name).trim();
        return { text: value('--box-text'), paper: value('--paper'), line: value('--rule'), faint: value('--faint'),
            match: value('--match'), matchText: value('--match-text'), folded: value('--folded'), ink: value('--ink'),
            saturation: value('--box-s'), lightness: value('--box-l') };
    }

    draw() {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.paint());
    }

    paint() {
        const width = this.scroller.clientWidth, height = this.scroller.clientHeight;
        const ratio = window.devicePixelRatio || 1;
        if (!width || !height) return;
        if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
            this.canvas.width = Math.round(width * ratio);
            this.canvas.height = Math.round(height * ratio);
            this.canvas.style.width = width + 'px';
            this.canvas.style.height = height + 'px';
        }
        const context = this.canvas.getContext('2d');
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        context.font = '12px system-ui, sans-serif';
        context.textBaseline = 'middle';
        this.colour = this.colours();
        this.scale = width / (this.view[1] - this.view[0]);
        for (let level = 0; level < this.levels.length; level++) {
            const y = this.yOf(level);
            if (y > -ROW && y < height) this.paintLevel(context, this.levels[level], y, width);
        }
        if (this.how.unit) this.paintAxis(context, width);
        for (const [index, line] of [[this.hover, 1], [this.chosen, 2], [this.focus, 2]])
            if (index >= 0) this.outline(context, index, line, width);
    }

    // Boxes of less than half a pixel are drawn until a pixel is full; there is no room for more.
    paintLevel(context, level, y, width) {
        const { x, width: w } = this.boxes;
        let drawn = -1;
        for (let k = this.firstVisible(level); k < level.length; k++) {
            const i = level[k];
            let left = (x[i] - this.view[0]) * this.scale;
            if (left > width) break;
            let right = left + w[i] * this.scale;
            if (right < 0 || right < drawn + 0.5) continue;
            left = Math.max(left, -1);
            right = Math.min(right, width + 1);
            drawn = Math.max(right, left + 0.7);
            this.paintBox(context, i, left, y, drawn - left);
        }
    }

    // The first box of a level whose end is in view.
    firstVisible(level) {
        const { x, width } = this.boxes;
        let low = 0, high = level.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (x[level[middle]] + width[level[middle]] < this.view[0]) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    paintBox(context, i, left, y, width) {
        const sub = this.boxes.sub[i];
        const colour = this.colour;
        const matched = state.matches && sub >= 0 && state.matches[sub];
        context.globalAlpha = state.matches && !matched ? 0.35 : 1;
        context.fillStyle = matched ? colour.match : this.fill(i, sub);
        context.fillRect(left, y, Math.max(width - (width > 3 ? 1 : 0), 0.5), ROW - 1);
        if (width > 26) {
            context.fillStyle = matched ? colour.matchText : colour.text;
            this.paintText(context, this.how.title(i), Math.max(left, 0) + 4, y + ROW / 2,
                Math.min(width, left + width) - 8);
        }
        context.globalAlpha = 1;
    }

    // How much more or less of the whole it is than before: red or blue.
    changeColour(change) {
        const strength = Math.min(1, Math.abs(change) * 8);
        const dark = parseInt(this.colour.lightness, 10) < 50;
        const lightness = dark ? 24 + 22 * strength : 94 - 34 * strength;
        return `hsl(${change > 0 ? 8 : 212} ${Math.round(15 + 60 * strength)}% ${lightness}%)`;
    }

    fill(i, sub) {
        if (this.how.change) return this.changeColour(this.how.change(i));
        if (sub < 0 || (this.boxes.many && this.boxes.many[i])) return this.colour.folded;
        if (sub === OUTSIDE) return this.colour.faint;
        return `hsl(${subs.hue[sub]} ${this.colour.saturation} ${this.colour.lightness})`;
    }

    // As much of a text as fits; the end of a name says more than its beginning.
    paintText(context, text, x, y, room) {
        if (room < 14) return;
        if (text.length > 300) text = text.slice(0, 300);
        if (context.measureText(text).width > room) {
            const short = shortName(text);
            if (short !== text && context.measureText(short).width <= room) {
                text = short;
            } else {
                let low = 0, high = short.length;
                while (low < high) {
                    const middle = (low + high + 1) >> 1;
                    if (context.measureText(short.slice(0, middle) + '\u2026').width <= room) low = middle;
                    else high = middle - 1;
                }
                if (low < 2) return;
                text = short.slice(0, low) + '\u2026';
            }
        }
        context.fillText(text, x, y);
    }

    paintAxis(context, width) {
        const colour = this.colour;
        const span = this.view[1] - this.view[0];
        let step = Math.pow(10, Math.floor(Math.log10(span / Math.max(2, width / 110))));
        while (span / step > width / 90) step *= step.toExponential().startsWith('2') ? 2.5 : 2;
        context.fillStyle = colour.paper;
        context.fillRect(0, 0, width, this.top());
        context.fillStyle = colour.ink;
        context.strokeStyle = colour.line;
        for (let at = Math.ceil(this.view[0] / step) * step; at <= this.view[1]; at += step) {
            const x = (at - this.view[0]) * this.scale;
            context.beginPath();
            context.moveTo(x + 0.5, 14);
            context.lineTo(x + 0.5, this.top());
            context.stroke();
            context.fillText(this.how.unit(at), Math.min(x + 3, width - 50), 9);
        }
        for (const mark of this.how.marks || []) {
            const x = (mark.at - this.view[0]) * this.scale;
            if (x < 0 || x > width) continue;
            context.fillStyle = colour.match;
            context.fillRect(x - 0.5, this.top() - 8, 1.5, this.scroller.clientHeight);
        }
    }

    outline(context, i, line, width) {
        const { x, width: w, level } = this.boxes;
        const left = Math.max((x[i] - this.view[0]) * this.scale, 0);
        const right = Math.min((x[i] + w[i] - this.view[0]) * this.scale, width);
        if (right < 0 || left > width) return;
        context.strokeStyle = this.colour.ink;
        context.lineWidth = line;
        context.strokeRect(left + line / 2, this.yOf(level[i]) + line / 2,
            Math.max(right - left - line, 1), ROW - 1 - line);
        context.lineWidth = 1;
    }

    // --- the pointer

    place(event) {
        const box = this.scroller.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    boxAt(px, py) {
        const row = Math.floor((py + this.scroller.scrollTop - this.top()) / ROW);
        const level = this.levels[this.how.flip ? this.levels.length - 1 - row : row];
        if (!level || (this.how.unit && py < this.top())) return -1;
        const { x, width } = this.boxes;
        const at = this.view[0] + px / this.scale, slack = 1 / this.scale;
        let best = -1;
        for (let k = this.firstVisible(level); k < level.length && x[level[k]] <= at + slack; k++) {
            const i = level[k];
            if (at >= x[i] && at <= x[i] + width[i]) return i;
            if (at >= x[i] - slack && at <= x[i] + width[i] + slack) best = i;
        }
        return best;
    }

    onMove(event) {
        const [px, py] = this.place(event);
        if (this.drag && Math.abs(px - this.drag.px) > 4) {
            this.drag.moved = true;
            const shift = (px - this.drag.px) / this.scale;
            this.setView(this.drag.view[0] - shift, this.drag.view[1] - shift);
            return;
        }
        this.setHover(this.boxAt(px, py), px, py);
    }

    onDown(event) {
        const [px] = this.place(event);
        if (event.pointerType !== 'touch' && this.view[1] - this.view[0] < this.total * 0.9999)
            this.drag = { px, view: this.view.slice(), moved: false };
        this.wasDragged = this.drag;
    }

    onClick(event) {
        const dragged = this.wasDragged && this.wasDragged.moved;
        this.wasDragged = this.drag = null;
        if (dragged) return;
        const i = this.boxAt(...this.place(event));
        if (i < 0) return;
        this.focus = -1;
        this.choose(i);
    }

    onWheel(event) {
        if (!event.ctrlKey && !event.metaKey && !event.altKey) return;
        event.preventDefault();
        const [px] = this.place(event);
        this.zoomAt(this.view[0] + px / this.scale, Math.exp(event.deltaY / 300));
    }

    setHover(i, px, py) {
        if (i !== this.hover) {
            this.hover = i;
            this.draw();
        }
        this.tip.hidden = i < 0;
        if (i < 0) return;
        replaceChildren(this.tip, this.how.describe(i).map((line, k) => el('div', { class: k ? '' : 'name' }, line)));
        const room = this.scroller.clientWidth;
        this.tip.style.left = Math.max(0, Math.min(px + 14, room - this.tip.offsetWidth)) + 'px';
        this.tip.style.top = py + 18 + 'px';
    }

    // --- the view

    setView(from, to) {
        const least = this.total * 1e-9 || 1e-9;
        let span = Math.max(to - from, least);
        span = Math.min(span, this.total || 1);
        from = Math.max(0, Math.min(from, (this.total || 1) - span));
        this.view = [from, from + span];
        this.draw();
        if (this.how.onView) this.how.onView(this);
    }

    zoomAt(at, factor) {
        this.setView(at - (at - this.view[0]) * factor, at + (this.view[1] - at) * factor);
    }

    // Zooms to a box and says what it is.
    choose(i) {
        this.chosen = i;
        this.setView(this.boxes.x[i], this.boxes.x[i] + this.boxes.width[i]);
        this.spoken.textContent = this.how.describe(i).join(', ');
        this.how.onSelect(i);
    }

    reset() {
        this.chosen = this.focus = -1;
        this.setView(0, this.total);
        this.how.onSelect(-1);
    }

    isWhole() {
        return this.view[1] - this.view[0] >= this.total * 0.9999;
    }

    // --- the keyboard

    onKey(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const middle = (this.view[0] + this.view[1]) / 2, span = this.view[1] - this.view[0];
        const steps = {
            ArrowDown: () => this.walk(this.how.flip ? -1 : 1), ArrowUp: () => this.walk(this.how.flip ? 1 : -1),
            ArrowRight: () => this.beside(1), ArrowLeft: () => this.beside(-1),
            Enter: () => { if (this.focus >= 0) this.choose(this.focus); },
            ' ': () => { if (this.focus >= 0) this.choose(this.focus); },
            Escape: () => this.reset(), Backspace: () => this.outwards(),
            Home: () => this.reset(),
            '+': () => this.zoomAt(middle, 0.5), '-': () => this.zoomAt(middle, 2),
            '=': () => this.zoomAt(middle, 0.5),
            '<': () => this.setView(this.view[0] - span / 4, this.view[1] - span / 4),
            '>': () => this.setView(this.view[0] + span / 4, this.view[1] + span / 4),
        };
        if (!steps[event.key]) return;
        event.preventDefault();
        steps[event.key]();
    }

    speak(i) {
        this.focus = i;
        const y = this.yOf(this.boxes.level[i]);
        if (y < this.top()) this.scroller.scrollTop += y - this.top() - ROW;
        if (y > this.scroller.clientHeight - ROW) this.scroller.scrollTop += y - this.scroller.clientHeight + 2 * ROW;
        const { x, width } = this.boxes;
        if (x[i] + width[i] < this.view[0] || x[i] > this.view[1])
            this.setView(x[i], x[i] + (this.view[1] - this.view[0]));
        this.spoken.textContent = this.how.describe(i).join(', ');
        this.draw();
    }

    // One level in or out: to the widest box there.
    walk(by) {
        const { x, width, level } = this.boxes;
        if (this.focus < 0) {
            const first = this.chosen >= 0 ? this.chosen : (this.levels[0] || [])[0];
            if (first !== undefined) this.speak(first);
            return;
        }
        const from = x[this.focus], to = from + width[this.focus], slack = (to - from) * 1e-9;
        const near = (this.levels[level[this.focus] + by] || []).filter((i) => (by > 0
            ? x[i] >= from - slack && x[i] + width[i] <= to + slack
            : x[i] <= from + slack && x[i] + width[i] >= to - slack));
        if (near.length) this.speak(near.reduce((best, i) => (width[i] > width[best] ? i : best)));
    }

    beside(by) {
        if (this.focus < 0) return this.walk(1);
        const level = this.levels[this.boxes.level[this.focus]];
        const next = level[level.indexOf(this.focus) + by];
        if (next !== undefined) this.speak(next);
        return undefined;
    }

    outwards() {
        const at = this.focus >= 0 ? this.focus : this.chosen;
        if (at < 0) return this.reset();
        this.focus = at;
        this.walk(-1);
        if (this.focus === at) return this.reset();
        this.choose(this.focus);
        return undefined;
    }
}

// A table that can be sorted. Rows are made as they are needed: there may be thousands.

const AT_ONCE = 60;

class Table {
    // columns: {title, help, value(row), text(row) or cell(row) -> nodes, number, bar(row) -> [part, whole]};
    // rows: anything; sort: index of a column.
    constructor(how) {
        this.how = how;
        this.sorted = how.sort;
        this.down = true;
        this.head = el('tr', {});
        this.body = el('tbody', {});
        this.more = el('button', { class: 'more', onclick: () => this.showMore(AT_ONCE * 5) });
        this.caption = el('caption', { class: 'unseen' }, how.label);
        this.table = el('table', { class: how.class || '' }, this.caption, el('thead', {}, this.head), this.body);
        this.element = el('div', {}, el('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': how.label }, this.table), this.more);
    }

    show(columns, rows) {
        this.columns = columns;
        this.rows = rows;
        this.sort();
    }

    sort() {
        const column = this.columns[this.sorted] || this.columns[0];
        const sign = this.down === !column.number ? 1 : -1;
        const keyed = this.rows.map((row, i) => [column.value(row), i, row]);
        keyed.sort((a, b) => (a[0] < b[0] ? -sign : a[0] > b[0] ? sign : a[1] - b[1]));
        this.order = keyed.map((key) => key[2]);
        this.drawHead();
        replaceChildren(this.body);
        this.shown = 0;
        this.showMore(AT_ONCE);
    }

    drawHead() {
        replaceChildren(this.head, this.columns.map((column, i) => {
            const current = i === this.sorted;
            const falling = this.down === Boolean(column.number);
            return el('th', { scope: 'col', class: column.number ? 'number' : '', title: column.help,
                'aria-sort': current ? (falling ? 'descending' : 'ascending') : null },
            el('button', { class: 'link', onclick: () => {
                this.down = current ? !this.down : true;
                this.sorted = i;
                this.sort();
            } }, column.title, current ? el('span', { 'aria-hidden': 'true' }, falling ? ' \u25be' : ' \u25b4') : null));
        }));
    }

    showMore(n) {
        const rows = this.order.slice(this.shown, this.shown + n);
        this.body.append(...rows.map((row) => this.row(row)));
        this.shown += rows.length;
        const rest = this.order.length - this.shown;
        this.more.hidden = rest <= 0;
        this.more.textContent = `Show ${count(Math.min(rest, AT_ONCE * 5))} of ${count(rest)} more`;
    }

    row(row) {
        return el('tr', {}, this.columns.map((column, i) => {
            const content = column.cell ? column.cell(row) : column.text(row);
            const cell = el(i ? 'td' : 'th', { class: column.number ? 'number' : 'name', scope: i ? null : 'row' }, content);
            return column.bar ? barred(cell, ...column.bar(row)) : cell;
        }));
    }
}

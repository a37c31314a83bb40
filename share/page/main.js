// The page: head, tabs, what the address says, the theme.

const views = [paths ? flameView() : null, D.tracks.length ? timeView() : null, subsView(),
    TIMES ? packagesView() : null, D.listing ? listingView() : null, TIMES ? null : graphView(), D.walkback ? walkbackView() : null,
    D.sources.length ? sourceView() : null, aboutView(), subView()].filter((view) => view);

const THEMES = ['auto', 'light', 'dark'];
const themeButton = el('button', { onclick: nextTheme });

function setTheme(theme) {
    if (theme === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', theme);
    themeButton.textContent = { auto: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' }[theme];
    state.theme = theme;
    try {
        localStorage.setItem('dprof-theme', theme);
    } catch (error) {
        // A page in a mail has no storage: then it is forgotten.
    }
    if (shown) shown.redraw();
}

function nextTheme() {
    setTheme(THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length]);
}

let shown = null;
const summaryBox = el('section', { class: 'summary', 'aria-label': 'Where the time went' });
const result = el('output', { class: 'result', 'aria-live': 'polite' });
const searchBox = el('input', { type: 'search', placeholder: 'name or /regex/', 'aria-label': `Search ${SUB}s`, autocomplete: 'off', spellcheck: 'false',
    oninput: later(onSearch, 120) });
const metricBox = el('select', { 'aria-label': 'What is shown', onchange: (event) => {
    state.metric = event.target.value;
    replaceChildren(summaryBox, summary());
    result.textContent = searchResult();
    if (shown) shown.show();
} }, Object.entries(METRICS).filter(([, metric]) => !metric.table).map(([key, metric]) =>
    el('option', { value: key, selected: key === state.metric }, metric.title)));

function onSearch() {
    search(searchBox.value.trim());
    result.textContent = searchResult();
    if (!shown) return;
    if (shown.id === 'sub') shown.element.querySelectorAll('.chart').forEach((chart) => chart.dispatchEvent(new Event('scroll')));
    else shown.redraw();
}

function tab(view) {
    return el('a', { href: '#' + view.id, id: 'tab-' + view.id }, view.title);
}

const tabs = el('nav', { class: 'tabs', 'aria-label': 'Views' }, views.filter((view) => view.title).map(tab));

function route() {
    const [, id, rest] = /^#?([a-z]*)(?:=(.*))?$/s.exec(location.hash) || [];
    const view = views.find((one) => one.id === id) || views[0];
    const before = shown;
    const changed = view !== shown;
    shown = view;
    for (const one of views) one.element.parentElement.hidden = one !== view;
    metricBox.hidden = view.fixed;
    for (const link of tabs.children) {
        if (link.id === 'tab-' + view.id) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
    }
    let argument = rest;
    try {
        argument = rest === undefined ? undefined : decodeURIComponent(rest);
    } catch (error) {
        // It was typed in by hand: as it is.
    }
    view.show(argument === undefined && view.id === 'subs' ? '' : argument);
    if (changed && before && view.id === 'sub') tabs.scrollIntoView({ block: 'start' });
}

document.body.append(
    el('header', {},
        el('div', { class: 'headline' },
            el('h1', {}, TITLE), themeButton),
        D.cmd ? el('p', { class: 'command' }, D.cmd) : null,
        facts()),
    el('main', {}, notes(), summaryBox,
        el('div', { class: 'bar-top' }, tabs,
            el('div', { class: 'controls' }, metricBox, searchBox, result)),
        views.map((view) => el('section', { class: 'view', 'aria-label': view.title || 'One ' + SUB }, view.element))));

replaceChildren(summaryBox, summary());
let theme = 'auto';
try {
    theme = localStorage.getItem('dprof-theme') || 'auto';
} catch (error) {
    // No storage: as the system.
}
setTheme(THEMES.includes(theme) ? theme : 'auto');
window.addEventListener('hashchange', route);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => shown.redraw());
document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    searchBox.focus();
});
route();
document.documentElement.setAttribute('data-ready', '1');

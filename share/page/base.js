// Small things that everything else uses: elements, numbers, names.

// el('a', {href: '#x', class: 'y', onclick: f}, 'text', el(...)): an element. Text is text, never
// markup: names come from the profile and may hold anything.
function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
        else if (value === true) node.setAttribute(key, '');
        else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

function replaceChildren(node, ...children) {
    node.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

const NARROW = '\u202f';

// 1234567 -> 1 234 567
function count(number) {
    return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, NARROW);
}

function plural(number, one, many) {
    return count(number) + ' ' + (number === 1 ? one : many || one + 's');
}

// Three digits that say something: 0.00123 -> 1.23 ms.
function seconds(value) {
    if (!(value > 0)) return '0 s';
    const units = [[1, 's'], [1e-3, 'ms'], [1e-6, '\u00b5s'], [1e-9, 'ns']];
    const [size, unit] = units.find(([least]) => value >= least * 0.9995) || units[units.length - 1];
    const scaled = value / size;
    if (unit === 's' && scaled >= 1000) return count(scaled) + ' s';
    return scaled.toFixed(scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2) + ' ' + unit;
}

function percent(part, whole) {
    if (!(whole > 0)) return '-';
    const share = 100 * part / whole;
    if (share > 0 && share < 0.01) return '<0.01' + NARROW + '%';
    return share.toFixed(share >= 99.95 ? 0 : share >= 9.995 ? 1 : 2) + NARROW + '%';
}

// Foo::Bar::baz -> Foo::Bar. Anonymous subs and blocks have their place in brackets behind.
function packageOf(name) {
    const plain = name.replace(/\[.*$/s, '');
    const at = plain.lastIndexOf('::');
    return at > 0 ? plain.slice(0, at) : plain.startsWith('(') ? plain : 'main';
}

function shortName(name) {
    const bracket = name.indexOf('[');
    const at = name.lastIndexOf('::', bracket < 0 ? name.length : bracket);
    return at > 0 ? name.slice(at + 2) : name;
}

function baseName(path) {
    return path.replace(/^.*\/(?=.)/s, '');
}

// A name that wraps where its parts end.
function breakable(name) {
    return name.split(/(?<=::|\/)/).flatMap((part, i) => (i ? [el('wbr'), part] : [part]));
}

// A hue for a package, the same in every page.
function hueOf(text) {
    let hash = 2166136261;
    for (let i = 0; i < text.length; i++) {
        hash ^= text.charCodeAt(i);
        hash = Math.imul(hash, 16777619);
    }
    return (hash >>> 0) % 360;
}

// A bar behind an element. Its length is set by the CSSOM: the policy allows no style="".
function barred(node, part, whole) {
    const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
    if (!share) return node;
    node.classList.add('bar');
    node.style.setProperty('--share', (100 * share).toFixed(2) + '%');
    return node;
}

// Calls f once things have been quiet for a moment.
function later(f, milliseconds) {
    let timer = 0;
    return (...args) => {
        clearTimeout(timer);
        timer = setTimeout(() => f(...args), milliseconds);
    };
}

// CPU time stays CPU time, Real time becomes real time.
function lower(title) {
    return title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

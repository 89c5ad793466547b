/** Search of the reference and the guides. The index is fetched when somebody first looks for something. */

const SHOWN_MAX = 30;

/** Whether an address, such as `/admin/users/42`, is that of a path or its beginning: any text stands for a parameter. */
function leadsTo(path, address) {
  const segments = path.split('/');
  return address
    .split('/')
    .every((part, index) => segments[index]?.startsWith('{') || segments[index]?.startsWith(part));
}

/** How well a page answers a search: every word must be somewhere. 0 where one is not. */
function score({ title, names, path, fields }, words, whole) {
  const texts = [names.toLowerCase(), title.toLowerCase(), path.toLowerCase(), fields.toLowerCase()];
  const isNamed = texts[0].split(' ').includes(whole) || texts[1] === whole || texts[2].split(' ').includes(whole);
  let sum = isNamed ? 100 : 0;
  for (const word of words) {
    const isPath = word.startsWith('/') && texts[2].split(' ').some((path) => leadsTo(path, word));
    const place = isPath ? 2 : texts.findIndex((text) => text.includes(word));
    if (place === -1) return 0;
    const isWhole = texts[3].split(' ').includes(word);
    sum += [8, 6, 4, 1][place] + (isWhole ? 1 : 0);
  }
  return sum;
}

/** `/t/acme/api/v1/admin/users/42` is looked for as it is described, and `GET` before it says little. */
function readQuery(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(?:get|post|put|patch|delete)\s+(?=\/)/, '')
    .replace(/\/(?:t|orgs)\/[^/\s]+/, '');
}

/** What is found, the best first. */
export function search(index, text) {
  const whole = readQuery(text);
  const words = whole.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  return index
    .map((entry) => ({ entry, points: score(entry, words, whole) }))
    .filter(({ points }) => points > 0)
    .sort((left, right) => right.points - left.points)
    .map(({ entry }) => entry);
}

function item({ url, title, path, method }, base) {
  const link = document.createElement('a');
  link.href = base + url;
  link.append(title);
  const small = document.createElement('small');
  small.append([method, path].filter((text) => text).join(' '));
  link.append(small);
  const entry = document.createElement('li');
  entry.append(link);
  return entry;
}

function start(form) {
  const input = form.querySelector('input');
  const found = form.querySelector('.found');
  let loading;
  const load = () => {
    loading ??= fetch(form.dataset.index).then((answer) => {
      if (!answer.ok) throw new Error(`The index answered ${answer.status}`);
      return answer.json();
    });
    return loading;
  };
  const show = (entries, note) => {
    const list = document.createElement('ul');
    list.append(...entries.slice(0, SHOWN_MAX).map((entry) => item(entry, form.dataset.base)));
    const said = document.createElement('p');
    said.setAttribute('role', 'status');
    said.append(note);
    found.replaceChildren(list, said);
    found.hidden = false;
  };
  const run = async () => {
    const text = input.value;
    if (text.trim() === '') {
      found.hidden = true;
      return;
    }
    try {
      const entries = search(await load(), text);
      if (text !== input.value) return;
      const more = entries.length - SHOWN_MAX;
      const note =
        entries.length === 0 ? 'Nothing found.' : more > 0 ? `${more} more: add a word.` : `${entries.length} found.`;
      show(entries, note);
    } catch {
      loading = undefined;
      show([], 'The search is not available at the moment. Try again.');
    }
  };
  input.addEventListener('focus', () => load().catch(() => {}), { once: true });
  input.addEventListener('input', run);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    found.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      found.hidden = true;
      input.focus();
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const links = [input, ...found.querySelectorAll('a')];
    const next = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
    event.preventDefault();
    links[Math.max(0, Math.min(next, links.length - 1))].focus();
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) found.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:input|textarea|select)$/i.test(event.target.tagName)) return;
    event.preventDefault();
    input.focus();
  });
  form.hidden = false;
}

/** A button over each block of code that copies it. The clipboard is there over encrypted connections only. */
function addCopyButtons() {
  if (navigator.clipboard === undefined) return;
  for (const block of document.querySelectorAll('pre')) {
    const box = document.createElement('div');
    box.className = 'copyable';
    const button = document.createElement('button');
    button.type = 'button';
    button.append('Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent).then(
        () => button.replaceChildren('Copied'),
        () => button.replaceChildren('Not copied'),
      );
      setTimeout(() => button.replaceChildren('Copy'), 2_000);
    });
    block.replaceWith(box);
    box.append(block, button);
  }
}

if (typeof document !== 'undefined') {
  addCopyButtons();
  start(document.querySelector('form.search'));
  // where there is no room beside the page, its content comes first
  if (matchMedia('(max-width: 52rem)').matches) document.querySelector('nav details').open = false;
}

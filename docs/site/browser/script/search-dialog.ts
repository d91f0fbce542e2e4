/** The search in place of Redoc's, which knows neither properties nor operations. */
import { localized, pages } from './page-data.ts';
import { open } from './places.ts';
import { find, type Hit, type Index, indexOf } from './search.ts';

const KINDS = {
  section: 'Section',
  operation: 'Operation',
  schema: 'Schema',
  guide: 'Guide',
  record: 'Background',
};

const dialog = document.createElement('dialog');
dialog.className = 'search';
dialog.setAttribute('aria-label', 'Search');
dialog.innerHTML = `<form method="dialog">
<input type="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off"
  spellcheck="false">
<button>Close</button></form>
<p role="status"></p>
<ul></ul>`;
const input = part('input', HTMLInputElement);
const summary = part('p', HTMLElement);
const list = part('ul', HTMLElement);

function part<Found extends Element>(selector: string, type: new () => Found): Found {
  const found = dialog.querySelector(selector);
  if (!(found instanceof type)) {
    throw new Error(`the search has no ${selector}`);
  }
  return found;
}

let index: Index | undefined;

export function offerSearch(): void {
  document.body.append(dialog, phoneBar());
  input.addEventListener('input', show);
  dialog.addEventListener('keydown', press);
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) {
      dialog.close();
    }
  });
  // Before Redoc's own listeners.
  addEventListener('click', clickTrigger, true);
  addEventListener('keydown', pressTrigger, true);
}

/** On a phone, Redoc's search is in the menu alone. */
function phoneBar(): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'phone-bar';
  bar.setAttribute('role', 'search');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Search';
  button.addEventListener('click', openSearch);
  bar.append(button);
  return bar;
}

const TRIGGER = '[data-testid="search-trigger"]';

/** Redoc opens the search by a click or Ctrl+K alone. */
export function improveSearchTrigger(): void {
  const trigger = document.querySelector(`${TRIGGER}:not([role])`);
  if (trigger instanceof HTMLElement) {
    trigger.setAttribute('role', 'button');
    trigger.tabIndex = 0;
  }
}

function isTrigger(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TRIGGER) !== null;
}

function clickTrigger(event: Event): void {
  if (isTrigger(event.target)) {
    event.stopImmediatePropagation();
    openSearch();
  }
}

function pressTrigger(event: KeyboardEvent): void {
  const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
  const isPress = isTrigger(event.target) && (event.key === 'Enter' || event.key === ' ');
  if (isShortcut || isPress) {
    event.preventDefault();
    event.stopImmediatePropagation();
    openSearch();
  }
}

function openSearch(): void {
  if (!dialog.open) {
    dialog.showModal();
  }
  input.select();
  show();
}

function show(): void {
  index ??= indexOf(pages);
  const { hits, words } = find(index, input.value);
  const highlight = highlighter(words);
  list.replaceChildren(...hits.map((hit) => itemOf(hit, highlight)));
  summary.textContent = summaryOf(hits.length);
}

function summaryOf(count: number): string {
  if (input.value.trim() === '') {
    return 'Names of operations, properties and errors, and any word of the docs.';
  }
  if (count === 0) {
    return 'Nothing found.';
  }
  return count === 1 ? '1 result' : `${count} results`;
}

type Highlighter = (text: string) => (Node | string)[];

function itemOf({ entry, name, snippet }: Hit, highlight: Highlighter): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `#/${entry.place}`;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    dialog.close();
    open(entry.place);
  });
  const kind = name === undefined ? KINDS[entry.kind] : `${KINDS[entry.kind]} · ${name.path}`;
  link.append(line('small', highlight(kind)), line('strong', highlight(entry.title)));
  if (snippet !== '') {
    link.append(line('span', highlight(localized(snippet))));
  }
  item.append(link);
  return item;
}

function line(tag: string, content: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
}

function highlighter(words: readonly string[]): Highlighter {
  if (words.length === 0) {
    return (text) => [text];
  }
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(${longestFirst.join('|')})(?![\\p{L}\\p{N}])`,
    'giu',
  );
  return (text) =>
    text.split(pattern).map((piece, at) => (at % 2 === 1 ? line('mark', [piece]) : piece));
}

/** Arrows go through the hits; Enter in the field opens the first one; Escape closes. */
function press(event: KeyboardEvent): void {
  const links = [...list.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  if (event.key === 'ArrowDown') {
    links[Math.min(at + 1, links.length - 1)]?.focus();
  } else if (event.key === 'ArrowUp') {
    const previous = at > 0 ? links[at - 1] : input;
    previous?.focus();
  } else if (event.key === 'Enter' && event.target === input) {
    links[0]?.click();
  } else if (event.key === 'Escape') {
    // The first press of it would only empty the field.
    dialog.close();
  } else {
    return;
  }
  event.preventDefault();
}

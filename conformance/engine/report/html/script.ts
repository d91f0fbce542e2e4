/**
 * What the page does beyond reading: filters, and buttons that copy. Without JavaScript their controls stay hidden and
 * everything is shown.
 */
export const SCRIPT = `
'use strict';
const $$ = (selector) => [...document.querySelectorAll(selector)];

for (const button of $$('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const block = document.getElementById(button.dataset.copy);
    let copied = true;
    try {
      await navigator.clipboard.writeText(block.textContent);
    } catch {
      // Not every browser gives a page from a file its clipboard.
      getSelection().selectAllChildren(block);
      copied = document.execCommand('copy');
    }
    const said = document.getElementById('said');
    said.textContent = '';
    said.textContent = copied ? 'Copied.' : 'Selected: copy it with the keyboard.';
    const label = button.textContent;
    if (label === 'Copy') {
      button.textContent = copied ? 'Copied' : 'Selected';
      setTimeout(() => { button.textContent = label; }, 2000);
    }
  });
}

const rows = $$('[data-status]').map((row) =>
  ({ row, status: row.dataset.status, text: row.textContent.toLowerCase() }));
const buttons = $$('[data-filter]');
const search = document.getElementById('search');
const found = document.getElementById('found');

function apply() {
  const pressed = buttons.filter((button) => button.getAttribute('aria-pressed') === 'true');
  const wanted = pressed.map((button) => button.dataset.filter);
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const { row, status, text } of rows) {
    const matches = (wanted.includes('all') || wanted.includes(status)) && words.every((word) => text.includes(word));
    row.hidden = !matches;
    if (matches) shown += 1;
  }
  for (const area of $$('.area')) {
    area.hidden = !area.querySelector('[data-status]:not([hidden])');
    for (const link of $$('.areas a')) if (link.hash === '#' + area.id) link.parentElement.hidden = area.hidden;
  }
  found.textContent = shown === 0 ? 'No requirement matches.' : shown + ' of ' + rows.length + ' requirements shown.';
}

// A run that ended early has nothing to filter.
if (search) {
  for (const button of buttons) {
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      apply();
    });
  }
  search.addEventListener('input', apply);
  document.getElementById('filter').hidden = false;
  // A browser that comes back to the page fills the field again.
  apply();
}
`;

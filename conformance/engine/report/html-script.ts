/**
 * The script of the HTML report. It makes the filter and the copy buttons work; without JavaScript
 * they stay hidden, and everything else is shown. It is a text because the page contains it, and
 * the policy of the page names it by its hash.
 */
export const SCRIPT = String.raw`
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];

for (const button of all('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const block = document.getElementById(button.dataset.copy);
    if (!navigator.clipboard) block.hidden = false;
    // A page from a file may have no clipboard: then the text is selected for the keyboard.
    getSelection().selectAllChildren(block);
    await navigator.clipboard?.writeText(block.textContent);
    button.textContent = navigator.clipboard ? 'Copied' : 'Selected';
  });
}

const search = document.getElementById('search');
const rows = all('.area tbody tr').map((row) => ({ row, text: row.textContent.toLowerCase() }));

function apply() {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
  for (const fold of all('.area details')) fold.open = search.value !== '';
  for (const area of all('.area')) area.hidden = !area.querySelector('tbody tr:not([hidden])');
  const shown = rows.filter(({ row }) => !row.hidden).length;
  const found = document.getElementById('found');
  found.textContent = shown + ' of ' + rows.length + ' requirements shown.';
}

// A run that ended early has no requirements to filter.
if (search) {
  search.parentElement.hidden = false;
  search.addEventListener('input', apply);
  // A browser that comes back to the page fills the field again.
  apply();
}
`;

/** Style and script of the HTML report, which have no part in what it says. */

/** Text has a contrast of at least 4.5:1 in both schemes; no status is told by colour alone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f8; --card: #ffffff; --inset: #f1f3f5; --line: #d5dae0; --text: #1b1f24; --soft: #57606a;
  --link: #0b5cad; --pass: #17703a; --fail: #b42318; --error: #9a4a00; --skip: #3d5a80; --disabled: #5f6670;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --card: #1b1f25; --inset: #12151a; --line: #353c46; --text: #e5e9ee; --soft: #a3adb9;
    --link: #7db7ff; --pass: #5fcf8b; --fail: #ff8a80; --error: #ffb268; --skip: #9dbce6; --disabled: #a7b0bb;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  max-width: 76rem; margin: 0 auto; padding: 1rem; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 2.2rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 1rem; }
h3 { font-size: 1.1rem; margin: 0; }
h4 { font-size: .85rem; color: var(--soft); margin: 1rem 0 .3rem; }
p { margin: .4rem 0; max-width: 60rem; }
a { color: var(--link); }
code, pre, summary { font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .875rem; }
pre {
  margin: 0; background: var(--inset); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .75rem;
  white-space: pre-wrap; tab-size: 2; line-height: 1.45;
}
button, input {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 6px;
  padding: .2rem .7rem; min-height: 2rem;
}
.soft { color: var(--soft); }
.pass { color: var(--pass); }
.fail { color: var(--fail); }
.error, .flaky { color: var(--error); }
.skip { color: var(--skip); }
.disabled { color: var(--disabled); }

.counts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; font-weight: 600; }
dl, article, table { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .5rem 1rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: .5rem 1.5rem; }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; }
article { border-top: 4px solid var(--error); padding: 1rem; margin-bottom: 1.25rem; }
article.fail-block { border-top-color: var(--fail); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: .5rem 1rem; }

.filter { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
.filter input { flex: 1 1 16rem; max-width: 40rem; }
.area { margin-top: 1.5rem; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; }
th { font-size: .8rem; color: var(--soft); overflow-wrap: normal; }
tbody tr { border-top: 1px solid var(--line); }
.status, .number { white-space: nowrap; }
.place { width: 20rem; font-size: .85rem; color: var(--soft); }

@media (max-width: 46rem) {
  .place, .area th:nth-child(3), .area .number, .area th:nth-child(4) { display: none; }
}
@media print {
  body { max-width: none; font-size: 9pt; }
  .filter, button { display: none; }
  tr { break-inside: avoid; }
}
`;

/** A filter, and buttons that copy. Without JavaScript these controls stay hidden, and everything else is shown. */
export const SCRIPT = `
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];

for (const button of all('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const block = document.getElementById(button.dataset.copy);
    // Where a browser gives a page from a file no clipboard, the text is selected for the keyboard.
    getSelection().selectAllChildren(block);
    await navigator.clipboard?.writeText(block.textContent);
    button.textContent = navigator.clipboard ? 'Copied' : 'Selected';
  });
}

const search = document.getElementById('search');
const rows = all('.area tbody tr').map((row) => ({ row, text: row.textContent.toLowerCase() }));

function apply() {
  const words = search.value.toLowerCase().split(/\\s+/);
  for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
  for (const fold of all('.area details')) fold.open = search.value !== '';
  for (const area of all('.area')) area.hidden = !area.querySelector('tbody tr:not([hidden])');
  const shown = rows.filter(({ row }) => !row.hidden).length;
  document.getElementById('found').textContent = shown + ' of ' + rows.length + ' requirements shown.';
}

// A run that ended early has nothing to filter; a browser that comes back to the page fills the field again.
if (search) {
  search.parentElement.hidden = false;
  search.addEventListener('input', apply);
  apply();
}
`;

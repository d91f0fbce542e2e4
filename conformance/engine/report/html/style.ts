/** The style of the page. Text has a contrast of at least 4.5:1 in both schemes; no status is told by colour alone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f8; --card: #fff; --inset: #f1f3f5; --line: #d5dae0; --text: #1b1f24; --soft: #57606a;
  --link: #0b5cad; --pass: #17703a; --fail: #b42318; --error: #9a4a00; --skip: #3d5a80; --disabled: #5f6670;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --card: #1b1f25; --inset: #12151a; --line: #353c46; --text: #e5e9ee; --soft: #a3adb9;
    --link: #7db7ff; --pass: #5fcf8b; --fail: #ff8a80; --error: #ffb268; --skip: #9dbce6; --disabled: #a7b0bb;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif;
}
body, td, dd, li, p { overflow-wrap: anywhere; }
main, header, footer { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; }
h1, h2, h3, h4, p, dl, dd, ol, ul, pre { margin: 0; }
h1 { font-size: clamp(1.8rem, 5vw, 2.6rem); line-height: 1.15; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 1rem; }
h3 { font-size: 1.1rem; line-height: 1.35; }
h4 { font-size: .8rem; color: var(--soft); text-transform: uppercase; letter-spacing: .05em; }
a { color: var(--link); }
code, pre, .id { font-family: var(--mono); font-size: .875em; }
pre {
  background: var(--inset); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .75rem;
  white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; line-height: 1.45;
}
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
button, input {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 6px;
  padding: .35rem .75rem; min-height: 2.5rem;
}
button { cursor: pointer; }
button[aria-pressed=true] { background: var(--text); color: var(--card); border-color: var(--text); }
.soft { color: var(--soft); }
.option { white-space: nowrap; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .error, .flaky { color: var(--error); }
.skip { color: var(--skip); } .disabled { color: var(--disabled); }

header { padding-top: 2rem; }
.kicker { color: var(--soft); margin-bottom: .35rem; }
.lead { font-size: 1.15rem; margin-top: .5rem; max-width: 52rem; }
.reason { margin-top: .35rem; max-width: 52rem; }
.bar { display: block; width: 100%; height: 14px; margin-top: 1.25rem; border-radius: 7px; background: var(--line); }
.bar rect { fill: currentColor; }
.counts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-top: .6rem; }
.counts b { font-size: 1.15rem; }
.facts {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .9rem 1.5rem;
  margin-top: 1.25rem; padding: 1rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px;
}
dt { color: var(--soft); font-size: .85rem; }

article {
  background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--fail);
  border-radius: 8px; padding: 1.1rem 1.25rem;
}
article + article { margin-top: 1.25rem; }
article.in-error { border-top-color: var(--error); }
article + .same-cause { padding: .75rem 1.25rem; }
.same-cause + article { margin-top: 1.25rem; }
.same-cause ul { padding-left: 0; list-style: none; }
.same-cause li { margin-top: .3rem; overflow-wrap: anywhere; }
.tags { color: var(--soft); font-size: .9rem; margin-top: .25rem; }
.message { margin-top: .75rem; font-weight: 600; }
.pair {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr));
  gap: .9rem 1rem; margin-top: .9rem;
}
.pair > * { min-width: 0; }
.pair > div { display: flex; flex-direction: column; gap: .3rem; }
.pair > div pre { flex: 1; }
.expected { border-left: 4px solid var(--pass); }
.got { border-left: 4px solid var(--fail); }
.block { margin-top: 1.1rem; }
.block > :first-child { margin-bottom: .3rem; }
.titled { display: flex; justify-content: space-between; align-items: end; gap: 1rem; }
.titled button { min-height: 2rem; padding: .1rem .75rem; font-size: .9rem; }
.steps { list-style: none; padding: 0; display: grid; gap: .5rem; }
summary { cursor: pointer; font-family: var(--mono); font-size: .875rem; padding: .3rem 0; }
details .pair { margin-top: .3rem; align-items: start; }
.start { font-weight: 700; }

.filter { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.filter [role=group] { display: flex; flex-wrap: wrap; gap: .4rem; }
.filter label { display: flex; align-items: center; gap: .5rem; flex: 1 1 16rem; }
.filter input { flex: 1; min-width: 0; }
input::placeholder { color: var(--soft); opacity: 1; }
.found { min-height: 1.5em; margin-top: .5rem; color: var(--soft); }
.areas { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; list-style: none; padding: 0; margin: .5rem 0 1rem; }
.area { margin-top: 1.5rem; }
.scroll { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin-top: .5rem; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; }
th { font-size: .8rem; color: var(--soft); font-weight: 600; }
tbody tr { border-top: 1px solid var(--line); }
td:first-child { white-space: nowrap; font-weight: 600; width: 7.5rem; }
td .id, td .why { display: block; }
td .id { color: var(--soft); font-size: .8rem; }
td .why { font-size: .9rem; margin-top: .15rem; }
td.pass:first-child { font-weight: 400; }
td.place { width: 20rem; font-size: .85rem; color: var(--soft); }
td.place .pointer { display: block; font-family: var(--mono); font-size: .75rem; }
th.number { text-align: right; }
td.number {
  text-align: right; width: 6.5rem; white-space: nowrap; font-variant-numeric: tabular-nums;
  font-size: .85rem; color: var(--soft);
}
footer { margin-top: 3rem; padding-bottom: 3rem; color: var(--soft); font-size: .9rem; }
.skip-link { position: absolute; left: -100vw; }
.skip-link:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; }

@media screen and (max-width: 46rem) {
  main, header, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1.25rem; }
  h2 { margin-top: 2rem; }
  article { padding: .9rem; }
  .facts { grid-template-columns: 1fr 1fr; gap: .6rem 1rem; padding: .8rem .9rem; }
  .facts .wide { grid-column: 1 / -1; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: .6rem .9rem; }
  td, td:first-child, td.place, td.number { padding: 0; width: auto; text-align: left; white-space: normal; }
  tbody tr:first-child { border-top: 0; }
  td.place, td.number { display: inline-block; font-size: .8rem; margin-right: 1rem; }
  td.place .pointer { display: none; }
}
@media print {
  :root {
    --ground: #fff; --card: #fff; --inset: #fff; --line: #999; --text: #000; --soft: #333; --link: #000;
    --pass: #17703a; --fail: #b42318; --error: #9a4a00; --skip: #3d5a80; --disabled: #5f6670;
  }
  html { font-size: 8.5pt; }
  body { font-size: 1rem; }
  .pair { grid-template-columns: 1fr 1fr; }
  main, header, footer { max-width: none; padding: 0; }
  .filter, .found, .areas, .skip-link, button { display: none !important; }
  h2, h3, h4, summary, .message { break-after: avoid; }
  tr, .tags, .expected, .got { break-inside: avoid; }
  details::details-content { content-visibility: visible; display: block; }
  .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

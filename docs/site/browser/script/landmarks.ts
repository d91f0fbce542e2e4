/** Names for the parts of Redoc's page, and ways to reach them without a mouse. */
import { currentHeading, focus } from './places.ts';

const name = document.title;

/** The first thing that the Tab key reaches. */
export function addSkipLink(): void {
  const link = document.createElement('a');
  link.className = 'skip-link';
  link.href = '#/';
  link.textContent = 'Skip to content';
  link.addEventListener('click', (event) => {
    const heading = currentHeading();
    if (heading !== undefined) {
      event.preventDefault();
      focus(heading);
    }
  });
  const part = document.createElement('nav');
  part.setAttribute('aria-label', 'Skip');
  part.append(link);
  document.body.prepend(part);
}

/** The names of the parts that Redoc has rendered. */
export function improveLandmarks(): void {
  const menu = document.querySelector('[data-component-name="Menu/Menu"]');
  const sidebar = menu?.parentElement?.parentElement;
  sidebar?.setAttribute('role', 'navigation');
  sidebar?.setAttribute('aria-label', 'Contents');
  // The Tab key reaches tables that scroll.
  for (const table of document.querySelectorAll('.md-table-wrapper')) {
    table.setAttribute('tabindex', '0');
  }
  followSection();
}

/** The title of the tab is that of the section. */
function followSection(): void {
  // The label has the method, too.
  const label = document.querySelector(
    '[data-testid="menu-item-label"][data-active="true"] [data-text]',
  );
  const section = label?.getAttribute('data-text') ?? '';
  const isName = section === '' || name.startsWith(section);
  const title = isName ? name : `${section} – ${name}`;
  if (document.title !== title) {
    document.title = title;
  }
}

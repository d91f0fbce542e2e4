/**
 * Redoc renders only what is near the window. The whole document is beside it, for the browser's
 * own search and for print.
 */
import { localized } from './page-data.ts';

const root = document.documentElement;

const whole = document.getElementById('whole');

export function offerWholeDocument(): void {
  if (whole === null) {
    return;
  }
  whole.innerHTML = localized(whole.innerHTML);
  // A hit of the browser's search: the document takes the place of Redoc's page.
  whole.addEventListener('beforematch', show);
  document.getElementById('leave-whole')?.addEventListener('click', leave);
  addEventListener('hashchange', leave);
}

function show(): void {
  root.toggleAttribute('data-whole', true);
  whole?.setAttribute('role', 'main');
}

function leave(): void {
  if (root.hasAttribute('data-whole')) {
    root.removeAttribute('data-whole');
    whole?.removeAttribute('role');
    whole?.setAttribute('hidden', 'until-found');
  }
}

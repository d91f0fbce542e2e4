/** The data that the build gives to this script, and the address of the page. */
import type { PageData } from '../../page/page-data.ts';

const element = document.getElementById('page-data');

export const { base, samples, pages } = JSON.parse(element?.textContent ?? '') as PageData;

/**
 * A server of this API serves the page at /docs, below its base address; elsewhere the page is a
 * file like any other.
 */
const [, served] = /^(https?:.*)\/docs$/.exec(location.origin + location.pathname) ?? [];

/** With the address of the server that shows the page in place of the one of all samples. */
export function localized(text: string): string {
  if (served === undefined) {
    return text;
  }
  return text.replaceAll(base, served).replaceAll('try.html', 'try');
}

/** Chromium, which reaches this machine only, and what makes a page hard to read in it. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @throws Error that says what to install if Chromium is missing */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find((path) => existsSync(path));
  const missing =
    'There is no Chromium. Install it (Debian: apt-get install ' +
    'chromium), or name its path in CHROMIUM.';
  if (executablePath === undefined) {
    throw new Error(missing);
  }
  // No other name resolves: the network is cut off. Containers have no sandbox.
  const cutOff = [
    '--disable-background-networking',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ];
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...cutOff] });
}

/**
 * Text beyond the window that no element scrolls, and long texts in narrow cells. It runs in the
 * page itself.
 */
export function overflowing(): string[] {
  const found: string[] = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) {
    found.push(`the page is ${scrollWidth} wide`);
  }
  for (const cell of document.querySelectorAll<HTMLElement>('td')) {
    const isNarrow = cell.offsetWidth > 0 && cell.offsetWidth < 105;
    if (isNarrow && cell.innerText.trim().length > 40) {
      found.push(`${cell.offsetWidth} pixels for: ${cell.innerText.slice(0, 60)}`);
    }
  }
  // Functions of this module do not exist in the page.
  const isScrolled = (element: HTMLElement) => {
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(parent).overflowX)) {
        return true;
      }
    }
    return false;
  };
  for (const element of document.querySelectorAll<HTMLElement>('h1, h2, h3, p, li, table, pre')) {
    const box = element.getBoundingClientRect();
    const isShown = box.width > 0 && box.height > 0 && element.checkVisibility();
    if (isShown && box.right > innerWidth + 1 && !isScrolled(element)) {
      found.push(`${element.tagName}: ${element.innerText.slice(0, 60)}`);
    }
  }
  return found;
}

/** Buttons that cover a text of another element. It runs in the page itself. */
export function buttonsOverText(): string[] {
  // Its menu and its bar cover nothing: the text ends beside them.
  const apart = '[role="navigation"], .phone-bar, dialog, [data-testid="floating-button"]';
  const inText = (element: Element) => element.checkVisibility() && element.closest(apart) === null;
  const texts = document.querySelectorAll('#redoc :is(h1, h2, h3, p, li, pre[data-language])');
  const buttons = [...document.querySelectorAll('button')].filter(inText);
  const found: string[] = [];
  for (const button of buttons) {
    const box = button.getBoundingClientRect();
    for (const text of [...texts].filter(inText)) {
      const other = text.getBoundingClientRect();
      const isApart =
        other.right <= box.left ||
        other.left >= box.right ||
        other.bottom <= box.top ||
        other.top >= box.bottom;
      const isRelated = isApart || text.contains(button) || button.contains(text);
      if (!isRelated && other.height > 0) {
        found.push(`${button.outerHTML.slice(0, 80)} over ${text.textContent?.slice(0, 40)}`);
      }
    }
  }
  return found;
}

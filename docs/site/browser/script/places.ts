/** Sections of the page by their address: `retries` is behind `#/`. */

/** How long Redoc may take to render a section. */
const PATIENCE_MS = 15_000;

/** The address that was asked for last, until the reader goes elsewhere. */
let wanted: string | undefined;

// Redoc writes the section that is scrolled past into the address, too. It does so with
// `history.replaceState`, which sends no such event.
addEventListener('hashchange', ({ newURL }) => {
  if (new URL(newURL).hash !== wanted) {
    wanted = undefined;
  }
});

/** Shows a section and gives it the focus. */
export function open(place: string): void {
  location.hash = `#/${place}`;
  const address = location.hash;
  wanted = address;
  const end = performance.now() + PATIENCE_MS;
  const focusWhenRendered = (): void => {
    if (wanted !== address) {
      return;
    }
    const heading = headingOf(place);
    if (heading !== undefined) {
      focus(heading);
    } else if (performance.now() < end) {
      requestAnimationFrame(focusWhenRendered);
    }
  };
  // Redoc renders what the new address asks for.
  setTimeout(focusWhenRendered, 100);
}

function headingOf(place: string): HTMLElement | undefined {
  const sections = document.querySelectorAll(`[data-section-id="/${CSS.escape(place)}"]`);
  for (const section of sections) {
    const heading = section.matches('h1, h2, h3')
      ? section
      : section.querySelector<HTMLElement>('h1, h2, h3');
    if (heading instanceof HTMLElement) {
      return heading;
    }
  }
  return undefined;
}

export function focus(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** The heading at the top of the window. */
export function currentHeading(): HTMLElement | undefined {
  const headings = [...document.querySelectorAll<HTMLElement>('#redoc :is(h1, h2, h3)')];
  return headings.find((heading) => heading.getBoundingClientRect().bottom > 0);
}

/** Sections of the page by their address: `retries` is behind `#/`. */

/** How long Redoc may take to render a section. */
const PATIENCE_MS = 15_000;

/** Shows a section and gives it the focus. */
export function open(place: string): void {
  location.hash = `#/${place}`;
  const address = location.hash;
  const end = performance.now() + PATIENCE_MS;
  const focusWhenRendered = (): void => {
    const heading = headingOf(place);
    const isLeft = location.hash !== address;
    if (isLeft) {
      return;
    }
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

/** What makes a page hard to read, beside what axe-core finds. It runs in the page itself: it must stand alone. */

/** Paragraphs, headings and tables that reach beyond the window, where nothing scrolls them; long texts in narrow cells. */
export function overflowing(): string[] {
  const wide = [...document.querySelectorAll<HTMLElement>('h1, h2, h3, p, li, table, pre')].filter((element) => {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || box.right <= innerWidth + 1) return false;
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(parent).overflowX)) return false;
    }
    return true;
  });
  const scrolls =
    document.documentElement.scrollWidth > innerWidth
      ? [`the page is ${document.documentElement.scrollWidth} wide`]
      : [];
  const squeezed = [...document.querySelectorAll<HTMLElement>('td')].filter(
    (cell) => cell.offsetWidth > 0 && cell.offsetWidth < 105 && cell.textContent!.trim().length > 40,
  );
  return [
    ...scrolls,
    ...squeezed.map((cell) => `${cell.offsetWidth} pixels for: ${cell.textContent!.slice(0, 60)}`),
    ...wide.map((element) => `${element.tagName}: ${element.textContent!.slice(0, 60)}`),
  ];
}

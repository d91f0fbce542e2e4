/** What makes a page hard to read. These functions run in the page itself: each must stand alone. */

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

/** The contrast (WCAG 2, 1 to 21) of each paragraph, list item, table cell and heading in sight with what is behind it. */
export function contrastOf(): { text: string; ratio: number }[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  const channels = (colour: string): [number, number, number, number] => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data] as [number, number, number, number];
  };
  const luminance = (colour: string): number => {
    const [red, green, blue] = channels(colour).map((one) =>
      one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4,
    ) as [number, number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element): string => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (channels(colour)[3] > 127) return colour;
    }
    return 'white';
  };
  return [...document.querySelectorAll('h1, h2, p, li, td')]
    .filter((element) => element.getClientRects().length > 0 && element.textContent!.trim() !== '')
    .map((element) => {
      const [light, dark] = [luminance(getComputedStyle(element).color), luminance(behind(element))].toSorted(
        (a, b) => b - a,
      ) as [number, number];
      return { text: element.textContent!.trim().slice(0, 40), ratio: (light + 0.05) / (dark + 0.05) };
    });
}

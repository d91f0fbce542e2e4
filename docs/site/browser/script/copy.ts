/** Buttons that copy: each says what it copies, and then that it has. */
import type { DocsPage } from '../../page/page-data.ts';
import { localized, pages } from './page-data.ts';

const MARKDOWN = '[data-testid="page-actions"] button';

/** Finds the text that a button copies. The first place that has it counts. */
const COPIES = Object.entries({
  [MARKDOWN]: 'as Markdown',
  '.copy-code': 'this example',
  '.panel-request-samples [data-component-name^="CodeBlock/"] [data-testid="copy-button"]':
    'the request',
  '[data-component-name^="CodeBlock/"] [data-testid="copy-button"]': 'the response',
  '[data-testid="copy-button"]': 'the address',
});

const status = document.createElement('div');
status.setAttribute('role', 'status');

export function offerCopies(): void {
  document.body.append(status);
  // Before Redoc's own listener, which copies YAML, or nothing.
  addEventListener('click', copyMarkdown, true);
}

/** The buttons of parts that Redoc has rendered. */
export function improveCopyButtons(): void {
  addCopyButtons();
  for (const [place, content] of COPIES) {
    for (const button of document.querySelectorAll(`${place}:not([aria-label^="Copy "])`)) {
      button.setAttribute('aria-label', `Copy ${content}`);
      button.addEventListener('click', () => say(`Copied ${content}.`));
    }
  }
}

function say(text: string): void {
  status.replaceChildren(text);
  setTimeout(() => status.replaceChildren(), 3000);
}

/** Redoc has a button for samples, and none for a block of code in a text. */
function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre[data-language]:not([tabindex])')) {
    block.setAttribute('tabindex', '0');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy-code';
    button.textContent = 'Copy';
    button.addEventListener('click', () => copy(block.textContent ?? ''));
    block.before(button);
  }
}

function copyMarkdown(event: MouseEvent): void {
  const button = event.target instanceof Element ? event.target.closest(MARKDOWN) : null;
  const section = button?.closest('[data-section-id]')?.getAttribute('data-section-id');
  const page = pages.find(({ place }) => `/${place}` === section);
  if (page === undefined) {
    return;
  }
  event.stopImmediatePropagation();
  copy(markdownOf(page)).then(() => say(`Copied “${page.title}” as Markdown.`));
}

const LINK = /\]\(((?!https?:|#)[^)]+)\)/g;

/** With absolute links, since the text is read elsewhere. */
function markdownOf({ title, text }: DocsPage): string {
  const folder = new URL('pages/', location.href.replace(/#.*/, ''));
  const linked = text.replaceAll(LINK, (_, link: string) => `](${new URL(link, folder).href})`);
  return localized(`# ${title}\n\n${linked}\n`);
}

async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Browsers offer no clipboard to a page that came over plain http from another machine.
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/**
 * Templates that escape: whatever is put into `` html`…` `` is text, unless it was made by `html` itself. Markup is an
 * instance of a class and not a marked object, so that nothing read from a target or a file can pass for it.
 */
import { visible } from '../text.ts';

export class Markup {
  readonly #html: string;

  constructor(markup: string) {
    this.#html = markup;
  }

  toString(): string {
    return this.#html;
  }
}

export type Content = string | number | Markup | null | readonly Content[];

export function html(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  return new Markup(parts.map((part, i) => (i === 0 ? part : rendered(contents[i - 1] ?? null) + part)).join(''));
}

function rendered(content: Content): string {
  if (content === null) return '';
  if (content instanceof Markup) return content.toString();
  if (Array.isArray(content)) return content.map(rendered).join('');
  return escapeHtml(String(content));
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? '');
}

/** A sentence with its code between backticks set as code; an option such as `--base-url` is not broken. */
export function prose(text: string): Markup {
  const parts = text.split(/(`[^`]+`|(?<![\w-])--[a-z-]{1,30}(?![\w-]))/u);
  return html`${parts.map((part, i) => {
    if (i % 2 === 0) return part;
    return part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`<span class="option">${part}</span>`;
  })}`;
}

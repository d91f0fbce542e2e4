/**
 * Templates of HTML and XML that escape: whatever is put into `` markup`…` `` is text, unless `markup` itself made it.
 * Markup is an instance of a class and not a marked object, so that nothing read from a service or a file can pass for it.
 */
import { visible } from './text.ts';

export class Markup {
  readonly #source: string;

  /** @param source trusted; text of a service comes in by `markup` only */
  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

export type Content = string | number | Markup | null | readonly Content[];

export function markup(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  return new Markup(parts.map((part, i) => (i === 0 ? part : rendered(contents[i - 1] ?? null) + part)).join(''));
}

function rendered(content: Content): string {
  if (content === null) return '';
  if (content instanceof Markup) return content.toString();
  if (Array.isArray(content)) return content.map(rendered).join('');
  return visible(String(content)).replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`);
}

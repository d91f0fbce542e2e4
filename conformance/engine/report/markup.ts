/** HTML and XML in which all text of a service is escaped. */
import { visible } from './text.ts';

/**
 * The result of `` markup`…` ``. It is a class so that nothing that was read from a service can
 * pass for it.
 */
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

/** Null is nothing; a list is one item after the other. */
export type Content = string | number | Markup | null | readonly Content[];

/** A template whose contents are escaped, except those that are markup themselves. */
export function markup(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  let source = '';
  for (const [index, part] of parts.entries()) {
    source += part + rendered(contents[index] ?? null);
  }
  return new Markup(source);
}

function rendered(content: Content): string {
  if (content === null) {
    return '';
  }
  if (content instanceof Markup) {
    return content.toString();
  }
  if (Array.isArray(content)) {
    return content.map(rendered).join('');
  }
  return visible(String(content)).replace(/[&<>"']/gu, characterReference);
}

function characterReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

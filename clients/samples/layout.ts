/** The layout of code, shared by all languages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientFolder } from '../folders.ts';

/** The template with each `{{name}}` replaced by the value of that name. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`the template has {{${name}}}, and there is no such value`);
    }
    return value;
  });
}

/** The program of `templates/LANGUAGE.tmpl`, with one line feed at its end. */
export function program(language: string, values: Readonly<Record<string, string>>): string {
  const file = join(clientFolder('samples/templates'), `${language}.tmpl`);
  const text = filled(readFileSync(file, 'utf8'), values);
  return `${text.trimEnd()}\n`;
}

export const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

const WIDTH = 64;

/**
 * Items in brackets: on one line if it is short, `space` at its ends; else a line each, `trailing`
 * at the end.
 */
export function bracketed(
  open: string,
  items: readonly string[],
  close: string,
  { by = '    ', space = '', trailing = ',' } = {},
): string {
  if (items.length === 0) {
    return open + close;
  }
  const line = `${open}${space}${items.join(', ')}${space}${close}`;
  if (line.length <= WIDTH && !line.includes('\n')) {
    return line;
  }
  const lines = items.map((item) => indent(item, by)).join(`,\n${by}`);
  return `${open}\n${by}${lines}${trailing}\n${close}`;
}

/**
 * A JSON value in a language that writes objects and lists like JSON, a text and the name of a
 * member as given.
 */
export function literal(
  value: unknown,
  text: (value: string) => string,
  name: typeof text,
  trailing = ',',
): string {
  const inner = (one: unknown): string => literal(one, text, name, trailing);
  if (Array.isArray(value)) {
    return bracketed('[', value.map(inner), ']', { by: '  ', trailing });
  }
  if (typeof value === 'string') {
    return text(value);
  }
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const members = Object.entries(value).map(([key, one]) => `${name(key)}: ${inner(one)}`);
  return bracketed('{', members, '}', { by: '  ', space: ' ', trailing });
}

function words(name: string): string[] {
  return name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
}
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `min_version` and `minVersion` -> `MinVersion` */
export const pascal = (name: string): string => words(name).map(capital).join('');

/** `min_version` -> `minVersion` */
export const camel = (name: string): string =>
  pascal(name).replace(/^[A-Z]/, (letter) => letter.toLowerCase());

/** `createEventSource`, `Event sources` -> `create_event_source`, `event_sources` */
export function snake(name: string): string {
  const spaced = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');
  return words(spaced.toLowerCase()).join('_');
}

/** The subject of an operation: `createEventSource` -> `eventSource`. */
export const subjectOf = (operationId: string): string => camel(operationId.replace(/^[a-z]+/, ''));

/** What is kept of an edge is something else than what was sent. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { keepingText } from '../mutate/mutate.ts';

const mutant = mutantsOf('echo', 'core');

/** A change of the description, metadata, or both, that a service makes on its way to its store. */
const texts: [name: string, description: string, change: (text: string) => string][] = [
  ['trims-end', 'White space at the end of a text is removed.', (text) => text.trimEnd()],
  ['nfd', 'A text is normalised to NFD.', (text) => text.normalize('NFD')],
  ['nfkc', 'A text is normalised to NFKC.', (text) => text.normalize('NFKC')],
  ['drops-controls', 'Control characters are dropped.', (text) => text.replaceAll(/\p{Cc}/gu, '')],
  ['loses-emoji', 'Characters of four bytes are lost.', (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')],
  [
    'ends-at-emoji',
    'A text ends before its first character of four bytes.',
    (text) => text.split(/[\u{10000}-\u{10ffff}]/u, 1)[0]!,
  ],
  ['latin-1', 'What Latin-1 does not have becomes a question mark.', (text) => text.replaceAll(/[^\0-\u00ff]/gu, '?')],
  ['bom', 'A byte order mark is dropped.', (text) => text.replaceAll('\ufeff', '')],
  ['line-separators', 'U+2028 and U+2029 become line feeds.', (text) => text.replaceAll(/[\u2028\u2029]/g, '\n')],
  ['line-ends', 'Carriage returns become line feeds.', (text) => text.replaceAll(/\r\n?/g, '\n')],
  ['non-characters', 'Non-characters become U+FFFD.', (text) => text.replaceAll('\uffff', '\ufffd')],
  ['strips-tags', 'What looks like a tag is dropped.', (text) => text.replaceAll(/<[^>]*>/g, '')],
  ['doubles-quotes', 'Single quotes are doubled, as in SQL.', (text) => text.replaceAll("'", "''")],
  ['loses-backslashes', 'Backslashes are taken for escapes.', (text) => text.replaceAll('\\', '')],
  ['url-decodes', 'Percent-escapes and plus signs are decoded.', (text) => unescaped(text.replaceAll('+', ' '))],
  ['null-word', 'The text `null` is taken for none.', (text) => (text === 'null' ? '' : text)],
  ['blank', 'A text of white space is taken for none.', (text) => (text.trim() === '' ? '' : text)],
  ['templates', 'Names in braces are replaced.', (text) => text.replaceAll(/\$\{[^}]*\}|\{\{[^}]*\}\}/g, '')],
];

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const echo: Mutant[] = [
  ...texts.map(([name, description, change]) =>
    mutant(`description-${name}`, `Description: ${description}`, keepingText('description', change)),
  ),
];

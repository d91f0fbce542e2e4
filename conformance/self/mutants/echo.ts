/** What is kept of an edge is something else than what was sent. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { keeping, keepingList, keepingModule, keepingText, showingEdges } from '../mutate/mutate.ts';
import { isObject } from '../mutate/request.ts';
import { eachText, unique } from '../mutate/values.ts';

const mutant = mutantsOf('echo');

/** A change of the description, metadata, or both, that a service makes on its way to its store. */
const texts: [name: string, description: string, change: (text: string) => string][] = [
  ['trims', 'White space around a text is removed.', (text) => text.trim()],
  ['trims-end', 'White space at the end of a text is removed.', (text) => text.trimEnd()],
  ['collapses-space', 'Runs of white space become one space.', (text) => text.replaceAll(/\s+/g, ' ')],
  ['lower-case', 'A text is turned into lower case.', (text) => text.toLowerCase()],
  ['nfc', 'A text is normalised to NFC.', (text) => text.normalize('NFC')],
  ['nfd', 'A text is normalised to NFD.', (text) => text.normalize('NFD')],
  ['nfkc', 'A text is normalised to NFKC.', (text) => text.normalize('NFKC')],
  ['drops-nul', 'NUL is dropped.', (text) => text.replaceAll('\0', '')],
  ['ends-at-nul', 'A text ends at its first NUL.', (text) => text.split('\0', 1)[0]!],
  ['drops-controls', 'Control characters are dropped.', (text) => text.replaceAll(/\p{Cc}/gu, '')],
  ['loses-emoji', 'Characters of four bytes are lost.', (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')],
  [
    'ends-at-emoji',
    'A text ends before its first character of four bytes.',
    (text) => text.split(/[\u{10000}-\u{10ffff}]/u, 1)[0]!,
  ],
  ['latin-1', 'What Latin-1 does not have becomes a question mark.', (text) => text.replaceAll(/[^\0-\u00ff]/gu, '?')],
  ['ascii', 'What ASCII does not have is dropped.', (text) => text.replaceAll(/[^\0-\u007f]/gu, '')],
  ['mojibake', 'UTF-8 is read as Latin-1.', (text) => Buffer.from(text).toString('latin1')],
  ['bom', 'A byte order mark is dropped.', (text) => text.replaceAll('\ufeff', '')],
  ['joiners', 'Zero-width joiners are dropped.', (text) => text.replaceAll('\u200d', '')],
  ['overrides', 'Marks of writing direction are dropped.', (text) => text.replaceAll('\u202e', '')],
  ['line-separators', 'U+2028 and U+2029 become line feeds.', (text) => text.replaceAll(/[\u2028\u2029]/g, '\n')],
  ['line-ends', 'Carriage returns become line feeds.', (text) => text.replaceAll(/\r\n?/g, '\n')],
  ['tabs', 'Tabs become spaces.', (text) => text.replaceAll('\t', '    ')],
  ['non-characters', 'Non-characters become U+FFFD.', (text) => text.replaceAll('\uffff', '\ufffd')],
  [
    'html-escape',
    'A text is escaped for HTML.',
    (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ],
  ['html-quotes', 'Quotes are escaped for HTML.', (text) => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
  ['strips-tags', 'What looks like a tag is dropped.', (text) => text.replaceAll(/<[^>]*>/g, '')],
  ['drops-angle-brackets', 'Angle brackets are dropped.', (text) => text.replaceAll(/[<>]/g, '')],
  ['doubles-quotes', 'Single quotes are doubled, as in SQL.', (text) => text.replaceAll("'", "''")],
  ['loses-backslashes', 'Backslashes are taken for escapes.', (text) => text.replaceAll('\\', '')],
  ['url-decodes', 'Percent-escapes and plus signs are decoded.', (text) => unescaped(text.replaceAll('+', ' '))],
  ['html-unescapes', 'Entities of HTML are decoded.', (text) => text.replaceAll('&amp;', '&').replaceAll('&lt;', '<')],
  ['null-word', 'The text `null` is taken for none.', (text) => (text === 'null' ? '' : text)],
  ['zero', 'The text `0` is taken for none.', (text) => (text === '0' ? '' : text)],
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

/** JSON that is stored as a value and written again. */
function rewritten(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

export const echo: Mutant[] = [
  ...texts.map(([name, description, change]) =>
    mutant(
      `description-${name}`,
      'edges.echo.texts',
      `Description: ${description}`,
      keepingText('description', change),
    ),
  ),
  ...['trims', 'nfc', 'drops-nul', 'loses-emoji', 'html-escape'].map((name) => {
    const [, description, change] = texts.find(([one]) => one === name)!;
    return mutant(`metadata-${name}`, 'edges.echo.texts', `Metadata: ${description}`, keepingText('metadata', change));
  }),
  mutant(
    'metadata-rewritten',
    'edges.echo.texts',
    'Metadata that is JSON is parsed and written again.',
    keepingText('metadata', rewritten),
  ),
  mutant(
    'metadata-cut-at-255',
    'createEdge.body.metadata.x-max-bytes',
    'Metadata is cut at 255 characters.',
    keepingText('metadata', (text) => text.slice(0, 255)),
  ),
  mutant(
    'metadata-cut-at-4095',
    'createEdge.body.metadata.x-max-bytes',
    'Metadata loses its last byte of 4,096.',
    keepingText('metadata', (text) => text.slice(0, 4095)),
  ),
  mutant(
    'description-cut-at-191',
    'createEdge.body.description.x-max-bytes',
    'A description is cut at 191 characters, as by the index of a database.',
    keepingText('description', (text) => [...text].slice(0, 191).join('')),
  ),
  mutant(
    'description-cut-at-128',
    'createEdge.body.description.x-max-bytes',
    'A description is cut at 128 bytes.',
    keepingText('description', (text) =>
      Buffer.from(text)
        .subarray(0, 128)
        .toString()
        .replace(/\ufffd$/, ''),
    ),
  ),
  mutant(
    'texts-swapped',
    'edges.echo',
    'Description and metadata are swapped.',
    keeping((body) => ({ ...body, description: short(body['metadata']), metadata: body['description'] ?? '' })),
  ),
  mutant(
    'description-lost',
    'edges.echo',
    'The description is not kept.',
    showingEdges((edge) => ({ ...edge, description: '' })),
  ),
  mutant(
    'metadata-lost',
    'edges.echo',
    'Metadata is not kept.',
    showingEdges((edge) => ({ ...edge, metadata: '' })),
  ),
  mutant(
    'everything-trimmed',
    'edges.echo.texts',
    'Every text of a request is trimmed.',
    keeping((body) => eachText(body, (text) => text.trim()) as typeof body),
  ),
  mutant(
    'hostports-sorted',
    'edges.echo.lists',
    'Hostports are sorted.',
    keepingList('hostports', (items) => items.toSorted()),
  ),
  mutant(
    'hostports-reversed',
    'edges.echo.lists',
    'Hostports are kept in the opposite order.',
    keepingList('hostports', (items) => items.toReversed()),
  ),
  mutant(
    'hostports-lower-case',
    'edges.echo.lists',
    'Hostports are turned into lower case.',
    keepingList('hostports', (items) => items.map((item) => (typeof item === 'string' ? item.toLowerCase() : item))),
  ),
  mutant(
    'hostports-without-port',
    'createEdge.body.hostports.*.pattern',
    'The port 443 is dropped from hostports.',
    showingEdges((edge) => ({
      ...edge,
      hostports: (edge['hostports'] as string[]).map((item) => item.replace(/:443$/, '')),
    })),
  ),
  mutant(
    'hostports-first-only',
    'edges.echo.lists',
    'Only the first hostport is kept.',
    keepingList('hostports', (items) => items.slice(0, 1)),
  ),
  mutant(
    'hostports-cut-at-50',
    'createEdge.body.hostports.maxItems',
    'Only 50 hostports are kept.',
    keepingList('hostports', (items) => (items.length === 100 ? items.slice(0, 50) : items)),
  ),
  mutant(
    'hostports-wildcard-lost',
    'edges.echo.lists',
    'The wildcard of a hostport is dropped.',
    keepingList('hostports', (items) =>
      unique(items.map((item) => (typeof item === 'string' ? item.replace(/^\*\./, '') : item))),
    ),
  ),
  mutant(
    'authorities-sorted',
    'edges.echo.lists',
    'Certificate authorities are sorted.',
    keepingModule(
      'mutual_tls',
      withIds((ids) => ids.toSorted()),
    ),
  ),
  mutant(
    'authorities-deduped',
    'edges.echo.lists',
    'A certificate authority that is sent twice is kept once.',
    keepingModule('mutual_tls', withIds(unique)),
  ),
  mutant(
    'authorities-first-only',
    'edges.echo.lists',
    'Only the first certificate authority is kept.',
    keepingModule(
      'mutual_tls',
      withIds((ids) => ids.slice(0, 1)),
    ),
  ),
  mutant(
    'authorities-lost',
    'edges.echo.lists',
    'Certificate authorities are not kept.',
    keepingModule(
      'mutual_tls',
      withIds(() => []),
    ),
  ),
  mutant(
    'authorities-lower-case',
    'edges.echo.lists',
    'Ids of certificate authorities are turned into lower case.',
    keepingModule(
      'mutual_tls',
      withIds((ids) => ids.map((id) => (typeof id === 'string' ? id.toLowerCase() : id))),
    ),
  ),
  mutant(
    'mutual-tls-always-enabled',
    'edges.echo.lists',
    '`enabled: false` of mutual TLS is taken for left out.',
    keepingModule('mutual_tls', (module) => (module['enabled'] === false ? { ...module, enabled: true } : module)),
  ),
  mutant(
    'termination-always-enabled',
    'edges.echo.lists',
    '`enabled: false` of TLS termination is taken for left out.',
    keepingModule('tls_termination', (module) => (module['enabled'] === false ? { ...module, enabled: true } : module)),
  ),
  mutant(
    'mutual-tls-disabled-is-none',
    'edges.echo.lists',
    'A module that is disabled is not kept.',
    keeping((body) =>
      isObject(body['mutual_tls']) && body['mutual_tls']['enabled'] === false ? { ...body, mutual_tls: null } : body,
    ),
  ),
  mutant(
    'mutual-tls-without-authorities-is-none',
    'edges.echo.lists',
    'Mutual TLS without certificate authorities is not kept.',
    keeping((body) =>
      isObject(body['mutual_tls']) && isEmpty(body['mutual_tls']['certificate_authority_ids'])
        ? { ...body, mutual_tls: null }
        : body,
    ),
  ),
  mutant(
    'mutual-tls-lost',
    'edges.echo.lists',
    'Mutual TLS is not kept.',
    keeping((body) => (isObject(body['mutual_tls']) ? { ...body, mutual_tls: null } : body)),
  ),
  mutant(
    'termination-lost',
    'edges.echo.lists',
    'TLS termination is not kept.',
    keeping((body) => (isObject(body['tls_termination']) ? { ...body, tls_termination: null } : body)),
  ),
];

function withIds(change: (ids: any[]) => unknown) {
  return (module: Record<string, unknown>) =>
    Array.isArray(module['certificate_authority_ids'])
      ? { ...module, certificate_authority_ids: change(module['certificate_authority_ids']) }
      : module;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** What a description can hold of a text. */
function short(text: unknown): unknown {
  return typeof text === 'string' && Buffer.byteLength(text) > 255 ? text.slice(0, 50) : (text ?? '');
}

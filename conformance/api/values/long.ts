/** Values with lists of many items, which are in no order, and values in which each text is as long as it can be. */
import type { Implementation } from '../../engine/http/implementation.ts';
import { type Json, type Kind, MODULES, PROVIDERS } from '../modules.ts';
import { hostportFor } from '../test-data.ts';
import { entityDescriptorsOfLength, SMALLEST } from './xml.ts';

/** More than a page of a careless service, more than three, and as many as there may be. */
const COUNTS = [11, 30, 100];

/** Numbers below a count that has no factor 7, in another order than theirs. */
const mixed = (count: number) => Array.from({ length: count }, (_, index) => (index * 7 + 3) % count);

const STARTS: Partial<Record<NonNullable<Kind['form']>, string>> = { uri: 'https://a.example/', team: 'a/' };

function textOf({ form, most = 1, choices }: Kind, index: number, isLongest: boolean): string {
  if (choices) return choices[0]!;
  if (form === 'webhook provider') return 'github';
  if (form === 'idp metadata') return isLongest ? entityDescriptorsOfLength(most)[0]! : SMALLEST;
  const text = `${(form && STARTS[form]) ?? 'a'}${index}`;
  return isLongest ? text.padEnd(most, form === undefined ? 'é' : 'z') : text;
}

/** @param count of the items of each list and map */
function longOf(kind: Kind, count: number, isLongest: boolean, index = 0): unknown {
  const inside = (at: number) => longOf(kind.of!, count, isLongest, at);
  const nameOf = (at: number) => textOf({ is: 'text', most: 256, form: 'header name' }, at, isLongest);
  if (kind.is === 'list') return mixed(count).map(inside);
  if (kind.is === 'map') return Object.fromEntries(mixed(count).map((at) => [nameOf(at), inside(at)]));
  if (kind.is === 'text') return textOf(kind, index, isLongest);
  if (kind.is !== 'object') return kind.most ?? false;
  // One provider alone can be given (D20).
  const fields = Object.entries(kind.fields!).filter(([name]) => !PROVIDERS.slice(1).includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, longOf(field, count, isLongest)]));
}

const LONGEST = { description: '漢'.repeat(85), metadata: `${'漢'.repeat(1365)}a` };

function modulesOf(count: number, isLongest = false): Json {
  const all = Object.entries(MODULES).map(([name, { fields }]) => [
    name,
    longOf({ is: 'object', fields }, count, isLongest),
  ]);
  return Object.fromEntries(all) as Json;
}

/** What routes can hold beside their match. All lists full of the longest texts are more than a request can hold. */
export const LONG_ROUTES: readonly Json[] = [
  ...COUNTS.map((count) => modulesOf(count)),
  { ...LONGEST, ...modulesOf(3, true), match: `/${'a'.repeat(1023)}` },
];

/** A host and a port of 259 characters. */
function longestHostport(domain: string, index: number): string {
  const host = `${index}`.padEnd(5, '-a').padEnd(62, 'a');
  const name = `${host}.${`${'a'.repeat(62)}.`.repeat(4)}`.slice(0, 252 - domain.length).replace(/\.$/, 'a');
  return hostportFor({ hostportDomain: domain }, name).replace(/\d+$/, String(10_000 + index));
}

export function longEdges({ testData }: Implementation): Json[] {
  const { certificateAuthorityIds: known, hostportDomain: domain = 'conformance.example' } = testData;
  const idsOf = (count: number, length: number) => ({
    certificate_authority_ids:
      known.length > 0 ? known.slice(0, count) : mixed(count).map((at) => `${at}`.padEnd(length, '_Z')),
  });
  return [
    ...COUNTS.map((count) => ({
      hostports: mixed(count).map((at) => hostportFor({ hostportDomain: domain }, `h${at}`)),
      mutual_tls: idsOf(count, 2),
    })),
    {
      ...LONGEST,
      hostports: mixed(100).map((at) => longestHostport(domain, at)),
      mutual_tls: idsOf(100, 64),
    },
  ];
}

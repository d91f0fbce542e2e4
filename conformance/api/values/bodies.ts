/**
 * Bodies of edges and routes: any valid ones, texts that services tend to change, and long lists
 * and texts.
 */
import type fc from 'fast-check';
import { isObject } from '../../engine/contract/pointers.ts';
import type { Contract } from '../../engine/contract/load.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import type { Hints } from '../../engine/contract/hints.ts';
import { validValues } from '../../engine/generate/valid.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import {
  allModules,
  type Json,
  type ValueKind,
  type ModuleName,
  MODULES,
  PROVIDERS,
} from '../modules.ts';
import { hostportFor } from '../test-data.ts';
import { edgeImplementation } from '../tracker.ts';
import { entityDescriptorsOfLength, SMALLEST } from './xml.ts';

export const EDGE_CREATE = '/components/schemas/HTTPSEdgeCreate';

export function edgeBodies(
  implementation: Implementation,
  hints: Hints = implementation.hints,
): fc.Arbitrary<Json> {
  return validValues(implementation.contract, EDGE_CREATE, hints).map((body) =>
    acceptable(implementation, body as Json),
  );
}

/**
 * Checked by the source document alone, nothing may be omitted (which fields are required is not
 * shown, §4.1), and no value is sent whose form it does not show: TLS versions, `terminate_at` in
 * requests, ids of certificate authorities.
 */
export function acceptable(implementation: Implementation, body: Json): Json {
  if (implementation.origin === 'all') {
    return body;
  }
  const { testData } = edgeImplementation(implementation);
  const { description, metadata, hostports, mutual_tls, tls_termination } = body;
  const { certificateAuthorityIds: known } = testData;
  const enabledOf = (module: unknown) =>
    (module as { enabled?: unknown } | null | undefined)?.enabled ?? true;
  return {
    description: description ?? 'conformance',
    metadata: metadata ?? '{}',
    hostports:
      Array.isArray(hostports) && hostports.length > 0 ? hostports : [hostportFor(testData)],
    mutual_tls: { enabled: enabledOf(mutual_tls), certificate_authority_ids: known.slice(0, 1) },
    tls_termination: { enabled: enabledOf(tls_termination) },
  };
}

/** Texts that mean something to templates, shells, databases, browsers and formatters. */
export const MEANINGFUL_TEXTS: readonly string[] = [
  '${7*7}{{7*7}}<%= 7*7 %>#{7*7}',
  '$(id)`id`;id|id&&id',
  "' OR '1'='1'; DROP TABLE edges; --",
  '<script>alert(1)</script><!-- a -->&lt;&amp;',
  '%s%n%d%x{0}{}%',
  '../../etc/passwd',
  'a+b%20c%2Bd\\u0041',
  '\u202eabc\u202c\u200f',
  'e\u0301\ufb01\u212b😀👩\u200d👧',
  'null',
  'undefined',
  'NaN',
];

/**
 * Generated values meet these too seldom. Each has at most 255 bytes, so that a description can
 * hold it.
 */
export const TEXTS: readonly string[] = [
  // White space, and nothing else.
  ' \t a  b \r\n c\rd\n ',
  '  ',
  // The syntax of HTML, SQL, shells and templates, and escapes.
  '<b class="x">&amp;&lt;&#39;</b> \'a\' & "b"',
  "O'Brien''s; -- $(x) `y` ${z} {{z}} %s *",
  '\\n \\u0041 \\\\ %41+%2B \\',
  'ABC abc ß ẞ İ ı ǅ',
  'a\u0001\u001f\u007f\u0085b\u0000c',
  // Combining marks, and the same composed.
  'e\u0301 \u00e9 \u212b \u00c5 \ufb01 ｶﾞ \u1100\u1161',
  // Direction, joiners and marks without width.
  '\ufeffא\u202eb\u200d\u200b\u2028\u2029',
  // Characters of two, three and four bytes, and non-characters.
  'é漢😀👩\u200d👩\u200d👧🏳\ufe0f\u200d🌈\u{10ffff}',
  '\ufffd\uffff\ufdd0',
  'false',
  '0',
  '1e3',
  '{"b": 1.0,"a" :[ ],"a":"\\u00e9"}',
  ...MEANINGFUL_TEXTS,
];

/** Whichever of these changes a service makes, this text shows it. */
export const ODD_TEXT = '  A  e\u0301 %41+/ &lt;<b>\u0000\r\n\u00a0漢😀 ';

/** Ids that look like values of other types, which some services make of them. */
const LIKE_OTHER_VALUES = ['007', '1e3', '0x1F', '12345678901234567890123', 'true', 'null', '-0'];

/** Lists and modules that services tend to change, as they are sent. */
export function oddLists(implementation: Implementation): Json[] {
  const { testData } = edgeImplementation(implementation);
  const { certificateAuthorityIds: known, hostportDomain: domain = 'conformance.example' } =
    testData;
  const hostports = [
    `z.${domain}:443`,
    `*.a.${domain}:1`,
    `Ab.${domain}:80`,
    `z.${domain}:8443`,
    `b.${domain}:65535`,
  ];
  // The same twice, and out of order: nothing forbids that (D03).
  const ids =
    known.length > 0
      ? [...known.toReversed(), known.at(-1)]
      : ['b', 'Ca_Partners', 'a', 'b', '-', '_0', ...LIKE_OTHER_VALUES];
  const mutual_tls = { enabled: false, certificate_authority_ids: ids };
  return [
    { hostports },
    { hostports: [`ab.${domain}:80`, `Ab.${domain}:80`] },
    { hostports: hostports.slice(2, 3) },
    { mutual_tls },
    ...longEdges(implementation),
    {
      mutual_tls: { enabled: true, certificate_authority_ids: [] },
      tls_termination: { enabled: false },
    },
    { mutual_tls, tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' } },
    { hostports, tls_termination: { enabled: false, terminate_at: 'upstream' } },
  ];
}

export const ROUTE_CREATE = '/components/schemas/HTTPSEdgeRouteCreate';
export const ROUTE_UPDATE = '/components/schemas/HTTPSEdgeRouteUpdate';

/** The properties that a route must have. */
export const BARE: Json = { match_type: 'path_prefix', match: '/' };

const valuesOf = (schema: string) => (implementation: Implementation) =>
  validValues(implementation.contract, schema, implementation.hints).map((body) =>
    distinctNames(body as Json),
  );
export const routeBodies = valuesOf(ROUTE_CREATE);
export const routePatches = valuesOf(ROUTE_UPDATE);

/** Values of one module as sent, never null. */
export function moduleValues(implementation: Implementation, name: ModuleName): fc.Arbitrary<Json> {
  const values = validValues(
    implementation.contract,
    `${ROUTE_CREATE}/properties/${name}`,
    implementation.hints,
  );
  return values
    .filter((value) => value !== null)
    .map((value) => distinctNames({ [name]: value })[name] as Json);
}

const WITH_HEADERS = Object.entries(MODULES).flatMap(([name, { fields }]) =>
  fields['add'] ? [name] : [],
);

/** Pointers to the maps of a route, of which what was sent is all that is shown. */
export const HEADER_MAPS = WITH_HEADERS.map((name) => `/${name}/add`);

/**
 * With names of headers that differ by more than case, as no schema can ask (D23); as many as
 * before.
 */
export function distinctNames(body: Json): Json {
  const changed = { ...body };
  for (const name of WITH_HEADERS) {
    if (!isObject(body[name])) {
      continue;
    }
    const module = { ...body[name] };
    const { add, remove } = module;
    if (isObject(add)) {
      module['add'] = Object.fromEntries(
        apart(Object.keys(add)).map((to, at) => [to, Object.values(add)[at]]),
      );
    }
    if (Array.isArray(remove)) {
      module['remove'] = apart(remove as string[]);
    }
    changed[name] = module;
  }
  return changed;
}

function apart(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free.toLowerCase()); count++) {
      free = `${name.slice(0, 250)}-${count}`;
    }
    taken.add(free.toLowerCase());
    return free;
  });
}

/**
 * The forms of a module that take odd texts, with one in each place whose schema takes any text.
 */
export function oddForms(contract: Contract, name: ModuleName): Json[] {
  const { full, hard } = MODULES[name];
  const schemas = schemasOf(contract);
  const odd = [full, ...hard].flatMap((value) => {
    const changed = pathsOfTexts(value).reduce((now, path) => {
      const next = withText(now, path, ODD_TEXT) as Json;
      if (schemas.isValid(`${ROUTE_CREATE}/properties/${name}`, next)) {
        return next;
      }
      return now;
    }, value);
    return changed === value ? [] : [changed];
  });
  return [...new Map(odd.map((value) => [JSON.stringify(value), value])).values()];
}

/** Some libraries take the marks in it for white space, which Unicode does not. */
const ODD_MATCH = '/a/\ufeffé😀\u200b\u180e';

/**
 * Bodies of routes with an odd text in each place that takes any, a value of each provider of
 * OAuth, and zero for each number that may be zero.
 */
export function oddRoutes(contract: Contract): Json[] {
  const modules = allModules();
  const texts = { description: ODD_TEXT, metadata: ODD_TEXT, match: ODD_MATCH };
  const whole: Json = { ...BARE, ...texts, ...modules };
  const zeros: Json = { ...BARE };
  for (const [name, { fields, full }] of Object.entries(MODULES)) {
    const [odd = full] = oddForms(contract, name as ModuleName);
    whole[name] = odd;
    zeros[name] = { ...full, ...zerosOf(fields), ...stateOf(modules[name]) };
  }
  const others: Json[] = [];
  for (const oauth of oddForms(contract, 'oauth')) {
    const [name] = Object.keys(oauth['provider'] as Json);
    if (name !== 'github') {
      others.push({ ...BARE, oauth });
    }
  }
  return [whole, zeros, ...others];
}

/** Whether the module is enabled beside all others. */
function stateOf(module: unknown): Json {
  return { enabled: (module as Json)['enabled'] };
}

function zerosOf(fields: Record<string, ValueKind>): Json {
  const mayBeZero = ({ is, least }: ValueKind): boolean => {
    const isNumber = is === 'number' || is === 'integer';
    return isNumber && least === 0;
  };
  const numbers = Object.entries(fields).filter(([, kind]) => mayBeZero(kind));
  return Object.fromEntries(numbers.map(([name]) => [name, 0]));
}

/** Its schema takes any text, and the contract says that it is XML. */
const XML = 'idp_metadata';

function pathsOfTexts(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') {
    return [path];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    name === XML ? [] : pathsOfTexts(inner, [...path, name]),
  );
}

function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) {
    return text;
  }
  if (Array.isArray(value)) {
    return value.with(Number(name), withText(value[Number(name)], rest, text));
  }
  return { ...(value as Json), [name]: withText((value as Json)[name], rest, text) };
}

/** A route with this text in each place of its modules that takes any text. */
export function routeWithText(contract: Contract, text: string): Json {
  const schemas = schemasOf(contract);
  const route: Json = { ...BARE, description: text, metadata: text };
  for (const [name, { full }] of Object.entries(MODULES)) {
    // Other laws are about what an expression matches.
    const all = name === 'user_agent_filter' ? [] : pathsOfTexts(full);
    // Each service knows its own webhook providers.
    const paths = all.filter((path) => path.at(-1) !== 'provider');
    route[name] = paths.reduce((now, path) => {
      const next = withText(now, path, text) as Json;
      if (schemas.isValid(`${ROUTE_CREATE}/properties/${name}`, next)) {
        return next;
      }
      return now;
    }, full);
  }
  return route;
}

/** A text that careless services take for nothing. */
const LIKE_NOTHING = 'null';

/** Items that only differ in case, for each form of an item. */
const CASE_PAIRS = ['Conformance', 'conformance', 'Acme/Web', 'acme/web'];

/**
 * Routes with each provider of OAuth, two for each. Its lists have all of the texts that their
 * items may be; its id and then its secret have all in one, beside one that may be taken for
 * nothing.
 */
export function routesWithProviders(contract: Contract, texts: readonly string[]): Json[] {
  const all = texts.join(' ');
  const apps = [
    { client_id: all, client_secret: LIKE_NOTHING },
    { client_id: LIKE_NOTHING, client_secret: all },
  ];
  return PROVIDERS.flatMap((name) => {
    const lists = listsWithTexts(contract, name, [...texts, ...CASE_PAIRS]);
    return apps.map((app): Json => {
      return { ...BARE, oauth: { provider: { [name]: { ...app, ...lists } } } };
    });
  });
}

/** The lists of a provider, each with the texts that its items may be. */
function listsWithTexts(contract: Contract, provider: string, texts: readonly string[]): Json {
  const schemas = schemasOf(contract);
  const schema = `${ROUTE_CREATE}/properties/oauth`;
  const lists: Json = {};
  for (const [name, { is }] of Object.entries(fieldsOfProvider(provider))) {
    if (is === 'list') {
      const app = { client_id: 'a', client_secret: 'conformance' };
      const formOf = (text: string) => ({ provider: { [provider]: { ...app, [name]: [text] } } });
      lists[name] = texts.filter((text) => schemas.isValid(schema, formOf(text)));
    }
  }
  return lists;
}

function fieldsOfProvider(name: string): Record<string, ValueKind> {
  const providers = MODULES.oauth.fields['provider']?.fields ?? {};
  return providers[name]?.fields ?? {};
}

/** More than a page of a careless service, more than three, and as many as there may be. */
const COUNTS = [11, 30, 100];

/** Numbers below a count that has no factor 7, in another order than theirs. */
const mixed = (count: number) =>
  Array.from({ length: count }, (_, index) => (index * 7 + 3) % count);

const STARTS: Partial<Record<NonNullable<ValueKind['form']>, string>> = {
  uri: 'https://a.example/',
  team: 'a/',
};

function textOf({ form, most = 1, choices }: ValueKind, index: number, isLongest: boolean): string {
  if (choices) {
    return choices[0]!;
  }
  if (form === 'webhook provider') {
    return 'github';
  }
  if (form === 'idp metadata') {
    return isLongest ? entityDescriptorsOfLength(most)[0]! : SMALLEST;
  }
  const text = `${(form && STARTS[form]) ?? 'a'}${index}`;
  if (isLongest) {
    return text.padEnd(most, form === undefined ? 'é' : 'z');
  }
  return text;
}

/** @param count of the items of each list and map */
function longOf(kind: ValueKind, count: number, isLongest: boolean, index = 0): unknown {
  const inside = (at: number) => longOf(kind.of!, count, isLongest, at);
  const nameOf = (at: number) =>
    textOf({ is: 'text', most: 256, form: 'header name' }, at, isLongest);
  if (kind.is === 'list') {
    return mixed(count).map(inside);
  }
  if (kind.is === 'map') {
    return Object.fromEntries(mixed(count).map((at) => [nameOf(at), inside(at)]));
  }
  if (kind.is === 'text') {
    return textOf(kind, index, isLongest);
  }
  if (kind.is !== 'object') {
    return kind.most ?? false;
  }
  // One provider alone can be given (D20).
  const fields = Object.entries(kind.fields!).filter(
    ([name]) => !PROVIDERS.slice(1).includes(name),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, longOf(field, count, isLongest)]));
}

/** The longest texts, in bytes. */
export const LONGEST = { description: '漢'.repeat(85), metadata: `${'漢'.repeat(1365)}a` };

function modulesOf(count: number, isLongest = false): Json {
  const all = Object.entries(MODULES).map(([name, { fields }]) => [
    name,
    longOf({ is: 'object', fields }, count, isLongest),
  ]);
  return Object.fromEntries(all) as Json;
}

/**
 * Members that routes can hold beside their match. All lists full of the longest texts are more
 * than a request can hold.
 */
export const LONG_ROUTES: readonly Json[] = [
  ...COUNTS.map((count) => modulesOf(count)),
  { ...LONGEST, ...modulesOf(3, true), match: `/${'a'.repeat(1023)}` },
];

/** A host and a port of 259 characters. */
function longestHostport(domain: string, index: number): string {
  const host = `${index}`.padEnd(5, '-a').padEnd(62, 'a');
  const name = `${host}.${`${'a'.repeat(62)}.`.repeat(4)}`
    .slice(0, 252 - domain.length)
    .replace(/\.$/, 'a');
  return hostportFor({ hostportDomain: domain }, name).replace(/\d+$/, String(10_000 + index));
}

function longEdges(implementation: Implementation): Json[] {
  const { testData } = edgeImplementation(implementation);
  const { certificateAuthorityIds: known, hostportDomain: domain = 'conformance.example' } =
    testData;
  const idsOf = (count: number, length: number) => ({
    certificate_authority_ids:
      known.length > 0
        ? known.slice(0, count)
        : mixed(count).map((at) => `${at}`.padEnd(length, '_Z')),
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

/** The operations of the contract, every reference followed; their links, base path and credentials. */
import { supported, Unsupported } from './keywords.ts';
import { type Contract, entry, perContract } from './load.ts';
import { originOf, UNSTATED } from './origins.ts';
import {
  dereference,
  isObject,
  joinPointer,
  objectAt,
  parameterSchema,
  valueAt,
} from './pointers.ts';
import { shapeOf, texts, withoutNull } from './shape.ts';

/** An extended service offers every operation, a core one those of the core. */
export type Level = 'core' | 'extended';

export interface Operation {
  operationId: string;
  /** Upper case. */
  method: string;
  /** The path template, such as `/edges/https/{edge_id}`. */
  path: string;
  pointer: string;
  level: Level;
  origin: string;
  tags: readonly string[];
  /** Those of the path first, as far as the operation does not replace them. */
  parameters: Parameter[];
  /** Null when the operation takes no body. */
  requestBody: RequestBody | null;
  /** By status, such as `201`, `2XX` or `default`. */
  responses: Record<string, Response>;
  /** Names of security schemes: each list is one way to be authorized, and an empty one needs nothing. */
  security: string[][];
  /** Why the operation cannot be tried. */
  unsupported?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  /** How lists and objects are written; the default of its place where the contract does not say. */
  style: string;
  explode: boolean;
  /** The names of its properties, where each is written as a parameter of its own. */
  members: readonly string[];
  /** The type of a value that has parts, where that is its only one: the separators between them are not encoded. */
  holds?: 'array' | 'object';
  /** JSON Pointer of the parameter (the component, where it is one). */
  pointer: string;
  /** JSON Pointer of its schema (the component, where it is one). */
  schema: string;
  origin: string;
}

export interface RequestBody {
  /** JSON Pointer of its schema (the component, where it is one). */
  pointer: string;
  required: boolean;
  mediaType: string;
  /** By the name of a property, how a form has it where that is not the usual way. */
  fields: Readonly<Record<string, Field>>;
  examples: Record<string, unknown>;
}

export interface Field {
  contentType?: string;
  /** Sent with the name of a file. */
  isFile?: boolean;
  style?: string;
  explode?: boolean;
}

export interface Response {
  status: string;
  /** JSON Pointer of the response (the component, where it is one). */
  pointer: string;
  origin: string;
  /** By name as written. `schema`: JSON Pointer. */
  headers: Record<string, { pointer: string; required: boolean; schema: string }>;
  /** Media type -> JSON Pointer of its schema (the component, where it is one). Empty when there is no body. */
  content: Record<string, string>;
  /** Any body is allowed, with or without a documented schema. */
  anyBody: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** The response that the operation documents for a status: itself, its range such as `4XX`, or `default`. */
export function documentedFor({ responses }: Operation, status: number): Response | undefined {
  const hundred = String(Math.floor(status / 100));
  return (
    responses[String(status)] ??
    responses[`${hundred}XX`] ??
    responses[`${hundred}xx`] ??
    responses['default']
  );
}

/** The first success that the operation documents. Throws `Unsupported` when there is none. */
export function successOf({ operationId, responses }: Operation): Response {
  const success =
    Object.values(responses).find(({ status }) => status.startsWith('2')) ?? responses['default'];
  if (!success) {
    throw new Unsupported(`the operation ${operationId} documents no success`);
  }
  return success;
}

/** The schema of what it then responds with, where that is JSON. */
export const schemaOfSuccess = (from: Operation): string | undefined =>
  Object.entries(successOf(from).content).find(([type]) => isJson(type))?.[1];

/** The hundred statuses from this one on. */
export const statusesFrom = (first: number): number[] =>
  Array.from({ length: 100 }, (_, index) => first + index);

/** The statuses from `hundred` × 100 on that the operation documents, ranges in full; all where it has a `default` alone. */
export const documentedStatuses = ({ responses }: Operation, hundred: 2 | 4): readonly number[] =>
  entry(documented, responses, () => ({
    2: statusesIn(responses, 2),
    4: statusesIn(responses, 4),
  }))[hundred];

/** By the responses of an operation: each response of a service is held to them. */
const documented = new WeakMap<Operation['responses'], Record<2 | 4, number[]>>();

function statusesIn(responses: Operation['responses'], hundred: 2 | 4): number[] {
  const all = () => statusesFrom(hundred * 100);
  const listed = Object.keys(responses).filter((status) => status.startsWith(String(hundred)));
  if (listed.some((status) => /xx$/i.test(status))) {
    return all();
  }
  if (listed.length > 0 && (hundred === 2 || !('default' in responses))) {
    return listed.map(Number);
  }
  return 'default' in responses ? all() : [];
}

/** All operations in the order of the contract, found once: do not change the list. */
export const operationsOf = perContract((contract): Operation[] => {
  const { document } = contract;
  // A document of components or of webhooks alone has no paths since 3.1, and then nothing to try.
  const found = Object.keys(isObject(document['paths']) ? document['paths'] : {})
    .filter((path) => path.startsWith('/'))
    .flatMap((path) => {
      const item = dereference(document, joinPointer('/paths', path));
      const methods = METHODS.filter((method) =>
        isObject(valueAt(document, joinPointer(item, method))),
      );
      return methods.map((method) => operation(contract, path, item, method));
    });
  // An id that several operations have names none of them.
  const repeated = ({ operationId }: Operation) =>
    found.filter((one) => one.operationId === operationId).length > 1;
  return found.map((one) => {
    if (repeated(one)) {
      return { ...one, operationId: `${one.method}${one.path}` };
    }
    return one;
  });
});

/** Without an `operationId`, an operation has its method and path in its place; without an `x-level`, the core level. */
function operation(contract: Contract, path: string, item: string, method: string): Operation {
  const pointer = joinPointer(item, method);
  const { operationId, tags, 'x-level': level = 'core' } = objectAt(contract.document, pointer);
  if (level !== 'core' && level !== 'extended') {
    throw new Error(`x-level at ${pointer} is neither core nor extended`);
  }
  const upper = method.toUpperCase();
  const named: Operation = {
    operationId: typeof operationId === 'string' ? operationId : `${upper}${path}`,
    method: upper,
    path,
    pointer,
    level,
    origin: originOf(contract, pointer),
    tags: Array.isArray(tags) ? tags.map(String) : [],
    parameters: [],
    requestBody: null,
    responses: {},
    security: [],
  };
  // The operation is known by its name, and the reason is reported.
  const whole = () => ({ ...named, ...contents(contract, item, named) });
  return supported(whole, (unsupported) => ({ ...named, unsupported }));
}

function contents(
  contract: Contract,
  item: string,
  { pointer, origin }: Operation,
): Partial<Operation> {
  const { document } = contract;
  const { requestBody, security = document['security'] } = objectAt(document, pointer);
  const parameters = [joinPointer(item, 'parameters'), joinPointer(pointer, 'parameters')].flatMap(
    (list) =>
      [...((valueAt(document, list) ?? []) as unknown[]).keys()].map((index) =>
        parameter(contract, joinPointer(list, index), origin),
      ),
  );
  const responses = joinPointer(pointer, 'responses');
  return {
    parameters: [...new Map(parameters.map((one) => [`${one.in} ${one.name}`, one])).values()],
    security: Array.isArray(security)
      ? security.filter(isObject).map((scheme) => Object.keys(scheme))
      : [],
    requestBody:
      requestBody === undefined ? null : body(contract, joinPointer(pointer, 'requestBody')),
    responses: membersOf(valueAt(document, responses), responses, (at, status) =>
      response(contract, status, at, origin),
    ),
  };
}

/** In place of a style, for values that are written as JSON. */
export const IN_JSON = 'json';

function parameter(contract: Contract, declared: string, inherited: string): Parameter {
  const pointer = dereference(contract.document, declared);
  const {
    name,
    in: place,
    required,
    style: written,
    explode,
  } = objectAt(contract.document, pointer);
  const { schema: at, inJson } = parameterSchema(contract.document, pointer);
  if (valueAt(contract.document, at) === undefined) {
    throw new Unsupported(`the parameter ${String(name)} at ${pointer} has no schema`);
  }
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const style = inJson ? IN_JSON : typeof written === 'string' ? written : usual;
  const isExploded = typeof explode === 'boolean' ? explode : style === 'form';
  const schema = dereference(contract.document, at, false);
  const { type } = objectAt(contract.document, schema);
  const properties =
    isExploded && style === 'form'
      ? valueAt(contract.document, joinPointer(schema, 'properties'))
      : {};
  return {
    name: String(name),
    in: place as Parameter['in'],
    required: required === true,
    style,
    explode: isExploded,
    members: Object.keys(Object(properties) as object),
    ...(type === 'array' || type === 'object' ? { holds: type } : {}),
    pointer,
    schema,
    origin: stated(contract, pointer, inherited),
  };
}

function body(contract: Contract, at: string): RequestBody {
  const pointer = dereference(contract.document, at);
  const { required, content: types = {} } = objectAt(contract.document, pointer);
  const media = Object.entries(content(contract, pointer));
  // Bytes need no schema: then their place in the contract states no rule.
  const raw = Object.keys(types as object)
    .filter(isRaw)
    .map(
      (type) =>
        [
          type,
          media.find(([one]) => one === type)?.[1] ?? joinPointer(pointer, 'content', type),
        ] as const,
    );
  const kinds = [isJson, isForm, isMultipart].map((is) => media.find(([one]) => is(one)));
  const [type, schema] = kinds.find((one) => one !== undefined) ?? raw[0] ?? [];
  if (type === undefined || schema === undefined) {
    const names = Object.keys(types as object).join(', ') || 'none';
    throw new Unsupported(`no body is made of the media types at ${pointer}: ${names}`);
  }
  return {
    pointer: schema,
    required: required === true,
    // A range says what is allowed, and a request names one.
    mediaType: type.includes('*') ? (RANGES[type.split('/')[0]!] ?? 'application/json') : type,
    fields:
      isJson(type) || isRaw(type)
        ? {}
        : fieldsOf(contract, schema, joinPointer(pointer, 'content', type)),
    examples: examples(contract, joinPointer(pointer, 'content', type)),
  };
}

export const isJson = (mediaType: string): boolean =>
  /^(application\/json|[^;]+\+json|\*\/\*|application\/\*)\s*(;|$)/i.test(mediaType);

export const isForm = (mediaType: string): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(mediaType);

export const isMultipart = (mediaType: string): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(mediaType);

/** Whether a body of this media type is bytes, of which some are known that a service can read. */
export function isRaw(mediaType: string): boolean {
  return (
    /^(text\/(?!xml)|application\/octet-stream\s*(;|$))/i.test(mediaType) ||
    imageIn(mediaType) !== undefined
  );
}

const RANGES: Record<string, string> = { text: 'text/plain', image: 'image/png' };

/** Images of one point, in base64. */
const IMAGES: Record<string, string> = {
  png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  jpeg: `/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP${'/'.repeat(86)}wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z`,
};

/** An image of the media type, each byte a character; undefined where none is known. */
export function imageIn(mediaType: string): string | undefined {
  const [, type = ''] = /^image\/([*a-z]+)/i.exec(mediaType) ?? [];
  const base64 = IMAGES[type === '*' ? 'png' : type.toLowerCase()];
  if (base64 === undefined) {
    return undefined;
  }
  return Buffer.from(base64, 'base64').toString('latin1');
}

/** How the `encoding` of a form, and the schemas of its properties, say that it has them. */
function fieldsOf(contract: Contract, schema: string, pointer: string): Record<string, Field> {
  const encodings = objectAt(contract.document, pointer)['encoding'];
  const fields = [...shapeOf(contract, schema).properties].map(([name, shape]): [string, Field] => {
    const { contentType, style, explode } = Object(
      (encodings as Record<string, unknown> | undefined)?.[name],
    ) as Field;
    // A list of several, or a range, says what is allowed, and a part names one.
    const [given = ''] = String(contentType ?? '').split(/\s*,/);
    const type = given.includes('*')
      ? (RANGES[given.split('/')[0]!] ?? 'application/octet-stream')
      : given;
    const own = withoutNull(contract, shape);
    const isBytes = [own, own.items].some(
      (one) =>
        one &&
        (texts(one, 'format').includes('binary') || texts(one, 'contentMediaType').length > 0),
    );
    const isFile = isBytes || /^(image\/|application\/octet-stream)/.test(type);
    const sent = type || (isFile ? 'application/octet-stream' : '');
    const styled =
      style === undefined ? {} : { style, ...(explode === undefined ? {} : { explode }) };
    return [name, { ...(sent ? { contentType: sent } : {}), isFile, ...styled }];
  });
  return Object.fromEntries(fields);
}

function examples({ document }: Contract, pointer: string): Record<string, unknown> {
  const { examples: named, example } = objectAt(document, pointer);
  if (!isObject(named)) {
    return example === undefined ? {} : { example };
  }
  const valueOf = (at: string) => objectAt(document, dereference(document, at))['value'];
  return membersOf(named, joinPointer(pointer, 'examples'), valueOf);
}

function response(contract: Contract, status: string, at: string, inherited: string): Response {
  const pointer = dereference(contract.document, at);
  const { headers, content: types } = objectAt(contract.document, pointer);
  return {
    status,
    pointer,
    origin: stated(contract, pointer, inherited),
    headers: membersOf(headers, joinPointer(pointer, 'headers'), (one) => header(contract, one)),
    content: content(contract, pointer),
    // A range of statuses, or any, may have members without a body; of an error, few contracts say more than a name.
    anyBody: isObject(types) || !/^[123]\d\d$/.test(status),
  };
}

function header({ document }: Contract, at: string): Response['headers'][string] {
  const pointer = dereference(document, at);
  return {
    pointer,
    required: objectAt(document, pointer)['required'] === true,
    schema: dereference(document, joinPointer(pointer, 'schema'), false),
  };
}

function content({ document }: Contract, pointer: string): Record<string, string> {
  const { content: types } = objectAt(document, pointer);
  const schemas = membersOf(types, joinPointer(pointer, 'content'), (type) =>
    joinPointer(type, 'schema'),
  );
  const known = Object.entries(schemas).filter(
    ([, schema]) => valueAt(document, schema) !== undefined,
  );
  return Object.fromEntries(
    known.map(([type, schema]) => [type, dereference(document, schema, false)]),
  );
}

/** For each member of the value at the pointer, what `make` makes of its own pointer and name. */
function membersOf<T>(
  value: unknown,
  pointer: string,
  make: (at: string, name: string) => T,
): Record<string, T> {
  const names = Object.keys((value ?? {}) as object);
  return Object.fromEntries(names.map((name) => [name, make(joinPointer(pointer, name), name)]));
}

/** A component that states no origin of its own takes that of the operation that uses it. */
function stated(contract: Contract, pointer: string, inherited: string): string {
  const own = originOf(contract, pointer);
  return own === UNSTATED ? inherited : own;
}

/** One operation makes what another one asks for. */
export interface Link {
  from: Operation;
  to: Operation;
  /** Values or runtime expressions by the name of the parameter of `to`. */
  parameters: Record<string, unknown>;
  /** The contract says little of it: a response shows whether it is right. */
  isGuess?: true;
}

/** The links of documented successes, in the order of the contract. */
export const linksOf = perContract((contract): readonly Link[] => {
  const operations = operationsOf(contract);
  const { document } = contract;
  return operations.flatMap((from) => {
    const successes = Object.values(from.responses).filter(({ status }) => status.startsWith('2'));
    const lists = successes.map(({ pointer }) => joinPointer(pointer, 'links'));
    const places = lists.flatMap((list) =>
      Object.values(membersOf(valueAt(document, list), list, (place) => place)),
    );
    return places.flatMap((place): Link[] => {
      const { operationId, operationRef, parameters } = objectAt(
        document,
        dereference(document, place),
      );
      const to = operations.find(
        (one) => one.operationId === operationId || `#${one.pointer}` === operationRef,
      );
      return to ? [{ from, to, parameters: unqualified(parameters) }] : [];
    });
  });
});

/** `path.id` may stand for `id`, where a name alone is not enough. */
function unqualified(parameters: unknown): Record<string, unknown> {
  const entries = Object.entries(isObject(parameters) ? parameters : {});
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/^(path|query|header|cookie)\./, ''), value]),
  );
}

export const serverVariablesOf = ({ document }: Contract) =>
  (valueAt(document, '/servers/0/variables') ?? {}) as Record<
    string,
    { default?: unknown; enum?: unknown[] }
  >;

/** The path of the first server, such as `/v1`, with these variables, or their defaults; `''` where it has none. */
export function serverPathOf(
  contract: Contract,
  given: Readonly<Record<string, string>> = {},
): string {
  const template = valueAt(contract.document, '/servers/0/url');
  if (typeof template !== 'string') {
    return '';
  }
  const variables = serverVariablesOf(contract);
  const valueOf = (_: string, name: string) =>
    given[name] ?? String(variables[name]?.default ?? name);
  const url = template.replaceAll(/\{([^{}]+)\}/g, valueOf);
  // A relative URL is allowed, too.
  const base = 'http://server.example';
  if (URL.canParse(url, base)) {
    return new URL(url, base).pathname.replace(/\/+$/, '');
  }
  return '';
}

/** Where a security scheme wants its credentials. */
export interface Credentials {
  in: 'header' | 'query' | 'cookie';
  /** In lower case for a header. */
  name: string;
  /** The security scheme. */
  of?: string;
  /** The word before a token. */
  scheme?: 'Bearer' | 'Basic';
  /** Where OAuth 2 gives tokens to clients, and the scopes that it knows. */
  tokenUrl?: string;
  scope?: string;
}

const schemeOf = ({ document }: Contract, name: string) =>
  valueAt(document, dereference(document, joinPointer('/components/securitySchemes', name)));

/** Whether a certificate of the client is what a scheme wants. */
export const isMutualTls = (contract: Contract, scheme: string): boolean =>
  Object(schemeOf(contract, scheme))['type'] === 'mutualTLS';

/** The credentials of a scheme of this name, or why the suite has none such. */
export function credentialsOf(contract: Contract, scheme: string): Credentials | string {
  const found = schemeOf(contract, scheme);
  if (!isObject(found)) {
    return `the contract has no security scheme ${scheme}`;
  }
  const { type, in: place, name, scheme: http } = found;
  if (type === 'apiKey' && (place === 'header' || place === 'query' || place === 'cookie')) {
    return {
      in: place,
      name: place === 'header' ? String(name).toLowerCase() : String(name),
      of: scheme,
    };
  }
  const isBearer =
    (type === 'http' && /^bearer$/i.test(String(http))) ||
    type === 'oauth2' ||
    type === 'openIdConnect';
  const flow = Object(Object(found['flows'])['clientCredentials']) as {
    tokenUrl?: string;
    scopes?: object;
  };
  const scope = Object.keys(flow.scopes ?? {}).join(' ');
  const given = flow.tokenUrl === undefined ? {} : { tokenUrl: flow.tokenUrl, scope };
  const authorization = { in: 'header', name: 'authorization', of: scheme } as const;
  if (isBearer) {
    return { ...authorization, scheme: 'Bearer', ...given };
  }
  if (type === 'http' && /^basic$/i.test(String(http))) {
    return { ...authorization, scheme: 'Basic' };
  }
  return `the security scheme ${scheme} (${[type, http].filter(Boolean).join(' ')}) takes something else than a token`;
}

/** @param given header fields by security scheme @returns those that a request needs, by the operation at its path */
export function fieldsFor(
  contract: Contract,
  given: Readonly<Record<string, Record<string, string>>>,
) {
  const isFilled = (path: readonly string[], target: readonly string[]) =>
    path.length === target.length &&
    path.every((one, index) => one.includes('{') || one === target[index]);
  const count = ({ path }: Operation) => path.split('{').length;
  const operations = operationsOf(contract).toSorted((one, other) => count(one) - count(other));
  return ({ method, target }: { method: string; target: string }): Record<string, string> => {
    const beside = operations.filter(({ path }) =>
      isFilled(path.split('/'), target.split('?')[0]!.split('/')),
    );
    const { security = [] } = beside.find((one) => one.method === method) ?? beside[0] ?? {};
    const way = security.find((names) => names.every((name) => given[name])) ?? [];
    return Object.assign({}, ...way.map((name) => given[name])) as Record<string, string>;
  };
}

/** The scheme that most operations ask for, of those that can be used; a reason where there are only others. */
export function mostUsed(contract: Contract): Credentials | string | undefined {
  const uses = new Map<string, number>();
  for (const { security } of operationsOf(contract)) {
    for (const name of new Set(security.flat())) {
      uses.set(name, (uses.get(name) ?? 0) + 1);
    }
  }
  const all = [...uses]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name]) => credentialsOf(contract, name));
  return all.find((one) => typeof one !== 'string') ?? all[0];
}

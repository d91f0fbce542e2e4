/** The operations of the contract, every reference followed. */
import { supported, Unsupported } from './keywords.ts';
import { type Contract, entry, perContract } from './load.ts';
import { isForm, isJson, isMultipart, isRaw, namedType } from './media-types.ts';
import { originOf, UNSTATED } from './origins.ts';
import {
  dereference,
  isObject,
  joinPointer,
  objectAt,
  parameterSchema,
  valueAt,
} from './pointers.ts';
import { serverPathAt, serverPathOf } from './servers.ts';
import { type Shape, shapeOf, texts, withoutNull } from './shape.ts';

/** An extended service offers every operation, a core one those of the core. */
export type Level = 'core' | 'extended';

export interface Operation {
  operationId: string;
  /** Upper case. */
  method: string;
  /** The path template, such as `/edges/https/{edge_id}`. */
  path: string;
  /** The path of a server of its own, where its paths begin in place of those of the contract; mostly undefined. */
  serverPath?: string;
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
  /** Whether a query parameter may be sent without a value, whatever its schema says. */
  allowsEmpty: boolean;
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
  /** By name as written. */
  headers: Record<string, Header>;
  /** Media type -> JSON Pointer of its schema (the component, where it is one). Empty: nothing is said of a body. */
  content: Record<string, string>;
  /** HTTP itself allows no body: the status is 204, 205 or 304, or the method HEAD. */
  hasNoBody: boolean;
}

/** A header field of a response, whose value has the style `simple`. */
export interface Header {
  /** JSON Pointer of the header (the component, where it is one). */
  pointer: string;
  required: boolean;
  /** JSON Pointer of its schema; undefined if the contract says nothing of its value. */
  schema: string | undefined;
  explode: boolean;
  /** Whether the value is JSON. */
  inJson: boolean;
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
  const found: Operation[] = [];
  // A document of components or of webhooks alone has no paths since 3.1, and then nothing to try.
  for (const path of Object.keys(isObject(document['paths']) ? document['paths'] : {})) {
    const item = path.startsWith('/') ? pathItem(document, path) : undefined;
    for (const method of METHODS) {
      if (item !== undefined && isObject(valueAt(document, joinPointer(item, method)))) {
        found.push(operationAt(contract, path, item, method));
      }
    }
  }
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

/** The pointer of the path item; undefined if the path refers to nothing that is known: `warningsOf` says so. */
function pathItem(document: Record<string, unknown>, path: string): string | undefined {
  return supported(
    () => dereference(document, joinPointer('/paths', path)),
    () => undefined,
  );
}

/** Sentences about what is odd in the contract and costs operations: for the report, and for who corrects it. */
export const warningsOf = perContract((contract): readonly string[] => {
  const { document } = contract;
  const warnings = [...contract.warnings];
  for (const path of Object.keys(Object(document['paths']))) {
    const item = path.startsWith('/') ? pathItem(document, path) : '';
    if (item === undefined || (item !== '' && !isObject(valueAt(document, item)))) {
      warnings.push(`The path ${path} refers to something that the contract does not have.`);
    }
  }
  for (const { operationId, unsupported = '' } of operationsOf(contract)) {
    if (unsupported.includes('is not declared')) {
      warnings.push(`${operationId} is not tried: ${unsupported}.`);
    }
  }
  return warnings;
});

/** Without an `operationId`, an operation has its method and path in its place; without an `x-level`, the core level. */
function operationAt(contract: Contract, path: string, item: string, method: string): Operation {
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
  const serverPath = serverPathAt(contract, pointer) ?? serverPathAt(contract, item);
  if (serverPath !== undefined && serverPath !== serverPathOf(contract)) {
    named.serverPath = serverPath;
  }
  // The operation is known by its name, and the reason is reported.
  const whole = () => ({ ...named, ...contents(contract, item, named) });
  return supported(whole, (unsupported) => ({ ...named, unsupported }));
}

function contents(contract: Contract, item: string, operation: Operation): Partial<Operation> {
  const { document } = contract;
  const { pointer } = operation;
  const { requestBody, security = document['security'] } = objectAt(document, pointer);
  const responses = joinPointer(pointer, 'responses');
  const ways = Array.isArray(security) ? security.filter(isObject).map(Object.keys) : [];
  return {
    parameters: parametersOf(contract, item, operation, ways.flat()),
    security: ways,
    requestBody:
      requestBody === undefined ? null : body(contract, joinPointer(pointer, 'requestBody')),
    responses: membersOf(valueAt(document, responses), responses, (at, status) =>
      response(contract, operation, status, at),
    ),
  };
}

/** "The parameter definition SHALL be ignored" (OpenAPI 3.1, Parameter Object). */
const IGNORED_HEADERS = /^(accept|content-type|authorization)$/i;

/** The parameters of the path and the operation; that of the operation where both have one of a name and place. */
function parametersOf(
  contract: Contract,
  item: string,
  { pointer, path, origin }: Operation,
  schemes: readonly string[],
): Parameter[] {
  const keys = new Set(schemes.map((name) => placeOfKey(contract, name)));
  const found = new Map<string, Parameter>();
  for (const list of [joinPointer(item, 'parameters'), joinPointer(pointer, 'parameters')]) {
    const declared = valueAt(contract.document, list);
    for (const index of Array.isArray(declared) ? declared.keys() : []) {
      const one = parameter(contract, joinPointer(list, index), origin);
      const place = `${one.in} ${one.name}`;
      // A key that is a parameter and a security scheme is sent as the credentials that it is.
      const isKey = keys.has(place.toLowerCase());
      const isIgnored = one.in === 'header' && IGNORED_HEADERS.test(one.name);
      if (!isKey && !isIgnored) {
        found.set(place, one);
      }
    }
  }
  for (const name of undeclaredIn(path, found)) {
    throw new Unsupported(`the path parameter {${name}} of ${path} is not declared`);
  }
  return [...found.values()];
}

/** The names in braces that are not declared as parameters of the path. */
function undeclaredIn(path: string, declared: ReadonlyMap<string, Parameter>): string[] {
  const names = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name);
  return names.filter((name) => !declared.has(`path ${name}`));
}

/** The place and name of the key that a security scheme asks for, in lower case; undefined for other schemes. */
function placeOfKey({ document }: Contract, scheme: string): string | undefined {
  const at = dereference(document, joinPointer('/components/securitySchemes', scheme));
  const { type, in: place, name } = Object(valueAt(document, at)) as Record<string, unknown>;
  return type === 'apiKey' ? `${String(place)} ${String(name)}`.toLowerCase() : undefined;
}

/** In place of a style, for values that are written as JSON. */
export const IN_JSON = 'json';

function parameter(contract: Contract, declared: string, inherited: string): Parameter {
  const pointer = dereference(contract.document, declared);
  const stated = objectAt(contract.document, pointer);
  const { name, in: place, required, allowEmptyValue } = stated;
  const { schema: at, inJson } = parameterSchema(contract.document, pointer);
  if (valueAt(contract.document, at) === undefined) {
    throw new Unsupported(`the parameter ${String(name)} at ${pointer} has no schema`);
  }
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const written = typeof stated['style'] === 'string' ? stated['style'] : usual;
  const style = inJson ? IN_JSON : written;
  const explode = typeof stated['explode'] === 'boolean' ? stated['explode'] : style === 'form';
  const schema = dereference(contract.document, at, false);
  const made: Parameter = {
    name: String(name),
    in: place as Parameter['in'],
    required: required === true,
    allowsEmpty: place === 'query' && allowEmptyValue === true,
    style,
    explode,
    members: explode && style === 'form' ? membersOfValue(contract, schema) : [],
    pointer,
    schema,
    origin: originOfComponent(contract, pointer, inherited),
  };
  const { type } = objectAt(contract.document, schema);
  if (type === 'array' || type === 'object') {
    made.holds = type;
  }
  return made;
}

/** The names of the properties of an object, those of its branches among them; none if the schema cannot be read. */
function membersOfValue(contract: Contract, schema: string): string[] {
  const names = new Set<string>();
  const visit = (pointer: string, above: readonly string[]): void => {
    const shape = shapeOf(contract, pointer);
    for (const name of shape.properties.keys()) {
      names.add(name);
    }
    for (const branch of shape.alternatives.flat()) {
      if (!above.includes(branch)) {
        visit(branch, [...above, branch]);
      }
    }
  };
  return supported(
    () => {
      visit(schema, [schema]);
      return [...names];
    },
    () => [],
  );
}

function body(contract: Contract, at: string): RequestBody {
  const pointer = dereference(contract.document, at);
  const { required } = objectAt(contract.document, pointer);
  const schemas = content(contract, pointer);
  const types = Object.keys(schemas);
  const kinds = [isJson, isForm, isMultipart, isRaw].map((is) => types.find((type) => is(type)));
  const type = kinds.find((one) => one !== undefined);
  const schema = type === undefined ? undefined : schemas[type];
  if (type === undefined || schema === undefined) {
    const names = types.join(', ') || 'none';
    throw new Unsupported(`no body is made of the media types at ${pointer}: ${names}`);
  }
  const media = joinPointer(pointer, 'content', type);
  const hasFields = isForm(type) || isMultipart(type);
  return {
    pointer: schema,
    required: required === true,
    mediaType: namedType(type, 'application/json'),
    fields: hasFields ? fieldsOf(contract, schema, media) : {},
    examples: examples(contract, media),
  };
}

/** How the `encoding` of a form, and the schemas of its properties, say that it has them. */
function fieldsOf(contract: Contract, schema: string, pointer: string): Record<string, Field> {
  const encodings = objectAt(contract.document, pointer)['encoding'];
  const fields = [...shapeOf(contract, schema).properties].map(([name, shape]): [string, Field] => {
    const { contentType, style, explode } = Object(
      (encodings as Record<string, unknown> | undefined)?.[name],
    ) as Field;
    // A list of several says what is allowed, and a part names one.
    const [given = ''] = String(contentType ?? '').split(/\s*,/);
    const type = namedType(given, 'application/octet-stream');
    const isFile = isOfBytes(contract, shape) || FILE_TYPE.test(type);
    const field: Field = { isFile };
    if (type !== '' || isFile) {
      field.contentType = type || 'application/octet-stream';
    }
    if (style !== undefined) {
      field.style = style;
    }
    if (style !== undefined && explode !== undefined) {
      field.explode = explode;
    }
    return [name, field];
  });
  return Object.fromEntries(fields);
}

const FILE_TYPE = /^(image\/|application\/octet-stream)/;

/** Whether the value, or each item of a list, is bytes. */
function isOfBytes(contract: Contract, shape: Shape): boolean {
  const own = withoutNull(contract, shape);
  const hasBytes = (one: Shape | undefined) =>
    one !== undefined &&
    (texts(one, 'format').includes('binary') || texts(one, 'contentMediaType').length > 0);
  return hasBytes(own) || hasBytes(own.items);
}

function examples({ document }: Contract, pointer: string): Record<string, unknown> {
  const { examples: named, example } = objectAt(document, pointer);
  if (!isObject(named)) {
    return example === undefined ? {} : { example };
  }
  const valueOf = (at: string) => objectAt(document, dereference(document, at))['value'];
  return membersOf(named, joinPointer(pointer, 'examples'), valueOf);
}

function response(
  contract: Contract,
  { method, origin }: Operation,
  status: string,
  at: string,
): Response {
  const pointer = dereference(contract.document, at);
  const { headers } = objectAt(contract.document, pointer);
  const hasNoBody = method === 'HEAD' || /^(1\d\d|204|205|304)$/.test(status);
  const fields = membersOf(headers, joinPointer(pointer, 'headers'), (one) =>
    header(contract, one),
  );
  // "If a response header is defined with the name Content-Type, it SHALL be ignored" (OpenAPI 3.1, Response Object).
  const names = Object.keys(fields).filter((name) => !/^content-type$/i.test(name));
  return {
    status,
    pointer,
    origin: originOfComponent(contract, pointer, origin),
    headers: Object.fromEntries(names.map((name) => [name, fields[name] as Header])),
    content: hasNoBody ? {} : content(contract, pointer),
    hasNoBody,
  };
}

function header({ document }: Contract, at: string): Header {
  const pointer = dereference(document, at);
  const { required, explode } = objectAt(document, pointer);
  const { schema, inJson } = parameterSchema(document, pointer);
  const isStated = valueAt(document, schema) !== undefined;
  return {
    pointer,
    required: required === true,
    schema: isStated ? dereference(document, schema, false) : undefined,
    explode: explode === true,
    inJson,
  };
}

/** The schemas by media type. A media type without a schema has got one that allows anything (dialect.ts). */
function content({ document }: Contract, pointer: string): Record<string, string> {
  const { content: types } = objectAt(document, pointer);
  return membersOf(types, joinPointer(pointer, 'content'), (type) =>
    dereference(document, joinPointer(type, 'schema'), false),
  );
}

/** The results of `make` for each member of the value at the pointer, by name. */
export function membersOf<T>(
  value: unknown,
  pointer: string,
  make: (at: string, name: string) => T,
): Record<string, T> {
  const names = Object.keys((value ?? {}) as object);
  return Object.fromEntries(names.map((name) => [name, make(joinPointer(pointer, name), name)]));
}

/** A component that states no origin of its own takes that of the operation that uses it. */
function originOfComponent(contract: Contract, pointer: string, inherited: string): string {
  const own = originOf(contract, pointer);
  return own === UNSTATED ? inherited : own;
}

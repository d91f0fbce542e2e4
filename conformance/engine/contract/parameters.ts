/** The parameters of operations. */
import { supported, Unsupported } from './keywords.ts';
import type { Contract } from './load.ts';
import { originOfComponent } from './origins.ts';
import {
  dereference,
  joinPointer,
  objectAt,
  parameterSchema,
  referenced,
  valueAt,
} from './pointers.ts';
import { shapeOf } from './shape.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  /** Whether a query parameter may be sent without a value, whatever its schema says. */
  allowsEmpty: boolean;
  /**
   * The style in which lists and objects are written; the default of its place if the contract
   * states none.
   */
  style: string;
  explode: boolean;
  /** The names of the properties of its value, if each is written like a parameter. */
  members: readonly string[];
  /**
   * The type of a value that has parts, if that is its only type: the separators between them are
   * not encoded.
   */
  holds?: 'array' | 'object';
  /** JSON Pointer of the parameter, or of its component. */
  pointer: string;
  /** JSON Pointer of its schema, or of its component. */
  schema: string;
  origin: string;
}

/** In place of a style, for values that are written as JSON. */
export const IN_JSON = 'json';

/** The parts of an operation that decide its parameters. */
export interface ParameterSource {
  /** JSON Pointers of the path item and of the operation. */
  item: string;
  pointer: string;
  /** The path template. */
  path: string;
  /** The origin of the operation. */
  origin: string;
  /** Names of the security schemes that the operation uses. */
  schemes: readonly string[];
}

/** "The parameter definition SHALL be ignored" (OpenAPI 3.1, Parameter Object). */
const IGNORED_HEADERS = /^(accept|content-type|authorization)$/i;

/**
 * The parameters of the path and of the operation. If both have one of the same name and place,
 * that of the operation.
 * @throws Unsupported for one that cannot be read, and for a name in the path that is not declared
 */
export function parametersOf(contract: Contract, source: ParameterSource): Parameter[] {
  const { item, pointer, path, origin, schemes } = source;
  const keys = new Set(schemes.map((name) => placeOfKey(contract, name)));
  const found = new Map<string, Parameter>();
  for (const holder of [item, pointer]) {
    for (const declared of declarationsIn(contract, holder)) {
      if (leadsElsewhere(contract, declared)) {
        continue;
      }
      const one = readParameter(contract, declared, origin);
      const place = `${one.in} ${one.name}`;
      // A key that is a parameter and a security scheme is sent as the credentials that it is.
      const isKey = keys.has(place.toLowerCase());
      const isIgnored = one.in === 'header' && IGNORED_HEADERS.test(one.name);
      if (!isKey && !isIgnored) {
        found.set(place, one);
      }
    }
  }
  const undeclared = namesInPath(path).find((name) => !found.has(`path ${name}`));
  if (undeclared !== undefined) {
    throw new Unsupported(`the path parameter {${undeclared}} of ${path} is not declared`);
  }
  return [...found.values()];
}

/** The pointers of the parameters that a path item or an operation lists. */
function declarationsIn({ document }: Contract, holder: string): string[] {
  const list = joinPointer(holder, 'parameters');
  const declared = valueAt(document, list);
  if (!Array.isArray(declared)) {
    return [];
  }
  return Array.from(declared.keys(), (index) => joinPointer(list, index));
}

/**
 * Whether a parameter is described in another document, which was not read: the contract warns of
 * it, and requests go without the parameter.
 */
function leadsElsewhere({ document }: Contract, declared: string): boolean {
  const seen = new Set<string>();
  let at = declared;
  while (!seen.has(at)) {
    seen.add(at);
    const { $ref } = Object(valueAt(document, at)) as { $ref?: unknown };
    if (typeof $ref !== 'string') {
      return false;
    }
    if (!$ref.startsWith('#')) {
      return true;
    }
    at = referenced($ref);
  }
  return false;
}

/** The names in braces. */
const namesInPath = (path: string): string[] =>
  Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name);

/**
 * The place and name of the key that a security scheme asks for, in lower case; undefined for other
 * schemes.
 */
function placeOfKey({ document }: Contract, scheme: string): string | undefined {
  const at = dereference(document, joinPointer('/components/securitySchemes', scheme));
  const { type, in: place, name } = Object(valueAt(document, at)) as Record<string, unknown>;
  if (type === 'apiKey') {
    return `${String(place)} ${String(name)}`.toLowerCase();
  }
  return undefined;
}

function readParameter(contract: Contract, declared: string, inheritedOrigin: string): Parameter {
  const pointer = dereference(contract.document, declared);
  const stated = objectAt(contract.document, pointer);
  const { name, in: place, required, allowEmptyValue } = stated;
  const { schema: at, inJson } = parameterSchema(contract.document, pointer);
  if (valueAt(contract.document, at) === undefined) {
    throw new Unsupported(`the parameter ${String(name)} at ${pointer} has no schema`);
  }
  if (!isPlace(place)) {
    const named = `the parameter ${String(name)} at ${pointer}`;
    throw new Unsupported(`${named} is in ${String(place)}, which is written as a form only`);
  }
  const style = inJson ? IN_JSON : styleOf(stated);
  const explode = typeof stated['explode'] === 'boolean' ? stated['explode'] : style === 'form';
  const schema = dereference(contract.document, at, false);
  const isSpread = explode && style === 'form';
  const parameter: Parameter = {
    name: String(name),
    in: place,
    required: required === true,
    allowsEmpty: place === 'query' && allowEmptyValue === true,
    style,
    explode,
    members: isSpread ? membersOfValue(contract, schema) : [],
    pointer,
    schema,
    origin: originOfComponent(contract, pointer, inheritedOrigin),
  };
  const { type } = Object(valueAt(contract.document, schema)) as { type?: unknown };
  if (type === 'array' || type === 'object') {
    parameter.holds = type;
  }
  return parameter;
}

const PLACES: ReadonlySet<unknown> = new Set(['path', 'query', 'header', 'cookie']);

const isPlace = (place: unknown): place is Parameter['in'] => PLACES.has(place);

function styleOf({ style, ...stated }: Record<string, unknown>): string {
  // In cookies, values are written as they are: then both styles are the same (OpenAPI 3.2,
  // Parameter Object).
  if (typeof style === 'string' && style !== 'cookie') {
    return style;
  }
  if (stated['in'] === 'query' || stated['in'] === 'cookie') {
    return 'form';
  }
  return 'simple';
}

/**
 * The names of the properties of an object, those of its branches among them; empty if the schema
 * cannot be read.
 */
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
  const collectNames = (): string[] => {
    visit(schema, [schema]);
    return [...names];
  };
  return supported(collectNames, () => []);
}

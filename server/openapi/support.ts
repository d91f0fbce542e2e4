/** What this server supports of OpenAPI and JSON Schema. Anything else stops the start: no rule is silently ignored. */
import {
  innerSchemas,
  isObject,
  type JsonObject,
  parametersOf,
  resolve,
  schemasOf,
} from './document.ts';

/** HEAD and OPTIONS are served for each path without being declared. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** The supported keys of each kind of object, beside extensions. */
const KEYS = {
  document: [
    'openapi',
    'info',
    'servers',
    'tags',
    'paths',
    'components',
    'security',
    'externalDocs',
  ],
  pathItem: ['summary', 'description', 'parameters', ...METHODS],
  operation: [
    'operationId',
    'tags',
    'summary',
    'description',
    'externalDocs',
    'deprecated',
    'parameters',
    'requestBody',
    'responses',
  ],
  parameter: [
    'name',
    'in',
    'required',
    'description',
    'deprecated',
    'schema',
    'example',
    'examples',
  ],
  requestBody: ['description', 'required', 'content'],
  mediaType: ['schema', 'example', 'examples'],
  schema: [
    '$ref',
    '$comment',
    'title',
    'description',
    'default',
    'example',
    'examples',
    'deprecated',
    'externalDocs',
    'type',
    'format',
    'enum',
    'const',
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'items',
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependentRequired',
    'dependentSchemas',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'then',
    'else',
  ],
};

type Problems = Generator<string>;

export function* unsupportedIn(document: JsonObject): Problems {
  yield* unknownKeys('the document', document, 'document');
  for (const { schema, place } of schemasOf(document)) {
    yield* schemaProblems(document, schema, place);
  }
  for (const requirement of (document['security'] ?? []) as JsonObject[]) {
    yield* securityProblems(document, requirement);
  }
  const ids = new Set<unknown>();
  for (const [path, item] of Object.entries(document['paths'] as Record<string, JsonObject>)) {
    for (const segment of path.split('/')) {
      if (/[{}]/.test(segment) && !/^\{\w+\}$/.test(segment)) {
        yield `${path}: a path parameter must be a whole segment, unlike \`${segment}\``;
      }
    }
    yield* unknownKeys(path, item, 'pathItem');
    for (const method of METHODS.filter((one) => item[one] !== undefined)) {
      const operation = item[method] as JsonObject;
      const place = `${method} ${path}`;
      yield* operationProblems(document, place, operation);
      for (const parameter of parametersOf(document, item, operation)) {
        yield* parameterProblems(document, place, parameter);
      }
      const { operationId } = operation;
      if (ids.has(operationId)) {
        yield `${place}: the operationId ${String(operationId)} is there already`;
      }
      ids.add(operationId);
    }
  }
}

function* unknownKeys(place: string, object: JsonObject, kind: keyof typeof KEYS): Problems {
  for (const key of Object.keys(object)) {
    if (!KEYS[kind].includes(key) && !key.startsWith('x-')) {
      yield `${place}: \`${key}\` is not supported by this server`;
    }
  }
}

function* schemaProblems(document: JsonObject, schema: JsonObject, place: string): Problems {
  yield* unknownKeys(place, schema, 'schema');
  const { $ref } = schema;
  if ($ref !== undefined && !/^#\/components\/schemas\/[^/]+$/.test(String($ref))) {
    yield `${place}: \`$ref: ${String($ref)}\` does not lead to a schema of \`components\``;
  }
  // Only the validator finds out which of them applies, and defaults are filled in after it.
  for (const keyword of [
    'if',
    'then',
    'else',
    'not',
    'contains',
    'propertyNames',
    'dependentSchemas',
  ]) {
    if (hasDefault(document, schema[keyword])) {
      yield `${place}: \`default\` within \`${keyword}\` is not supported`;
    }
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = ((schema[keyword] ?? []) as JsonObject[]).map((one) => resolve(document, one));
    const types = branches.flatMap(({ type }) => type ?? 'any');
    const areDistinct = !types.includes('any') && new Set(types).size === types.length;
    if (!areDistinct && branches.some((one) => hasDefault(document, one))) {
      yield `${place}: \`default\` within \`${keyword}\` is supported only where its schemas differ by \`type\``;
    }
  }
}

/** @param around components that contain it: a schema may contain itself */
function hasDefault(
  document: JsonObject,
  schema: unknown,
  around: readonly unknown[] = [],
): boolean {
  if (!isObject(schema) || around.includes(schema['$ref'])) {
    return false;
  }
  const inside = [...around, schema['$ref'] ?? schema];
  return innerSchemas(resolve(document, schema)).some(
    ([, inner]) => 'default' in resolve(document, inner) || hasDefault(document, inner, inside),
  );
}

function* operationProblems(document: JsonObject, place: string, operation: JsonObject): Problems {
  yield* unknownKeys(place, operation, 'operation');
  if (typeof operation['operationId'] !== 'string') {
    yield `${place}: \`operationId\` is missing`;
  }
  if (operation['requestBody'] !== undefined) {
    const body = resolve(document, operation['requestBody']);
    const at = `${place}: requestBody`;
    yield* unknownKeys(at, body, 'requestBody');
    yield* contentProblems(at, body);
    if (Object.keys(body['content'] ?? {}).length === 0) {
      yield `${at}: \`content\` is missing`;
    }
  }
  yield* responseProblems(document, place, operation);
}

function* parameterProblems(document: JsonObject, place: string, parameter: JsonObject): Problems {
  const at = `${place}: the parameter ${String(parameter['name'])}`;
  yield* unknownKeys(at, parameter, 'parameter');
  const where = String(parameter['in']);
  if (where !== 'path' && where !== 'query') {
    yield `${at}: \`in: ${where}\` is not supported by this server`;
  }
  const { type, minimum } = resolve(document, parameter['schema'] ?? {});
  if (type !== 'string' && (where === 'path' || type !== 'integer' || !(Number(minimum) >= 0))) {
    yield `${at}: its \`type\` must be string, or in a query integer with a \`minimum\` that is not negative`;
  }
}

/** @param isProblem any media type is right */
function* contentProblems(place: string, { content }: JsonObject, isProblem = false): Problems {
  for (const [type, one] of Object.entries((content ?? {}) as Record<string, JsonObject>)) {
    yield* unknownKeys(`${place}: ${type}`, one, 'mediaType');
    if (!isProblem && type !== 'application/json') {
      yield `${place}: the media type ${type} is not supported by this server`;
    }
  }
}

function* responseProblems(document: JsonObject, place: string, operation: JsonObject): Problems {
  const responses = Object.entries(operation['responses'] ?? {});
  for (const [status, response] of responses) {
    const at = `${place}: the response ${status}`;
    if (!/^[2-5]\d\d$/.test(status)) {
      yield `${at}: a status must be written out`;
    }
    yield* contentProblems(at, resolve(document, response), !status.startsWith('2'));
  }
  if (!responses.some(([status]) => status.startsWith('2'))) {
    yield `${place}: it has no response of success`;
  }
}

function* securityProblems(document: JsonObject, requirement: JsonObject): Problems {
  const schemes = ((document['components'] ?? {}) as JsonObject)['securitySchemes'] as
    | JsonObject
    | undefined;
  const names = Object.keys(requirement);
  // An alternative without a scheme allows a service to run open; whether this one does is a setting.
  if (names.length > 1) {
    yield `the document: \`security\` must name one scheme in each alternative`;
  }
  for (const name of names) {
    const { type, scheme } = resolve(document, schemes?.[name] ?? {});
    if (type !== 'http' || String(scheme).toLowerCase() !== 'bearer') {
      yield `the document: the security scheme ${name} is not supported by this server: only a bearer token is`;
    }
  }
}

/**
 * What of OpenAPI and JSON Schema this server does. All else that a contract uses stops the start with one line that names
 * it: a rule that is passed over in silence is worse than a server that does not start.
 */
import { innerSchemas, isObject, type JsonObject, parametersOf, resolve, schemasOf } from './document.ts';

/** HEAD and OPTIONS are served for each path without being written. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const DOCUMENT = ['openapi', 'info', 'servers', 'tags', 'paths', 'components', 'security', 'externalDocs'];
const PATH_ITEM = ['summary', 'description', 'parameters', ...METHODS];
const OPERATION = [
  ...['operationId', 'tags', 'summary', 'description', 'externalDocs', 'deprecated'],
  ...['parameters', 'requestBody', 'responses', 'security'],
];
const PARAMETER = ['name', 'in', 'required', 'description', 'deprecated', 'schema', 'example', 'examples'];
const REQUEST_BODY = ['description', 'required', 'content'];
const MEDIA_TYPE = ['schema', 'example', 'examples'];
const SCHEMA = [
  ...['$ref', '$comment', 'title', 'description', 'default', 'example', 'examples', 'deprecated', 'externalDocs'],
  ...['type', 'format', 'enum', 'const', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
  ...['properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'dependentSchemas', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
];

/** Types that a text in a path, a query or a header can be read as. */
const TEXT_TYPES = ['string', 'integer', 'number', 'boolean'];

/** The first thing that this server does not do, in words; undefined where there is none. */
export function checkSupport(document: JsonObject): string | undefined {
  for (const found of problemsOf(document)) return found;
  return undefined;
}

function* problemsOf(document: JsonObject): Generator<string> {
  yield* unknownKeys('the document', document, DOCUMENT);
  for (const { schema, place } of schemasOf(document)) yield* schemaProblems(document, schema, place);
  const ids = new Set<unknown>();
  for (const [path, item] of Object.entries(document['paths'] as JsonObject)) {
    yield* pathProblems(path);
    yield* unknownKeys(path, item as JsonObject, PATH_ITEM);
    for (const method of METHODS) {
      const operation = (item as JsonObject)[method] as JsonObject | undefined;
      if (operation === undefined) continue;
      yield* operationProblems(document, `${method} ${path}`, item as JsonObject, operation);
      const { operationId } = operation;
      if (ids.has(operationId)) yield `${method} ${path}: the operationId ${String(operationId)} is there already`;
      ids.add(operationId);
    }
  }
}

function* unknownKeys(place: string, object: JsonObject, known: readonly string[]): Generator<string> {
  for (const key of Object.keys(object))
    if (!known.includes(key) && !key.startsWith('x-')) yield `${place}: \`${key}\` is not supported by this server`;
}

/** A parameter is a whole segment of its path. */
function* pathProblems(path: string): Generator<string> {
  for (const segment of path.split('/'))
    if (/[{}]/.test(segment) && !/^\{\w+\}$/.test(segment))
      yield `${path}: a path parameter must be a whole segment, unlike \`${segment}\``;
}

function* schemaProblems(document: JsonObject, schema: JsonObject, place: string): Generator<string> {
  yield* unknownKeys(place, schema, SCHEMA);
  const { $ref } = schema;
  if ($ref !== undefined && !/^#\/components\/schemas\/[^/]+$/.test(String($ref)))
    yield `${place}: \`$ref: ${String($ref)}\` does not lead to a schema of \`components\``;
  // Which of them applies is known to the validator alone, after which it is too late to fill anything in.
  for (const keyword of ['if', 'then', 'else', 'not', 'contains', 'propertyNames', 'dependentSchemas'])
    if (hasDefault(document, schema[keyword])) yield `${place}: \`default\` within \`${keyword}\` is not supported`;
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = ((schema[keyword] ?? []) as JsonObject[]).map((one) => resolve(document, one));
    const types = branches.flatMap(({ type }) => type ?? 'any');
    if (
      branches.some((one) => hasDefault(document, one)) &&
      (types.includes('any') || new Set(types).size < types.length)
    )
      yield `${place}: \`default\` within \`${keyword}\` is supported only where its schemas differ by \`type\``;
  }
}

/** @param around components that are looked into already: a schema may hold itself */
function hasDefault(document: JsonObject, schema: unknown, around: readonly unknown[] = []): boolean {
  if (!isObject(schema) || around.includes(schema['$ref'])) return false;
  const inside = [...around, schema['$ref'] ?? schema];
  return innerSchemas(resolve(document, schema)).some(
    ([, inner]) => 'default' in resolve(document, inner) || hasDefault(document, inner, inside),
  );
}

function* operationProblems(
  document: JsonObject,
  place: string,
  item: JsonObject,
  operation: JsonObject,
): Generator<string> {
  yield* unknownKeys(place, operation, OPERATION);
  if (typeof operation['operationId'] !== 'string') yield `${place}: \`operationId\` is missing`;
  for (const parameter of parametersOf(document, item, operation)) yield* parameterProblems(document, place, parameter);
  if (operation['requestBody'] !== undefined) {
    const body = resolve(document, operation['requestBody']);
    yield* unknownKeys(`${place}: requestBody`, body, REQUEST_BODY);
    yield* mediaTypeProblems(`${place}: requestBody`, body, ['application/json']);
  }
  yield* responseProblems(document, place, operation);
  for (const requirement of (operation['security'] ?? document['security'] ?? []) as JsonObject[])
    yield* securityProblems(document, place, requirement);
}

function* parameterProblems(document: JsonObject, place: string, parameter: JsonObject): Generator<string> {
  const at = `${place}: the parameter ${String(parameter['name'])}`;
  yield* unknownKeys(at, parameter, PARAMETER);
  const where = String(parameter['in']);
  if (!['path', 'query', 'header'].includes(where)) yield `${at}: \`in: ${where}\` is not supported by this server`;
  const schema = resolve(document, parameter['schema'] ?? {});
  const items = schema['type'] === 'array' && where === 'query' ? resolve(document, schema['items'] ?? {}) : schema;
  if (!TEXT_TYPES.includes(String(items['type'])))
    yield `${at}: its \`type\` must be one of ${TEXT_TYPES.join(', ')}${where === 'query' ? ', or an array of one of them' : ''}`;
}

function* mediaTypeProblems(place: string, holder: JsonObject, known: readonly string[]): Generator<string> {
  const content = Object.entries((holder['content'] ?? {}) as JsonObject);
  for (const [type, media] of content) {
    if (known.length > 0 && !known.includes(type))
      yield `${place}: the media type ${type} is not supported by this server`;
    yield* unknownKeys(`${place}: ${type}`, media as JsonObject, MEDIA_TYPE);
  }
  if (known.length > 0 && content.length === 0) yield `${place}: \`content\` is missing`;
}

function* responseProblems(document: JsonObject, place: string, operation: JsonObject): Generator<string> {
  const responses = Object.entries((operation['responses'] ?? {}) as JsonObject);
  const types = new Set<string>();
  for (const [status, response] of responses) {
    const at = `${place}: the response ${status}`;
    if (!/^[2-5]\d\d$/.test(status)) yield `${at}: a status must be written out`;
    const resolved = resolve(document, response);
    yield* mediaTypeProblems(at, resolved, []);
    if (status.startsWith('2'))
      for (const type of Object.keys((resolved['content'] ?? {}) as JsonObject)) types.add(type);
  }
  if (!responses.some(([status]) => status.startsWith('2'))) yield `${place}: it has no response of success`;
  if (types.size > 1)
    yield `${place}: responses of success in several media types (${[...types].join(', ')}) are not supported`;
}

function* securityProblems(document: JsonObject, place: string, requirement: JsonObject): Generator<string> {
  const schemes = ((document['components'] ?? {}) as JsonObject)['securitySchemes'] as JsonObject | undefined;
  const names = Object.keys(requirement);
  // An alternative without a scheme says that a service may run open; whether this one does is a setting.
  if (names.length > 1) yield `${place}: \`security\` must name one scheme in each alternative`;
  for (const name of names) {
    const { type, scheme } = resolve(document, schemes?.[name] ?? {});
    if (type !== 'http' || String(scheme).toLowerCase() !== 'bearer')
      yield `${place}: the security scheme ${name} is not supported by this server: a bearer token alone is`;
  }
}

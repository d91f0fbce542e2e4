/**
 * The constructs of OpenAPI and JSON Schema that this server supports. Others stop the start: no
 * rule is silently ignored.
 */
import {
  innerSchemas,
  isObject,
  type JsonObject,
  listIn,
  objectIn,
  parametersOf,
  type PlacedSchema,
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

type Kind = keyof typeof KEYS;

/** Each problem is one line that names its place. */
type Problems = Generator<string>;

/** @returns the constructs of the document that this server does not support */
export function unsupportedIn(document: JsonObject): Problems {
  return new Inspection(document).problems();
}

class Inspection {
  readonly #document: JsonObject;
  readonly #operationIds = new Set<unknown>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  *problems(): Problems {
    yield* unknownKeys('the document', this.#document, 'document');
    for (const placed of schemasOf(this.#document)) {
      yield* this.#ofSchema(placed);
    }
    for (const requirement of listIn(this.#document, 'security')) {
      yield* this.#ofSecurity(requirement);
    }
    for (const [path, item] of Object.entries(objectIn(this.#document, 'paths'))) {
      yield* this.#ofPath(path, item as JsonObject);
    }
  }

  *#ofPath(path: string, item: JsonObject): Problems {
    for (const segment of path.split('/')) {
      if (/[{}]/.test(segment) && !/^\{\w+\}$/.test(segment)) {
        yield `${path}: a path parameter must be a whole segment, unlike \`${segment}\``;
      }
    }
    yield* unknownKeys(path, item, 'pathItem');
    for (const method of METHODS.filter((one) => item[one] !== undefined)) {
      const operation = objectIn(item, method);
      const place = `${method} ${path}`;
      yield* this.#ofOperation(place, operation);
      for (const parameter of parametersOf(this.#document, item, operation)) {
        yield* this.#ofParameter(place, parameter);
      }
    }
  }

  *#ofOperation(place: string, operation: JsonObject): Problems {
    yield* unknownKeys(place, operation, 'operation');
    yield* this.#ofOperationId(place, operation['operationId']);
    if (operation['requestBody'] !== undefined) {
      const body = resolve(this.#document, operation['requestBody']);
      yield* ofRequestBody(`${place}: requestBody`, body);
    }
    yield* this.#ofResponses(place, objectIn(operation, 'responses'));
  }

  *#ofOperationId(place: string, id: unknown): Problems {
    if (typeof id !== 'string') {
      yield `${place}: \`operationId\` is missing`;
    }
    if (this.#operationIds.has(id)) {
      yield `${place}: the operationId ${String(id)} is there already`;
    }
    this.#operationIds.add(id);
  }

  *#ofParameter(place: string, parameter: JsonObject): Problems {
    const at = `${place}: the parameter ${String(parameter['name'])}`;
    yield* unknownKeys(at, parameter, 'parameter');
    const where = String(parameter['in']);
    if (where !== 'path' && where !== 'query') {
      yield `${at}: \`in: ${where}\` is not supported by this server`;
    }
    const { type, minimum } = resolve(this.#document, parameter['schema'] ?? {});
    const isNaturalNumber = type === 'integer' && Number(minimum) >= 0;
    if (type !== 'string' && !(where === 'query' && isNaturalNumber)) {
      const supported =
        'must be string, or in a query integer with a `minimum` that is not negative';
      yield `${at}: its \`type\` ${supported}`;
    }
  }

  *#ofResponses(place: string, responses: JsonObject): Problems {
    for (const [status, response] of Object.entries(responses)) {
      const at = `${place}: the response ${status}`;
      if (!/^[2-5]\d\d$/.test(status)) {
        yield `${at}: a status must be written out`;
      }
      const { content } = resolve(this.#document, response);
      yield* unknownMediaKeys(at, content);
      if (isSuccess(status)) {
        yield* otherMediaTypes(at, content);
      }
    }
    if (!Object.keys(responses).some(isSuccess)) {
      yield `${place}: it has no response of success`;
    }
  }

  *#ofSecurity(requirement: JsonObject): Problems {
    const schemes = objectIn(objectIn(this.#document, 'components'), 'securitySchemes');
    const names = Object.keys(requirement);
    // An alternative without a scheme allows a service to run open; whether this one does is a
    // setting.
    if (names.length > 1) {
      yield 'the document: `security` must name one scheme in each alternative';
    }
    for (const name of names) {
      const { type, scheme } = resolve(this.#document, schemes[name] ?? {});
      if (type !== 'http' || String(scheme).toLowerCase() !== 'bearer') {
        const reason = 'is not supported by this server: only a bearer token is';
        yield `the document: the security scheme ${name} ${reason}`;
      }
    }
  }

  *#ofSchema({ schema, place }: PlacedSchema): Problems {
    yield* unknownKeys(place, schema, 'schema');
    const { $ref } = schema;
    if ($ref !== undefined && !LEADS_TO_SCHEMA.test(String($ref))) {
      yield `${place}: \`$ref: ${String($ref)}\` does not lead to a schema of \`components\``;
    }
    for (const keyword of NO_DEFAULT_WITHIN) {
      if (this.#hasDefault(schema[keyword])) {
        yield `${place}: \`default\` within \`${keyword}\` is not supported`;
      }
    }
    for (const keyword of ['oneOf', 'anyOf']) {
      const branches = listIn(schema, keyword);
      const hasDefault = branches.some((branch) => this.#hasDefault(branch));
      if (hasDefault && !this.#differByType(branches)) {
        const reason = 'is supported only if its schemas differ by `type`';
        yield `${place}: \`default\` within \`${keyword}\` ${reason}`;
      }
    }
  }

  #differByType(schemas: readonly JsonObject[]): boolean {
    const types = schemas.flatMap((one) => resolve(this.#document, one)['type'] ?? ANY_TYPE);
    return !types.includes(ANY_TYPE) && new Set(types).size === types.length;
  }

  /** Whether a schema within this one has a default. @param around the schemas that contain it */
  #hasDefault(schema: unknown, around: readonly unknown[] = []): boolean {
    if (!isObject(schema)) {
      return false;
    }
    // A component may contain itself.
    const identity = schema['$ref'] ?? schema;
    if (around.includes(identity)) {
      return false;
    }
    const inner = innerSchemas(resolve(this.#document, schema));
    return inner.some((one) => {
      const resolved = resolve(this.#document, one.schema);
      return 'default' in resolved || this.#hasDefault(one.schema, [...around, identity]);
    });
  }
}

const LEADS_TO_SCHEMA = /^#\/components\/schemas\/[^/]+$/;

/** Only the validator finds out which of these apply, and defaults are filled in after it. */
const NO_DEFAULT_WITHIN = [
  'if',
  'then',
  'else',
  'not',
  'contains',
  'propertyNames',
  'dependentSchemas',
];

const ANY_TYPE = 'any';

const isSuccess = (status: string): boolean => status.startsWith('2');

function* unknownKeys(place: string, object: JsonObject, kind: Kind): Problems {
  for (const key of Object.keys(object)) {
    if (!KEYS[kind].includes(key) && !key.startsWith('x-')) {
      yield `${place}: \`${key}\` is not supported by this server`;
    }
  }
}

function* ofRequestBody(place: string, body: JsonObject): Problems {
  yield* unknownKeys(place, body, 'requestBody');
  yield* unknownMediaKeys(place, body['content']);
  yield* otherMediaTypes(place, body['content']);
  if (Object.keys(body['content'] ?? {}).length === 0) {
    yield `${place}: \`content\` is missing`;
  }
}

function* unknownMediaKeys(place: string, content: unknown): Problems {
  for (const [type, media] of Object.entries((content ?? {}) as Record<string, JsonObject>)) {
    yield* unknownKeys(`${place}: ${type}`, media, 'mediaType');
  }
}

/** Only errors may have another media type than JSON. */
function* otherMediaTypes(place: string, content: unknown): Problems {
  for (const type of Object.keys(content ?? {})) {
    if (type !== 'application/json') {
      yield `${place}: the media type ${type} is not supported by this server`;
    }
  }
}

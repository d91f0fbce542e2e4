/**
 * Whether a seed file has the right shape: the schemas of requests, with an id for each resource.
 */
import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Contract, JsonObject } from '../contract.ts';
import { loneSurrogates } from '../http/request/json-rules.ts';
import { listIn, objectIn } from '../openapi/document.ts';
import { contractFormats } from '../openapi/formats.ts';

/** @returns the first error, with its place in the file; undefined if there is none */
export function shapeError(file: unknown, { document }: Contract): string | undefined {
  const [unicode] = loneSurrogates(file);
  if (unicode !== undefined) {
    return `${unicode.pointer} ${unicode.detail}`;
  }
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    formats: contractFormats(document),
  });
  addFormats.default(ajv, { mode: 'full' });
  const validate = ajv.compile(schemaOf(document));
  return validate(file) ? undefined : inWords(validate.errors ?? []);
}

function schemaOf(document: JsonObject): JsonObject {
  const components = objectIn(document, 'components');
  const schemas = objectIn(components, 'schemas');
  const route = withId(schemas, 'HTTPSEdgeRouteCreate');
  const edge = withId(schemas, 'HTTPSEdgeCreate', { routes: { type: 'array', items: route } });
  const source = closedObject({ subscription_id: ref('ResourceId'), type: ref('EventType') });
  return {
    components,
    type: 'object',
    additionalProperties: false,
    properties: {
      edges: { type: 'array', items: edge },
      event_sources: { type: 'array', items: source },
    },
  };
}

/** A request schema with an id, and maybe more, beside its properties. */
function withId(schemas: JsonObject, name: string, more: JsonObject = {}): JsonObject {
  const schema = objectIn(schemas, name);
  return {
    ...schema,
    properties: { ...objectIn(schema, 'properties'), id: ref('ResourceId'), ...more },
    required: [...listIn(schema, 'required'), 'id'],
  };
}

/** All properties are required, and no others allowed. */
function closedObject(properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  return { type: 'object', additionalProperties: false, required, properties };
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Without the value that broke the rule: it may be a secret. */
function inWords(errors: readonly ErrorObject[]): string | undefined {
  const [first] = errors;
  if (first === undefined) {
    return undefined;
  }
  const { instancePath, message, params } = first;
  const property: unknown = params['additionalProperty'];
  const name = property === undefined ? '' : `: ${JSON.stringify(property)}`;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${instancePath || 'the file'} ${message}${name}${rest}`;
}

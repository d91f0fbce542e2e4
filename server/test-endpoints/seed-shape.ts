/**
 * Whether a seed file has the right shape: the schemas of requests, with an id for each resource.
 */
import type { Contract, JsonObject } from '../contract.ts';
import { loneSurrogates } from '../http/request/json-rules.ts';
import { listIn, objectIn } from '../openapi/document.ts';
import { compileShape } from '../openapi/shape.ts';

/** @returns the first error, with its place in the file; undefined if there is none */
export function shapeError(file: unknown, { document }: Contract): string | undefined {
  const [unicode] = loneSurrogates(file);
  if (unicode !== undefined) {
    return `${unicode.pointer} ${unicode.detail}`;
  }
  return compileShape(document, schemaOf(document), 'the file')(file);
}

function schemaOf(document: JsonObject): JsonObject {
  const schemas = objectIn(objectIn(document, 'components'), 'schemas');
  const route = withId(schemas, 'HTTPSEdgeRouteCreate');
  const edge = withId(schemas, 'HTTPSEdgeCreate', { routes: { type: 'array', items: route } });
  const source = closedObject({ subscription_id: ref('ResourceId'), type: ref('EventType') });
  return {
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

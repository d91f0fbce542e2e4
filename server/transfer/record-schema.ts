/**
 * The schemas of records, derived from the contract as their types are (domain/): what a client
 * sends, with everything filled in, and what the service supplies.
 */
import { isObject, type JsonObject, objectIn, resolve } from '../openapi/document.ts';

export function edgeRecordSchema(document: JsonObject): JsonObject {
  const edge = new RecordSchemas(document);
  const shown = edge.propertiesOf('HTTPSEdge');
  const { id, created_at, description, metadata, hostports, tls_termination } = shown;
  const routes = { ...objectIn(shown, 'routes'), items: edge.ofRoute() };
  return edge.extended('HTTPSEdgeCreate', {
    id,
    created_at,
    // The schema of responses: a request may have null there.
    description,
    metadata,
    hostports,
    tls_termination,
    routes,
  });
}

export function subscriptionRecordSchema(document: JsonObject): JsonObject {
  const schemas = new RecordSchemas(document);
  const { type } = schemas.propertiesOf('EventSource');
  const { id } = schemas.propertiesOf('HTTPSEdge');
  // One without types is not kept (D14).
  return closed(document, {
    type: 'object',
    properties: { id, types: { type: 'array', minItems: 1, items: type } },
  });
}

class RecordSchemas {
  readonly #document: JsonObject;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  propertiesOf(name: string): JsonObject {
    return objectIn(this.#schema(name), 'properties');
  }

  ofRoute(): JsonObject {
    const shown = this.propertiesOf('HTTPSEdgeRoute');
    const { id, created_at, description, metadata } = shown;
    const saml = this.propertiesOf('EndpointSAML');
    const { request_signing_certificate_pem: certificate_pem } = saml;
    const certificate = { type: 'object', properties: { certificate_pem } };
    const signing = { oneOf: [certificate, { type: 'null' }] };
    const supplied = { id, created_at, description, metadata, signing };
    return this.extended('HTTPSEdgeRouteCreate', supplied);
  }

  /** A schema of requests with these properties added; they replace those of the same name. */
  extended(name: string, properties: JsonObject): JsonObject {
    const schema = this.#schema(name);
    const all = { ...objectIn(schema, 'properties'), ...properties };
    return closed(this.#document, { ...schema, properties: all });
  }

  #schema(name: string): JsonObject {
    return resolve(this.#document, { $ref: `#/components/schemas/${name}` });
  }
}

/**
 * Every object has all of its properties, and no others. Conditions stay as they are: they say what
 * goes together.
 */
function closed(document: JsonObject, schema: unknown): JsonObject {
  const copy = { ...resolve(document, schema) };
  if (isObject(copy['properties'])) {
    const entries = Object.entries(copy['properties']);
    const properties = entries.map(([name, one]) => [name, closed(document, one)]);
    copy['properties'] = Object.fromEntries(properties);
    copy['required'] = entries.map(([name]) => name);
    copy['additionalProperties'] = false;
  }
  if (copy['items'] !== undefined) {
    copy['items'] = closed(document, copy['items']);
  }
  if (Array.isArray(copy['oneOf'])) {
    copy['oneOf'] = copy['oneOf'].map((one) => closed(document, one));
  }
  return copy;
}

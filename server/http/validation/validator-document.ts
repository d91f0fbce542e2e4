/**
 * The contract in the form that suits express-openapi-validator: without references and defaults.
 */
import { type Contract, ContractError, type Operation, type RequestBody } from '../../contract.ts';
import { isObject, type JsonObject, resolve } from '../../openapi/document.ts';

export function documentForValidator(
  { document, operations }: Contract,
  withResponses: boolean,
): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const described = describe(operation, withResponses);
    const inlined = new Inliner(document).inline(described);
    paths[operation.path] = { ...paths[operation.path], [operation.method]: inlined };
  }
  return {
    openapi: document['openapi'],
    info: { title: 'contract', version: '1' },
    // The operator of the service sets the base address: paths are matched as they are.
    servers: [{ url: '/' }],
    paths,
  };
}

function describe(operation: Operation, withResponses: boolean): JsonObject {
  const described: JsonObject = {
    // RFC 3986 allows reserved characters in a query.
    parameters: operation.parameters.map((one) => ({ ...one, allowReserved: true })),
    responses: withResponses ? operation.responses : {},
  };
  if (operation.requestBody !== undefined) {
    described['requestBody'] = describeBody(operation.requestBody);
  }
  return described;
}

function describeBody({ required, schema }: RequestBody): JsonObject {
  // Explicit: the validator takes a body for required by default.
  return { required, content: { 'application/json': { schema } } };
}

class Inliner {
  readonly #document: JsonObject;
  /** The references around the value that is inlined. */
  readonly #around: string[] = [];

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /**
   * A copy with schemas in place of references, and without `default`.
   *
   * The validator compiles each component by itself beside every reference to it, which takes half
   * a second of each start. And it fills defaults in before it validates, and not behind `oneOf`:
   * openapi/defaults.ts does that afterwards.
   *
   * @throws ContractError for a schema that contains itself
   */
  inline(value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map((one) => this.inline(one));
    }
    if (!isObject(value)) {
      return value;
    }
    if (typeof value['$ref'] === 'string') {
      return this.#inlineReference(value['$ref'], value);
    }
    const copy: JsonObject = {};
    for (const [name, one] of Object.entries(value)) {
      if (name === 'properties' && isObject(one)) {
        copy[name] = this.#inlineProperties(one);
      } else if (name !== 'default') {
        copy[name] = this.inline(one);
      }
    }
    return copy;
  }

  /** Here `default` and `$ref` are names of properties. */
  #inlineProperties(properties: JsonObject): JsonObject {
    const entries = Object.entries(properties);
    return Object.fromEntries(entries.map(([name, schema]) => [name, this.inline(schema)]));
  }

  #inlineReference(reference: string, value: JsonObject): unknown {
    if (this.#around.includes(reference)) {
      throw new ContractError(`openapi.yaml: ${reference} contains itself, which is not supported`);
    }
    this.#around.push(reference);
    const { $ref, ...siblings } = value;
    const target = resolve(this.#document, { $ref });
    const inlined = this.inline({ ...target, ...siblings });
    this.#around.pop();
    return inlined;
  }
}

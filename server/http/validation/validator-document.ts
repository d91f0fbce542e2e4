/** The contract in the form that express-openapi-validator understands whole: what it needs, with references followed. */
import type { Contract, Operation } from '../../contract.ts';
import { ContractError, isObject, type JsonObject, resolve } from '../../openapi/document.ts';

/**
 * A document of its own, which it may change. Schemas stand where they are used, without references and defaults: it compiles
 * each component by itself beside every place that refers to it, which took most of the start.
 */
export function documentForValidator(
  { document, operations }: Contract,
  { responses }: { responses: boolean },
): JsonObject {
  const inline = inliner(document);
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: inline(operationFor(document, operation, responses)) };
  }
  return {
    openapi: document['openapi'],
    info: { title: 'contract', version: '1' },
    // The base address is the business of whoever runs the service: paths are matched as they stand.
    servers: [{ url: '/' }],
    paths,
  };
}

function operationFor(document: JsonObject, { path, method, parameters }: Operation, responses: boolean): JsonObject {
  const operation = (document['paths'] as Record<string, Record<string, JsonObject>>)[path]![method]!;
  const body = operation['requestBody'] === undefined ? undefined : resolve(document, operation['requestBody']);
  return {
    parameters,
    // Said outright: it takes a body that is not said to be optional for required, and asks for a Content-Type.
    ...(body && { requestBody: { required: body['required'] === true, content: schemasByType(body['content']) } }),
    responses: responses ? responsesFor(document, operation['responses'] as JsonObject) : {},
  };
}

/** Where all errors look alike, which is usual, one schema stands for all: each costs as much to compile as a request. */
function responsesFor(document: JsonObject, responses: JsonObject): JsonObject {
  const all = Object.entries(responses).map(([status, response]): [string, JsonObject] => {
    const { description, content } = resolve(document, response);
    return [status, { description, ...(content === undefined ? {} : { content: schemasByType(content) }) }];
  });
  const errors = all.filter(([status]) => status.startsWith('4'));
  const contents = new Set(errors.map(([, { content }]) => JSON.stringify(content)));
  const successes = all.filter(([status]) => status.startsWith('2'));
  return Object.fromEntries([...successes, ...(contents.size === 1 ? [['4XX', errors[0]![1]]] : errors)]);
}

/** Without examples, whose references would lead nowhere. */
function schemasByType(content: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(content as Record<string, JsonObject>).map(([type, { schema }]) => [type, { schema }]),
  );
}

/**
 * Makes copies with each schema of a reference in its place, and without `default`. A schema that holds itself cannot be
 * written like that.
 */
function inliner(document: JsonObject): (value: unknown) => unknown {
  const inline = (value: unknown, around: readonly string[], isMap = false): unknown => {
    if (Array.isArray(value)) return value.map((one) => inline(one, around));
    if (!isObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref === 'string' && !isMap) {
      if (around.includes($ref))
        throw new ContractError(`openapi.yaml: ${$ref} contains itself, which is not supported`);
      const { $ref: _, ...siblings } = value;
      return inline({ ...resolve(document, { $ref }), ...siblings }, [...around, $ref]);
    }
    const inner = Object.entries(value)
      // In a map, `default` is the name of a property.
      .filter(([name]) => isMap || name !== 'default')
      .map(([name, one]) => [name, inline(one, around, !isMap && name === 'properties')]);
    return Object.fromEntries(inner);
  };
  return (value) => inline(value, []);
}

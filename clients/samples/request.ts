/** The requests of the contract: each operation with each example of its body. */
import { isObject, type Json, resolve } from './json.ts';
import { typedValue, type Value } from './value.ts';

export interface SampleRequest {
  operationId: string;
  tag: string;
  method: string;
  /** With names in braces. */
  path: string;
  /** Those of the path, in its order. */
  parameters: { name: string; value: string }[];
  /** The names of the query parameters, none of which a sample sends. */
  query: string[];
  body?: Body;
  /** Whether a success has a body. */
  returns: boolean;
  base: string;
}

export interface Body {
  /** The name of the example, as it stands under `examples`. */
  example: string;
  value: unknown;
  typed: Value;
  required: boolean;
}

export function requestsOf(document: Json): SampleRequest[] {
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      isObject(operation) ? requests(document, path, item, method, operation) : [],
    ),
  );
}

function requests(
  document: Json,
  path: string,
  item: Json,
  method: string,
  operation: Json,
): SampleRequest[] {
  const parameters = [item['parameters'], operation['parameters']]
    .flatMap((list) => (list ?? []) as unknown[])
    .map((one) => resolve(document, one));
  const valueOf = (name: string) =>
    String(parameters.find((one) => one['in'] === 'path' && one['name'] === name)!['example']);
  const [, success] = Object.entries(operation['responses'] as Json).find(([status]) =>
    status.startsWith('2'),
  )!;
  const request: SampleRequest = {
    operationId: operation['operationId'] as string,
    tag: (operation['tags'] as string[])[0]!,
    method: method.toUpperCase(),
    path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name: name!,
      value: valueOf(name!),
    })),
    query: parameters.filter((one) => one['in'] === 'query').map((one) => one['name'] as string),
    returns: isObject(resolve(document, success)['content']),
    base: baseOf(document),
  };
  const bodies = bodiesOf(document, operation);
  return bodies.length === 0
    ? [request]
    : bodies.map((body) => Object.assign({}, request, { body }));
}

function bodiesOf(document: Json, operation: Json): Body[] {
  if (operation['requestBody'] === undefined) {
    return [];
  }
  const requestBody = resolve(document, operation['requestBody']);
  const [media] = Object.values(requestBody['content'] as Record<string, Json>);
  const required = requestBody['required'] === true;
  return Object.entries((media!['examples'] ?? {}) as Json).map(([example, described]) => {
    const { value } = resolve(document, described);
    return { example, value, typed: typedValue(document, media!['schema'], value), required };
  });
}

/** The address of the first server, with the default of each variable. */
export function baseOf(document: Json): string {
  const [server] = document['servers'] as {
    url: string;
    variables?: Record<string, { default: string }>;
  }[];
  return server!.url.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => server!.variables![name]!.default,
  );
}

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
  /** Whether a success is a page of a list. */
  isList: boolean;
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
  const requests: SampleRequest[] = [];
  for (const [path, item] of Object.entries(document['paths'] as Record<string, Json>)) {
    for (const [method, operation] of Object.entries(item)) {
      if (isObject(operation)) {
        requests.push(...requestsOfOperation(document, { path, item, method, operation }));
      }
    }
  }
  return requests;
}

/** An operation with the path item that it stands in. */
interface Place {
  path: string;
  item: Json;
  method: string;
  operation: Json;
}

function requestsOfOperation(document: Json, place: Place): SampleRequest[] {
  const { path, item, method, operation } = place;
  const parameters = [item['parameters'], operation['parameters']]
    .flatMap((list) => (list ?? []) as unknown[])
    .map((one) => resolve(document, one));
  const [tag] = operation['tags'] as string[];
  const query = parameters
    .filter((one) => one['in'] === 'query')
    .map((one) => one['name'] as string);
  const request: SampleRequest = {
    operationId: operation['operationId'] as string,
    tag: required(tag, 'a tag'),
    method: method.toUpperCase(),
    path,
    parameters: pathParameters(path, parameters),
    query,
    isList: query.includes('cursor'),
    returns: hasBody(document, operation),
    base: baseOf(document),
  };
  const bodies = bodiesOf(document, operation);
  if (bodies.length === 0) {
    return [request];
  }
  return bodies.map((body) => Object.assign({}, request, { body }));
}

/** The parameters of the path with their examples, in the order of the path. */
function pathParameters(path: string, declared: readonly Json[]): SampleRequest['parameters'] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const parameter = declared.find((one) => one['in'] === 'path' && one['name'] === name);
    return { name, value: String(required(parameter, `the parameter ${name}`)['example']) };
  });
}

function hasBody(document: Json, operation: Json): boolean {
  const responses = Object.entries(operation['responses'] as Json);
  const success = responses.find(([status]) => status.startsWith('2'));
  const [, response] = required(success, 'a success');
  return isObject(resolve(document, response)['content']);
}

function required<Found>(value: Found | undefined, what: string): Found {
  if (value === undefined) {
    throw new Error(`an operation of the contract must have ${what}`);
  }
  return value;
}

function bodiesOf(document: Json, operation: Json): Body[] {
  if (operation['requestBody'] === undefined) {
    return [];
  }
  const requestBody = resolve(document, operation['requestBody']);
  const [first] = Object.values(requestBody['content'] as Record<string, Json>);
  const media = required(first, 'a media type of its body');
  const isRequired = requestBody['required'] === true;
  return Object.entries((media['examples'] ?? {}) as Json).map(([example, described]) => {
    const { value } = resolve(document, described);
    const typed = typedValue(document, media['schema'], value);
    return { example, value, typed, required: isRequired };
  });
}

/** The address of the first server, with the default of each variable. */
export function baseOf(document: Json): string {
  const [server] = document['servers'] as Server[];
  const { url, variables = {} } = required(server, 'a server');
  return url.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => required(variables[name], `the variable ${name}`).default,
  );
}

interface Server {
  url: string;
  variables?: Record<string, { default: string }>;
}

/**
 * The contract as the server reads it: openapi.yaml itself, at run time. Nothing of it is written again in code.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { operations } from '../generated/openapi.ts';

export type OperationId = keyof operations;

export type JsonObject = { [name: string]: unknown };

export interface Operation {
  id: OperationId;
  /** In lower case, as in the contract. */
  method: string;
  /** The template, such as `/edges/https/{id}`. */
  path: string;
  /** With the names of path and query parameters resolved. */
  parameters: Parameter[];
  requestBody: { required: boolean; schema: JsonObject } | undefined;
  /** The media types of its successful answers; empty where it answers without a body. */
  produces: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  schema: JsonObject;
}

export interface Contract {
  /** Where it was read. */
  file: string;
  yaml: string;
  document: JsonObject;
  operations: Operation[];
}

/** openapi.yaml cannot be used; the message is one line that says why. */
export class ContractError extends Error {
  override name = 'ContractError';
}

/** The folder of this package: the nearest one above that holds openapi.yaml, from the sources as from dist/. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'openapi.yaml'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new ContractError('openapi.yaml is missing from this package');
    folder = parent;
  }
  return folder;
}

/** @throws ContractError when the file cannot be read, is not YAML, or is not an OpenAPI document */
export function readContract(file = join(packageFolder(), 'openapi.yaml')): Contract {
  let yaml: string;
  try {
    yaml = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ContractError(`${file} cannot be read: ${(error as Error).message}`);
  }
  let document: JsonObject;
  try {
    document = load(yaml, { schema: CORE_SCHEMA }) as JsonObject;
  } catch (error) {
    throw new ContractError(`${file} is not YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  if (typeof document?.openapi !== 'string' || typeof document.paths !== 'object' || document.paths === null) {
    throw new ContractError(`${file} is not an OpenAPI document`);
  }
  return { file, yaml, document, operations: operationsOf(document) };
}

/** Follows `$ref`s inside the document until an object without one. Siblings of a `$ref` win over its target. */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  let current = value as JsonObject;
  while (typeof current.$ref === 'string') {
    const { $ref, ...siblings } = current;
    current = { ...lookUp(document, $ref as string), ...siblings };
  }
  return current;
}

function lookUp(document: JsonObject, ref: string): JsonObject {
  let value: unknown = document;
  for (const segment of ref.replace(/^#\//, '').split('/')) {
    value = (value as JsonObject | undefined)?.[segment.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (typeof value !== 'object' || value === null) throw new ContractError(`openapi.yaml has no ${ref}`);
  return value as JsonObject;
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(document.paths as JsonObject).flatMap(([path, item]) =>
    Object.entries(item as JsonObject)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => describe(document, path, method, operation as JsonObject)),
  );
}

function describe(document: JsonObject, path: string, method: string, operation: JsonObject): Operation {
  const responses = Object.entries(operation.responses as JsonObject);
  return {
    id: operation.operationId as OperationId,
    method,
    path,
    parameters: ((operation.parameters ?? []) as unknown[]).map((parameter) => {
      const { name, in: place, schema } = resolve(document, parameter);
      return { name, in: place, schema: resolve(document, schema) } as Parameter;
    }),
    requestBody: operation.requestBody === undefined ? undefined : bodyOf(document, operation.requestBody),
    produces: responses
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, response]) => Object.keys((resolve(document, response).content ?? {}) as JsonObject)),
  };
}

function bodyOf(document: JsonObject, requestBody: unknown): Operation['requestBody'] {
  const { required, content } = resolve(document, requestBody);
  const media = (content as JsonObject)['application/json'] as JsonObject;
  return { required: required === true, schema: resolve(document, media.schema) };
}

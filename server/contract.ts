/** The contract, openapi.yaml itself, at run time. What is not supported of it stops the start (openapi/support.ts). */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { operations } from '../generated/openapi.ts';
import {
  ContractError,
  isObject,
  type JsonObject,
  parametersOf,
  resolve,
} from './openapi/document.ts';
import { METHODS, unsupportedIn } from './openapi/support.ts';

export { ContractError, type JsonObject, resolve };

export type OperationId = keyof operations;

export interface Operation {
  id: OperationId;
  /** In lower case, as in the contract. */
  method: string;
  /** The template, such as `/edges/https/{edge_id}`. */
  path: string;
  /** Those of the path item and of the operation, which take precedence. */
  parameters: Parameter[];
  requestBody: { required: boolean; schema: JsonObject } | undefined;
  /** Its successful responses have a body, in JSON. */
  hasContent: boolean;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonObject;
}

export interface Contract {
  yaml: string;
  document: JsonObject;
  operations: Operation[];
}

/** The folder of this package: the nearest one above that has openapi.yaml, from the sources as from dist/. */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'openapi.yaml'))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new ContractError('openapi.yaml is missing from this package');
    }
    folder = parent;
  }
  return folder;
}

/** @throws ContractError when the file cannot be read, is not YAML, is not an OpenAPI document, or uses what is not supported */
export function readContract(file = join(packageFolder(), 'openapi.yaml')): Contract {
  const attempt = <T>(failure: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw new ContractError(`${file} ${failure}: ${(error as Error).message.split('\n')[0]}`);
    }
  };
  const yaml = attempt('cannot be read', () => readFileSync(file, 'utf8'));
  const document = attempt('is not YAML', () => load(yaml, { schema: CORE_SCHEMA }) as JsonObject);
  if (!String(document?.['openapi']).startsWith('3.1.') || !isObject(document['paths'])) {
    throw new ContractError(`${file} is not an OpenAPI 3.1 document`);
  }
  return { yaml, ...describeContract(document) };
}

/** @throws ContractError when it uses what this server does not support */
export function describeContract(document: JsonObject): Pick<Contract, 'document' | 'operations'> {
  const [unsupported] = unsupportedIn(document);
  if (unsupported !== undefined) {
    throw new ContractError(`openapi.yaml: ${unsupported}`);
  }
  const paths = Object.entries(document['paths'] as Record<string, Record<string, JsonObject>>);
  const operations = paths.flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => METHODS.includes(key))
      .map((method) => describe(document, path, method, item)),
  );
  return { document, operations };
}

function describe(
  document: JsonObject,
  path: string,
  method: string,
  item: Record<string, JsonObject>,
): Operation {
  const operation = item[method]!;
  const responses = Object.entries(operation['responses'] as JsonObject);
  return {
    id: operation['operationId'] as OperationId,
    method,
    path,
    parameters: parametersOf(document, item, operation).map((one) => ({
      name: one['name'] as string,
      in: one['in'] as Parameter['in'],
      required: one['required'] === true,
      schema: resolve(document, one['schema']),
    })),
    requestBody: bodyOf(document, operation['requestBody']),
    hasContent: responses.some(
      ([status, one]) => status.startsWith('2') && resolve(document, one)['content'],
    ),
  };
}

function bodyOf(document: JsonObject, requestBody: unknown): Operation['requestBody'] {
  if (requestBody === undefined) {
    return undefined;
  }
  const { required, content } = resolve(document, requestBody);
  const media = (content as JsonObject)['application/json'] as JsonObject;
  return { required: required === true, schema: resolve(document, media['schema']) };
}

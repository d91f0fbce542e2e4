/**
 * The contract, openapi.yaml itself, at run time. An unsupported construct stops the start
 * (openapi/support.ts).
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { operations } from '../generated/openapi.ts';
import {
  ContractError,
  isObject,
  type JsonObject,
  objectIn,
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
  requestBody: RequestBody | undefined;
  /** As they are in the contract, by status. */
  responses: Record<string, unknown>;
  /** Its successful responses have a body, in JSON. */
  hasContent: boolean;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: JsonObject;
}

export interface RequestBody {
  required: boolean;
  schema: JsonObject;
}

export interface Contract {
  yaml: string;
  document: JsonObject;
  operations: Operation[];
}

/**
 * The folder of this package: the nearest one above that has openapi.yaml, from the sources as from
 * dist/.
 */
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

/**
 * @throws ContractError if the file cannot be read, is not YAML, is not an OpenAPI document, or
 * uses what is not supported
 */
export function readContract(file = join(packageFolder(), 'openapi.yaml')): Contract {
  const attempt = <T>(failure: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      const [reason] = (error as Error).message.split('\n');
      throw new ContractError(`${file} ${failure}: ${reason}`);
    }
  };
  const yaml = attempt('cannot be read', () => readFileSync(file, 'utf8'));
  const document = attempt('is not YAML', () => load(yaml, { schema: CORE_SCHEMA }));
  if (!isOpenApi(document)) {
    throw new ContractError(`${file} is not an OpenAPI 3.1 document`);
  }
  return { yaml, ...describeContract(document) };
}

function isOpenApi(value: unknown): value is JsonObject {
  return isObject(value) && String(value['openapi']).startsWith('3.1.') && isObject(value['paths']);
}

/** @throws ContractError if it uses what this server does not support */
export function describeContract(document: JsonObject): Pick<Contract, 'document' | 'operations'> {
  const [unsupported] = unsupportedIn(document);
  if (unsupported !== undefined) {
    throw new ContractError(`openapi.yaml: ${unsupported}`);
  }
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(objectIn(document, 'paths'))) {
    const pathItem = item as JsonObject;
    const methods = Object.keys(pathItem).filter((key) => METHODS.includes(key));
    for (const method of methods) {
      operations.push(describe(document, { path, method, pathItem }));
    }
  }
  return { document, operations };
}

interface OperationPlace {
  path: string;
  method: string;
  pathItem: JsonObject;
}

function describe(document: JsonObject, { path, method, pathItem }: OperationPlace): Operation {
  const operation = objectIn(pathItem, method);
  const parameters = parametersOf(document, pathItem, operation);
  const responses = objectIn(operation, 'responses');
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
  return {
    id: operation['operationId'] as OperationId,
    method,
    path,
    parameters: parameters.map((one) => parameterOf(document, one)),
    requestBody: bodyOf(document, operation['requestBody']),
    responses,
    hasContent: successes.some((status) => 'content' in resolve(document, responses[status])),
  };
}

function parameterOf(document: JsonObject, parameter: JsonObject): Parameter {
  return {
    name: parameter['name'] as string,
    in: parameter['in'] as Parameter['in'],
    required: parameter['required'] === true,
    schema: resolve(document, parameter['schema']),
  };
}

function bodyOf(document: JsonObject, requestBody: unknown): RequestBody | undefined {
  if (requestBody === undefined) {
    return undefined;
  }
  const body = resolve(document, requestBody);
  const media = objectIn(objectIn(body, 'content'), 'application/json');
  return { required: body['required'] === true, schema: resolve(document, media['schema']) };
}

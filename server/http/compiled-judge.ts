/**
 * Judges requests by validators that Ajv compiles for each operation, at the start. It is told what express-openapi-validator
 * tells it, and its errors are told as that does: judges.test.ts holds the two together.
 */
import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Request } from 'express';
import { type Contract, ContractError, type JsonObject, type Operation } from '../contract.ts';
import type { Fault } from './field-errors.ts';
import { ownFormats } from './formats.ts';
import type { Judge } from './validator.ts';

/** Other forms of numbers are left as they are, and refused (D31). */
const DIGITS = /^(0|[1-9][0-9]*)$/;

const CONTRACT = 'contract';

interface Compiled {
  body: ValidateFunction | undefined;
  path: ValidateFunction | undefined;
  query: ValidateFunction | undefined;
  /** Parameters of the query that are numbers. */
  numbers: readonly string[];
}

/** Compiling takes a fifth of the start, and the warm-up needs the same ones. */
const judges = new WeakMap<Contract, Judge>();

/** @throws ContractError when a schema cannot be compiled */
export function createCompiledJudge(contract: Contract): Judge {
  const known = judges.get(contract) ?? compileAll(contract);
  judges.set(contract, known);
  return known;
}

function compileAll(contract: Contract): Judge {
  // `useDefaults`: what is left out of a body is filled in as its schema says.
  // `optimize`: shorter code runs no faster, and takes half as long again to compile.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    useDefaults: true,
    formats: ownFormats(contract.document),
    code: { optimize: false },
  });
  addFormats.default(ajv, { mode: 'full' });
  ajv.addSchema(contract.document, CONTRACT);
  const compiled = new Map(contract.operations.map((operation) => [operation.id, compile(ajv, operation)]));
  return (operation, req) => judge(compiled.get(operation.id)!, req);
}

function judge({ body, path, query, numbers }: Compiled, req: Request): Fault[] {
  const faults: Fault[] = [];
  if (path && !path(req.params)) faults.push(...faultsOf('/params', path));
  if (query) {
    const values = req.query as JsonObject;
    for (const name of numbers) if (DIGITS.test(String(values[name]))) values[name] = Number(values[name]);
    if (!query(values)) faults.push(...faultsOf('/query', query));
    // Express reads the query anew whenever it is asked for.
    Object.defineProperty(req, 'query', { value: values });
  }
  if (body && req.body !== undefined && !body(req.body)) faults.push(...faultsOf('/body', body));
  return faults;
}

function compile(ajv: Ajv2020, operation: Operation): Compiled {
  try {
    const query = operation.parameters.filter((one) => one.in === 'query');
    return {
      body: operation.requestBody && ajv.compile(absolute(operation.requestBody.schema)),
      path: parameters(
        ajv,
        operation.parameters.filter((one) => one.in === 'path'),
      ),
      query: parameters(ajv, query),
      numbers: query
        .filter(({ schema }) => schema['type'] === 'integer' || schema['type'] === 'number')
        .map(({ name }) => name),
    };
  } catch (error) {
    throw new ContractError(`openapi.yaml: ${operation.id} cannot be validated: ${(error as Error).message}`);
  }
}

function parameters(ajv: Ajv2020, list: Operation['parameters']): ValidateFunction | undefined {
  if (list.length === 0) return undefined;
  return ajv.compile({ properties: Object.fromEntries(list.map(({ name, schema }) => [name, absolute(schema)])) });
}

/** References inside the contract, as seen from outside. */
function absolute<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${CONTRACT}#/`)) as T;
}

function faultsOf(place: string, { errors }: ValidateFunction): Fault[] {
  return (errors ?? []).map(({ instancePath, keyword, message, params }: ErrorObject) => {
    const names = params as { missingProperty?: string; additionalProperty?: string; allowedValues?: unknown[] };
    const name = names.missingProperty ?? names.additionalProperty;
    const at = place + instancePath;
    // As the library tells it: unescaped, and a property with an empty name without any path.
    const path = name === undefined ? at : name === '' ? '' : `${at}/${name}`;
    return {
      path,
      errorCode: keyword,
      message: names.allowedValues ? `${message}: ${names.allowedValues.join(', ')}` : (message ?? ''),
    };
  });
}

/** Contracts of tests: those of contracts/, which a test may change, and parts of contracts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';

/** A parsed OpenAPI document. */
export type Document = any;

/**
 * A contract of contracts/. Each call gives a copy, in which a change of one place changes no
 * other.
 */
export function contractOf(name: string): Document {
  const text = readFileSync(join(import.meta.dirname, 'contracts', `${name}.yaml`), 'utf8');
  return JSON.parse(JSON.stringify(load(text, { schema: CORE_SCHEMA })));
}

/** A contract with one operation, `POST /a`, called `add`, whose body has one property, `a`. */
export function contractWith(schema: object): Document {
  const body = { type: 'object', required: ['a'], properties: { a: schema } };
  const add = {
    operationId: 'add',
    requestBody: { required: true, ...jsonContent(body) },
    responses: { 201: { description: 'it' } },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1.0.0' },
    paths: { '/a': { post: add } },
  };
}

/** The content of a request or response whose body is JSON of this schema. */
export function jsonContent(schema: object) {
  return { content: { 'application/json': { schema } } };
}

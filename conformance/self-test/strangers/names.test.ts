/** Operations and members with names that every JavaScript object inherits. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const ITEM = '{type: object, required: [valueOf], properties: {valueOf: {type: integer}}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Names, version: 1.0.0}
paths:
  /constructors:
    get:
      operationId: toString
      responses: {'200': {description: all}}
    post:
      operationId: constructor
      requestBody: {required: true, content: {application/json: {schema: ${ITEM}}}}
      responses:
        '201': {description: one, content: {application/json: {schema: ${ITEM}}}}
        '400': {description: no}
`;

/** Shows what it was sent. Deep members that the contract does not know are left out. */
const right: Handler = ({ method, json }) => {
  if (method === 'GET') {
    return [200];
  }
  const isItem = isObject(json) && Number.isInteger(json['valueOf']);
  return isItem ? [201, { valueOf: json['valueOf'] }] : [400];
};

test('operations that are called toString and constructor are tried', async () => {
  const { code, passed } = await runOn(right, CONTRACT);
  expect(code).toBe(0);
  expect(passed).toEqual(expect.arrayContaining(['toString.200', 'constructor.201']));
  expect(passed).toContain('constructor.body.valueOf.type');
});

test('a service that does not check valueOf is not conformant', async () => {
  const careless: Handler = (call, response) => {
    const isCareless = call.method === 'POST' && isObject(call.json);
    return isCareless ? [201, { valueOf: 1 }] : right(call, response);
  };
  const { code, broken } = await runOn(careless, CONTRACT);
  expect(code).toBe(1);
  expect(broken).toContain('constructor.body.valueOf.type');
});

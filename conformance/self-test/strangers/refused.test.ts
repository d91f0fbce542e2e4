/** Services that make what they refuse: it is found, and what they made is removed. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const SCHEMA =
  '{type: object, required: [name, size], properties: ' +
  '{name: {type: string, minLength: 1, maxLength: 40}, size: {type: integer, minimum: 1}}}';

const contractWith = (list: string) => `
openapi: 3.1.0
info: {title: Boxes, version: '1'}
paths:
  /boxes:
${list}
    post:
      operationId: addBox
      requestBody: {required: true, content: {application/json: {schema: ${SCHEMA}}}}
      responses:
        '201': {description: It., content: {application/json: {schema: {type: object}}}}
        '400': {description: It is wrong.}
        '409': {description: It is there.}
        '415': {description: It is not JSON.}
  /boxes/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      operationId: box
      responses:
        '200': {description: It., content: {application/json: {schema: ${SCHEMA}}}}
        '404': {description: Nothing has this name.}
    delete:
      operationId: removeBox
      responses: {'204': {description: It is gone.}, '404': {description: Nothing has this name.}}
`;

const LIST = `
    get:
      operationId: boxes
      responses:
        '200':
          description: All.
          content:
            application/json: {schema: {type: object, properties: {boxes: {type: array}}}}
`;

interface Errors {
  /** Whether a box is kept before its size is checked. */
  keepsFirst?: boolean;
  /** Whether a box is kept although there is one with its name. */
  keepsTwins?: boolean;
  /** The status for a size that is wrong. */
  refusal?: number;
}

interface Box {
  name: string;
  size?: unknown;
}

function service({ keepsFirst = false, keepsTwins = false, refusal = 400 }: Errors = {}) {
  let boxes: Box[] = [{ name: 'theirs', size: 1 }];
  const add = (json: unknown, type = ''): readonly [number, unknown?] => {
    if (!type.includes('json')) {
      return [415];
    }
    if (!isObject(json) || typeof json['name'] !== 'string' || !/^.{1,40}$/su.test(json['name'])) {
      return [400];
    }
    const { name, size } = json;
    const isThere = boxes.some((one) => one.name === name);
    const isRight = Number.isInteger(size) && Number(size) >= 1;
    if ((!isThere || keepsTwins) && (isRight || keepsFirst)) {
      boxes.push({ name, size });
    }
    if (!isRight) {
      return [refusal];
    }
    return isThere ? [409] : [201, { box: { name, size } }];
  };
  const handler: Handler = ({ method, path, json, headers }) => {
    const name = decodeURIComponent(path.split('/')[2] ?? '');
    if (name === '') {
      if (method === 'GET') {
        return [200, { boxes }];
      }
      return add(json, headers['content-type']);
    }
    const found = boxes.find((one) => one.name === name);
    if (found === undefined) {
      return [404];
    }
    if (method === 'GET') {
      return [200, found];
    }
    boxes = boxes.filter((one) => one.name !== name);
    return [204];
  };
  return { handler, names: () => boxes.map((one) => one.name) };
}

const LISTED = contractWith(LIST);
const ONLY = ['--only', 'addBox'];

test('a service that makes nothing of what it refuses passes', async () => {
  const { handler, names } = service();
  const { passed, report } = await runOn(handler, LISTED, ONLY);
  expect(passed).toContain('addBox.refused');
  expect(report.findings).toEqual([]);
  expect(names()).toEqual(['theirs']);
});

test.each([
  ['a list shows it', LISTED, { keepsFirst: true }],
  ['a read by its name shows it', contractWith(''), { keepsFirst: true }],
  ['it is refused with 500', LISTED, { keepsFirst: true, refusal: 500 }],
  ['it has the name of another one', LISTED, { keepsTwins: true }],
])('what is made of a refused request is found and removed: %s', async (_, contract, errors) => {
  const { handler, names } = service(errors);
  const { broken, report } = await runOn(handler, contract, ONLY);
  expect(broken).toContain('addBox.refused');
  const law = report.findings.find(({ kind }) => kind === 'law');
  expect(law?.id).toBe('law:addBox:addbox-refuses-a-request-and-makes-something-all-the-same');
  expect(names()).toEqual(['theirs']);
});

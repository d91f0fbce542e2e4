/** Sequences of JSON texts, kinds by default and byte order marks in responses. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.2.0
info: {title: Sequences, version: '1'}
x-line: &line {type: object, required: [n], properties: {n: {type: integer}}}
paths:
  /log:
    get:
      operationId: log
      responses:
        '200': {description: lines, content: {application/jsonl: {itemSchema: *line}}}
  /records:
    get:
      operationId: records
      responses:
        '200':
          description: records
          content:
            application/json-seq: {schema: {type: array, minItems: 2, items: *line}}
  /lists:
    get:
      operationId: lists
      responses:
        '200':
          description: a list a line
          content:
            application/x-ndjson: {schema: {type: array, items: {type: integer}}}
  /shape:
    get:
      operationId: shape
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Shape'}}}
components:
  schemas:
    Shape:
      oneOf:
        - $ref: '#/components/schemas/Round'
        - $ref: '#/components/schemas/Other'
      discriminator: {propertyName: kind, defaultMapping: Other}
    Round:
      type: object
      required: [kind, radius]
      properties: {kind: {type: string}, radius: {type: number}}
    Other:
      type: object
      required: [name]
      properties: {kind: {type: string}, name: {type: string}}
`;

const JSONL = { 'content-type': 'application/jsonl' };
const SEQUENCE = { 'content-type': 'application/json-seq' };
const LINES = { 'content-type': 'application/x-ndjson' };
const JSON_TYPE = { 'content-type': 'application/json' };

const RIGHT: Record<string, Reply> = {
  '/log': [200, '{"n":1}\n{"n":2}\n', JSONL],
  '/records': [200, '\u001e{"n":1}\n\u001e{\n"n":2}\n', SEQUENCE],
  '/lists': [200, '[1]\n[]\n', LINES],
  '/shape': [200, { kind: 'odd', name: 'a' }],
};

const serving =
  (more: Record<string, Reply>): Handler =>
  ({ path, method }) => {
    const isRead = method === 'GET' || method === 'HEAD';
    return isRead ? (more[path] ?? RIGHT[path] ?? [404]) : [405];
  };

test('sequences and kinds by default raise no alarm', async () => {
  const { code, broken, passed } = await runOn(serving({}), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(
    expect.arrayContaining(['log.200', 'records.200', 'lists.200', 'shape.200']),
  );
});

test.each<[string, Reply, RegExp]>([
  ['log', [200, '{"n":1}\n{"n":"2"}\n', JSONL], /breaks the contract at \/1\/n/],
  ['log', [200, '{"n":1}\n{"n":\n', JSONL], /is not JSON/],
  ['records', [200, '\u001e{"n":1}\n', SEQUENCE], /breaks the contract/],
  ['lists', [200, '[1]\n["a"]\n', LINES], /breaks the contract/],
  ['shape', [200, { kind: 'odd', name: 1 }], /breaks the contract/],
  ['shape', [200, '\ufeff{"name":"a"}', JSON_TYPE], /begins with a byte order mark/],
  ['shape', [200, '\ufeff{"name":1}', JSON_TYPE], /breaks the contract at \/name/],
])('an error of %s in %j is found', async (name, reply, message) => {
  const options = ['--only', `${name}.200`];
  const { broken, report } = await runOn(serving({ [`/${name}`]: reply }), CONTRACT, options);
  expect(broken).toEqual([`${name}.200`]);
  expect(JSON.stringify(report.requirements)).toMatch(message);
});

test('of lines that do not end, those that came are checked', async () => {
  const endless =
    (line: string): Handler =>
    ({ path }, response) => {
      if (path !== '/log') {
        return [404];
      }
      response.writeHead(200, JSONL);
      response.write(`{"n":1}\n${line}\n{"n":`);
      return undefined;
    };
  const options = ['--only', 'log.200', '--timeout-ms', '1000'];
  expect((await runOn(endless('{"n":2}'), CONTRACT, options)).passed).toEqual(['log.200']);
  expect((await runOn(endless('{"n":""}'), CONTRACT, options)).broken).toEqual(['log.200']);
});

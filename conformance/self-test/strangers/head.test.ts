/** HEAD beside GET: services may leave it out, or fields of it, and must not contradict GET. */
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Lamps, version: '1'}
security: [{key: []}]
paths:
  /lamps:
    post:
      operationId: addLamp
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Lamp'}}}
      responses:
        '201':
          description: It.
          content:
            application/json:
              schema: {type: object, required: [id], properties: {id: {type: string}}}
        '400': {description: It is wrong.}
        '401': {description: The key is wrong.}
  /lamps/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: lamp
      responses:
        '200':
          description: It.
          content: {application/json: {schema: {$ref: '#/components/schemas/Lamp'}}}
        '401': {description: The key is wrong.}
        '404': {description: Nothing has this id.}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Lamp:
      type: object
      required: [name]
      properties: {name: {type: string, maxLength: 20}}
`;

const KEY = 'sesame';

/** Changes the response to a HEAD, which is the one to GET without its body. */
type OnHead = (reply: Reply, call: Call) => Reply;

function service(onHead: OnHead): Handler {
  const lamps = new Map<string, unknown>();
  const get = ({ path, headers }: Call): Reply => {
    if (headers['x-key'] !== KEY) {
      return [401, { why: 'key' }];
    }
    const id = decodeURIComponent(path.split('/')[2] ?? '');
    const lamp = lamps.get(id);
    return lamp === undefined ? [404, { why: 'id' }] : [200, { id, ...Object(lamp) }];
  };
  return (call) => {
    if (call.method === 'HEAD') {
      const [status] = get(call);
      return onHead([status, undefined, { 'content-type': 'application/json' }], call);
    }
    if (call.method !== 'POST') {
      return get(call);
    }
    if (call.headers['x-key'] !== KEY) {
      return [401];
    }
    const { name } = Object(call.json) as { name?: unknown };
    if (typeof name !== 'string' || [...name].length > 20) {
      return [400];
    }
    const id = `lamp-${lamps.size}`;
    lamps.set(id, { name });
    return [201, { id, name }];
  };
}

const OPTIONS = ['--header', `X-Key: ${KEY}`, '--only', 'lamp.head'];

test.each<[string, OnHead, 'pass' | 'skip']>([
  ['says the same', (reply) => reply, 'pass'],
  ['is not there', () => [404], 'skip'],
  ['is refused by what stands before the service', () => [403], 'skip'],
  ['is not implemented', () => [501], 'skip'],
  ['is taken for a change without a body', () => [400], 'skip'],
  ['has few fields', ([status]) => [status, undefined, { 'content-length': '0' }], 'pass'],
  [
    'has the type in another spelling, and fields of its own',
    ([status]) => [
      status,
      undefined,
      { 'content-type': 'Application/JSON; charset=utf-8', etag: '"of-head"', vary: '*' },
    ],
    'pass',
  ],
])('no alarm where HEAD %s', async (_, onHead, status) => {
  const { report } = await runOn(service(onHead), CONTRACT, OPTIONS);
  expect(report.requirements.find(({ id }) => id === 'lamp.head')).toMatchObject({ status });
});

test.each<[string, OnHead]>([
  ['has another status', ([status]) => [status === 200 ? 204 : status]],
  ['finds what does not exist', (reply) => (reply[0] === 404 ? [200] : reply)],
  ['needs no key', (reply) => (reply[0] === 401 ? [200] : reply)],
  ['has another type', ([status]) => [status, undefined, { 'content-type': 'text/plain' }]],
  ['fails', ([status]) => [status === 200 ? 500 : status]],
])('a HEAD that %s is found', async (_, onHead) => {
  const { broken } = await runOn(service(onHead), CONTRACT, OPTIONS);
  expect(broken).toEqual(['lamp.head']);
});

test('an error of the service at HEAD is one of its operation, and HEAD is shown', async () => {
  const { report } = await runOn(
    service(([status]) => [status === 200 ? 500 : status]),
    CONTRACT,
    OPTIONS,
  );
  const { failure } = report.requirements.find(({ id }) => id === 'lamp.head') ?? {};
  expect(failure?.cause_id).toBe('server-error:lamp:500');
  expect(failure?.exchanges.at(-1)?.request.method).toBe('HEAD');
});

test('a GET that takes what it reads is not compared', async () => {
  const taken = new Set<string>();
  const honest = service((reply) => reply);
  const handler: Handler = (call, response) => {
    const reply = honest(call, response);
    if (call.method === 'POST' || reply?.[0] !== 200) {
      return reply;
    }
    const isTaken = taken.has(call.path);
    taken.add(call.path);
    return isTaken ? [204] : reply;
  };
  const { report } = await runOn(handler, CONTRACT, OPTIONS);
  const requirement = report.requirements.find(({ id }) => id === 'lamp.head');
  expect(requirement).toMatchObject({ status: 'skip' });
});

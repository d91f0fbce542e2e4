import { expect, it } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { whyLeftOut } from './left-out.ts';

/** Why the POST at the first path is left out of a contract with all of these paths. */
function whyPost(...paths: string[]): string | undefined {
  const items = paths.map((path, index) => [
    path,
    { post: { operationId: `do${index}`, responses: { '200': { description: 'Done.' } } } },
  ]);
  const info = { title: 'Actions', version: '1.0.0' };
  const document = { openapi: '3.1.0', info, paths: Object.fromEntries(items) };
  const contract = parseContract(JSON.stringify(document));
  const operation = operationsOf(contract).find(({ path }) => path === paths[0]);
  return whyLeftOut(contract, operation!);
}

it.each([
  ['/recordings/start', '/recordings/stop'],
  ['/window/begin', '/window/end'],
  ['/profiler/enable', '/profiler/disable'],
])('%s, which %s ends, switches the whole service', (on, off) => {
  expect(whyPost(on, off)).toBe('it may switch a mode of the service');
});

it('an action that nothing ends is tried', () => {
  expect(whyPost('/recordings/start')).toBeUndefined();
  expect(whyPost('/recordings/start', '/games/stop')).toBeUndefined();
});

interface Stated {
  summary?: string;
  /** The names of the properties of its body. */
  properties?: string[];
}

function whyStated(path: string, { summary = 'Do it', properties = [] }: Stated) {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties.map((name) => [name, { type: 'string' }])),
  };
  const post = {
    operationId: 'act',
    summary,
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Done.' } },
  };
  const info = { title: 'Actions', version: '1.0.0' };
  const document = { openapi: '3.1.0', info, paths: { [path]: { post } } };
  const contract = parseContract(JSON.stringify(document));
  const [operation] = operationsOf(contract);
  return operation && whyLeftOut(contract, operation);
}

const STOPS = 'it may stop or restart the service';
const SWITCHES = 'it may switch a mode of the service';
const CREDENTIALS = 'it may change the credentials in use';
const RECONFIGURES = 'it may reconfigure the service';
const CHANGES = 'it may change what the run did not make';

it.each<[string, Stated, string | undefined]>([
  ['/system/bye', { summary: 'Shuts the node down' }, STOPS],
  ['/workers', { summary: 'Take all workers offline' }, STOPS],
  ['/system/suspend', {}, SWITCHES],
  ['/node/disable', {}, SWITCHES],
  ['/system/mode', {}, RECONFIGURES],
  ['/log-level', {}, RECONFIGURES],
  ['/factory-defaults', {}, RECONFIGURES],
  ['/index/rebuild', {}, RECONFIGURES],
  ['/account/token/rotate', {}, CREDENTIALS],
  ['/account/change-secret', {}, CREDENTIALS],
  ['/apikeys/regenerate', {}, CREDENTIALS],
  ['/rpc/renameUser', { properties: ['id', 'name'] }, CHANGES],
  ['/users.update', { properties: ['userId', 'name'] }, CHANGES],
  // What is sent says nothing of others.
  ['/texts/edit', { properties: ['text'] }, undefined],
  ['/rpc/createUser', { properties: ['id', 'name'] }, undefined],
  ['/transfers', { properties: ['accountId'], summary: 'Moves money' }, undefined],
  ['/kv/set', { properties: ['value'] }, undefined],
  ['/posts', { summary: 'Write down what happens' }, undefined],
  ['/cluster/member/add', {}, RECONFIGURES],
  ['/cluster/member/list', {}, undefined],
  ['/clusters/search', {}, undefined],
  ['/kv/compaction', {}, 'it may remove what others have'],
  ['/maintenance/status', {}, undefined],
  ['/maintenance/on', {}, RECONFIGURES],
  ['/lease/grant', { summary: 'Grant creates a lease.', properties: ['ID'] }, undefined],
  ['/lease/grant', { summary: 'Grant a lease.', properties: ['ID'] }, CHANGES],
])('a POST at %s with %j', (path, stated, why) => {
  expect(whyStated(path, stated)).toBe(why);
});

/** Why a POST at one path is left out. @param body its schema @param more of its media type */
function whyCall(body: object, more: object = {}, path = '/rpc') {
  const post = {
    operationId: 'call',
    requestBody: { content: { 'application/json': { schema: body, ...more } } },
    responses: { 200: { description: 'Done.' } },
  };
  const info = { title: 'Actions', version: '1.0.0' };
  const item = { get: { operationId: 'one', responses: { 200: { description: 'One.' } } } };
  const paths = { [path]: { post }, '/rules/{id}': item };
  const contract = parseContract(JSON.stringify({ openapi: '3.1.0', info, paths }));
  const operation = operationsOf(contract).find(({ operationId }) => operationId === 'call');
  return operation && whyLeftOut(contract, operation);
}

const withMember = (name: string, schema: object) => ({
  type: 'object',
  properties: { [name]: schema },
});

it.each<[what: string, why: string | undefined, body: object, more?: object, path?: string]>([
  ['an enum', STOPS, withMember('method', { enum: ['status', 'system.shutdown'] })],
  ['two words', STOPS, withMember('action', { enum: ['ping', 'shutDown'] })],
  [
    'one form',
    STOPS,
    { oneOf: [withMember('cmd', { const: 'x' }), withMember('cmd', { const: 'halt' })] },
  ],
  ['an example', STOPS, withMember('command', {}), { example: { command: 'restart' } }],
  ['harmless ones', undefined, withMember('method', { enum: ['status', 'ping'] })],
  ['methods of HTTP', undefined, withMember('method', { enum: ['GET', 'POST', 'DELETE'] })],
  [
    'a part that removes',
    'it may remove what others have',
    withMember('then', {
      type: 'array',
      items: withMember('request_delete_range', { type: 'object' }),
    }),
  ],
  ['a flag', undefined, withMember('remove_accents', { type: 'boolean' })],
  ['another member', undefined, withMember('kind', { enum: ['stop', 'go'] })],
  ['items to make', undefined, withMember('action', { enum: ['allow', 'drop'] }), {}, '/rules'],
])('a call that names its action in the body, by %s: %s', (_, why, ...call) => {
  expect(whyCall(...call)).toBe(why);
});

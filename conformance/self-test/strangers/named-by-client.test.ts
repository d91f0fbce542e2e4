/** Items that a PUT makes, with names that the client chooses. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const NAME_OF_FLAG = "{type: string, pattern: '^[a-z]{3,30}$'}";

/** @param sent the members of the body beside the note, in YAML */
const contractOf = (sent: Readonly<Record<string, string>>) => `
openapi: 3.1.0
info: {title: Flags, version: '1'}
paths:
  /flags:
    get:
      operationId: listFlags
      responses:
        '200':
          description: all
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Flag'}}
  /flags/{name}:
    parameters:
      - {name: name, in: path, required: true, schema: ${NAME_OF_FLAG}}
    get:
      operationId: readFlag
      responses:
        '200': {$ref: '#/components/responses/Flag'}
        '404': {description: absent}
    put:
      operationId: putFlag
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewFlag'}}}
      responses:
        '200': {$ref: '#/components/responses/Flag'}
        '201': {$ref: '#/components/responses/Flag'}
        '400': {description: wrong}
    delete:
      operationId: removeFlag
      responses: {'204': {description: removed}, '404': {description: absent}}
components:
  responses:
    Flag:
      description: the flag
      content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}
  schemas:
    NewFlag:
      type: object
      required: [${Object.keys(sent).join()}]
      properties:
        ${Object.entries(sent)
          .map((member) => member.join(': '))
          .join('\n        ')}
        note: {type: string, maxLength: 40}
    Flag:
      type: object
      required: [name, enabled]
      properties:
        name: {type: string}
        enabled: {type: boolean}
        note: {type: string, maxLength: 40}
`;

const BOOLEAN = '{type: boolean}';

const CONTRACT = contractOf({ enabled: BOOLEAN });

interface Errors {
  /** A note is not kept when the flag is made. */
  losesNote?: boolean;
  /** Removed flags stay in the list. */
  keeps?: boolean;
  /** A change keeps the note that it omits. */
  merges?: boolean;
  /** No error: the body has the name, too. */
  repeatsName?: boolean;
}

interface Flag {
  name: string;
  enabled: boolean;
  note?: string;
}

const NAME = /^[a-z]{3,30}$/;

function service(
  { losesNote = false, keeps = false, merges = false, repeatsName = false }: Errors,
  flags = new Map<string, Flag>(),
): Handler {
  const removed: Flag[] = [];
  const put = (name: string, json: unknown): Reply => {
    const { enabled, note } = isObject(json) ? json : {};
    const isNote = note === undefined || (typeof note === 'string' && [...note].length <= 40);
    const isSame = !repeatsName || (isObject(json) && json['name'] === name);
    if (!isSame || !NAME.test(name) || typeof enabled !== 'boolean' || !isNote) {
      return [400];
    }
    const before = flags.get(name);
    const kept = merges ? (note ?? before?.note) : note;
    const flag: Flag = { name, enabled };
    if (kept !== undefined && !(losesNote && before === undefined)) {
      flag.note = kept;
    }
    flags.set(name, flag);
    return [before === undefined ? 201 : 200, flag];
  };
  return ({ method, path, json }) => {
    const [, , name] = path.split('/');
    if (name === undefined) {
      return method === 'GET' ? [200, [...flags.values(), ...(keeps ? removed : [])]] : [405];
    }
    if (method === 'PUT') {
      return put(name, json);
    }
    const flag = flags.get(name);
    if (flag === undefined) {
      return [404];
    }
    if (method === 'DELETE') {
      removed.push(flag);
      flags.delete(name);
      return [204];
    }
    return method === 'GET' ? [200, flag] : [405];
  };
}

test.each([
  ['in the path alone', CONTRACT, {}],
  ['in the body, too', contractOf({ name: NAME_OF_FLAG, enabled: BOOLEAN }), { repeatsName: true }],
])('the laws of items are tried with names of the client %s', async (_, contract, kind) => {
  for (const level of ['core', 'extended']) {
    const flags = new Map<string, Flag>();
    const { code, broken, passed } = await runOn(service(kind, flags), contract, [
      '--level',
      level,
    ]);
    expect([code, broken]).toEqual([0, []]);
    const laws = ['echo', 'read-your-write', 'listed', 'gone', 'gone-from-list', 'replaced'];
    expect(passed).toEqual(expect.arrayContaining(laws.map((law) => `putFlag.items.${law}`)));
    expect(flags.size).toBe(0);
  }
});

test.each<[Errors, string]>([
  [{ losesNote: true }, 'putFlag.items.echo'],
  [{ keeps: true }, 'putFlag.items.gone-from-list'],
  [{ merges: true }, 'putFlag.items.replaced'],
])('a service with %j is not conformant', async (errors, id) => {
  const { broken } = await runOn(service(errors), CONTRACT);
  expect(broken).toContain(id);
});

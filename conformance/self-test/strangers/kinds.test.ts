/** Devices of two kinds: one body has one of two schemas. */
import { isIP, isIPv4 } from 'node:net';
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const DEVICE = '{application/json: {schema: {$ref: "#/components/schemas/Device"}}}';

const kindOf = (kind: string, member: string): string => `
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          required: [kind, ${member}]
          properties:
            kind: {type: string, const: ${kind}}
            ${member}: {type: number, minimum: 0, maximum: 1000}`;

const CONTRACT = `
openapi: 3.1.0
info: {title: Devices, version: '1'}
paths:
  /devices:
    get:
      operationId: list
      parameters:
        - name: kind
          in: query
          description: Only devices of this kind.
          schema: {type: string, enum: [scale, tank]}
      responses:
        '200':
          description: all
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Device'}}
        '400': {description: wrong}
    post:
      operationId: add
      requestBody: {required: true, content: ${DEVICE}}
      responses:
        '201': {description: made, content: ${DEVICE}}
        '400': {description: wrong}
  /devices/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: read
      responses:
        '200': {description: one, content: ${DEVICE}}
        '404': {description: absent}
    delete:
      operationId: remove
      responses:
        '204': {description: removed}
        '404': {description: absent}
components:
  schemas:
    Base:
      type: object
      required: [label]
      properties:
        id: {type: string, readOnly: true}
        label: {type: string, minLength: 1, maxLength: 30}
        createdAt: {type: string, format: date-time, readOnly: true}
    Scale: ${kindOf('scale', 'weight')}
    Tank: ${kindOf('tank', 'level')}
    Device:
      oneOf: [{$ref: '#/components/schemas/Scale'}, {$ref: '#/components/schemas/Tank'}]
      discriminator:
        propertyName: kind
        mapping: {scale: '#/components/schemas/Scale', tank: '#/components/schemas/Tank'}
`;

interface Errors {
  takesTimes?: boolean;
  listsAll?: boolean;
  rounds?: boolean;
}

const MEMBER: Readonly<Record<string, string>> = { scale: 'weight', tank: 'level' };

class Devices {
  readonly #errors: Errors;
  readonly #all = new Map<string, Record<string, unknown>>();
  #made = 0;

  constructor(errors: Errors = {}) {
    this.#errors = errors;
  }

  readonly handle: Handler = ({ method, path, query, json }) => {
    const [, , id] = path.split('/');
    if (id === undefined) {
      return this.#ofAll(method, query, json);
    }
    const device = this.#all.get(id);
    if (device === undefined) {
      return [404];
    }
    if (method === 'DELETE') {
      this.#all.delete(id);
      return [204];
    }
    return method === 'GET' ? [200, device] : [405];
  };

  #ofAll(method: string, query: Call['query'], json: Call['json']): Reply {
    if (method === 'POST') {
      return this.#add(json);
    }
    const kind = query.get('kind');
    if (kind !== null && MEMBER[kind] === undefined) {
      return [400];
    }
    const isListed = (one: Record<string, unknown>) =>
      kind === null || this.#errors.listsAll || one['kind'] === kind;
    return method === 'GET' ? [200, [...this.#all.values()].filter(isListed)] : [405];
  }

  #add(json: Call['json']): Reply {
    const { kind, label, createdAt, ...rest } = isObject(json) ? json : {};
    const member = typeof kind === 'string' ? MEMBER[kind] : undefined;
    const value = member === undefined ? undefined : rest[member];
    const isLabel = typeof label === 'string' && label !== '' && [...label].length <= 30;
    if (!isLabel || member === undefined || typeof value !== 'number') {
      return [400];
    }
    if (value < 0 || value > 1000) {
      return [400];
    }
    this.#made += 1;
    const id = `device-${this.#made}-${'x'.repeat(12)}`;
    const kept = this.#errors.rounds ? Math.round(value * 100) / 100 : value;
    const isGiven = this.#errors.takesTimes && typeof createdAt === 'string';
    const time = isGiven ? createdAt : new Date().toISOString();
    const device = { id, kind, label, [member]: kept, createdAt: time };
    this.#all.set(id, device);
    return [201, device];
  }
}

const DUE = ['filtered', 'read-only', 'values'].map((law) => `add.items.Scale.${law}`);

test('devices of both kinds pass', async () => {
  const { broken, passed } = await runOn(new Devices().handle, CONTRACT, ['--only', 'add']);
  expect(broken).toEqual([]);
  expect(passed).toEqual(expect.arrayContaining(DUE));
});

test.each<[Errors, string]>([
  [{ listsAll: true }, 'add.items.Scale.filtered'],
  [{ takesTimes: true }, 'add.items.Tank.read-only'],
  [{ rounds: true }, 'add.items.Tank.values'],
])('a service with %o is found by %s', async (errors, id) => {
  const { broken } = await runOn(new Devices(errors).handle, CONTRACT, ['--only', id]);
  expect(broken).toEqual([id]);
});

test.each([
  ['a description', 'maximum: 1000}', 'maximum: 1000, description: Rounded to a hundredth.}'],
  ['a name', 'level', 'price'],
])('numbers may be rounded if %s says so', async (_, from, to) => {
  const contract = CONTRACT.replaceAll(from, to);
  const devices = new Devices({ rounds: true });
  const handle: Handler = (call, response) => {
    const { price, ...rest } = isObject(call.json) ? call.json : {};
    const json = price === undefined ? call.json : { ...rest, level: price };
    const [status = 500, body] = devices.handle({ ...call, json }, response) ?? [];
    const { level, ...shown } = isObject(body) ? body : {};
    const isRenamed = contract.includes('price') && level !== undefined;
    return [status, isRenamed ? { ...shown, price: level } : body];
  };
  const { broken } = await runOn(handle, contract, ['--only', 'add.items.Tank.values']);
  expect(broken).toEqual([]);
});

test.each<[string, (label: string) => boolean, string[]]>([
  ['addresses', isIPv4, []],
  ['digits and dots', (label) => /^[\d.]+$/.test(label), ['add.body.oneOf']],
  ['four words', (label) => /^\w+(\.\w+){3}$/.test(label), ['add.body.oneOf']],
  ['addresses of both versions', (label) => isIP(label) > 0, ['add.body.oneOf']],
])('a format in both kinds: a service that takes %s', async (_, isTaken, due) => {
  const rule = 'minLength: 1, maxLength: 30';
  const contract = CONTRACT.replace(rule, 'format: ipv4');
  const devices = new Devices();
  const handle: Handler = (call, response) => {
    const { label } = Object(call.json);
    const isRefused = call.method === 'POST' && !(typeof label === 'string' && isTaken(label));
    return isRefused ? [400] : devices.handle(call, response);
  };
  const { broken } = await runOn(handle, contract, ['--only', 'add.body.oneOf']);
  expect(broken).toEqual(due);
});

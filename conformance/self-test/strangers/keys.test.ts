/** Keys of items in parentheses, as OData has them, and short names that the client gives. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

/** A form of keys, and which of them are of somebody else: the run must change none of those. */
interface Keys {
  schema: string;
  isKey: RegExp;
  isForeign: RegExp;
}

const OF_PATTERN: Keys = {
  schema: "{type: string, pattern: '^[a-d]{3}$'}",
  isKey: /^[a-d]{3}$/,
  isForeign: /^[ab]/,
};

const OF_LENGTH: Keys = {
  schema: '{type: string, minLength: 1, maxLength: 2}',
  isKey: /^.{1,2}$/su,
  isForeign: /^[a-m]/,
};

const contractOf = ({ schema }: Keys) => `
openapi: 3.1.0
info: {title: Products and flags, version: '1'}
paths:
  /Products:
    get:
      operationId: listProducts
      responses:
        '200':
          description: all
          content:
            application/json:
              schema:
                type: object
                required: [value]
                properties: {value: {type: array, items: {$ref: '#/components/schemas/Product'}}}
    post:
      operationId: addProduct
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewProduct'}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}
        '400': {description: wrong}
  /Products({ID}):
    parameters: [{name: ID, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readProduct
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Product'}}}
        '400': {description: wrong}
        '404': {description: absent}
    delete:
      operationId: removeProduct
      responses:
        '204': {description: removed}
        '400': {description: wrong}
        '404': {description: absent}
  /flags/{key}:
    parameters:
      - {name: key, in: path, required: true, schema: ${schema}}
    get:
      operationId: readFlag
      responses:
        '200': {description: one, content: {application/json: {schema: {type: integer}}}}
        '400': {description: wrong}
        '404': {description: absent}
    put:
      operationId: setFlag
      requestBody:
        required: true
        content: {application/json: {schema: {type: integer, minimum: 0, maximum: 99}}}
      responses:
        '204': {description: set}
        '400': {description: wrong}
    delete:
      operationId: removeFlag
      responses:
        '204': {description: removed}
        '400': {description: wrong}
        '404': {description: absent}
components:
  schemas:
    NewProduct:
      type: object
      required: [Name]
      properties: {Name: {type: string, minLength: 1, maxLength: 9}}
    Product:
      type: object
      required: [ID, Name]
      properties: {ID: {type: integer}, Name: {type: string}}
`;

interface Errors {
  keepsProducts?: boolean;
  takesAnyFlag?: boolean;
}

class Service {
  readonly changed: string[] = [];
  readonly #products = new Map<number, unknown>();
  readonly #flags = new Map<string, unknown>();
  readonly #keys: Keys;
  readonly #errors: Errors;
  #made = 0;

  constructor(keys: Keys, errors: Errors = {}) {
    this.#keys = keys;
    this.#errors = errors;
  }

  readonly handler: Handler = (call) => {
    const path = decodeURIComponent(call.path);
    if (path === '/Products') {
      return this.#collection(call);
    }
    const [, key] = /^\/Products\((.*)\)$/.exec(path) ?? [];
    if (key !== undefined) {
      return this.#product(call, key);
    }
    const [, flag] = /^\/flags\/(.*)$/.exec(path) ?? [];
    return flag === undefined ? [404] : this.#flag(call, flag);
  };

  #collection({ method, json }: Call): Reply {
    if (method === 'GET') {
      return [200, { value: [...this.#products.values()] }];
    }
    if (method !== 'POST') {
      return [405];
    }
    const { Name } = isObject(json) ? json : {};
    if (typeof Name !== 'string' || Name === '' || [...Name].length > 9) {
      return [400];
    }
    this.#made += 1;
    const product = { ID: this.#made, Name };
    this.#products.set(product.ID, product);
    return [201, product];
  }

  #product({ method }: Call, key: string): Reply {
    if (!/^-?\d+$/.test(key)) {
      return [400];
    }
    const product = this.#products.get(Number(key));
    if (product === undefined) {
      return [404];
    }
    if (method === 'DELETE' && !this.#errors.keepsProducts) {
      this.#products.delete(Number(key));
    }
    if (method === 'GET') {
      return [200, product];
    }
    return [method === 'DELETE' ? 204 : 405];
  }

  #flag({ method, json }: Call, key: string): Reply {
    const { isKey, isForeign } = this.#keys;
    if (!isKey.test(key)) {
      return [400];
    }
    if (isForeign.test(key) && !this.changed.includes(key)) {
      this.#flags.set(key, 1);
    }
    if (method === 'PUT') {
      const isFlag = Number.isInteger(json) && Number(json) >= 0 && Number(json) <= 99;
      if (!isFlag && !this.#errors.takesAnyFlag) {
        return [400];
      }
      this.changed.push(key);
      this.#flags.set(key, json ?? null);
      return [204];
    }
    if (!this.#flags.has(key)) {
      return [404];
    }
    if (method === 'DELETE') {
      this.changed.push(key);
      this.#flags.delete(key);
      return [204];
    }
    return method === 'GET' ? [200, this.#flags.get(key)] : [405];
  }
}

test.each([
  ['a pattern', OF_PATTERN],
  ['a limit alone', OF_LENGTH],
])(
  'keys in parentheses and short new names of %s reach all, and others keep their flags',
  async (_, keys) => {
    const service = new Service(keys);
    const { code, broken, passed } = await runOn(service.handler, contractOf(keys));
    expect([code, broken]).toEqual([0, []]);
    expect(passed).toEqual(
      expect.arrayContaining(['addProduct.items.gone', 'readFlag.200', 'setFlag.body.maximum']),
    );
    expect(service.changed).not.toEqual([]);
    expect(service.changed.filter((key) => keys.isForeign.test(key))).toEqual([]);
  },
);

test.each<[Errors, string]>([
  [{ keepsProducts: true }, 'addProduct.items.gone'],
  [{ takesAnyFlag: true }, 'setFlag.body.maximum'],
])('a service with %o is not conformant', async (errors, id) => {
  const service = new Service(OF_PATTERN, errors);
  const { broken } = await runOn(service.handler, contractOf(OF_PATTERN));
  expect(broken).toContain(id);
});

/** Operations, paths, parameters and members with names that every JavaScript object inherits. */
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

/** `__proto__` wherever a contract can name something. */
const PROTO_CONTRACT = `
openapi: 3.1.0
info: {title: Prototypes, version: 1.0.0}
paths:
  /__proto__:
    post:
      operationId: __proto__
      parameters:
        - {name: __proto__, in: query, schema: {type: integer, minimum: 1}}
        - {name: __proto__, in: header, schema: {type: string}}
        - {name: __proto__, in: cookie, schema: {enum: [a, b]}}
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/__proto__'}}}
      responses:
        '201':
          description: one
          headers: {__proto__: {schema: {type: integer}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Shown'}}}
          links:
            __proto__: {operationId: hasOwnProperty, parameters: {__proto__: $response.body#/id}}
        '400': {description: no}
  /__proto__/{__proto__}:
    parameters: [{name: __proto__, in: path, required: true, schema: {type: string}}]
    get:
      operationId: hasOwnProperty
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Shown'}}}
        '404': {description: nothing has this id}
    delete:
      operationId: isPrototypeOf
      responses: {'204': {description: gone}, '404': {description: nothing has this id}}
components:
  schemas:
    __proto__:
      type: object
      required: [__proto__]
      additionalProperties: false
      properties:
        __proto__: {$ref: '#/components/schemas/Shown/$defs/__proto__'}
        constructor: {type: string, maxLength: 5}
        toString: {type: object, properties: {__proto__: {type: boolean}}}
      dependentRequired: {toString: [constructor]}
    Shown:
      type: object
      required: [id, __proto__]
      properties:
        id: {type: string}
        __proto__: {$ref: '#/components/schemas/Shown/$defs/__proto__'}
        constructor: {type: string}
        toString: {type: object}
      $defs:
        __proto__: {type: integer, minimum: 1, maximum: 1000}
`;

const ownOf = (value: object, name: string): unknown =>
  Object.getOwnPropertyDescriptor(value, name)?.value;

const isAbsentOr = (value: unknown, isRight: (value: unknown) => boolean): boolean =>
  value === undefined || isRight(value);

function isNewItem(json: unknown): json is object {
  if (!isObject(json)) {
    return false;
  }
  const number = ownOf(json, '__proto__');
  const text = ownOf(json, 'constructor');
  const inner = ownOf(json, 'toString');
  const isNumber = Number.isInteger(number) && Number(number) >= 1 && Number(number) <= 1000;
  const isText = (one: unknown) => typeof one === 'string' && [...one].length <= 5;
  const isInner = (one: unknown) =>
    isObject(one) && isAbsentOr(ownOf(one, '__proto__'), (flag) => typeof flag === 'boolean');
  const isKnown = Object.keys(json).every((name) =>
    ['__proto__', 'constructor', 'toString'].includes(name),
  );
  const isComplete = inner === undefined || text !== undefined;
  return (
    isNumber && isAbsentOr(text, isText) && isAbsentOr(inner, isInner) && isKnown && isComplete
  );
}

interface Planted {
  /** Takes any value of the member `__proto__`. */
  takesAny?: boolean;
  /** Shows a text in the member `__proto__`. */
  showsText?: boolean;
  /** Does not keep the member `__proto__`. */
  forgets?: boolean;
  takesAnyQuery?: boolean;
}

const COOKIE = /(?:^|; )__proto__=([^;]*)/;

function prototypes(planted: Planted, bodies: string[] = []): Handler {
  const items = new Map<string, object>();
  const isRightCall = ({ query, headers }: Parameters<Handler>[0]): boolean => {
    const [number = '1', ...others] = query.getAll('__proto__');
    const isNumber = /^[1-9]\d*$/.test(number) && others.length === 0;
    const [, cookie = 'a'] = COOKIE.exec(headers.cookie ?? '') ?? [];
    return (isNumber || planted.takesAnyQuery === true) && ['a', 'b'].includes(cookie);
  };
  const shown = (status: number, item: object): [number, string, Record<string, string>] => {
    const members = Object.entries(item).filter(
      ([name]) => planted.forgets !== true || name !== '__proto__',
    );
    const forgotten = planted.forgets === true ? '"__proto__":7,' : '';
    const texts = members.map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
    );
    const text = `{${forgotten}${texts.join(',')}}`;
    const written =
      planted.showsText === true ? text.replace(/"__proto__":\d+/, '"__proto__":"1"') : text;
    return [status, written, { 'content-type': 'application/json' }];
  };
  let count = 0;
  return (call) => {
    const { method, path, json } = call;
    const [, , id] = path.split('/');
    if (method === 'POST') {
      bodies.push(call.text);
      const isAnyValue = planted.takesAny === true && isObject(json);
      if (!isRightCall(call) || !(isAnyValue || isNewItem(json))) {
        return [400];
      }
      count += 1;
      const item = { id: `i${count}`, ...(json as object) };
      items.set(item.id, item);
      return shown(201, item);
    }
    const item = items.get(decodeURIComponent(id ?? ''));
    if (item === undefined) {
      return [404];
    }
    if (method === 'DELETE') {
      items.delete(decodeURIComponent(id ?? ''));
      return [204];
    }
    return shown(200, item);
  };
}

test('what is called __proto__ is sent, and a right service has no failure', async () => {
  const bodies: string[] = [];
  const { code, broken, passed } = await runOn(prototypes({}, bodies), PROTO_CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(
    expect.arrayContaining([
      '__proto__.201',
      '__proto__.body.__proto__.maximum',
      '__proto__.body.required.__proto__',
      '__proto__.query.__proto__.minimum',
      '__proto__.items.echo',
      'hasOwnProperty.200',
    ]),
  );
  expect(bodies.some((text) => /"__proto__":\d/.test(text))).toBe(true);
});

test.each([
  [{ takesAny: true }, '__proto__.body.__proto__.maximum'],
  [{ showsText: true }, '__proto__.201'],
  [{ forgets: true }, '__proto__.items.echo'],
  [{ takesAnyQuery: true }, '__proto__.query.__proto__.minimum'],
])('an error with __proto__ is found: %o', async (planted, id) => {
  const { code, broken } = await runOn(prototypes(planted), PROTO_CONTRACT);
  expect(code).toBe(1);
  expect(broken).toContain(id);
});

/** A shop whose orders go from one state to the next, and that refuses some requests in some. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const action = (verb: string, words: string): string => `
  /orders/{order_id}/${verb}:
    parameters: [{name: order_id, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: ${verb}
      responses:
        '200':
          description: done
          content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}
        '400': {description: wrong}
        '404': {description: absent}
        '409': {description: ${words}}
`;

const CONTRACT = `
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /orders:
    post:
      operationId: order
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewOrder'}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}
        '400': {description: wrong}
  /orders/{order_id}:
    parameters: [{name: order_id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readOrder
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}
        '400': {description: wrong}
        '404': {description: absent}
    patch:
      operationId: changeOrder
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewOrder'}}}
      responses:
        '200':
          description: changed
          content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}
        '400': {description: wrong}
        '404': {description: absent}
        '409': {description: The order is already shipped.}
  /orders/{order_id}/notes:
    parameters: [{name: order_id, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: addNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '400': {description: wrong}
        '404': {description: absent}
        '409': {description: 'The order is \`shipped\` or \`in_return\`, or has 100 notes.'}
${action('ship', 'The order is not in draft.')}
${action('return', 'Only shipped orders can be returned.')}
components:
  schemas:
    NewOrder:
      type: object
      required: [name]
      properties: {name: {type: string, minLength: 1, maxLength: 20}}
    Order:
      type: object
      required: [id, name, status]
      properties:
        id: {type: integer}
        name: {type: string}
        status: {type: string, enum: [draft, shipped, in_return]}
    Note:
      type: object
      required: [text]
      properties: {text: {type: string, minLength: 1, maxLength: 20}}
`;

interface Order {
  id: number;
  name: string;
  status: string;
}

interface Options {
  /** The operation that is not refused in any state. */
  careless?: string;
  /** Whether what is refused is done all the same. */
  doesIt?: boolean;
  /** Whether a shipped order is a draft again after each read. */
  isRestless?: boolean;
  /** The state to which `ship` leads. */
  shipsTo?: string;
}

/** The states that refuse each operation. */
const REFUSING: Readonly<Record<string, readonly string[]>> = {
  PATCH: ['shipped'],
  notes: ['shipped', 'in_return'],
  ship: ['shipped', 'in_return'],
  return: ['draft', 'in_return'],
};

const textIn = (json: Call['json'], name: string): string | undefined => {
  const text = isObject(json) ? json[name] : undefined;
  const isRight = typeof text === 'string' && text !== '' && [...text].length <= 20;
  return isRight ? text : undefined;
};

function shop(options: Options = {}): Handler {
  const { careless, doesIt = false, isRestless = false, shipsTo = 'shipped' } = options;
  const ledTo: Readonly<Record<string, string>> = { ship: shipsTo, return: 'in_return' };
  const orders = new Map<number, Order>();
  const add = (json: Call['json']): Reply => {
    const name = textIn(json, 'name');
    if (name === undefined) {
      return [400];
    }
    const order = { id: orders.size + 1, name, status: 'draft' };
    orders.set(order.id, order);
    return [201, order];
  };
  const read = (order: Order): Reply => {
    const shown = { ...order };
    if (isRestless && order.status === 'shipped') {
      order.status = 'draft';
    }
    return [200, shown];
  };
  const change = (order: Order, what: string, json: Call['json']): Reply => {
    const text = textIn(json, what === 'PATCH' ? 'name' : 'text');
    const status = ledTo[what];
    if (text === undefined && status === undefined) {
      return [400];
    }
    const isRefused = what !== careless && REFUSING[what]?.includes(order.status) === true;
    if (isRefused && !doesIt) {
      return [409];
    }
    order.status = status ?? order.status;
    if (what === 'PATCH') {
      order.name = text ?? order.name;
    }
    if (isRefused) {
      return [409];
    }
    return what === 'notes' ? [201, { text }] : [200, order];
  };
  return ({ method, path, json }) => {
    if (path === '/orders') {
      return method === 'POST' ? add(json) : [405];
    }
    const [, id, what] = /^\/orders\/(-?\d+)(?:\/(notes|ship|return))?$/.exec(path) ?? [];
    if (id === undefined) {
      return [/^\/orders\/[^/]+(\/(notes|ship|return))?$/.test(path) ? 400 : 404];
    }
    const order = orders.get(Number(id));
    if (order === undefined) {
      return [404];
    }
    if (what === undefined && method === 'GET') {
      return read(order);
    }
    const isKnown = what === undefined ? method === 'PATCH' : method === 'POST';
    return isKnown ? change(order, what ?? method, json) : [405];
  };
}

const ALL = ['addNote', 'changeOrder', 'return', 'ship'].map((id) => `${id}.in-state`);

test('each operation is refused in the states that its 409 names', async () => {
  const { broken, passed } = await runOn(shop(), CONTRACT);
  expect(broken).toEqual([]);
  expect(passed.filter((id) => id.endsWith('.in-state')).toSorted()).toEqual(ALL);
});

test('an action is reached behind another one', async () => {
  const { passed, report } = await runOn(shop(), CONTRACT, ['--only', 'return']);
  expect(passed).toEqual(expect.arrayContaining(['return.200', 'return.path.order_id.type']));
  expect(report.requirements.filter(({ status }) => status === 'blocked')).toEqual([]);
});

test('an action that responds wrongly in its right state is not conformant', async () => {
  const wrong = shop();
  const handler: Handler = (call, response) => {
    const reply = wrong(call, response);
    const isReturned = call.path.endsWith('/return') && reply?.[0] === 200;
    return isReturned ? [200, { id: 'one' }] : reply;
  };
  const { broken } = await runOn(handler, CONTRACT, ['--only', 'return.200']);
  expect(broken).toEqual(['return.200']);
});

test.each<[careless: string, id: string]>([
  ['PATCH', 'changeOrder.in-state'],
  ['notes', 'addNote.in-state'],
  ['ship', 'ship.in-state'],
  ['return', 'return.in-state'],
])('a shop that takes %s in any state is not conformant', async (careless, id) => {
  const { broken } = await runOn(shop({ careless }), CONTRACT, ['--only', '*.in-state']);
  expect(broken).toEqual([id]);
});

test('a shop that refuses a change and makes it is not conformant', async () => {
  const { broken } = await runOn(shop({ doesIt: true }), CONTRACT, ['--only', '*.in-state']);
  expect(broken).toEqual(expect.arrayContaining(['changeOrder.in-state', 'return.in-state']));
});

test.each<[words: string, status: string]>([
  ['The order has been shipped.', 'fail'],
  ['It is already shipped', 'fail'],
  ['Order already shipped', 'fail'],
  ['The order is no longer in draft.', 'fail'],
  ['The order is neither draft nor in return.', 'fail'],
  ['The status of the order is shipped.', 'fail'],
  ['Only draft orders can be changed.', 'fail'],
  ['The order is shipped and has an invoice.', 'skip'],
  ['The order is not draft, or shipped and paid.', 'fail'],
  ['The order is shipped to another country.', 'skip'],
  ['The order is shipped. Administrators may change it.', 'skip'],
  ['The invoice is shipped.', 'skip'],
  ['One of the orders is shipped.', 'skip'],
  ['The order is not in draft. The order is in draft.', 'skip'],
  ['The order is in another state.', 'skip'],
])('if a 409 says "%s", a change of a shipped order is a %s', async (words, status) => {
  const contract = CONTRACT.replace('The order is already shipped.', words);
  const handler = shop({ careless: 'PATCH' });
  const { report } = await runOn(handler, contract, ['--only', 'changeOrder']);
  const found = report.requirements.find(({ id }) => id === 'changeOrder.in-state');
  expect(found?.status ?? 'skip').toBe(status);
});

test('orders that leave their state by themselves say nothing', async () => {
  const handler = shop({ careless: 'PATCH', isRestless: true });
  const { broken, report } = await runOn(handler, CONTRACT, ['--only', 'changeOrder.in-state']);
  expect(broken).toEqual([]);
  expect(report.requirements.map(({ status }) => status)).toEqual(['skip']);
});

test.each<[shipsTo: string, status: string]>([
  ['shipped', 'pass'],
  ['in_return', 'fail'],
])('if `ship` leads to %s, the law of actions is a %s', async (shipsTo, status) => {
  // `return` refuses a new order: that says nothing of `ship`.
  const { report } = await runOn(shop({ shipsTo }), CONTRACT, ['--only', '*.actions']);
  expect(report.requirements.map((one) => one.status)).toEqual([status]);
});

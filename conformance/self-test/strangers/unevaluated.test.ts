/** `unevaluatedProperties: false` behind references, branches and conditions. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Orders, version: '1'}
paths:
  /orders:
    post:
      operationId: addOrder
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}
      responses:
        '201':
          description: kept
          content: {application/json: {schema: {$ref: '#/components/schemas/Shown'}}}
        '400': {description: refused}
components:
  schemas:
    Base: {type: object, required: [kind], properties: {kind: {enum: [gift, plain]}}}
    Parcel: {type: object, required: [weight], properties: {weight: {type: integer, minimum: 1}}}
    Letter: {type: object, required: [pages], properties: {pages: {type: integer, minimum: 1}}}
    Order:
      allOf: [{$ref: '#/components/schemas/Base'}]
      anyOf: [{$ref: '#/components/schemas/Parcel'}, {$ref: '#/components/schemas/Letter'}]
      if: {properties: {kind: {const: gift}}}
      then: {properties: {card: {type: string, maxLength: 10}}}
      properties: {note: {type: string, maxLength: 10}}
      unevaluatedProperties: false
    Shown:
      $ref: '#/components/schemas/Base'
      properties: {id: {type: string}, card: {type: string}, note: {type: string}}
      patternProperties: {'^(weight|pages)$': {type: integer}}
      unevaluatedProperties: false
`;

interface Planted {
  takesUnknown?: boolean;
  takesCards?: boolean;
  shows?: object;
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1;
const isShort = (value: unknown): boolean => typeof value === 'string' && [...value].length <= 10;

function isOrder(json: Record<string, unknown>, { takesUnknown, takesCards }: Planted): boolean {
  const { kind, weight, pages, card, note } = json;
  const isParcel = isCount(weight);
  const isLetter = isCount(pages);
  const isGift = kind === 'gift';
  const known = new Set(['kind', 'note']);
  if (isParcel) {
    known.add('weight');
  }
  if (isLetter) {
    known.add('pages');
  }
  if (isGift || takesCards === true) {
    known.add('card');
  }
  const isKnown = takesUnknown === true || Object.keys(json).every((name) => known.has(name));
  const isKind = kind === 'gift' || kind === 'plain';
  const isCard = card === undefined || (isGift ? isShort(card) : takesCards === true);
  const isNote = note === undefined || isShort(note);
  return isKind && (isParcel || isLetter) && isKnown && isCard && isNote;
}

function orders(planted: Planted = {}): Handler {
  let count = 0;
  return ({ json }) => {
    if (!isObject(json) || !isOrder(json, planted)) {
      return [400];
    }
    count += 1;
    const known = Object.entries(json).filter(([name]) =>
      ['kind', 'card', 'note', 'weight', 'pages'].includes(name),
    );
    return [201, { id: `o${count}`, ...Object.fromEntries(known), ...planted.shows }];
  };
}

const RULE = 'addOrder.body.unevaluatedProperties';

test('a service that refuses what nothing evaluates has no failure', async () => {
  const { code, broken, passed } = await runOn(orders(), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(expect.arrayContaining([RULE, 'addOrder.201']));
});

test.each([[{ takesUnknown: true }], [{ takesCards: true }]])(
  'a service with %o is not conformant',
  async (planted) => {
    const options = ['--only', RULE, '--runs', '20'];
    const { code, broken } = await runOn(orders(planted), CONTRACT, options);
    expect([code, broken]).toEqual([1, [RULE]]);
  },
);

test('a response with a member that nothing evaluates is not conformant', async () => {
  const service = orders({ shows: { secret: 1 } });
  const { code, broken } = await runOn(service, CONTRACT, ['--only', 'addOrder.201']);
  expect([code, broken]).toEqual([1, ['addOrder.201']]);
});

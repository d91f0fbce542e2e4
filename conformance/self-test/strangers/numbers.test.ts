/** Integers and bounds that no double holds, in requests, responses and lists. */
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const LARGEST = '9223372036854775806';
const CONTRACT = `
openapi: 3.1.0
info: {title: Counters, version: '1'}
paths:
  /counters:
    get:
      operationId: counters
      parameters:
        - {name: below, in: query, schema: {type: integer, maximum: ${LARGEST}}}
      responses:
        '200':
          description: some
          content:
            application/json:
              schema:
                type: object
                properties:
                  id: {type: integer, format: int64, maximum: ${LARGEST}}
                  low: {type: integer, exclusiveMinimum: -9007199254740995}
                  step: {type: integer, multipleOf: 5}
                  ids: {type: array, uniqueItems: true, items: {type: integer}}
        '400': {description: wrong}
    post:
      operationId: addCounter
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [id]
              properties:
                id: {type: integer, minimum: 1, maximum: ${LARGEST}}
                huge: {type: integer, minimum: 9223372036854775801}
      responses: {'201': {description: kept}, '400': {description: refused}}
`;

const RIGHT: Readonly<Record<string, string>> = {
  id: LARGEST,
  low: '-9007199254740994',
  step: '9223372036854775805',
  ids: '[9223372036854775805, 9223372036854775806, 1]',
};

const INTEGER = /^-?\d+(?:\.0+)?$/;

/** The number of a member, by the text of the body. */
function memberIn(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`"${name}"\\s*:\\s*([^,}\\s]+)`).exec(text) ?? [];
  return value;
}

function isWithin(text: string, least: bigint, most: bigint): boolean {
  if (!INTEGER.test(text)) {
    return /^-?[1-9](?:\.\d+)?e\+?1?\d$/i.test(text) && BigInt(Number(text)) <= most;
  }
  const number = BigInt(text.replace(/\.0+$/, ''));
  return number >= least && number <= most;
}

interface Planted {
  shown?: Readonly<Record<string, string>>;
  /** The largest id that is taken. */
  most?: bigint;
}

const counters = ({ shown = {}, most = BigInt(LARGEST) }: Planted = {}): Handler => {
  const accepts = ({ text, json }: Call): boolean => {
    const id = memberIn(text, 'id');
    const huge = memberIn(text, 'huge') ?? '9223372036854775801';
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    const isLarge = isWithin(huge, 9_223_372_036_854_775_801n, 10n ** 400n);
    return isObject && id !== undefined && isWithin(id, 1n, most) && isLarge;
  };
  return (call): Reply => {
    if (call.method === 'POST') {
      return [accepts(call) ? 201 : 400];
    }
    const below = call.query.getAll('below');
    const isRight = below.every((one) => /^-?\d+$/.test(one) && BigInt(one) <= BigInt(LARGEST));
    if (!isRight || below.length > 1) {
      return [400];
    }
    const members = Object.entries({ ...RIGHT, ...shown }).map(([name, one]) => `"${name}":${one}`);
    return [200, `{${members.join()}}`, { 'content-type': 'application/json' }];
  };
};

test('numbers of 19 digits raise no alarm', async () => {
  const { code, broken, passed } = await runOn(counters(), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(
    expect.arrayContaining([
      'counters.query.below.maximum',
      'addCounter.body.id.maximum',
      'addCounter.body.huge.minimum',
    ]),
  );
});

test.each([
  ['id', '9223372036854775807'],
  ['low', '-9007199254740995'],
  ['step', '9223372036854775804'],
  ['ids', '[9223372036854775805, 9223372036854775805]'],
])('a response with %s %s is not conformant', async (name, value) => {
  const service = counters({ shown: { [name]: value } });
  const { code, broken } = await runOn(service, CONTRACT, ['--only', 'counters.200']);
  expect([code, broken]).toEqual([1, ['counters.200']]);
});

test.each([BigInt(LARGEST) + 1n, BigInt(LARGEST) - 1n])(
  'a service that takes ids up to %d is not conformant',
  async (most) => {
    const id = 'addCounter.body.id.maximum';
    const { code, broken } = await runOn(counters({ most }), CONTRACT, ['--only', id]);
    expect([code, broken]).toEqual([1, [id]]);
  },
);

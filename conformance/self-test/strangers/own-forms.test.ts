/** Services that keep values in a form of their own, where the contract promises no other one. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Offers, version: '1'}
paths:
  /offers:
    get:
      operationId: ''
      responses:
        '200':
          description: all
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Offer'}}}
    post:
      operationId: addOffer
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewOffer'}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}
        '400': {description: wrong}
  /offers/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readOffer
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Offer'}}}
        '404': {description: absent}
    delete:
      operationId: ''
      responses: {'204': {description: removed}, '404': {description: absent}}
components:
  schemas:
    NewOffer:
      type: object
      required: [title, price, tags]
      properties:
        title: {type: string, minLength: 1, maxLength: 20, pattern: '\\S'}
        price: {type: string, pattern: '^\\d{1,6}(\\.\\d{1,2})?$'}
        tags: {type: array, uniqueItems: true, maxItems: 5, items: {type: string, maxLength: 5}}
    Offer:
      type: object
      required: [id, title, price, tags]
      properties:
        id: {type: string}
        title: {type: string}
        price: {type: string, pattern: '^\\d{1,6}\\.\\d{2}$'}
        tags: {type: array, uniqueItems: true, items: {type: string}}
`;

interface Offer {
  id: string;
  title: string;
  price: string;
  tags: string[];
}

interface Errors {
  /** Reads show another title. */
  losesTitle?: boolean;
  keepsRemoved?: boolean;
}

/** Removes spaces around titles, writes prices with two decimals, and sorts tags. */
function service({ losesTitle = false, keepsRemoved = false }: Errors = {}): Handler {
  const offers = new Map<string, Offer>();
  let made = 0;
  const add = (json: unknown): Offer | undefined => {
    const { title, price, tags } = isObject(json) ? json : {};
    if (!isTitle(title) || !isPrice(price) || !isTags(tags)) {
      return undefined;
    }
    made += 1;
    const id = `offer-${made}`;
    const offer = { id, title: title.trim(), price: Number(price).toFixed(2), tags: sorted(tags) };
    offers.set(id, offer);
    return offer;
  };
  return ({ method, path, json }) => {
    if (path === '/offers') {
      if (method === 'GET') {
        return [200, [...offers.values()]];
      }
      const offer = method === 'POST' ? add(json) : undefined;
      return offer === undefined ? [method === 'POST' ? 400 : 405] : [201, offer];
    }
    const offer = offers.get(path.replace('/offers/', ''));
    if (offer === undefined) {
      return [404];
    }
    if (method === 'DELETE' && !keepsRemoved) {
      offers.delete(offer.id);
    }
    if (method === 'GET') {
      return [200, losesTitle ? { ...offer, title: 'offer' } : offer];
    }
    return [method === 'DELETE' ? 204 : 405];
  };
}

const isTitle = (title: unknown): title is string =>
  typeof title === 'string' && title.trim() !== '' && [...title].length <= 20;

const isPrice = (price: unknown): price is string =>
  typeof price === 'string' && /^\d{1,6}(\.\d{1,2})?$/.test(price);

const isTag = (tag: unknown): tag is string => typeof tag === 'string' && [...tag].length <= 5;

const isTags = (tags: unknown): tags is string[] =>
  Array.isArray(tags) &&
  tags.length <= 5 &&
  tags.every(isTag) &&
  new Set(tags).size === tags.length;

const sorted = (tags: string[]): string[] => tags.toSorted();

test('sets are sorted, spaces removed, decimals added: no alarm, also without names', async () => {
  const { code, broken, passed } = await runOn(service(), CONTRACT, ['--level', 'extended']);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(
    expect.arrayContaining([
      'addOffer.items.echo',
      'addOffer.items.siblings',
      'addOffer.items.gone',
    ]),
  );
});

test.each<[Errors, RegExp]>([
  [{ losesTitle: true }, /read-your-write/],
  [{ keepsRemoved: true }, /gone/],
])('a service with %o is not conformant', async (errors, found) => {
  const { broken } = await runOn(service(errors), CONTRACT);
  expect(broken.filter((id) => found.test(id))).not.toEqual([]);
});

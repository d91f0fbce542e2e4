/** A shop as a stranger writes it: the right one passes, and each error is found. */
import { expect, test } from 'vitest';
import { runOn } from './run.ts';
import { CONTRACT, Shop, type ShopError, TOKEN } from './shop.ts';

const CUSTOMERS = 'addCustomer.items';
const REPLACED = `${CUSTOMERS}.replaced`;

/** Each error, and the requirement that finds it. */
const FOUND_BY: Record<ShopError, string> = {
  'serves notes to anybody': 'notes.401',
  'serves a path with a slash to anybody': 'customer.401',
  'writes back what it read': `${CUSTOMERS}.race.update`,
  'loses the last item of a full page': `${CUSTOMERS}.pages`,
  'loses the last order of a full page': 'addOrder.items.pages',
  'takes the time of creation from a replacement': `${CUSTOMERS}.read-only`,
  'filters by the beginning': `${CUSTOMERS}.filtered`,
  'lists orders without their lines': 'addOrder.items.listed',
  'removes customers with orders': 'removeCustomer.in-use',
};

const IDS = Object.values(FOUND_BY);

function runOnShop(shop: Shop, ids: readonly string[], contract = CONTRACT) {
  const only = ids.flatMap((id) => ['--only', id]);
  return runOn(shop.handler, contract, ['--token', TOKEN, '--level', 'extended', ...only]);
}

test('the shop without an error passes', async () => {
  const { passed, broken } = await runOnShop(new Shop(), [...IDS, REPLACED]);
  expect(broken).toEqual([]);
  expect(passed).toEqual(expect.arrayContaining(IDS));
});

test.each(Object.entries(FOUND_BY) as [ShopError, string][])(
  'a shop that %s is found by %s',
  async (error, id) => {
    const { broken } = await runOnShop(new Shop(error), [id]);
    expect(broken).toContain(id);
  },
);

/** Sentences that do not promise what the error breaks. */
test.each<[ShopError, from: string, to: string]>([
  ['filters by the beginning', 'Only customers with this name.', 'Names that begin with this.'],
  ['filters by the beginning', 'Only customers with this name.', 'Filters customers.'],
  ['removes customers with orders', 'The customer has orders.', 'The customer has open orders.'],
  ['removes customers with orders', 'The customer has orders.', 'Conflict.'],
])('a shop that %s is right if the contract has, in place of "%s": %s', async (error, from, to) => {
  const contract = CONTRACT.replace(from, to);
  const { broken } = await runOnShop(new Shop(error), [CUSTOMERS, 'removeCustomer'], contract);
  expect(broken).toEqual([]);
});

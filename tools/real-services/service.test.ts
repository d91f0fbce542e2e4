import { expect, it } from 'vitest';
import { placeOf, readThing, type Send } from './service.ts';

/** Repeats the request, with a member that changes each time. */
function echo(): Send {
  let count = 0;
  return async (method, path, body) => {
    count++;
    return { count, sent: [method, path, body] };
  };
}

it('a thing is read by GET, and as a whole', async () => {
  const thing = await readThing(echo(), '/things/1');
  expect(thing).toEqual({ count: 1, sent: ['GET', '/things/1', undefined] });
  expect(placeOf('/things/1')).toBe('/things/1');
});

it('of a thing that is read by POST, one member counts', async () => {
  const send = echo();
  const reading = { path: '/range', body: { key: 'kept' }, member: 'sent' };
  const first = await readThing(send, reading);
  expect(first).toEqual(['POST', '/range', { key: 'kept' }]);
  expect(await readThing(send, reading)).toEqual(first);
  expect(placeOf(reading)).toBe('POST /range');
});

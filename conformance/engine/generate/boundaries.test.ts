import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HINTS } from '../../api/implementation.ts';
import { loadContract, type Contract } from '../contract/load.ts';
import { SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import { boundariesOf } from './boundaries.ts';

const contract = loadContract();
const EDGE = '/components/schemas/HTTPSEdgeCreate';

function sample(source: Contract, pointer: string, id: string, label: string): unknown {
  const boundary = boundariesOf(source, pointer, HINTS).find((one) => one.clause.id === id && one.label === label);
  if (!boundary) throw new Error(`no boundary ${id}: ${label}`);
  return fc.check(
    fc.property(boundary.value, () => false),
    { seed: 3 },
  ).counterexample?.[0];
}

describe('boundariesOf', () => {
  test('HTTPSEdgeCreate has one for every limit', () => {
    expect(boundariesOf(contract, EDGE, HINTS).map(({ clause, label }) => `${clause.id}: ${label}`)).toMatchSnapshot();
  });

  test.each([1, 2, 3, 4])('a description fills its bytes with characters of %i', (width) => {
    const { description } = sample(
      contract,
      EDGE,
      'description.x-max-bytes',
      `255 bytes in characters of ${width}`,
    ) as { description: string };
    expect(Buffer.byteLength(description)).toBe(255);
    expect([...description].length).toBe(Math.floor(255 / width) + (255 % width));
  });

  test('the fullest list, the longest names and the ends of ranges are exact', () => {
    expect(
      (sample(contract, EDGE, 'hostports.maxItems', '100 items') as { hostports: string[] }).hostports,
    ).toHaveLength(100);
    expect(
      (sample(contract, EDGE, 'hostports.*.maxLength', '259 characters') as { hostports: string[] }).hostports[0],
    ).toHaveLength(259);
    expect(
      (
        sample(contract, '/components/schemas/EventSourceCreate', 'type.maxLength', '128 characters') as {
          type: string;
        }
      ).type,
    ).toHaveLength(128);
    expect(sample(SYNTHETIC, '/components/schemas/Everything', 'seconds.maximum', '4294967295')).toMatchObject({
      seconds: 4294967295,
    });
    expect(sample(SYNTHETIC, '/components/schemas/Everything', 'share.maximum', '1')).toMatchObject({ share: 1 });
    expect(
      Object.keys(
        (sample(SYNTHETIC, '/components/schemas/Everything', 'add.maxProperties', '5 properties') as { add: object })
          .add,
      ),
    ).toHaveLength(5);
    expect(sample(SYNTHETIC, '/components/schemas/Everything', 'nested.inner.if.then', 'then holds')).toMatchObject({
      nested: { inner: { mode: 'on' } },
    });
    expect(sample(contract, EDGE, 'mutual_tls.type', 'null')).toEqual({ mutual_tls: null });
  });

  test('a hint with few values does not take the fullest list away', () => {
    const hints = { known: { '/components/schemas/Hostport': fc.constantFrom('a:1', 'b:1') } };
    expect(boundariesOf(contract, EDGE, hints).some(({ clause }) => clause.id === 'hostports.maxItems')).toBe(true);
  });
});

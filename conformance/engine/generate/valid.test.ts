import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HINTS } from '../../api/implementation.ts';
import { loadContract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { GaveUp, validValues } from './valid.ts';

const contract = loadContract();
const EDGE = '/components/schemas/HTTPSEdgeCreate';

describe('validValues', () => {
  test('JSON carries every value as it is', () => {
    for (const value of fc.sample(validValues(contract, EDGE, HINTS), { numRuns: 300, seed: 1 })) {
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      expect(JSON.stringify(value).isWellFormed()).toBe(true);
      expect(JSON.stringify(value)).not.toMatch(/\\ud[89a-f]/i);
    }
  });

  test('every part of the space is met', () => {
    const texts = fc
      .sample(validValues(contract, EDGE, HINTS), { numRuns: 2000, seed: 1 })
      .map((value) => JSON.stringify(value));
    const met = (expression: RegExp): number => texts.filter((text) => expression.test(text)).length;
    for (const expression of [
      /^\{\}$/,
      /"mutual_tls":null/,
      /"mutual_tls":\{\}/,
      /"certificate_authority_ids":\["/,
      /"terminate_at":"upstream"/,
      /"min_version":"1\.3"/,
      /"min_version":null/,
      /"terminate_at":"upstream".*"min_version":null/,
      /"hostports":\[\]/,
      /"\*\./,
      /\\u0000/,
      /\u2028/,
      /\u0301/,
      /\u202e/,
      /\u05d0/,
      /\\"/,
      /'/,
      /é/,
      /漢/,
      /😀/,
      /"description":""/,
      /"enabled":false/,
      /^(?!.*upstream).*"mutual_tls":null/,
    ]) {
      expect(met(expression), String(expression)).toBeGreaterThan(5);
    }
  });

  test('a hint takes the place of a component, also where null is allowed beside it', () => {
    const hints = {
      known: {
        '/components/schemas/ResourceId': fc.constantFrom('ca_1', 'ca_2'),
        '/components/schemas/Hostport': fc.constantFrom('a:1', 'b:1', 'c:1'),
        '/components/schemas/TLSVersion': fc.constant('1.3'),
      },
    };
    const text = JSON.stringify(fc.sample(validValues(contract, EDGE, hints), { numRuns: 300, seed: 1 }));
    expect(new Set(text.match(/"ca_\w+"|"[^"]*:1"/g))).toEqual(
      new Set(['"ca_1"', '"ca_2"', '"a:1"', '"b:1"', '"c:1"']),
    );
    expect(text).toMatch(/"min_version":"1\.3"/);
    expect(text).toMatch(/"min_version":null/);
    expect(text).not.toMatch(/"min_version":"1\.2"/);
  });

  test('a hint that its schema refuses ends in a clear error, not in a loop', () => {
    const hints = { known: { '/components/schemas/EventType': fc.constant('NOT A TYPE') } };
    const values = validValues(contract, '/components/schemas/EventSourceCreate', hints);
    expect(() => fc.sample(values, { numRuns: 1, seed: 1 })).toThrow(GaveUp);
    expect(() => fc.sample(values, { numRuns: 1, seed: 1 })).toThrow(/NOT A TYPE/);
  });
});

function nested(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function ids(value: unknown): unknown[] {
  return list(nested(value, 'mutual_tls', 'certificate_authority_ids'));
}

describe('shrinking ends in the obvious minimum', () => {
  test.each<[string, (value: unknown) => boolean, unknown]>([
    [
      'a description of more than 10 bytes',
      (value) => Buffer.byteLength(String(nested(value, 'description') ?? '')) > 10,
      { description: 'aaaaaaaaaaa' },
    ],
    [
      'a description with a character of 4 bytes',
      (value) => /[\u{10000}-\u{10ffff}]/u.test(String(nested(value, 'description'))),
      { description: expect.stringMatching(/^.$/u) as unknown },
    ],
    [
      'two hostports',
      (value) => list(nested(value, 'hostports')).length >= 2,
      { hostports: expect.arrayContaining(['a:1', 'b:1']) as unknown },
    ],
    [
      'a wildcard',
      (value) => list(nested(value, 'hostports')).some((one) => String(one).startsWith('*.')),
      { hostports: ['*.a:1'] },
    ],
    ['mutual TLS', (value) => isObject(nested(value, 'mutual_tls')), { mutual_tls: {} }],
    [
      'a module that is not enabled',
      (value) => nested(value, 'mutual_tls', 'enabled') === false,
      { mutual_tls: { enabled: false } },
    ],
    [
      'an id twice',
      (value) => new Set(ids(value)).size < ids(value).length,
      { mutual_tls: { certificate_authority_ids: ['a', 'a'] } },
    ],
    [
      'upstream',
      (value) => nested(value, 'tls_termination', 'terminate_at') === 'upstream',
      { tls_termination: { terminate_at: 'upstream' } },
    ],
    [
      'a null',
      (value) => nested(value, 'tls_termination', 'min_version') === null,
      { tls_termination: { min_version: null } },
    ],
    ['anything', () => true, {}],
  ])('%s', (_, fails, minimum) => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const run = fc.check(
        fc.property(validValues(contract, EDGE, HINTS), (value) => !fails(value)),
        { seed, numRuns: 2000 },
      );
      expect(run.counterexample?.[0], `seed ${seed}`).toEqual(minimum);
    }
  });
});

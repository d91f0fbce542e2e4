import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textsOfFormat, textsOfFormatAndLength } from './formats.ts';

/** Names below the domains of RFC 2606 have no address; those domains have one. */
const NOBODY = /^([a-z-]+\.example\.(com|net|org)|127\.0\.0\.1:9|a)$/;

/** The host of a URI, or that of an address. */
const HOST = /(?:\/\/|@)([^/?#]+)/;

test.each(['uri', 'uri-reference', 'iri', 'url', 'uri-template', 'email', 'idn-email', 'hostname'])(
  'no service reaches anybody by a text of the format %s',
  (format) => {
    const texts = textsOfFormat(format) ?? fc.constant('');
    const isName = format === 'hostname';
    for (const text of fc.sample(texts, { numRuns: 200, seed: 1 })) {
      const host = isName ? text : HOST.exec(text)?.[1];
      expect(host ?? 'a', text).toMatch(NOBODY);
    }
  },
);

const LABEL = /^[a-z]{1,63}$/;

test('texts of a length have the parts that their format allows', () => {
  for (let length = 0; length <= 400; length++) {
    const [email] = textsOfFormatAndLength('email', length) ?? [];
    const [hostname] = textsOfFormatAndLength('hostname', length) ?? [];
    // Shorter addresses would have another host than the examples, or none.
    expect([length, email?.length]).toEqual([
      length,
      length < 15 || length > 254 ? undefined : length,
    ]);
    expect(hostname?.length).toBe(length < 1 || length > 253 ? undefined : length);
    const [local = 'a', host = 'a'] = (email ?? 'a@a').split('@');
    expect(local.length).toBeLessThanOrEqual(64);
    for (const label of [...host.split('.'), ...(hostname ?? 'a').split('.')]) {
      expect(label).toMatch(LABEL);
    }
  }
  expect(textsOfFormatAndLength('uri', 40)).toBeUndefined();
});

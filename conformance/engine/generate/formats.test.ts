import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { textsOfFormat } from './formats.ts';

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

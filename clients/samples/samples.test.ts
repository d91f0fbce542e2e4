/**
 * Samples are complete programs. `docs/site/page/page.test.ts` shows that each example has one in
 * each language.
 */
import { expect, it } from 'vitest';
import { contract } from '../folders.ts';
import { LANGUAGES, type SampleLanguage, samplesOf } from './index.ts';
import { classOf } from './java.ts';
import { readDocument } from './json.ts';

const document = readDocument(contract);

it.each(Object.keys(LANGUAGES) as SampleLanguage[])(
  '%s leaves nothing to fill in but the token',
  (language) => {
    const samples = samplesOf(document, language);
    expect(new Set(samples.map(({ request }) => classOf(request))).size).toBe(samples.length);
    for (const { request, source } of samples) {
      expect(source).toContain(request.base);
      expect(source).toContain('API_TOKEN');
      for (const { name, value } of request.parameters) {
        expect(source).toContain(value);
        expect(source).not.toContain(`{${name}}`);
      }
      expect(source).not.toMatch(/undefined|\[object|NaN/);
    }
  },
);

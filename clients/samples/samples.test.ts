/** Each operation has a sample in each language. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CORE_SCHEMA, load } from 'js-yaml';
import { contract } from '../command/languages.ts';
import { LANGUAGES, type SampleLanguage, samplesOf } from './index.ts';
import { classOf } from './java.ts';
import type { Json } from './json.ts';

const names = Object.keys(LANGUAGES) as SampleLanguage[];
const document = load(readFileSync(contract, 'utf8'), { schema: CORE_SCHEMA }) as Json;
const operations = Object.values(document['paths'] as Record<string, Json>).flatMap((item) =>
  Object.values(item).flatMap((one) => (one as { operationId?: string }).operationId ?? []),
);

describe.each(names)('%s', (language) => {
  const samples = samplesOf(document, language);

  it('has a sample for each operation and example', () => {
    expect(operations.length).toBeGreaterThan(10);
    expect([...new Set(samples.map(({ request }) => request.operationId))].toSorted()).toEqual(operations.toSorted());
    expect(new Set(samples.map(({ request }) => classOf(request))).size).toBe(samples.length);
    expect(samples.length).toBeGreaterThan(operations.length);
  });

  it('leaves nothing to fill in but the token', () => {
    for (const { request, source } of samples) {
      expect(source).toContain(request.base);
      expect(source).toContain('API_TOKEN');
      for (const { name, value } of request.parameters) {
        expect(source).toContain(value);
        expect(source).not.toContain(`{${name}}`);
      }
      expect(source).not.toMatch(/undefined|\[object|NaN/);
    }
  });
});

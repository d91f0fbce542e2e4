/** Parameters of a service that writes `null`, numbers and booleans in its own way. */
import { expect, it } from 'vitest';
import { parse } from '../engine/http/response.ts';
import type { Service } from '../self-test/service.ts';
import { contractOf } from './testing/contracts.ts';
import { cookiesIn, queryOf } from './testing/requests.ts';
import { respondWith, resultsBy } from './testing/services.ts';

const BOOLEAN = /^(yes|no|true|false|on|off|[tfyn01])$/i;
const LANGUAGES = ['lang=en', 'lang=de'];

interface SearchRules {
  /**
   * Texts that stand for null. If `null` is one, numbers are digits; else they are read as
   * JavaScript does.
   */
  nothing: RegExp;
  /** Whether it checks the parameter `where`. */
  checksWhere?: boolean;
}

function search({ nothing, checksWhere = true }: SearchRules): Service {
  const isInteger = (text: string) => {
    if (nothing.test('null')) {
      return /^-?\d+$/.test(text);
    }
    return Number.isInteger(Number(text));
  };
  const isWhere = (text: string | null) => {
    const { a } = Object(parse(text ?? ''));
    return Number.isInteger(a) && a <= 9;
  };
  return async (request) => {
    const query = queryOf(request);
    const isNumber = (name: string) =>
      nothing.test(query.get(name) ?? '') || query.getAll(name).every(isInteger);
    const { text = '', n = '0', old = '0', big = 'no' } = Object.fromEntries(query);
    const languages = cookiesIn(request).filter((cookie) => cookie.startsWith('lang='));
    const rules = [
      [...text].length <= 4,
      ['n', 'old', 'ids'].every(isNumber),
      !(Number(n) > 9) && !(Number(n) < 0),
      !(Number(old) > 9),
      BOOLEAN.test(big) || nothing.test(big),
      languages.every((cookie) => LANGUAGES.includes(cookie)),
      !checksWhere || isWhere(query.get('where')),
    ];
    return respondWith(rules.every(Boolean) ? 200 : 422);
  };
}

async function brokenBy(service: Service): Promise<string[]> {
  const { requirements, broken } = await resultsBy(service, contractOf('search'), '--runs 10');
  const accepted = { id: 'search.200', status: 'pass' };
  expect(requirements).toContainEqual(expect.objectContaining(accepted));
  return broken;
}

it.each([/^(null|)$/, /^none$/])(
  'a service is not failed for a null in a parameter, if %s stands for it',
  async (nothing) => {
    expect(await brokenBy(search({ nothing }))).toEqual([]);
    expect(await brokenBy(search({ nothing: /./ }))).toContain('search.query.n.type');
    const lenient = search({ nothing, checksWhere: false });
    expect(await brokenBy(lenient)).toContain('search.query.where.a.maximum');
  },
);

/** @param isSize what it takes for a size */
function unions(isSize: (text: string) => boolean): Service {
  const isNumber = (text: string) => text !== '' && Number.isFinite(Number(text));
  return async (request) => {
    const query = queryOf(request);
    const every = (name: string, isRight: (text: string) => boolean) =>
      query.getAll(name).every(isRight);
    const rules = [
      every('nodata', (text) => isNumber(text) || /^([a-z]+|)$/.test(text)),
      every('size', isSize),
      every('ids', (text) => /^-?\d+$/.test(text)),
    ];
    return respondWith(rules.every(Boolean) ? 200 : 422);
  };
}

it('a text that one of several types allows is right, and one of none is not', async () => {
  const isLong = (text: string) => [...text].length > 2;
  const brokenUnions = async (service: Service) =>
    (await resultsBy(service, contractOf('unions'), '--runs 40')).broken;
  expect(await brokenUnions(unions((text) => isLong(text) || /^-?\d+$/.test(text)))).toEqual([]);
  expect(await brokenUnions(unions(() => true))).toEqual(['read.query.size.anyOf']);
});

it('what --data gives for a query parameter is sent, and tried first', async () => {
  const ofTenant: Service = async (request) => {
    const isKnown = queryOf(request).get('text') === 'acme';
    return respondWith(isKnown ? 200 : 422);
  };
  const statusWith = async (data: string) => {
    const line = `--only search.200 --data "{parameters: ${data}}"`;
    const { requirements } = await resultsBy(ofTenant, contractOf('search'), line);
    return requirements.map(({ status }) => status);
  };
  expect(await statusWith('{text: acme}')).toEqual(['pass']);
  expect(await statusWith('{text: [none, acme]}')).toEqual(['pass']);
  expect(await statusWith('{search: {text: acme}}')).toEqual(['pass']);
  expect(await statusWith('{text: none}')).not.toEqual(['pass']);
});

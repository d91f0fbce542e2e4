/** Services that quote the values that they refuse. */
import { expect, test } from 'vitest';
import { isBroken } from '../engine/run/verdict.ts';
import { createIndependentService } from './independent/index.ts';
import { jsonOf, membersOf, withJson } from './messages.ts';
import { OPEN, type Service, type ServiceRequest } from './service.ts';
import { run } from './test-bed.ts';

const ID = 'routes.secrets';

/** What of a refused body stands in the error. */
type Quoted = (request: ServiceRequest) => string;

async function isFound(quoted: Quoted): Promise<boolean> {
  const next = createIndependentService(OPEN);
  const service: Service = async (request) => {
    const response = await next(request);
    if (response.status !== 400) {
      return response;
    }
    const problem = membersOf(jsonOf({ body: response.body }));
    const { body } = withJson(request, { ...problem, detail: `Wrong: ${quoted(request)}` });
    return { ...response, body };
  };
  const { requirements } = await run(service, { seed: 1, level: 'extended', only: [ID] });
  const tried = requirements.filter((one) => one.id === ID);
  expect(tried).toHaveLength(1);
  return tried.some(isBroken);
}

const SECRET = /"(?:client_)?secret":\s*("[^"\\]*|[\d.]+)/;

/** The secret of the body, if it is a text or a number. */
const secretOf: Quoted = ({ body }) => SECRET.exec(body.toString())?.[1] ?? '';

test.each<[string, Quoted]>([
  ['the whole body', ({ body }) => body.toString().slice(0, 300)],
  ['the secret', secretOf],
  ['eight characters of the secret', (request) => secretOf(request).slice(3, 11)],
  ['a secret that is a number', (request) => secretOf(request).replace(/^".*/, '')],
  ['text that cannot be parsed', ({ body }) => (body.at(-1) === 0x7d ? '' : body.toString())],
])('a service that quotes %s is found', async (_, quoted) => {
  expect(await isFound(quoted)).toBe(true);
});

test.each<[string, Quoted]>([
  ['nothing', () => 'a value'],
  [
    'names',
    ({ body }) =>
      body
        .toString()
        .match(/"\w+":/g)
        ?.join(' ') ?? '',
  ],
  ['seven characters of the secret', (request) => secretOf(request).slice(1, 8)],
])('a service that quotes %s passes', async (_, quoted) => {
  expect(await isFound(quoted)).toBe(false);
});

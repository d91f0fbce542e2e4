/**
 * Correct services of contracts that leave much open: what a contract does not promise is not
 * failed.
 */
import { describe, expect, it } from 'vitest';
import { parse } from '../engine/http/response.ts';
import type { Service } from '../self-test/service.ts';
import { contractOf, contractWith } from './testing/contracts.ts';
import { segmentsOf } from './testing/requests.ts';
import { respondWith, resultsBy } from './testing/services.ts';
import { only } from './testing/suite.ts';

/**
 * It has three rows and the rule `castling`, whose only text is `{"a": 1}`; the game of the example
 * is over.
 */
const board: Service = async ({ method, target, body }) => {
  const [kind, name = ''] = segmentsOf({ target });
  if (kind === 'echo') {
    return respondWith(method === 'GET' ? 200 : 404);
  }
  if (kind === 'board') {
    return respondWith(['1', '2', '3'].includes(name) ? 200 : 400);
  }
  if (kind !== 'rules' || name !== 'castling') {
    return respondWith(404);
  }
  if (method === 'GET') {
    return respondWith(200);
  }
  const text = String(body).replaceAll(' ', '');
  return respondWith(text === '{"a":1}' ? 204 : 400);
};

describe('a path', () => {
  const IDS = [
    'square.200',
    'echo.200',
    'silence.200',
    'never.200',
    'game.200',
    'rule.200',
    'write.204',
  ];
  const runBoard = async (line: string) => {
    const { code, report, requirements } = await resultsBy(board, contractOf('board'), line);
    const statuses = IDS.map((id) => requirements.find((one) => one.id === id)?.status);
    return { code, report, statuses };
  };

  it('is filled by what the contract states, or for a GET by any value', async () => {
    const { code, report, statuses } = await runBoard('');
    expect(statuses).toEqual(['pass', 'pass', 'skip', 'skip', 'skip', 'skip', 'skip']);
    // A run that tried hardly anything has no verdict.
    expect(code).toBe(2);
    expect(report.reason).toMatch(/never succeeded: .* \(2 of 7 operations did; --min-tried /);
  });

  it('is filled by what --data says', async () => {
    const data = '"--data={parameters: {rule: castling}, bodies: {write: {a: 1}}}"';
    const { code, report, statuses } = await runBoard(`${data} --min-tried 0.1`);
    // Resources that the user names are read, and never changed.
    expect(statuses).toEqual(['pass', 'pass', 'skip', 'skip', 'skip', 'pass', 'skip']);
    const allowed = await runBoard(`${data} --min-tried 0.1 --allow wri*`);
    expect(allowed.statuses.at(-1)).toBe('pass');
    expect(code).toBe(0);
    expect(report.warnings).toEqual([expect.stringContaining('annotations: gt (first at /paths')]);
  });
});

it('an HTML page is a response of the API if the contract documents it', async () => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' };
  const { broken, report } = await resultsBy(async () => page, contractOf('page'));
  expect([broken, report.verdict, report.reason]).toEqual([[], 'conformant', undefined]);
});

it('a redirect is a response of the API if the contract documents it', async () => {
  const redirect = { status: 307, headers: { location: '/other' }, body: '' };
  const { broken, report } = await resultsBy(async () => redirect, contractOf('moved'));
  // Nothing more is promised.
  expect([broken, report.verdict]).toEqual([[], 'conformant']);
});

const EXAMPLES = contractOf('examples');

it('values that the contract states for parameters are sent', async () => {
  const runWithout = async (refused: string) => {
    const service: Service = async ({ target, headers, body }) => {
      const isKnown = headers['x-tenant'] === 'acme' && headers['x-page'] === '7';
      const isAccepted = isKnown && !target.includes(refused);
      return respondWith(isAccepted && Number.isInteger(parse(String(body))) ? 201 : 400);
    };
    return (await resultsBy(service, EXAMPLES, '--only add.201')).report;
  };
  const warnings = ['The example `bad` of the body of add breaks its own schema.'];
  // A service need not know what a text names.
  expect(await runWithout('after=cursor')).toMatchObject({ verdict: 'conformant', warnings });
  expect(await runWithout('size=25')).toMatchObject({ verdict: 'nonconformant' });
});

it('an example of a body is sent if every other body is refused as documented', async () => {
  const targets: string[] = [];
  const picky: Service = async ({ target, body }) => {
    targets.push(target);
    if (target.startsWith('/simple')) {
      return respondWith(/^\/simple\/1,2($|\?)/.test(target) ? 200 : 400);
    }
    if (target === '/token') {
      return respondWith(401);
    }
    if (target !== '/pay' || !/^\d+$/.test(String(body))) {
      return respondWith(400);
    }
    return respondWith(String(body) === '4242' ? 201 : 402);
  };
  const some = only('pay.201', 'pay.body.minimum', 'simple.200', 'token.201');
  const { report, requirements } = await resultsBy(picky, EXAMPLES, `${some} --min-tried 0`);
  expect(Object.fromEntries(requirements.map(({ id, status }) => [id, status]))).toMatchObject({
    'pay.201': 'pass',
    'pay.body.minimum': 'skip',
    'token.201': 'skip',
    'simple.200': 'pass',
  });
  const warning = 'The example "no" of the parameter `kind` of simple breaks its own schema.';
  expect(report).toMatchObject({ verdict: 'conformant', warnings: [warning] });
  expect(targets).toContain('/simple/1,2?more=3,4');
});

/** @param isPet which kinds it knows @param shown the kind of every pet in a response */
function pets(isPet: (kind: unknown) => boolean, shown = 'cat'): Service {
  return async ({ body }) => {
    const pet: Record<string, unknown> = Object(parse(String(body)));
    const { kind, lives = 0, tail = true } = pet;
    const isCat = /cat/i.test(String(kind));
    const isRight = isCat ? Number.isInteger(lives) : typeof tail === 'boolean';
    if (isPet(kind) && isRight) {
      return respondWith(201, { kind: shown });
    }
    return respondWith(400);
  };
}

const brokenPets = async (service: Service, contract = contractOf('pets')) =>
  (await resultsBy(service, contract, only('add.body.oneOf', 'add.201'))).broken;

it('a discriminator names the branches by its mapping', async () => {
  const isPet = (kind: unknown) => kind === 'cat' || kind === 'Dog';
  expect(await brokenPets(pets(isPet))).toEqual([]);
  expect(await brokenPets(pets((kind) => typeof kind === 'string'))).toEqual(['add.body.oneOf']);
  expect(await brokenPets(pets(isPet, 'Cat'))).toContain('add.201');
});

it('a discriminator without a mapping names the branches by their components', async () => {
  const contract = contractOf('pets');
  const { requestBody, responses } = contract.paths['/pets'].post;
  for (const { content } of [requestBody, responses[201]]) {
    content['application/json'].schema.discriminator.mapping = null;
  }
  const isPet = (kind: unknown) => kind === 'Cat' || kind === 'Dog';
  expect(await brokenPets(pets(isPet, 'Cat'), contract)).toEqual([]);
});

const ODD_SCHEMAS: [string, object][] = [
  [
    'a bound beyond which there is no number',
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  ],
  [
    'names of schemas in examples',
    { type: 'object', examples: [{ $id: 'abc' }, { $id: 'abc', x: 1 }] },
  ],
  [
    'readOnly beneath readOnly',
    { readOnly: true, allOf: [{ properties: { b: { readOnly: true, type: 'string' } } }] },
  ],
  [
    'patterns of names beside a condition',
    {
      type: 'object',
      patternProperties: { '^u': { type: 'string' } },
      if: { required: ['a'] },
      else: { properties: { until: false } },
    },
  ],
  ['a pattern with needless escapes', { type: 'string', pattern: String.raw`^[a-z_\-\:]+$` }],
];

it.each(ODD_SCHEMAS)('a contract with %s is tried to its end', async (_, schema) => {
  const contract = contractWith(schema);
  const { code, requirements } = await resultsBy(
    async () => respondWith(201),
    contract,
    '--runs 5',
  );
  const errors = requirements.filter(({ status }) => status === 'error');
  expect(errors.map(({ reason }) => reason)).toEqual([]);
  expect(code).toBe(1);
});

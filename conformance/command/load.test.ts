/** What a run sends: the same for the same seed, only what was asked for, and no more at once than allowed. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Report } from '../engine/run/result.ts';
import type { Service, ServiceRequest } from '../self/service.ts';
import { only, suite } from './suite.ts';
import { coreService, implementation, wrongDescription } from './services.ts';

/** Without what no two runs share: ids that the service gives, and names of the run. */
function essence(requests: ServiceRequest[]): string[] {
  return requests.map(({ method, target: path, body }) => {
    const plain = path
      .replace(/(\/edges\/https\/)[^/?]+/, '$1id')
      .replace(/conformance-\w+-\w+-/, 'sub-')
      .replace(/cursor=[^&]+/, 'cursor=c');
    return `${method} ${plain} ${body.toString('base64')}`;
  });
}

async function sentBy(args: string[], service?: Service): Promise<string[]> {
  await using served = await implementation(service);
  await suite([served.url, ...args]);
  return essence(served.requests);
}

const bodies = (sent: string[]) => sent.filter((line) => line.startsWith('POST /edges/https '));

describe('--seed', () => {
  const ARGS = [
    '--runs',
    '2',
    '--concurrency',
    '1',
    ...only('createEdge.body.description', 'edges.stable', 'sources.model'),
  ];
  it('sends the same again, and another one something else', async () => {
    const [first, again, other] = [
      await sentBy([...ARGS, '--seed', '3']),
      await sentBy([...ARGS, '--seed', '3']),
      await sentBy([...ARGS, '--seed', '4']),
    ];
    expect(first.length).toBeGreaterThan(20);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('does not depend on what else is tried', async () => {
    const alone = await sentBy(['--seed', '3', '--concurrency', '1', '--only', 'edges.echo', '--runs', '2']);
    const among = await sentBy([
      '--seed',
      '3',
      '--concurrency',
      '1',
      ...only('edges.stable', 'edges.echo'),
      '--runs',
      '2',
    ]);
    expect(bodies(among)).toEqual(expect.arrayContaining(bodies(alone)));
  });

  it('is printed', async () => {
    await using served = await implementation();
    const { stdout } = await suite([served.url, '--only', 'getEdge.200', '--runs', '1']);
    expect(stdout.match(/seed \d+/g)).toHaveLength(2);
  });
});

describe('--runs', () => {
  it('is the number of cases', async () => {
    await using served = await implementation();
    const { stdout } = await suite([served.url, '--only', 'getEdge.200', '--runs', '7', '--format', 'json']);
    expect((JSON.parse(stdout) as Report).requirements).toMatchObject([{ id: 'getEdge.200', cases: 7 }]);
    expect(served.requests.filter(({ method }) => method === 'POST')).toHaveLength(7);
  });
});

describe('--only, --skip and --bail', () => {
  it('choose by the beginning of ids', async () => {
    await using served = await implementation();
    const { stdout, code } = await suite([
      served.url,
      '--only',
      'getEdge.',
      '--only',
      'edges.unknown',
      '--skip',
      'getEdge.path=a reason',
      '--runs',
      '2',
      '--format',
      'json',
    ]);
    expect(code).toBe(0);
    const { requirements, summary } = JSON.parse(stdout) as Report;
    for (const { id, status, reason } of requirements) {
      expect(id).toMatch(/^(getEdge\.|edges\.unknown$)/);
      expect([status, reason].join(' ').startsWith('disabled a reason')).toBe(id.startsWith('getEdge.path'));
    }
    expect(summary.disabled).toBeGreaterThan(0);
    expect(summary.pass).toBeGreaterThan(2);
  });

  it('stop at the first failure', async () => {
    const args = [...only('edges.'), '--concurrency', '1', '--runs', '2'];
    const all = await sentBy(args, wrongDescription);
    const some = await sentBy([...args, '--bail'], wrongDescription);
    expect(some.length).toBeLessThan(all.length / 2);
    await using served = await implementation(wrongDescription);
    const { code, stdout } = await suite([served.url, ...args, '--bail', '--format', 'json']);
    const { summary, requirements } = JSON.parse(stdout) as Report;
    expect(code).toBe(1);
    expect(summary.fail).toBe(1);
    expect(requirements.find(({ status }) => status === 'disabled')?.reason).toContain('--bail');
  });
});

/** How many requests are under way at once, at most. */
function counted(): { service: Service; most: () => number } {
  const inner = coreService();
  let now = 0;
  let most = 0;
  const service: Service = async (request) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now--;
    return inner(request);
  };
  return { service, most: () => most };
}

describe('--concurrency and --rate', () => {
  it.each([1, 3])('has at most %i requests under way where nothing races', async (width) => {
    const { service, most } = counted();
    await using served = await implementation(service);
    await suite([served.url, '--only', 'getEdge.', '--runs', '5', '--concurrency', String(width)]);
    expect(most()).toBe(width);
  });

  it('sends no two requests closer to each other than the rate allows, also with much at once', async () => {
    const waits: number[] = [];
    const { setTimeout: wait } = globalThis;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((then: () => void, ms?: number) => {
      waits.push(ms ?? 0);
      return wait(then, ms);
    }) as typeof setTimeout);
    onTestFinished(() => void vi.restoreAllMocks());
    await using served = await implementation();
    await suite([served.url, '--only', 'sources.race.add', '--runs', '2', '--rate', '200', '--level', 'core']);
    // Each waits for its turn, and none is allowed to run ahead.
    expect(waits.filter((ms) => ms > 0 && ms < 1_000).length).toBeGreaterThanOrEqual(served.requests.length / 2);
  });
});

it('sends the token and the headers with every request but those that are about them', async () => {
  await using served = await implementation(coreService({ token: 'the-token' }));
  const { code } = await suite([
    served.url,
    '--token',
    'the-token',
    '--header',
    'X-Tenant: acme',
    '--only',
    'getEdge.',
    '--runs',
    '3',
  ]);
  expect(code).toBe(0);
  expect(served.requests.every(({ headers }) => headers['x-tenant'] === 'acme')).toBe(true);
  expect(served.requests.some(({ headers }) => headers['authorization'] === 'Bearer the-token')).toBe(true);
  expect(served.requests.some(({ headers }) => headers['authorization'] !== 'Bearer the-token')).toBe(true);
});

it('checks by the source document alone', async () => {
  await using served = await implementation(wrongDescription);
  const { stdout, code } = await suite([
    served.url,
    '--origin',
    'source',
    '--level',
    'core',
    '--runs',
    '1',
    ...only('edges.', 'sources.', 'getEdge.', 'createEdge.20', 'createEdge.body.description'),
    '--format',
    'json',
  ]);
  const { requirements, target: checked } = JSON.parse(stdout) as Report;
  expect(checked).toMatchObject({ origin: 'source', level: 'core' });
  expect(requirements.filter(({ origin }) => !origin.startsWith('source'))).toEqual([]);
  expect(requirements.length).toBeGreaterThan(15);
  expect(code).toBe(1);
});

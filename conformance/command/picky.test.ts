/**
 * On a shared service that knows only some things: no false alarm, no deadlock, and nothing of somebody else is
 * touched.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Report } from '../engine/run/result.ts';
import { EVENT_TYPES, type Foreign, KNOWN, pickyService, runAgainst } from './picky.ts';
import { folderWith, only, suite } from './suite.ts';
import { implementation } from './services.ts';

const isForToken = (reason: string | undefined) => /^needs --(read-only-)?token:/.test(reason ?? '');

/**
 * All about sources, and what takes hostports and certificate authorities; whole runs are in `whole-runs.e2e.test.ts`.
 */
const FEW = [
  ...only('sources.', 'edges.read-your-write', 'createEdge.201', 'createEdge.body.hostports.uniqueItems'),
  '--runs',
  '1',
];

const SOME: Foreign = {
  sub_a: [],
  sub_b: ['beta_done.v0', 'foreign_only.v3'],
  sub_c: ['alpha_created.v0', 'alpha_deleted.v0', 'gamma.v10'],
};

describe('with what the service knows', () => {
  it('finds no fault, skips what needs more, and leaves everything as it was', async () => {
    const { code, report, before, after, requests } = await runAgainst(SOME, FEW);
    expect(report.requirements.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([]);
    expect(code).toBe(0);
    expect(after).toEqual(before);
    expect(before).toEqual(SOME);
    expect(report.left_behind.sources).toBe(0);
    const skipped = report.requirements.filter(({ status }) => status === 'skip');
    // Eight need a token, and eight one that may only read; and subscriptions cannot have any name.
    expect(
      skipped
        .filter(({ reason }) => !isForToken(reason))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['sources.case', 'sources.longest-subscription', 'sources.longest-type', 'sources.pages.default']);
    const used = new Set(
      requests.flatMap(({ method, target: path }) =>
        method === 'POST' ? (/^\/event_subscriptions\/([^/]+)/.exec(path)?.[1] ?? []) : [],
      ),
    );
    expect([...used].filter((id) => /^\w{1,20}$/.test(id)).toSorted()).toEqual(['sub_a', 'sub_b', 'sub_c']);
  });

  it.each([
    ['one subscription that is full of others', { only_one: EVENT_TYPES.slice(0, 5) }],
    ['two subscriptions', { sub_a: ['alpha_created.v0'], sub_b: [] }],
  ])('never waits for itself with %s and much at once', async (_, foreign: Foreign) => {
    const { code, report, before, after } = await runAgainst(foreign, [
      '--concurrency',
      '8',
      ...only('sources.'),
      '--runs',
      '2',
    ]);
    expect(report.requirements.filter(({ status }) => status === 'fail' || status === 'error')).toEqual([]);
    expect(code).toBe(0);
    expect(after).toEqual(before);
    const isolation = report.requirements.find(({ id }) => id === 'sources.isolation');
    if (Object.keys(foreign).length === 1) {
      expect(isolation).toMatchObject({
        status: 'skip',
        reason: expect.stringMatching(/needs 2 subscriptions.*--subscription-id/),
      });
      expect(report.requirements.find(({ id }) => id === 'sources.empty')).toMatchObject({
        status: 'skip',
        reason: expect.stringMatching(/needs a subscription without sources/),
      });
    } else expect(isolation).toMatchObject({ status: 'pass' });
  });

  it('tries all but one requirement with two subscriptions, one of them empty, and three event types', async () => {
    const { service } = await pickyService({ sub_a: ['gamma.v10'], sub_b: [] });
    await using served = await implementation(service);
    const types = EVENT_TYPES.slice(0, 3).flatMap((type) => ['--event-type', type]);
    const { stdout } = await suite([
      served.url,
      '--subscription-id',
      'sub_a',
      '--subscription-id',
      'sub_b',
      ...types,
      '--only',
      'sources.',
      '--runs',
      '2',
      '--format',
      'json',
    ]);
    const { requirements } = JSON.parse(stdout) as Report;
    expect(
      requirements
        .filter(({ status, reason }) => status !== 'pass' && !isForToken(reason))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['sources.case', 'sources.longest-subscription', 'sources.longest-type', 'sources.pages.default']);
  });

  it('takes the same subscription named twice for one', async () => {
    const { service } = await pickyService({ sub_a: [] });
    await using served = await implementation(service);
    const { stdout } = await suite([
      served.url,
      '--subscription-id',
      'sub_a',
      '--subscription-id',
      'sub_a',
      ...KNOWN,
      '--only',
      'sources.isolation',
    ]);
    expect(stdout).toMatch(/^skip +sources\.isolation/m);
  });
});

describe('without it', () => {
  it('fails a service that does not know a subscription without sources (D14)', async () => {
    const { service } = await pickyService(SOME);
    await using served = await implementation(service);
    const { code, stdout } = await suite([served.url, '--only', 'sources.listed']);
    expect(code).toBe(1);
    expect(stdout).toContain('sources.listed');
  });

  it('names the subscription that does not exist', async () => {
    const { service } = await pickyService(SOME);
    await using served = await implementation(service);
    const { code, stdout } = await suite([
      served.url,
      '--subscription-id',
      'sub_a',
      '--subscription-id',
      'sub_x',
      ...KNOWN,
    ]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^--subscription-id sub_x is not known at .*: name a subscription that exists there$/m);
  });
});

describe('a faulty service', () => {
  it('that forgets to refuse what is there keeps the sources of somebody else', async () => {
    const { service, sources } = await pickyService(SOME);
    const before = await sources();
    // Every refusal of an add looks like a success.
    await using served = await implementation(async (request) => {
      const response = await service(request);
      return request.method === 'POST' && response.status >= 400 ? { ...response, status: 201 } : response;
    });
    const args = Object.keys(SOME).flatMap((id) => ['--subscription-id', id]);
    const { code } = await suite([served.url, ...args, ...KNOWN, ...only('sources.'), '--runs', '1']);
    expect(code).toBe(1);
    expect(await sources()).toEqual(before);
  });

  it('that does what it refuses is cleaned up', async () => {
    const { service, sources } = await pickyService({ sub_a: ['gamma.v10'] });
    await using served = await implementation(async (request) => {
      const response = await service(request);
      return request.method === 'POST' && response.status === 201 ? { ...response, status: 400 } : response;
    });
    const { code } = await suite([
      served.url,
      '--subscription-id',
      'sub_a',
      ...KNOWN,
      '--only',
      'sources.',
      '--runs',
      '5',
    ]);
    expect(code).toBe(1);
    expect(await sources()).toEqual({ sub_a: ['gamma.v10'] });
  });
});

describe('a run that is stopped', () => {
  it('cleans up and writes its report', async () => {
    const { service, sources } = await pickyService(SOME);
    const before = await sources();
    const controller = new AbortController();
    await using served = await implementation((request) => {
      if (served.requests.filter(({ method }) => method === 'POST').length === 20)
        controller.abort('stopped by a test');
      return service(request);
    });
    using folder = folderWith();
    const args = Object.keys(SOME).flatMap((id) => ['--subscription-id', id]);
    const { code } = await suite([served.url, ...args, ...KNOWN, ...only('sources.'), '--report', folder.path], {
      signal: controller.signal,
    });
    expect(code).toBe(2);
    expect(served.requests.length).toBeGreaterThan(20);
    expect(await sources()).toEqual(before);
    expect(JSON.parse(readFileSync(folder.file('report.json'), 'utf8'))).toMatchObject({
      verdict: 'inconclusive',
      reason: 'stopped by a test',
    });
  });
});

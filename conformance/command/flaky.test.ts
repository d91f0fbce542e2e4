/** A service that fails now and then: what comes back is a failure, what does not is flaky, what is lost is tried again. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Report } from '../engine/run/result.ts';
import { createIndependentService } from '../self/independent/index.ts';
import { unavailable } from '../self/services/index.ts';
import type { Service } from '../self/service.ts';
import { coreService, faulty, implementation, withJson } from './services.ts';
import { folderWith, only, suite } from './suite.ts';

const ARGS = ['--runs', '3', '--seed', '1', '--concurrency', '1'];

/** Reads edges with a description of their own, so many times. */
function wrongReads(times: number): Service {
  let left = times;
  return faulty((response, { method, target }) =>
    method === 'GET' && response.status === 200 && target.startsWith('/edges/https/') && left-- > 0
      ? withJson(response, (edge) => ({ ...edge, description: 'another' }))
      : response,
  );
}

async function report(service: Service, args: string[]): Promise<{ code: number; report: Report }> {
  await using served = await implementation(service);
  const { code, stdout } = await suite([served.url, ...ARGS, ...args, '--format', 'json']);
  return { code, report: JSON.parse(stdout) as Report };
}

describe('a failure', () => {
  it('that does not come back is flaky, which is not green', async () => {
    const { code, report: found } = await report(wrongReads(1), only('edges.read-your-write'));
    expect(code).toBe(1);
    expect(found.reason).toBe('1 broken: edges.read-your-write (flaky)');
    const [result] = found.requirements;
    expect(result).toMatchObject({
      status: 'flaky',
      reason: 'the same case passed 3 times when it was tried again',
      failure: { cause: 'Reading an edge gives something else than creating it returned (at /description)' },
    });
    expect(found.summary).toMatchObject({ pass: 0, fail: 0, flaky: 1 });
  });

  it('that comes back in one of three tries is a failure', async () => {
    // Shrinking reads again, too: so many that there are some left for the second tries.
    const { report: found } = await report(wrongReads(1_000), only('edges.read-your-write'));
    expect(found.requirements[0]).toMatchObject({ status: 'fail' });
  });

  it('is excused when it is known, also where it is flaky', async () => {
    const id = 'edges.read-your-write';
    using folder = folderWith({ 'known.json': JSON.stringify([{ id, reason: 'a ticket', expires: '2999-12-31' }]) });
    const { code } = await report(wrongReads(1), [...only(id), '--known-failures', folder.file('known.json')]);
    expect(code).toBe(0);
  });

  it('is flaky in every format', async () => {
    await using served = await implementation(wrongReads(1));
    using folder = folderWith();
    const { stdout } = await suite([served.url, ...ARGS, ...only('edges.read-your-write'), '--report', folder.path]);
    expect(stdout).toMatch(/^flaky {4}edges\.read-your-write/m);
    const read = (name: string) => readFileSync(folder.file(name), 'utf8');
    expect(read('report.json')).toContain('"status": "flaky"');
    expect(read('junit.xml')).toContain('type="flaky"');
    expect(read('report.md')).toContain('### ≈ ');
    expect(read('report.html')).toContain('≈ flaky:');
  });
});

/** The first `times` requests to create an edge get no response, after they have been carried out. */
function lost(times: number, how: 'cut off' | '503', inner = coreService()): Service {
  let left = times;
  return async (request) => {
    const response = await inner(request);
    if (request.method !== 'POST' || !request.target.endsWith('/edges/https') || left-- <= 0) return response;
    if (how === '503') return unavailable('POST');
    throw new Error('cut off');
  };
}

describe('a request that must not be sent twice', () => {
  it.each(['cut off', '503'] as const)('and got no response (%s): its case begins again', async (how) => {
    await using served = await implementation(lost(1, how));
    const args = [served.url, ...ARGS, ...only('edges.location')];
    const { code, stdout } = await suite(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Sent again: 1 after (503|a lost connection); 1 case tried again from the start\.$/m);
    expect(stdout).toMatch(/^Left behind: \d+ edges; perhaps 1 edge, since no response came\.$/m);
    expect(stdout).not.toContain('Warning');
  });

  it.each(['cut off', '503'] as const)('is looked for in the list of edges (%s)', async (how) => {
    const { report: found } = await report(lost(1, how, createIndependentService()), only('edges.location'));
    expect(found.may_have_been_made).toEqual({ edges: 1 });
    expect(found.warnings).toEqual([expect.stringMatching(/no response showed them to the suite: [\w-]+\. It left/)]);
  });

  it('and was not carried out leaves nothing behind', async () => {
    const inner = createIndependentService();
    let left = 1;
    const service: Service = async (request) =>
      request.method === 'POST' && left-- > 0 ? unavailable('POST') : inner(request);
    const { report: found } = await report(service, only('edges.location'));
    expect(found.retries.cases).toBe(1);
    expect(found.may_have_been_made).toEqual({ edges: 0 });
    expect(found.warnings).toEqual([]);
  });

  it('and never gets one fails its case', async () => {
    const { code, report: found } = await report(lost(Infinity, 'cut off'), only('edges.location'));
    expect(code).toBe(1);
    expect(found.requirements[0]!.failure!.cause).toBe('No response: the connection was closed without a response');
    expect(found.may_have_been_made['edges']).toBeGreaterThan(2);
    expect(found.warnings).toEqual([expect.stringContaining('The service is not stable: ')]);
  });
});

describe('a core run', () => {
  it('removes its edges where the service can delete them', async () => {
    const args = [...only('edges.location'), '--level', 'core'];
    const { report: found } = await report(createIndependentService(), args);
    expect(found.left_behind).toEqual({ edges: 0, sources: 0 });
  });

  it('asks for that once where it cannot', async () => {
    await using served = await implementation();
    await suite([served.url, ...ARGS, ...only('edges.location'), '--level', 'core']);
    expect(served.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });
});

/** What a failure hands over: the name of a case that fails again, and passes once the service is fixed. */
import { describe, expect, it } from 'vitest';
import type { Report, RequirementResult } from '../engine/run/result.ts';
import { suite } from './suite.ts';
import { coreService, faulty, implementation, withJson } from './services.ts';

async function failuresOf(url: string, args: string[]): Promise<RequirementResult[]> {
  const { code, stdout } = await suite([url, '--format', 'json', ...args]);
  expect(code).toBe(1);
  return (JSON.parse(stdout) as Report).requirements.filter(({ status }) => status === 'fail');
}

const caseOf = ({ failure }: RequirementResult) => /--replay (\S+)$/.exec(failure!.replay)![1]!;
const essence = ({ failure }: RequirementResult) => ({
  ...failure,
  exchanges: failure!.exchanges.map(({ request }) => ({
    ...request,
    url: request.url.replace(/https\/.{10,}/, 'https/id'),
  })),
  got: undefined,
  expected: undefined,
  curl: undefined,
});

describe('--replay', () => {
  it('fails again with the same minimal case, and passes against a mended service', async () => {
    let mended = false;
    const inner = coreService();
    const forgetful = faulty(
      (response, { method, target: path }) =>
        !mended && method === 'GET' && path.startsWith('/edges/https/') && response.status === 200
          ? withJson(response, (edge) => ({ ...edge, hostports: edge.hostports.slice(0, 1) }))
          : response,
      inner,
    );
    await using served = await implementation(forgetful);
    const [found] = await failuresOf(served.url, ['--only', 'edges.read-your-write', '--seed', '5']);
    // Minimal: two hostports and nothing else.
    expect(Object.keys(JSON.parse(found!.failure!.exchanges[0]!.request.body!) as object)).toEqual(['hostports']);
    const [again] = await failuresOf(served.url, ['--replay', caseOf(found!)]);
    expect(essence(again!)).toEqual(essence(found!));
    expect(again!.cases).toBe(1);
    mended = true;
    const { code, stdout } = await suite([served.url, '--replay', caseOf(found!)]);
    expect(stdout).toMatch(/^pass +edges\.read-your-write +1 cases?$/m);
    expect(code).toBe(0);
  });

  it('names what the case needs, and no secret', async () => {
    await using served = await implementation(
      faulty((response) => ({ ...response, status: response.status === 200 ? 203 : response.status })),
    );
    const args = [
      '--subscription-id',
      'sub_1',
      '--event-type',
      'a.v0',
      '--hostport-domain',
      'example.org',
      '--certificate-authority-id',
      'ca_1',
      '--level',
      'core',
      '--header',
      'X-Key: secret-key',
      '--only',
      'getEventSource.200',
    ];
    const { stdout } = await suite([served.url, ...args], {
      env: { CONFORMANCE_TOKEN: 'secret-token', CONFORMANCE_READ_ONLY_TOKEN: 'secret-reader' },
    });
    expect(stdout).toContain(
      [
        `CONFORMANCE_TOKEN=… CONFORMANCE_READ_ONLY_TOKEN=… npx edge-conformance ${served.url} --level core`,
        `--header 'x-key: …' --subscription-id sub_1 --event-type a.v0 --hostport-domain example.org`,
        `--certificate-authority-id ca_1 --replay getEventSource.200@`,
      ].join(' '),
    );
    expect(stdout).not.toMatch(/secret-(key|token|reader)/);
  });

  it.each(['getEdge.200@99.1.0', 'getEdge.200@0.1.0:99:99'])('is an error for %s, which is no case', async (name) => {
    await using served = await implementation();
    const { code, stdout } = await suite([served.url, '--replay', name]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/--replay names no case of getEdge\.200: copy it from a failure/);
  });
});

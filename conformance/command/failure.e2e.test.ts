/** The script of a failure, run by a shell: it shows the same wrong response. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../engine/run/result.ts';
import type { Service } from '../self/service.ts';
import { run } from './process.ts';
import { suite } from './suite.ts';
import { faulty, implementation, withJson, wrongDescription } from './services.ts';

/** The service loses every second page. */
const lostPage: Service = faulty((response, { method, target: path }) =>
  method === 'GET' && path.includes('cursor=') && response.status === 200
    ? withJson(response, (list) => ({ ...list, sources: [] }))
    : response,
);

/** Of several adds at once, all win. */
function manyWinners(): Service {
  return faulty((response, { method }) =>
    method === 'POST' && response.status === 409
      ? {
          status: 201,
          headers: { 'content-type': 'application/json' },
          body: '{"type":"a.v0","uri":"http://127.0.0.1/x"}',
        }
      : response,
  );
}

describe('the script shows the same wrong response', () => {
  const cases: [string, Service, string, RegExp][] = [
    ['with a captured id', wrongDescription, 'edges.read-your-write', /"description":"another"[^]*$/],
    ['with a next page', lostPage, 'sources.pages', /"sources":\[\][^]*$/],
    ['with a race', manyWinners(), 'sources.race.add', /(HTTP\/1\.1 201[^]*){2}/],
    [
      'with raw bytes',
      faulty((response, { method }) =>
        method === 'POST' && response.status === 400 ? { status: 200, headers: {}, body: 'wrong' } : response,
      ),
      'createEdge.body.utf-8',
      /HTTP\/1\.1 200 [^]*wrong\n$/,
    ],
    [
      'with 1 MiB',
      faulty((response, { method }) =>
        method === 'POST' && response.status === 413 ? { status: 201, headers: {}, body: 'wrong' } : response,
      ),
      'createEdge.body.size',
      /HTTP\/1\.1 201 [^]*wrong\n$/,
    ],
  ];
  it.each(cases)('%s', async (_, service, only, wrong) => {
    await using served = await implementation(service);
    const args = ['--only', only, '--seed', '1', '--format', 'json'];
    const report = JSON.parse((await suite([served.url, ...args])).stdout) as Report;
    const failure = report.requirements.find(({ status }) => status === 'fail');
    const { code, stdout, stderr } = await run('sh', ['-c', failure!.failure!.curl]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(wrong);
  });
});

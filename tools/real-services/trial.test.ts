import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { it } from '../temporary-folder.ts';
import { detailsOf, lineOf } from './row.ts';
import type { RealService } from './service.ts';
import type { Tool } from './tools.ts';
import { attempt } from './trial.ts';

const CONTRACT = {
  openapi: '3.0.0',
  paths: { '/things/{id}': { get: {}, delete: {} }, '/fails': { get: {} }, '/end': { post: {} } },
};

/** The program of a service with two things, whose members change their order all the time. */
const SERVICE = `
  let requests = 0;
  const things = new Set(['1', '2']);
  require('node:http').createServer((request, response) => {
    const [, kind, id] = request.url.split('/');
    const has = things.has(id);
    response.statusCode = kind === 'fails' ? 500 : kind !== 'things' || has ? 200 : 404;
    if (request.method === 'DELETE') things.delete(id);
    requests++;
    const order = requests % 2 === 0 ? ['id', 'kind'] : ['kind', 'id'];
    response.end(kind === 'contract' ? process.argv[2] : JSON.stringify({ id, kind }, order));
    if (kind === 'end') response.on('close', () => process.exit());
  }).listen(Number(process.argv[1]), '127.0.0.1');
`;

const service: RealService = {
  name: 'things',
  title: 'Things 1',
  needs: ['node'],
  install: async () => '',
  program: ({ port }) => ({
    command: process.execPath,
    args: ['-e', SERVICE, String(port), JSON.stringify(CONTRACT)],
  }),
  readyPath: '/ready',
  contract: { path: '/contract' },
  async makeExisting() {
    return { 'a thing': '/things/1' };
  },
};

/** A tool that sends these requests. */
function sending(name: Tool['name'], requests: string[]): Tool {
  const program = `
    const [url, ...requests] = process.argv.slice(1);
    (async () => {
      for (const request of requests) {
        const [method, path] = request.split(' ');
        console.log((await fetch(url + path, { method })).status);
      }
    })();
  `;
  return {
    name,
    command: async ({ url }) => ({
      command: process.execPath,
      args: ['-e', program, url, ...requests],
    }),
  };
}

it('counts what tools reach, and sees what they harm', async ({ folder }) => {
  const careful = sending('suite', ['GET /things/1', 'GET /things/7', 'GET /fails', 'GET /none']);
  const harmful = sending('schemathesis', ['DELETE /things/1', 'GET /things/1']);
  const settings = { seconds: 60, graceSeconds: 30, seed: 1, reports: folder };
  const first = await attempt(service, careful, settings);
  expect(first).toMatchObject({
    operations: 4,
    counts: { 'GET /things/{id}': { 200: 1, 404: 1 }, 'GET /fails': { 500: 1 } },
    requests: 4,
    harmed: [],
  });
  expect(readFileSync(join(folder, 'things/suite/output.txt'), 'utf8')).toBe(
    '200\n404\n500\n200\n',
  );
  const second = await attempt(service, harmful, settings);
  expect(second.harmed).toEqual([
    {
      thing: 'a thing',
      before: expect.stringContaining('"id":"1"'),
      after: expect.stringContaining('Error: GET /things/1 returned 404'),
    },
  ]);

  const outcomes = new Map([
    [careful, { ...first, seconds: 1.4 }],
    [harmful, { ...second, seconds: 2 }],
  ]);
  const row = { service, outcomes };
  expect(lineOf(row)).toBe(
    '| things | Things 1 | 4 | 1 / 1 | 1 / 0 | no report | 1 / 2 | nothing / a thing |\n',
  );
  expect(detailsOf(row)).toEqual([
    '  reached by suite alone:',
    '    GET /things/{id}',
    '  5xx by suite alone:',
    '    GET /fails',
    '  a thing, harmed by schemathesis:',
    expect.stringContaining('"id":"1"'),
    expect.stringContaining('Error: GET /things/1 returned 404'),
    '  reached by schemathesis alone:',
    '    DELETE /things/{id}',
  ]);
});

it('sees that a service has ended', async ({ folder }) => {
  const tool = sending('suite', ['POST /end']);
  const outcome = await attempt(service, tool, {
    seconds: 60,
    graceSeconds: 30,
    seed: 1,
    reports: folder,
  });
  expect(outcome).toMatchObject({
    counts: { 'POST /end': { 200: 1 } },
    harmed: [{ thing: 'the service', before: 'runs', after: 'has ended' }],
  });
});

it('interrupts a tool that takes too long, so that it can report', async ({ folder }) => {
  const program = `
    process.once('SIGINT', () => {
      console.log('interrupted');
      process.exit();
    });
    setInterval(() => {}, 1000);
  `;
  const tool: Tool = {
    name: 'suite',
    command: async () => ({ command: process.execPath, args: ['-e', program] }),
  };
  const settings = { seconds: 1, graceSeconds: 1, seed: 1, reports: folder };
  const outcome = await attempt(service, tool, settings);
  expect(readFileSync(join(outcome.reports, 'output.txt'), 'utf8')).toBe('interrupted\n');
});

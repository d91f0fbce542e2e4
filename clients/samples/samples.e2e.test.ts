/**
 * The samples in curl and TypeScript do what their operation says: each is run against the
 * reference server.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract, packageFolder } from '../folders.ts';
import { type ReferenceServer, startReferenceServer } from '../../tools/reference-server.ts';
import { run } from '../../tools/shell.ts';
import { createClient } from '../typescript/index.ts';
import { type Sample, samplesOf } from './index.ts';
import { classOf } from './java.ts';
import { readDocument } from './json.ts';

const document = readDocument(contract);

let folder: string;
let server: ReferenceServer;
const token = 'samples-token';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edge-samples-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  // The package as it is installed, with the files of this build.
  const installed = join(folder, 'node_modules', '@edge-contract', 'client');
  mkdirSync(installed, { recursive: true });
  copyFileSync(
    join(packageFolder, 'clients', 'typescript', 'package.json'),
    join(installed, 'package.json'),
  );
  symlinkSync(join(packageFolder, 'dist'), join(installed, 'dist'));
  server = await startReferenceServer(token);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Ids are given by the service, so that those of the contract's examples stand for others. */
async function prepared({ request, source }: Sample): Promise<string> {
  const api = createClient({ baseUrl: server.url, token });
  const { id: edge_id } = await api.createEdge({});
  const { id: route_id } = await api.createRoute(
    { edge_id },
    { match_type: 'exact_path', match: '/another' },
  );
  const subscription_id = `sub_${edge_id}`;
  const values = new Map(request.parameters.map(({ name, value }) => [name, value]));
  if (values.has('subscription_id') && request.method !== 'POST') {
    await api.createEventSource(
      { subscription_id },
      { type: values.get('type') ?? 'ip_policy_created.v0' },
    );
  }
  const ids: Record<string, string> = { edge_id, route_id, subscription_id };
  let text = source.replaceAll(request.base, server.url);
  for (const [name, value] of values) {
    text = text.replaceAll(value, ids[name] ?? value);
  }
  return text;
}

const named = (samples: Sample[]) =>
  samples.map((sample) => [classOf(sample.request), sample] as const);

function successOf({ method, returns }: Sample['request']): string {
  if (!returns) {
    return '204';
  }
  return method === 'POST' ? '201' : '200';
}

it.each(named(samplesOf(document, 'curl')))('curl: %s', async (_, sample) => {
  const { stdout } = await run({
    command: 'bash',
    args: ['-c', (await prepared(sample)).replace('curl ', "curl -sS -w '\\n%{http_code}' ")],
    env: { API_TOKEN: token },
  });
  const status = stdout.split('\n').at(-1);
  expect(status, stdout).toBe(successOf(sample.request));
});

it.each(named(samplesOf(document, 'TypeScript')))('TypeScript: %s', async (name, sample) => {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, await prepared(sample));
  const { stdout } = await run({
    command: process.execPath,
    args: [file],
    env: { API_TOKEN: token },
  });
  expect(stdout.includes('created_at') || stdout.includes('type:')).toBe(sample.request.returns);
});

/**
 * `node tools/run.js clients/round-trip/main [NAME...]` makes the client of each language, or those that are named,
 * builds it with its example and samples, runs it against the reference server, and compares what it prints. Public
 * clients (`existing/go`, `existing/python`) run only if named. A client whose tools are missing is skipped. The exit
 * code is 1 when one failed or, where `CI` is set, was skipped, 2 when nothing could be tried, else 0.
 */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, existingClients, languages } from '../command/languages.ts';
import { clientFolder, contract } from '../folders.ts';
import { samplesOf } from '../samples/index.ts';
import { classOf } from '../samples/java.ts';
import { readDocument } from '../samples/json.ts';
import { createClient } from '../typescript/index.ts';
import { startReferenceServer } from '../../tools/reference-server.ts';
import { CommandError, missing, run } from '../../tools/shell.ts';

const TOKEN = 'round-trip-token';

/** @returns the result in words; `failed` goes before what it did otherwise than it should */
async function trip(client: Client): Promise<string> {
  const absent = missing([...new Set([...client.toGenerate, ...client.toRun])]);
  if (absent.length > 0) {
    return `skipped: ${absent.join(', ')} missing`;
  }
  const folder = mkdtempSync(join(tmpdir(), 'edge-client-'));
  const server = await startReferenceServer(TOKEN);
  try {
    await makeAndRun(client, folder, server.url);
    return 'passed';
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof assert.AssertionError)) {
      throw error;
    }
    return `failed: ${error.message}`;
  } finally {
    // No "await using", which Node 20 does not know: tests alone are transpiled for it.
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws {CommandError | assert.AssertionError} where it does not do what it should */
async function makeAndRun(client: Client, folder: string, url: string): Promise<void> {
  const filter = (path: string) => !/[\\/](dist|node_modules)$/.test(path);
  cpSync(clientFolder(client.name), folder, { recursive: true, filter });
  await writeSamples(client, folder, url);
  mkdirSync(join(folder, 'client'), { recursive: true });
  await client.generate(join(folder, 'client'));
  for (const step of client.build(folder)) {
    const { output } = await run(step);
    assert.doesNotMatch(output, /warning/i, `${step.command} warns: ${output}`);
  }
  const step = client.example(folder);
  const { stdout } = await run({ ...step, env: { ...step.env, EDGE_URL: url, EDGE_TOKEN: TOKEN } });
  // Public clients have a file of their own.
  const own = join(folder, 'expected.txt');
  const expected = readFileSync(
    existsSync(own) ? own : join(clientFolder('round-trip'), 'expected.txt'),
    'utf8',
  );
  assert.equal(stdout.replaceAll('\r\n', '\n').trimEnd(), expected.trimEnd());
  const { run: sampleOf } = client.samples ?? {};
  for (const [name, printed] of Object.entries(sampleOf ? SAMPLES : {})) {
    const sample = sampleOf!(folder, name);
    const { output } = await run({ ...sample, env: { ...sample.env, API_TOKEN: TOKEN } });
    assert.match(output, printed, `the sample ${name} printed:\n${output}`);
  }
}

/** The samples that are run, and what each prints: what the examples do not read. All are compiled. */
const SAMPLES = {
  CreateEdgeFull: /Public storefront/,
  CreateRouteAll: /X-Forwarded-Team/,
  ListEdges: /Public storefront/,
  UpdateEventSourceChange: /http_request_complete\.v0/,
};

/** Puts the samples beside the example, so that they are compiled with it. What they name is there. */
async function writeSamples({ samples }: Client, folder: string, url: string): Promise<void> {
  if (samples === undefined) {
    return;
  }
  const api = createClient({ baseUrl: url, token: TOKEN });
  const edge = await api.createEdge({});
  await api.createEventSource({ subscription_id: 'sub_samples' }, { type: 'ip_policy_created.v0' });
  const ids: Record<string, string> = { edge_id: edge.id, subscription_id: 'sub_samples' };
  for (const { request, source } of samplesOf(readDocument(contract), samples.language)) {
    const file = join(folder, samples.file(classOf(request)));
    mkdirSync(dirname(file), { recursive: true });
    let text = source.replaceAll(request.base, url);
    for (const { name, value } of request.parameters) {
      text = text.replaceAll(value, ids[name] ?? value);
    }
    writeFileSync(file, text);
  }
}

const names = process.argv.slice(2);
const known = [...languages, ...existingClients];
const unknown = names.find((name) => !known.some((client) => client.name === name));
if (unknown === undefined) {
  const results: string[] = [];
  for (const client of names.length === 0
    ? languages
    : known.filter(({ name }) => names.includes(name))) {
    const result = await trip(client);
    process.stdout.write(`${client.name}, ${client.generator} ${client.version}: ${result}\n`);
    results.push(result);
  }
  const count = (word: string): number =>
    results.filter((result) => result.startsWith(word)).length;
  const passed = count('passed');
  const failed = count('failed');
  const skipped = count('skipped');
  process.stdout.write(
    `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
  process.exitCode = failed > 0 || (process.env['CI'] && skipped > 0) ? 1 : passed > 0 ? 0 : 2;
} else {
  process.stderr.write(
    `clients: no client '${unknown}': it is one of ${known.map(({ name }) => name).join(', ')}\n`,
  );
  process.exitCode = 2;
}

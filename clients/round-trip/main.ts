/**
 * `node tools/run.js clients/round-trip/main [NAME...]` makes the client of each language, or those
 * that are named, builds it with its example and samples, runs it against the reference server, and
 * compares what it prints; then the programs of its guide, ids that it must refuse, and attempts
 * that fail. Public clients (`existing/go`, `existing/python`) run only if named. A client whose
 * tools are missing is skipped. The exit code is 1 when one failed or, if `CI` is set, was skipped,
 * 2 when nothing could be tried, else 0.
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
import { clientFolder, contract, packageFolder } from '../folders.ts';
import { samplesOf } from '../samples/index.ts';
import { classOf } from '../samples/java.ts';
import { readDocument } from '../samples/json.ts';
import { createClient } from '../typescript/index.ts';
import { startRecorder } from './recorder.ts';
import { startRefusingProxy } from './refusing-proxy.ts';
import { startReferenceServer } from '../../tools/reference-server.ts';
import { CommandError, missing, run, type Step } from '../../tools/shell.ts';

const TOKEN = 'round-trip-token';

/** @returns `passed`, `skipped: REASON` or `failed: ERROR` */
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

/** The output of builds and files of the generated client, which are not part of the example. */
const NOT_COPIED = /[\\/](beside|dist|node_modules)$/;

/** @throws {CommandError | assert.AssertionError} if a step fails or prints something unexpected */
async function makeAndRun(client: Client, folder: string, url: string): Promise<void> {
  const filter = (path: string) => !NOT_COPIED.test(path);
  cpSync(clientFolder(client.name), folder, { recursive: true, filter });
  await writeSamples(client, folder, url);
  writeGuide(client, folder, url);
  mkdirSync(join(folder, 'client'), { recursive: true });
  await client.generate(join(folder, 'client'));
  for (const step of client.build(folder)) {
    const { output } = await run(step);
    assert.doesNotMatch(output, /warning/i, `${step.command} warns: ${output}`);
  }
  await runExample(client, folder, url);
  if (client.repeatsCalls === true) {
    await runRefused(client, folder, url);
  }
  await runSamples(client, folder);
  if (client.guide !== undefined) {
    const guide = client.guide.run(folder);
    await run({ ...guide, env: { ...guide.env, API_TOKEN: TOKEN } });
  }
  await runRecorded(client.refusedIds?.(folder), 'refused-ids.txt');
  await runRecorded(client.failures?.(folder), 'failures.txt');
}

async function runExample(client: Client, folder: string, url: string): Promise<void> {
  const step = client.example(folder);
  const { stdout } = await run({ ...step, env: { ...step.env, EDGE_URL: url, EDGE_TOKEN: TOKEN } });
  // Public clients have their own file.
  const own = join(folder, 'expected.txt');
  const shared = join(clientFolder('round-trip'), 'expected.txt');
  const expected = readFileSync(existsSync(own) ? own : shared, 'utf8');
  assert.equal(stdout.replaceAll('\r\n', '\n').trimEnd(), expected.trimEnd());
}

const EXAMPLE_SUBSCRIPTION = 'sub_orders';

/** The example prints the same if the first attempt of each call is refused. */
async function runRefused(client: Client, folder: string, url: string): Promise<void> {
  const proxy = await startRefusingProxy(url);
  try {
    const api = createClient({ baseUrl: url, token: TOKEN });
    const path = { subscription_id: EXAMPLE_SUBSCRIPTION };
    // The first run has left them.
    for await (const { type } of api.listEventSources(path)) {
      await api.deleteEventSource({ ...path, type });
    }
    await runExample(client, folder, proxy.url);
    assert.ok(Math.min(...Object.values(proxy.refused)) > 0, 'the proxy refused no request');
  } finally {
    proxy.close();
  }
}

/**
 * A program beside the example prints what the file says, and the requests that arrive follow in it
 * after an empty line.
 */
async function runRecorded(
  step: Step | undefined,
  file: 'failures.txt' | 'refused-ids.txt',
): Promise<void> {
  if (step === undefined) {
    return;
  }
  const recorder = await startRecorder();
  try {
    const { stdout } = await run({ ...step, env: { ...step.env, EDGE_URL: recorder.url } });
    const printed = stdout.replaceAll('\r\n', '\n');
    const expected = readFileSync(join(clientFolder('round-trip'), file), 'utf8');
    assert.equal(`${printed}\n${counted(recorder.arrived)}`, expected);
  } finally {
    recorder.close();
  }
}

/** A line for each request, with the number of times that it arrived. */
function counted(requests: readonly string[]): string {
  const lines = [...new Set(requests)].map((line) => {
    const times = requests.filter((one) => one === line).length;
    return times === 1 ? `${line}\n` : `${line}, ${times} times\n`;
  });
  return lines.join('');
}

async function runSamples({ samples }: Client, folder: string): Promise<void> {
  if (samples?.run === undefined) {
    return;
  }
  for (const [name, printed] of Object.entries(SAMPLES)) {
    const sample = samples.run(folder, name);
    const { output } = await run({ ...sample, env: { ...sample.env, API_TOKEN: TOKEN } });
    assert.match(output, printed, `the sample ${name} printed:\n${output}`);
  }
}

/**
 * The samples that are run, which do what the examples do not, and what each prints. All samples
 * are compiled.
 */
const SAMPLES = {
  CreateEdgeFull: /Public storefront/,
  CreateRouteAll: /X-Forwarded-Team/,
  ListEdges: /Public storefront/,
  UpdateEventSourceChange: /http_request_complete\.v0/,
};

/**
 * Puts the samples beside the example, so that they are compiled with it, and makes the resources
 * that they name.
 */
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

/** The programs of a guide in one file, with the address of the server. */
function writeGuide({ guide }: Client, folder: string, url: string): void {
  if (guide === undefined) {
    return;
  }
  const text = readFileSync(join(packageFolder, guide.markdown), 'utf8');
  const programs = new RegExp(`^\`\`\`${guide.mark}\\n(?<program>[^]*?)^\`\`\`$`, 'gm');
  const found = [...text.matchAll(programs)].map((match) => match.groups?.['program']);
  assert.notEqual(found.length, 0, `${guide.markdown} has no program in ${guide.mark}`);
  const file = join(folder, guide.file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, found.join('').replaceAll('http://127.0.0.1:4010', url));
}

/** @returns the exit code */
async function main(names: readonly string[]): Promise<0 | 1 | 2> {
  const known = [...languages, ...existingClients];
  const unknown = names.find((name) => !known.some((client) => client.name === name));
  if (unknown !== undefined) {
    const choices = known.map(({ name }) => name).join(', ');
    process.stderr.write(`clients: no client '${unknown}': it is one of ${choices}\n`);
    return 2;
  }
  const chosen = names.length === 0 ? languages : known.filter(({ name }) => names.includes(name));
  const results: string[] = [];
  for (const client of chosen) {
    const result = await trip(client);
    process.stdout.write(`${client.name}, ${client.generator} ${client.version}: ${result}\n`);
    results.push(result);
  }
  return summarize(results);
}

function summarize(results: readonly string[]): 0 | 1 | 2 {
  const count = (word: string) => results.filter((result) => result.startsWith(word)).length;
  const passed = count('passed');
  const failed = count('failed');
  const skipped = count('skipped');
  const skips = skipped > 0 ? `, ${skipped} skipped` : '';
  process.stdout.write(`\n${passed} passed, ${failed} failed${skips}\n`);
  const isIncomplete = skipped > 0 && Boolean(process.env['CI']);
  if (failed > 0 || isIncomplete) {
    return 1;
  }
  return passed > 0 ? 0 : 2;
}

process.exitCode = await main(process.argv.slice(2));

/**
 * What README.md says, without running it as a shell would: its commands, its files, its failure block and its links.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blocksOf, README, URL_IN_README } from './command/readme.ts';
import { folderWith, suite } from './command/suite.ts';
import { faulty, implementation } from './command/services.ts';
import { loadContract } from './engine/contract/load.ts';
import { readKnownFailures } from './engine/run/known-failures.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { EDGE_API } from './api/index.ts';
import { allIds, select } from './engine/run/run.ts';

const contract = loadContract();
const options = new Set(HELP.match(/(?<=^ {2}--)[\w-]+/gm));

/** The arguments of each call of the command, as a shell takes them apart. */
function callsIn(script: string): string[][] {
  return script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, call] = /(?:npx edge-conformance|npm run conformance --)( .*?)?(?: >.*)?$/.exec(line) ?? [];
      return [...(call ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
    });
}

/** Without columns, and without the breaks that a long id makes in a line. */
function plain(text: string): string {
  return text
    .replaceAll(/[\s│]+/g, ' ')
    .trim()
    .replaceAll(/https\/[\w-]{12,}/g, 'https/ID');
}

describe('README.md', () => {
  const scripts = blocksOf('sh');

  it('has commands', () => {
    expect(scripts.length).toBeGreaterThan(8);
    for (const script of scripts) expect(script).toMatch(/edge-conformance|npm run conformance/);
  });

  it.each(scripts)('%s', (script) => {
    using folder = folderWith({
      'conformance.yaml': blocksOf('yaml').find((text) => text.startsWith('# conformance.yaml'))!,
    });
    for (const args of callsIn(script)) {
      expect(args).not.toEqual([]);
      const read = readOptions(args, { CONFORMANCE_TOKEN: 'a-token' }, folder.path) as Options;
      expect(read.url).toBe(args[0] === '--list' ? 'http://127.0.0.1' : URL_IN_README);
      const checked = { contract, level: read.level ?? ('extended' as const), origin: read.origin };
      expect(select(checked, { ...read, api: EDGE_API })).not.toEqual([]);
    }
  });

  it('names no option that there is not', () => {
    // The script in the failure block has options of curl.
    const words = README.replaceAll(/^```text\n[^]*?^```$/gm, '');
    const named = words.match(/(?<=[\s`])--[a-z][\w-]+/g)!.map((option) => option.slice(2));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((option) => !options.has(option))).toEqual([]);
  });

  it('has a list of known failures that can be used', () => {
    using folder = folderWith({ 'known.json': blocksOf('json')[0]! });
    expect(readKnownFailures('known.json', allIds(contract, EDGE_API), new Date(), folder.path)).toHaveLength(1);
  });

  it('shows what a failure block is made of', async () => {
    const [shown] = blocksOf('text');
    const forgetful = faulty((response, { method, target: path }) => {
      if (method !== 'GET' || response.status !== 200 || !path.startsWith('/edges/https/')) return response;
      const edge = JSON.parse(String(response.body)) as { hostports: string[] };
      return { ...response, body: JSON.stringify({ ...edge, hostports: edge.hostports.slice(0, 1) }) };
    });
    await using served = await implementation(forgetful);
    const { code, stdout } = await suite([served.url, '--only', 'edges.read-your-write', '--seed', '42']);
    expect(code).toBe(1);
    const printed = plain(stdout.replaceAll(served.url, URL_IN_README));
    const lines = shown!
      .split('\n')
      .map(plain)
      .filter((line) => line !== '' && !/…/.test(line));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines)
      expect(printed).toContain(line.replace(/openapi\.yaml:\d+.*/, 'openapi.yaml:').replace(/@0\..*/, '@0.'));
  });

  it('links to what is there', () => {
    const links = [...README.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((path) => !existsSync(new URL(path, import.meta.url)))).toEqual([]);
    // Beside it in the package, too.
    expect(links.filter((path) => !path.startsWith('engine/report/'))).toEqual([]);
  });
});

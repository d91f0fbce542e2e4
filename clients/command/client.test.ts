/**
 * The steps of `npm run client` before and after a generator; clients/round-trip tries the
 * generators.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { client } from './client.ts';
import { type Language, languages } from './languages.ts';
import { startProgress } from './progress.ts';
import { clientFolder, contract } from '../folders.ts';
import { cached, CommandError, missing, run } from '../../tools/shell.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
});

const made: string[] = [];
const fake: Language = {
  name: 'fake',
  generator: 'fakegen',
  version: '1.2.3',
  toGenerate: ['faketool'],
  toRun: [],
  next: 'Use it.',
  async generate(out, report = () => {}) {
    report('writing');
    made.push(out);
  },
  build: () => [],
  example: () => ({ command: 'true', args: [] }),
  refusedIds: () => ({ command: 'true', args: [] }),
};

/** A PATH on which the tool is. */
function path(): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'faketool'), '', { mode: 0o755 });
  return bin;
}

describe('npm run client', () => {
  it('makes the client in a folder that it creates, and says what to do with it', async () => {
    const out = join(folder, 'new', 'client');
    const said = `The fake client is in ${out}, made by fakegen 1.2.3.\nUse it.\n`;
    expect(await client(['fake', out], [fake], { path: path() })).toBe(said);
    expect(made.at(-1)).toBe(out);
    expect(existsSync(out)).toBe(true);
  });

  it('makes it below the folder where npm was called', async () => {
    const options = { path: path(), cwd: folder };
    await client(['fake', './client'], [fake], options);
    expect(made.at(-1)).toBe(join(folder, 'client'));
  });

  it('keeps its help within 100 columns', async () => {
    const help = await client(['--help'], languages);
    expect(help.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it('reports the steps of the generator', async () => {
    const steps: string[] = [];
    const report = (step: string) => void steps.push(step);
    await client(['fake', join(folder, 'out')], [fake], { path: path(), report });
    expect(steps).toEqual(['writing']);
  });

  it('has an example for each language that is made at the end of its help', async () => {
    const help = await client(['--help'], languages);
    const examples = help.slice(help.indexOf('Examples:'));
    for (const { name } of languages.filter(({ toGenerate }) => toGenerate.length > 0)) {
      expect(examples).toContain(` run client -- ${name} `);
    }
  });

  it.each([
    ['no language', [], /which language/],
    ['an unknown language', ['cobol', 'x'], /unknown language 'cobol'.*fake/],
    ['no folder', ['fake'], /OUT-DIR/],
    ['an unknown option', ['fake', '--force'], /OUT-DIR/],
    ['two folders', ['fake', 'a', 'b'], /OUT-DIR/],
  ])('refuses %s', async (_, args, message) => {
    await expect(client(args, [fake], { path: path() })).rejects.toThrow(message);
  });

  it('writes neither into a folder that holds something nor over a file', async () => {
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    for (const out of [folder, join(folder, 'mine.txt')]) {
      await expect(client(['fake', out], [fake], { path: '' })).rejects.toThrow(
        /not an empty folder/,
      );
    }
    expect(readdirSync(folder)).toEqual(['mine.txt']);
  });

  it('names the tool that is missing, and leaves no folder behind', async () => {
    const out = join(folder, 'out');
    const message = 'faketool is missing: fakegen needs faketool on the PATH';
    await expect(client(['fake', out], [fake], { path: folder })).rejects.toThrow(message);
    expect(existsSync(out)).toBe(false);
  });
});

it('a generator is installed once, and again after an install that broke off', async () => {
  vi.stubEnv('XDG_CACHE_HOME', folder);
  let installs = 0;
  const install = async (to: string) => {
    writeFileSync(join(to, `part-${(installs += 1)}`), '');
    if (installs === 1) {
      throw new CommandError('offline');
    }
  };
  await expect(cached('gen-1', install)).rejects.toThrow('offline');
  const filled = await cached('gen-1', install);
  expect(await cached('gen-1', install)).toBe(filled);
  expect(readdirSync(filled).filter((name) => name.startsWith('part'))).toEqual(['part-2']);
  vi.unstubAllEnvs();
});

it.each([
  ['fails is quoted, with its exit code', process.execPath, /exit code 3:\nno disk/],
  ['does not exist is named', '/no/such/program', /program cannot be started/],
])('another program that %s', async (_, command, message) => {
  await expect(
    run({ command, args: ['-e', 'console.error("no disk"); process.exit(3)'] }),
  ).rejects.toThrow(message);
});

it('a program is missing if no folder of the PATH has it as an executable file', () => {
  const bin = path();
  writeFileSync(join(bin, 'notes'), '');
  expect(missing(['faketool', 'notes', 'other'], bin)).toEqual(['notes', 'other']);
});

it('progress names each step, and every ten seconds how long it takes, until its end', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const progress = startProgress((line) => void lines.push(line));
  progress.report('fetching');
  vi.advanceTimersByTime(25_000);
  progress.report('writing');
  progress.end();
  vi.advanceTimersByTime(25_000);
  vi.useRealTimers();
  expect(lines).toEqual([
    'fetching ...\n',
    'fetching ... 10 s\n',
    'fetching ... 20 s\n',
    'writing ...\n',
  ]);
});

it('the README of the Java client has the version of the contract', () => {
  const version = /^ {2}version: (\S+)$/m.exec(readFileSync(contract, 'utf8'))?.[1];
  const readme = join(clientFolder('java'), 'beside', 'README.md');
  expect(readFileSync(readme, 'utf8')).toContain(`<version>${version}</version>`);
});

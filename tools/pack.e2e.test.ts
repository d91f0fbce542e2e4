/** The packages as they are published: packed, installed into empty folders, and used there with one another. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './build.js';
import { run } from './shell.ts';

const PACKAGES = ['client', 'conformance', 'server'] as const;
type Package = (typeof PACKAGES)[number];

const folder = mkdtempSync(join(tmpdir(), 'edge-packages-'));
const tarball = (name: Package): string =>
  join(
    folder,
    readdirSync(folder).find((file) => file.startsWith(`edge-contract-${name}-`))!,
  );
/** An empty folder in which a user installs one package. */
const userFolder = (name: Package): string => join(folder, name);
const installed = (name: Package): string => join(userFolder(name), 'node_modules', '@edge-contract', name);

async function output(command: string, args: string[], cwd: string): Promise<string> {
  return (await run({ command, args, cwd })).stdout;
}

beforeAll(async () => {
  await output('npm', ['pack', '--workspaces', '--silent', '--pack-destination', folder], ROOT);
  for (const name of PACKAGES) {
    mkdirSync(userFolder(name));
    writeFileSync(join(userFolder(name), 'package.json'), '{"private":true,"type":"module"}');
    const options = ['--silent', '--prefer-offline', '--no-audit', '--no-fund'];
    await output('npm', ['install', ...options, tarball(name)], userFolder(name));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));
}

describe.each(PACKAGES)('%s', (name) => {
  it('has its own manual, the licence and the changelog', () => {
    expect(filesIn(installed(name))).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md']));
  });

  it('has no tests, nothing that only tests use, and no sources', () => {
    const unwanted = /\.(test|suite)\.|(^|\/)(self|command|testing|bench)\/|sample|vitest|\.map$|(?<!\.d)\.ts$/;
    expect(filesIn(installed(name)).filter((path) => unwanted.test(path))).toEqual([]);
  });

  it('links to what it holds', () => {
    const broken = ['README.md', 'CHANGELOG.md'].flatMap((file) =>
      [...readFileSync(join(installed(name), file), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !existsSync(join(installed(name), target))),
    );
    expect(broken).toEqual([]);
  });

  it('exports files that are there', () => {
    const { exports } = JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8')) as {
      exports: Record<string, string | Record<string, string>>;
    };
    const paths = Object.values(exports).flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one)));
    expect(paths.filter((path) => !existsSync(join(installed(name), path)))).toEqual([]);
  });
});

it('the contract travels with what reads it, and the page with what serves it', () => {
  const having = (file: string) => PACKAGES.filter((name) => existsSync(join(installed(name), file)));
  expect(having('dist/openapi.yaml')).toEqual(['conformance', 'server']);
  expect(having('dist/docs/index.html')).toEqual(['server']);
});

it('the client is small: at most 3 packages and 1 MB', () => {
  const { packages } = JSON.parse(
    readFileSync(join(userFolder('client'), 'node_modules', '.package-lock.json'), 'utf8'),
  ) as { packages: Record<string, unknown> };
  expect(Object.keys(packages).length).toBeLessThanOrEqual(3);
  const modules = join(userFolder('client'), 'node_modules');
  const bytes = filesIn(modules).reduce((sum, file) => sum + statSync(join(modules, file)).size, 0);
  expect(bytes).toBeLessThan(1_000_000);
});

it.each([
  ['edge-server', 'server', '--port'],
  ['edge-conformance', 'conformance', '--replay'],
] as const)('npx runs %s from the tarball in an empty folder', async (command, name, option) => {
  const empty = join(folder, `npx-${name}`);
  mkdirSync(empty);
  const args = ['--yes', '--prefer-offline', `--package=${tarball(name)}`, command, '--help'];
  expect(await output('npx', args, empty)).toContain(option);
});

/** Refuses the first request of each method, then passes all on. */
async function inFrontOf(url: string): Promise<{ url: string; refused: string[] } & AsyncDisposable> {
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    const method = request.method!;
    const body = await text(request);
    if (!refused.some((one) => one.startsWith(method))) {
      const status = method === 'POST' ? 429 : 503;
      refused.push(`${method} ${status}`);
      response.writeHead(status, { 'Retry-After': '0' }).end();
      return;
    }
    const {
      status,
      headers,
      body: sent,
    } = await fetch(url + request.url, {
      method,
      ...(body === '' ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
    });
    response.writeHead(status, { 'Content-Type': headers.get('Content-Type') ?? 'text/plain' });
    response.end(sent === null ? '' : await text(sent));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

describe('an installed server', () => {
  let url: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const server = spawn(
      process.execPath,
      [join(installed('server'), 'dist', 'server', 'main.js'), '--port', '0', '--data-dir', join(folder, 'data')],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const closed = once(server, 'close');
    stop = async () => {
      server.kill('SIGTERM');
      await closed;
    };
    let printed = '';
    server.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    while (!/^API\s+http/m.test(printed)) {
      if (server.exitCode !== null) throw new Error(printed);
      await Promise.race([once(server.stderr, 'data'), closed]);
    }
    url = /^API\s+(\S+)/m.exec(printed)![1]!;
  });
  afterAll(() => stop());

  it.each(['/docs', '/openapi.yaml', '/openapi.json', '/openapi-3.0.yaml'])('serves %s', async (path) => {
    expect((await fetch(url + path)).status).toBe(200);
  });

  it('passes the installed suite, which names its version and writes its reports', async () => {
    const cwd = userFolder('conformance');
    expect(await output('npx', ['edge-conformance', '--version'], cwd)).toMatch(
      /^@edge-contract\/conformance \d+\.\d+\.\d+, contract \d+\.\d+\.\d+\n$/,
    );
    const options = ['--level', 'core', '--runs', '2', '--report', 'reports'];
    expect(await output('npx', ['edge-conformance', url, ...options], cwd)).toMatch(/^Conformant/m);
    expect(readdirSync(join(cwd, 'reports')).length).toBeGreaterThan(3);
  });

  it('works with each program of the manual of the installed client', async () => {
    await using flaky = await inFrontOf(url);
    const cwd = userFolder('client');
    const manual = readFileSync(join(installed('client'), 'README.md'), 'utf8');
    const programs = [...manual.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, program]) => program!);
    expect(programs.length).toBeGreaterThan(4);
    // The types of Node, which a user of TypeScript has.
    mkdirSync(join(cwd, 'node_modules', '@types'));
    symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(cwd, 'node_modules', '@types', 'node'));
    const files = programs.map((_, index) => `program-${index}.ts`);
    for (const [index, program] of programs.entries())
      writeFileSync(
        join(cwd, files[index]!),
        program.replaceAll('http://127.0.0.1:4010', program.includes('fetchWithRetries') ? flaky.url : url),
      );
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const strict = ['--strict', '--skipLibCheck', 'false', '--module', 'NodeNext', '--target', 'ES2023'];
    await output(process.execPath, [tsc, ...strict, '--types', 'node', ...files], cwd);
    const printed: string[] = [];
    for (const file of files) printed.push(await output(process.execPath, [file.replace(/\.ts$/, '.js')], cwd));
    const all = printed.join('');
    expect(all).toContain('400 invalid_request\n/hostports/0 format');
    expect(all).toContain('All traffic null');
    expect(flaky.refused).toEqual(['POST 429', 'DELETE 503']);
  });
});

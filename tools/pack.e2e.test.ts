/**
 * The packages as the release makes and publishes them: packed, installed into empty folders, and
 * used there with one another.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ROOT } from './build.js';
import { startServer } from './reference-server.ts';
import { run } from './shell.ts';

const PACKAGES = ['client', 'conformance', 'server'] as const;
type Package = (typeof PACKAGES)[number];

const folder = mkdtempSync(join(tmpdir(), 'edge-packages-'));

/** A folder in which a user has installed one package. */
const userFolder = (name: Package): string => join(folder, name);

const installed = (name: Package): string =>
  join(userFolder(name), 'node_modules', '@edge-contract', name);

async function output(command: string, args: string[], cwd: string): Promise<string> {
  const { stdout } = await run({ command, args, cwd });
  return stdout;
}

/** The command of the release that packs the packages into a folder. */
const PACK_COMMAND = /- run: (npm pack .*) packages\n/;

beforeAll(async () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  const [, pack] = PACK_COMMAND.exec(workflow)!;
  await output('bash', ['-c', `${pack} ${folder}`], ROOT);
  const tarballs = readdirSync(folder);
  for (const name of PACKAGES) {
    mkdirSync(userFolder(name));
    writeFileSync(join(userFolder(name), 'package.json'), '{"private":true,"type":"module"}');
    const tarball = tarballs.find((file) => file.startsWith(`edge-contract-${name}-`))!;
    const options = ['--silent', '--prefer-offline', '--no-audit', '--no-fund'];
    await output('npm', ['install', ...options, join(folder, tarball)], userFolder(name));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A link of Markdown to a file, without its fragment. */
const LINK = /\]\(([^)#:]+)(?:#[^)]*)?\)/g;

/** The exports of a package, by condition or not. */
type Exports = Record<string, string | Record<string, string>>;

const UNWANTED = [
  /\.(test|suite)\./,
  /(^|\/)(self-test|command|testing|bench)\//,
  /sample|vitest|\.map$/,
  /(?<!\.d)\.ts$/,
];

it.each<[Package, string[]]>([
  ['client', []],
  ['conformance', ['dist/openapi.yaml']],
  [
    'server',
    [
      'dist/openapi.yaml',
      'dist/docs/favicon.svg',
      'dist/docs/index.html',
      'dist/docs/try.html',
      'dist/docs/llms.txt',
      'dist/docs/pages/createRoute.md',
      'dist/server/transfer/help.txt',
    ],
  ],
])('%s has what it links to and exports, and no sources or tests', (name, others) => {
  const read = (file: string): string => readFileSync(join(installed(name), file), 'utf8');
  const documents = read('README.md') + read('CHANGELOG.md');
  const linked = [...documents.matchAll(LINK)].map(([, target]) => target!);
  const { exports } = JSON.parse(read('package.json')) as { exports: Exports };
  const exported = Object.values(exports).flatMap((one) =>
    typeof one === 'string' ? one : Object.values(one),
  );
  const expected = ['LICENSE', ...others, ...linked, ...exported];
  expect(expected.filter((file) => !existsSync(join(installed(name), file)))).toEqual([]);

  const files = readdirSync(installed(name), { recursive: true, encoding: 'utf8' });
  const isUnwanted = (file: string) => UNWANTED.some((pattern) => pattern.test(file));
  expect(files.filter(isUnwanted)).toEqual([]);
});

it('the client has no program of the round trip', () => {
  const files = readdirSync(installed('client'), { recursive: true, encoding: 'utf8' });
  const typed = new Set(files.filter((file) => file.endsWith('.d.ts')));
  const modules = files.filter((file) => file.endsWith('.js'));
  // What the package exports is typed, and so is all that this imports.
  expect(modules.filter((file) => !typed.has(file.replace(/\.js$/, '.d.ts')))).toEqual([]);
});

/** A block of TypeScript in Markdown. */
const PROGRAM = /^```ts\n([^]*?)^```$/gm;

function programsIn(markdown: string): string[] {
  return [...markdown.matchAll(PROGRAM)].map(([, program]) => program!);
}

/** Calls the program in the manual of the server, and ends it. */
const CALLS = `
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  for (const path of ['mine', 'edges/https'])
    console.log(await (await fetch(\`http://127.0.0.1:\${port}/api/v0/\${path}\`)).text());
  await edges.close();
  process.exit();`;

const RESPONSES = /^mine\n\{"https_edges":\[\].*\/api\/v0\/edges/;

it('the program in the manual of the installed server compiles and serves', async () => {
  const cwd = userFolder('server');
  const [program] = programsIn(readFileSync(join(installed('server'), 'README.md'), 'utf8'));
  const served = program!
    .replace('express().use', 'const server = express().use')
    .replace('3000', '0');
  writeFileSync(join(cwd, 'app.ts'), served + CALLS);
  await compile(cwd, 'app.ts');
  expect(await output(process.execPath, ['app.js'], cwd)).toMatch(RESPONSES);
});

it('the program in the guide to Express compiles with the installed server', async () => {
  const cwd = userFolder('server');
  const [program] = programsIn(readFileSync(join(ROOT, 'docs', 'use-in-express.md'), 'utf8'));
  writeFileSync(join(cwd, 'guide.ts'), program!);
  await compile(cwd, 'guide.ts');
});

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const STRICT = ['--strict', '--module', 'NodeNext', '--target', 'ES2023', '--types', 'node'];
const LIBRARIES = ['--lib', 'ES2023,ESNext.Disposable'];

async function compile(cwd: string, file: string): Promise<void> {
  useTypes(cwd);
  await output(process.execPath, [TSC, ...STRICT, ...LIBRARIES, file], cwd);
}

/** Links the types of Node and others, which a user of TypeScript has. */
function useTypes(cwd: string): void {
  const from = join(ROOT, 'node_modules', '@types');
  const to = join(cwd, 'node_modules', '@types');
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (!existsSync(join(to, name))) {
      symlinkSync(join(from, name), join(to, name));
    }
  }
}

/** A module that refuses the first request of each method. */
const FLAKY_FETCH = `
  const real = globalThis.fetch;
  const refused = [];
  globalThis.fetch = async (request) => {
    if (refused.includes(request.method)) return real(request);
    refused.push(request.method);
    const status = request.method === 'POST' ? 429 : 503;
    return new Response(null, { status, headers: { 'Retry-After': '0' } });
  };
  process.on('exit', () => console.log('refused: ' + refused));`;

async function startInstalledServer() {
  const main = join(installed('server'), 'dist', 'server', 'main.js');
  const server = await startServer({
    main,
    args: ['--data-dir', mkdtempSync(join(folder, 'data-'))],
  });
  onTestFinished(() => void server.end('SIGTERM'));
  return server;
}

it('the installed server shows its docs, and passes the installed suite', async () => {
  const command = join(userFolder('server'), 'node_modules', '.bin', 'edge-server');
  expect(await output(command, ['--version'], folder)).toMatch(/^edge-server \d\S+, contract \d/);
  const { url } = await startInstalledServer();
  for (const path of ['/docs', '/try', '/openapi.yaml', '/openapi.json', '/favicon.ico']) {
    expect((await fetch(url + path)).status, path).toBe(200);
  }
  const cwd = userFolder('conformance');
  const options = ['--level', 'core', '--runs', '2', '--report', 'reports'];
  const suite = await output('npx', ['@edge-contract/conformance', url, ...options], cwd);
  expect(suite).toMatch(/^Conformant/m);
  expect(readdirSync(join(cwd, 'reports'))).toContain('report.html');
});

it('the program in the manual of the client runs, also if requests are refused', async () => {
  const { url } = await startInstalledServer();
  const cwd = userFolder('client');
  const manual = readFileSync(join(installed('client'), 'README.md'), 'utf8');
  writeFileSync(join(cwd, 'flaky.mjs'), FLAKY_FETCH);
  const program = programsIn(manual).join('');
  writeFileSync(join(cwd, 'manual.ts'), program.replaceAll('http://127.0.0.1:4010', url));
  await compile(cwd, 'manual.ts');
  const printed = await output(process.execPath, ['--import', './flaky.mjs', 'manual.js'], cwd);
  expect(printed).toContain('400 invalid_request\n/hostports/0 format');
  expect(printed).toContain('All traffic null');
  expect(printed).toContain('refused: POST,PATCH,GET,DELETE');
});

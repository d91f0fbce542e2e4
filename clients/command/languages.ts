/** The languages that clients are made in: their generators, and how the examples beside them are built and run. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { cached, cacheFolder } from '../../tools/cache.ts';
import { openapiGeneratorJar, VERSION } from '../../tools/openapi-generator.ts';
import { pythonProgram } from '../../tools/python.ts';
import { run, type Step } from '../../tools/shell.ts';

export interface Language {
  /** As on the command line. */
  name: string;
  generator: string;
  /** Pinned: a generator that changes makes another client. */
  version: string;
  /** What must be on the PATH to make a client. */
  toGenerate: readonly string[];
  /** What must be on the PATH to build and run the example beside it. */
  toRun: readonly string[];
  /** Makes the client in `out`, an empty folder; installs the generator on first use. */
  generate(out: string): Promise<unknown>;
  /** What to do with the client, in one line. */
  next: string;
  /** The example in `work`, a copy of clients/LANGUAGE with the client in `work/client`: the steps that build it... */
  build(work: string): readonly Step[];
  /** ...and the one that runs it, with EDGE_URL and EDGE_TOKEN in its environment. */
  example(work: string): Step;
  /** The one that runs the sample of that name, with API_TOKEN in its environment. Its address is the server's. */
  sample?(work: string, name: string): Step;
}

/** The folder of this package, from the sources as from dist/. */
export const packageFolder = ((folder) => join(folder, folder.split(/[\\/]/).at(-2) === 'dist' ? '../..' : '..'))(
  dirname(import.meta.dirname),
);
/** The contract, for generators that read OpenAPI 3.1. */
export const contract = join(packageFolder, 'openapi.yaml');
/** The settings of a generator, and the example. */
export const clientFolder = (language: string) => join(packageFolder, 'clients', language);
/** Which the clients carry as theirs. */
export const contractVersion = () =>
  (load(readFileSync(contract, 'utf8'), { schema: CORE_SCHEMA }) as { info: { version: string } }).info.version;

const npmPackage = JSON.parse(readFileSync(join(clientFolder('typescript'), 'package.json'), 'utf8')) as {
  name: string;
  version: string;
  dependencies: Record<string, string>;
};

/** Not generated: it is a package of its own, which is packed and installed here as its users install it. */
const typescript: Language = {
  name: 'typescript',
  generator: 'openapi-fetch',
  version: npmPackage.dependencies['openapi-fetch']!,
  toGenerate: [],
  toRun: ['node', 'npm'],
  async generate(out) {
    writeFileSync(join(out, 'package.json'), '{"private":true,"type":"module"}');
    copyFileSync(join(clientFolder('typescript'), 'example.ts'), join(out, 'example.ts'));
    await run({
      command: 'npm',
      args: ['pack', '--silent', '--workspace', npmPackage.name, '--pack-destination', out],
      cwd: packageFolder,
    });
    const tarball = `./${npmPackage.name.slice(1).replace('/', '-')}-${npmPackage.version}.tgz`;
    const options = ['--silent', '--prefer-offline', '--no-audit', '--no-fund'];
    await run({ command: 'npm', args: ['install', ...options, tarball], cwd: out });
  },
  next: `Nothing is generated: \`npm install ${npmPackage.name}\`, then import it.`,
  build: (work) => [
    {
      command: process.execPath,
      args: [
        join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc'),
        ...['--strict', '--module', 'NodeNext', '--target', 'ES2023'],
        ...['--typeRoots', join(packageFolder, 'node_modules', '@types'), '--types', 'node'],
        'example.ts',
      ],
      cwd: join(work, 'client'),
    },
  ],
  example: (work) => ({ command: process.execPath, args: [join(work, 'client', 'example.js')] }),
};

/** All that the generator is made of, with versions; the first line is the generator itself. */
const requirements = () => join(clientFolder('python'), 'generator-requirements.txt');
const PYTHON_GENERATOR = '0.29.0';

const python: Language = {
  name: 'python',
  generator: 'openapi-python-client',
  version: PYTHON_GENERATOR,
  toGenerate: ['python3'],
  toRun: ['python3'],
  async generate(out) {
    const folder = await pythonProgram('openapi-python-client', PYTHON_GENERATOR, requirements());
    await run({
      command: join(folder, 'bin', 'openapi-python-client'),
      args: [
        ...['generate', '--path', contract, '--output-path', out, '--overwrite', '--fail-on-warning', '--meta', 'uv'],
        ...['--config', join(clientFolder('python'), 'generator.yaml')],
      ],
      // It calls ruff, to format what it wrote.
      env: { PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter) },
    });
  },
  next: 'It is a package: `pip install` that folder. Python 3.11 or newer.',
  build: (work) => [
    { command: 'python3', args: ['-m', 'venv', join(work, 'venv')] },
    {
      command: join(work, 'venv', 'bin', 'pip'),
      args: [
        'install',
        '-q',
        '--disable-pip-version-check',
        '-r',
        join(work, 'requirements.txt'),
        join(work, 'client'),
      ],
    },
    {
      command: join(work, 'venv', 'bin', 'python'),
      args: ['-W', 'error', '-m', 'compileall', '-q', join(work, 'client'), join(work, 'example.py')],
    },
    { command: join(work, 'venv', 'bin', 'mypy'), args: ['--strict', 'example.py', 'samples'], cwd: work },
  ],
  example: (work) => ({
    command: join(work, 'venv', 'bin', 'python'),
    args: ['-W', 'error', join(work, 'example.py')],
  }),
  sample: (work, name) => ({
    command: join(work, 'venv', 'bin', 'python'),
    args: ['-W', 'error', join(work, 'samples', `${name}.py`)],
  }),
};

const GO_GENERATOR = '2.8.0';

const go: Language = {
  name: 'go',
  generator: 'oapi-codegen',
  version: GO_GENERATOR,
  toGenerate: ['go'],
  toRun: ['go'],
  async generate(out) {
    const folder = await cached(`oapi-codegen-${GO_GENERATOR}`, (to) =>
      run({
        command: 'go',
        args: ['install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${GO_GENERATOR}`],
        env: { GOBIN: to },
      }),
    );
    await run({
      command: join(folder, 'oapi-codegen'),
      args: ['-config', join(clientFolder('go'), 'generator.yaml'), '-o', join(out, 'edge.gen.go'), contract],
    });
  },
  next: 'It is a package, edge: put it into your module, then `go mod tidy`.',
  build: (work) => [
    { command: 'go', args: ['vet', './...'], cwd: work },
    { command: 'go', args: ['build', '-o', 'example', '.'], cwd: work },
  ],
  example: (work) => ({ command: join(work, 'example'), args: [] }),
  sample: (work, name) => ({ command: 'go', args: ['run', `./samples/${name}`], cwd: work }),
};

/** OpenAPI Generator, with the settings of clients/LANGUAGE/generator.yaml. */
async function openapiGenerator(language: string, out: string): Promise<void> {
  const jar = await openapiGeneratorJar();
  const settings = join(clientFolder(language), 'generator.yaml');
  await run({ command: 'java', args: ['-jar', jar, 'generate', '-i', contract, '-c', settings, '-o', out] });
}

/** A warning of the compiler is an error, since a quiet Maven does not show it; and only what runs is built. */
const MAVEN = [
  '-Dmaven.compiler.release=11',
  '-Dmaven.compiler.showWarnings=true',
  '-Dmaven.compiler.failOnWarning=true',
  '-Dmaven.javadoc.skip=true',
  '-Dmaven.source.skip=true',
];

const javaMain = (work: string, name: string): Step => ({
  command: 'java',
  args: ['-cp', `${join(work, 'example', 'target', 'classes')}:${join(work, 'example', 'target', 'lib', '*')}`, name],
});

const java: Language = {
  name: 'java',
  generator: 'openapi-generator (native)',
  version: VERSION,
  toGenerate: ['java', 'mvn'],
  toRun: ['java', 'mvn'],
  generate: (out) => openapiGenerator('java', out),
  next: 'It is a Maven project: `mvn install` there, then depend on edge:edge-client. Java 11 or newer.',
  build: (work) => [
    {
      command: 'mvn',
      args: ['-q', '-B', '-DskipTests', ...MAVEN, `-Dedge.version=${contractVersion()}`, 'package'],
      cwd: work,
    },
  ],
  example: (work) => javaMain(work, 'Example'),
  sample: javaMain,
};

// Kept between runs: most of the time goes into dependencies that never change.
const rustTarget = () => cacheFolder('rust-target');

const rust: Language = {
  name: 'rust',
  generator: 'openapi-generator (reqwest)',
  version: VERSION,
  toGenerate: ['java', 'mvn'],
  toRun: ['cargo'],
  generate: (out) => openapiGenerator('rust', out),
  next: 'It is a crate: `edge-client = { path = "..." }` in your Cargo.toml.',
  build: (work) => [
    // What the run before left there has another path, and would stay for ever.
    {
      command: 'cargo',
      args: ['clean', '--quiet', '-p', 'edge-client', '-p', 'edge-example'],
      cwd: work,
      env: { CARGO_TARGET_DIR: rustTarget() },
    },
    { command: 'cargo', args: ['build', '--quiet'], cwd: work, env: { CARGO_TARGET_DIR: rustTarget() } },
    // The samples: that they compile is enough, and linking each would take minutes.
    { command: 'cargo', args: ['check', '--quiet', '--examples'], cwd: work, env: { CARGO_TARGET_DIR: rustTarget() } },
  ],
  sample: (work, name) => ({
    command: 'cargo',
    args: ['run', '--quiet', '--example', name],
    cwd: work,
    env: { CARGO_TARGET_DIR: rustTarget() },
  }),
  example: () => ({ command: join(rustTarget(), 'debug', 'edge-example'), args: [] }),
};

export const languages: readonly Language[] = [typescript, python, go, java, rust];

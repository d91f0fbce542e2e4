/**
 * The languages that clients are made in: their generators, and how the examples beside them are
 * built and run.
 */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { clientFolder, contract, packageFolder } from '../folders.ts';
import type { SampleLanguage } from '../samples/index.ts';
import { complete } from './complete.ts';
import type { Report } from './progress.ts';
import { cached, cacheFolder, pythonProgram, run, type Step } from '../../tools/shell.ts';

export interface Client {
  /** As on the command line: the folder below clients/. */
  name: string;
  generator: string;
  /** Pinned: a generator that changes makes another client. */
  version: string;
  /** Programs that must be on the PATH to make a client. */
  toGenerate: readonly string[];
  /** Programs that must be on the PATH to build and run the example beside it. */
  toRun: readonly string[];
  /** Makes the client in `out`, an empty folder; installs the generator on first use. */
  generate(out: string, report?: Report): Promise<unknown>;
  /**
   * The steps that build the example in `work`: a copy of clients/LANGUAGE, with the client in
   * `work/client`.
   */
  build(work: string): readonly Step[];
  /** The step that runs that example, with EDGE_URL and EDGE_TOKEN in its environment. */
  example(work: string): Step;
  /**
   * The step that runs the program which tries ids that must be refused; undefined for a client
   * that is not made here.
   */
  refusedIds?(work: string): Step;
  /** The programs of a guide, which continue each other, and so are one file of the build. */
  guide?: {
    /** Its path in this repository, and how it marks the programs. */
    markdown: string;
    mark: string;
    file: string;
    run(work: string): Step;
  };
  /** The calls of the example are sent again where that is safe, without more code. */
  repeatsCalls?: boolean;
  /** The step that runs the program whose attempts fail; undefined if calls are not repeated. */
  failures?(work: string): Step;
  /**
   * Where the build looks for the samples, and how one is run, with API_TOKEN in its environment.
   */
  samples?: {
    language: SampleLanguage;
    file(name: string): string;
    run?(work: string, name: string): Step;
  };
}

/** A client that is made here. */
export interface Language extends Client {
  /** The use of the client, in one line. */
  next: string;
  refusedIds(work: string): Step;
}

/** The step that takes longest, and is taken once. */
const fetching = (generator: string, version: string): string =>
  `fetching ${generator} ${version}, once`;

const step = (cwd: string, command: string, ...args: string[]): Step => ({ command, args, cwd });

const filesIn = (folder: string, below: string) =>
  readdirSync(join(folder, below)).map((name) => join(below, name));

interface Manifest {
  name: string;
  version: string;
  dependencies: { 'openapi-fetch': string };
}

const manifestFile = join(clientFolder('typescript'), 'package.json');
const npmPackage = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
const openapiFetchVersion = npmPackage.dependencies['openapi-fetch'];

const TYPESCRIPT_PROGRAMS = ['example.ts', 'failures.ts', 'refused-ids.ts'];

/**
 * Not generated: it is a separate package, which is packed and installed here as its users install
 * it.
 */
const typescript: Language = {
  name: 'typescript',
  generator: 'openapi-fetch',
  version: openapiFetchVersion,
  toGenerate: [],
  toRun: ['node', 'npm'],
  async generate(out) {
    writeFileSync(join(out, 'package.json'), '{"private":true,"type":"module"}');
    for (const program of TYPESCRIPT_PROGRAMS) {
      copyFileSync(join(clientFolder('typescript'), program), join(out, program));
    }
    const pack = ['pack', '--silent', '--workspace', npmPackage.name, '--pack-destination', out];
    await run(step(packageFolder, 'npm', ...pack));
    // npm names the tarball of `@scope/name` so.
    const fileName = npmPackage.name.slice(1).replace('/', '-');
    const tarball = `./${fileName}-${npmPackage.version}.tgz`;
    const install = ['install', '--silent', '--prefer-offline', '--no-audit', '--no-fund'];
    await run(step(out, 'npm', ...install, tarball));
  },
  next:
    `Nothing is generated: \`npm pack --workspace ${npmPackage.name}\`, ` +
    'and `npm install` the tarball where you use it.',
  build: (work) => {
    const tsc = join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--typeRoots', join(packageFolder, 'node_modules', '@types'), '--types', 'node'];
    const options = ['--strict', '--module', 'NodeNext', '--target', 'ES2023', ...types];
    const client = join(work, 'client');
    const files = [...TYPESCRIPT_PROGRAMS, 'guide.ts', ...filesIn(client, 'samples')];
    return [step(client, process.execPath, tsc, ...options, ...files)];
  },
  example: (work) => step(join(work, 'client'), process.execPath, 'example.js'),
  refusedIds: (work) => step(join(work, 'client'), process.execPath, 'refused-ids.js'),
  failures: (work) => step(join(work, 'client'), process.execPath, 'failures.js'),
  repeatsCalls: true,
  guide: {
    markdown: join('clients', 'typescript', 'README.md'),
    mark: 'ts',
    file: join('client', 'guide.ts'),
    run: (work) => step(join(work, 'client'), process.execPath, 'guide.js'),
  },
  samples: { language: 'TypeScript', file: (name) => join('client', 'samples', `${name}.ts`) },
};

const PYTHON_GENERATOR = '0.29.0';

/** A program of the virtual environment that the build makes. */
const inVenv = (work: string, program: string, ...args: string[]): Step =>
  step(work, join(work, 'venv', 'bin', program), ...args);

const PYTHON_PROGRAMS = ['example.py', 'failures.py', 'guide.py', 'refused_ids.py'];
const PYTHON_SOURCES = ['client', 'samples', ...PYTHON_PROGRAMS];

const python: Language = {
  name: 'python',
  generator: 'openapi-python-client',
  version: PYTHON_GENERATOR,
  toGenerate: ['python3'],
  toRun: ['python3'],
  async generate(out, report = () => {}) {
    // All that the generator is made of, with versions; the first line is the generator itself.
    const requirements = join(clientFolder('python'), 'generator-requirements.txt');
    const generator = 'openapi-python-client';
    const venv = await pythonProgram(generator, PYTHON_GENERATOR, requirements, () =>
      report(fetching(generator, PYTHON_GENERATOR)),
    );
    report('writing the client');
    const bin = join(venv, 'bin');
    const options = ['--overwrite', '--fail-on-warning', '--meta', 'uv'];
    const config = ['--config', join(clientFolder('python'), 'generator.yaml')];
    const args = ['generate', '--path', contract, '--output-path', out, ...options, ...config];
    // It calls ruff, to format what it wrote.
    const env = { PATH: [bin, process.env['PATH']].join(delimiter) };
    await run({ command: join(bin, 'openapi-python-client'), args, env });
    complete('python', out);
  },
  next:
    'It is a package: `pip install` that folder, with Python 3.11 or newer. ' +
    'Its README.md has a first program.',
  build: (work) => {
    const install = ['install', '-q', '--disable-pip-version-check'];
    return [
      step(work, 'python3', '-m', 'venv', 'venv'),
      inVenv(work, 'pip', ...install, '-r', 'requirements.txt', './client'),
      inVenv(work, 'python', '-W', 'error', '-m', 'compileall', '-q', 'client', 'example.py'),
      inVenv(work, 'mypy', '--strict', ...PYTHON_SOURCES),
    ];
  },
  example: (work) => inVenv(work, 'python', '-W', 'error', 'example.py'),
  refusedIds: (work) => inVenv(work, 'python', '-W', 'error', 'refused_ids.py'),
  failures: (work) => inVenv(work, 'python', '-W', 'error', 'failures.py'),
  repeatsCalls: true,
  guide: {
    markdown: join('docs', 'generate-a-client.md'),
    mark: 'python',
    file: 'guide.py',
    run: (work) => inVenv(work, 'python', '-W', 'error', 'guide.py'),
  },
  samples: {
    language: 'Python',
    file: (name) => join('samples', `${name}.py`),
    run: (work, name) => inVenv(work, 'python', '-W', 'error', join('samples', `${name}.py`)),
  },
};

const GO_GENERATOR = '2.8.0';

const goProgram = {
  build: (work) => [
    step(work, 'go', 'vet', './...'),
    step(work, 'go', 'build', '-o', 'example', '.'),
  ],
  example: (work) => step(work, join(work, 'example')),
} satisfies Partial<Client>;

const go: Language = {
  name: 'go',
  generator: 'oapi-codegen',
  version: GO_GENERATOR,
  toGenerate: ['go'],
  toRun: ['go'],
  async generate(out, report = () => {}) {
    const program = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${GO_GENERATOR}`;
    const folder = await cached(`oapi-codegen-${GO_GENERATOR}`, (to) => {
      report(fetching('oapi-codegen', GO_GENERATOR));
      return run({ command: 'go', args: ['install', program], env: { GOBIN: to } });
    });
    report('writing the client');
    const settings = join(clientFolder('go'), 'generator.yaml');
    const args = ['-config', settings, '-o', join(out, 'edge.gen.go'), contract];
    await run({ command: join(folder, 'oapi-codegen'), args });
    complete('go', out);
  },
  next:
    'It is a package, edge: make it within your module, here as ' +
    'edge-example/client, then `go mod tidy`. Its README.md has a first program.',
  ...goProgram,
  guide: {
    markdown: join('clients', 'go', 'beside', 'README.md'),
    mark: 'go',
    file: join('guide', 'main.go'),
    run: (work) => step(work, 'go', 'run', './guide'),
  },
  refusedIds: (work) => step(work, 'go', 'run', './refused-ids'),
  failures: (work) => step(work, 'go', 'run', './failures'),
  repeatsCalls: true,
  samples: {
    language: 'Go',
    file: (name) => join('samples', name, 'main.go'),
    run: (work, name) => step(work, 'go', 'run', `./samples/${name}`),
  },
};

const OPENAPI_GENERATOR = '7.23.0';
const MAVEN_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/** OpenAPI Generator, with the settings of clients/LANGUAGE/generator.yaml. */
async function openapiGenerator(
  language: 'java' | 'rust',
  out: string,
  report: Report = () => {},
): Promise<void> {
  const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  const copy = ['-q', '-B', `${MAVEN_DEPENDENCIES}:copy`, artifact];
  const folder = await cached(`openapi-generator-${OPENAPI_GENERATOR}`, (to) => {
    report(fetching('openapi-generator', OPENAPI_GENERATOR));
    return run(step(to, 'mvn', ...copy, `-DoutputDirectory=${to}`));
  });
  report('writing the client');
  const jar = join(folder, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`);
  const settings = join(clientFolder(language), 'generator.yaml');
  await run(step(out, 'java', '-jar', jar, 'generate', '-i', contract, '-c', settings, '-o', out));
  complete(language, out);
}

/**
 * A warning of the compiler is an error, because a quiet Maven does not show it. Documentation and
 * the package of sources are left out, because nothing here uses them.
 */
const MAVEN = [
  'compiler.release=11',
  'compiler.showWarnings=true',
  'compiler.failOnWarning=true',
  'javadoc.skip=true',
  'source.skip=true',
].map((property) => `-Dmaven.${property}`);
const COPY_DEPENDENCIES = `${MAVEN_DEPENDENCIES}:copy-dependencies`;
const CLASS_PATH = ['client/target/classes', 'client/target/dependency/*'].join(delimiter);
const JAVAC_CHECKS = ['--release', '11', '-encoding', 'UTF-8', '-Xlint:all', '-Werror'];
const JAVAC = [...JAVAC_CHECKS, '-cp', CLASS_PATH, '-d', 'classes'];

const javaMain = (work: string, name = 'Example'): Step =>
  step(work, 'java', '-cp', `${CLASS_PATH}${delimiter}classes`, name);

const java: Language = {
  name: 'java',
  generator: 'openapi-generator (native)',
  version: OPENAPI_GENERATOR,
  toGenerate: ['java', 'mvn'],
  toRun: ['javac', 'mvn'],
  generate: (out, report) => openapiGenerator('java', out, report),
  next:
    'It is a Maven project: `mvn install` there, then depend ' +
    'on edge:edge-client. Java 11 or newer. Its README.md has a first program.',
  build: (work) => {
    const goals = ['package', COPY_DEPENDENCIES];
    const sources = [
      'Example.java',
      'Failures.java',
      'Guide.java',
      'RefusedIds.java',
      ...filesIn(work, 'samples'),
    ];
    return [
      step(join(work, 'client'), 'mvn', '-q', '-B', '-DskipTests', ...MAVEN, ...goals),
      step(work, 'javac', ...JAVAC, ...sources),
    ];
  },
  example: javaMain,
  guide: {
    markdown: join('clients', 'java', 'beside', 'README.md'),
    mark: 'java',
    file: 'Guide.java',
    run: (work) => javaMain(work, 'Guide'),
  },
  refusedIds: (work) => javaMain(work, 'RefusedIds'),
  failures: (work) => javaMain(work, 'Failures'),
  samples: { language: 'Java', file: (name) => join('samples', `${name}.java`), run: javaMain },
};

// Kept between runs: most of the time goes into dependencies that never change.
const rustTarget = () => cacheFolder('rust-target');
const cargo = (work: string, command: string, ...args: string[]): Step => ({
  ...step(work, 'cargo', command, '--quiet', ...args),
  // The names of enum values that the contract gives (`x-enum-varnames`) are those of constants.
  env: { CARGO_TARGET_DIR: rustTarget(), RUSTFLAGS: '--allow non_camel_case_types' },
});

const rust: Language = {
  name: 'rust',
  generator: 'openapi-generator (reqwest)',
  version: OPENAPI_GENERATOR,
  toGenerate: ['java', 'mvn'],
  toRun: ['cargo'],
  generate: (out, report) => openapiGenerator('rust', out, report),
  next:
    'It is a crate: `edge-client = { path = "..." }` in your Cargo.toml. ' +
    'Its README.md has a first program.',
  build: (work) => [
    // The results of the run before have another path, and would stay for ever.
    cargo(work, 'clean', '-p', 'edge-client', '-p', 'edge-example'),
    cargo(work, 'build'),
    // The samples: that they compile is enough, and linking each would take minutes.
    cargo(work, 'check', '--examples'),
  ],
  example: (work) => step(work, join(rustTarget(), 'debug', 'edge-example')),
  guide: {
    markdown: join('clients', 'rust', 'beside', 'README.md'),
    mark: 'rust',
    file: join('src', 'bin', 'guide.rs'),
    run: (work) => step(work, join(rustTarget(), 'debug', 'guide')),
  },
  refusedIds: (work) => step(work, join(rustTarget(), 'debug', 'refused_ids')),
  failures: (work) => step(work, join(rustTarget(), 'debug', 'failures')),
  repeatsCalls: true,
  samples: {
    language: 'Rust',
    file: (name) => join('examples', `${name}.rs`),
    run: (work, name) => cargo(work, 'run', '--example', name),
  },
};

export const languages: readonly Language[] = [typescript, python, go, java, rust];

const EXISTING_PYTHON = '0.19.0';

/**
 * Public clients of an API of this form; docs/existing-clients.md says what works with them and
 * what does not.
 */
export const existingClients: readonly Client[] = [
  {
    name: 'existing/go',
    generator: 'ngrok-api-go',
    version: '5.3.0',
    toGenerate: [],
    toRun: ['go'],
    generate: async () => {},
    ...goProgram,
  },
  {
    name: 'existing/python',
    generator: 'ngrok-api',
    version: EXISTING_PYTHON,
    toGenerate: [],
    toRun: ['python3'],
    generate: () => {
      const requirements = join(clientFolder('existing/python'), 'requirements.txt');
      return pythonProgram('ngrok-api', EXISTING_PYTHON, requirements);
    },
    build: () => [],
    example: (work) => {
      const venv = cacheFolder(`ngrok-api-${EXISTING_PYTHON}`);
      return step(work, join(venv, 'bin', 'python'), 'example.py');
    },
  },
];

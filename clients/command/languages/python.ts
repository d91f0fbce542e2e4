import { delimiter, join } from 'node:path';
import { pythonProgram } from '../../../tools/python.ts';
import { run } from '../../../tools/shell.ts';
import { clientFolder, contract, type Language } from '../language.ts';

/** All that the generator is made of, with versions; the first line is the generator itself. */
const requirements = () => join(clientFolder('python'), 'generator-requirements.txt');
const VERSION = '0.29.0';

export const python: Language = {
  name: 'python',
  generator: 'openapi-python-client',
  version: VERSION,
  toGenerate: ['python3'],
  toRun: ['python3'],
  async generate(out) {
    const folder = await pythonProgram('openapi-python-client', VERSION, requirements());
    await run({
      command: join(folder, 'bin', 'openapi-python-client'),
      args: [
        'generate',
        '--path',
        contract,
        '--output-path',
        out,
        '--overwrite',
        '--fail-on-warning',
        '--meta',
        'uv',
        '--config',
        join(clientFolder('python'), 'generator.yaml'),
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
        '--quiet',
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

/** The servers that are compared, and where those that are no dependencies of this project come from. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../contract.ts';
import { type Candidate, SUBJECTS } from './server.ts';

/** What `npm start` runs, of a folder with this project: the log on, a token, and the embedded store on the disk. */
export function ourServer(name: string, project: string): Candidate {
  return {
    name,
    command: (port, data) => [
      join(project, 'dist', 'server', 'main.js'),
      ...['--port', String(port)],
      ...['--data-dir', data],
    ],
  };
}

export const OURS = ourServer('this server', packageFolder());

const VALIDATING: Candidate = {
  ...OURS,
  name: 'this server, --validate-responses',
  env: { VALIDATE_RESPONSES: 'on' },
};

export const BARE_EXPRESS: Candidate = {
  name: 'bare Express',
  command: () => [join(SUBJECTS, 'bare-express.js')],
};

/** @throws Error where a package cannot be installed */
export const OTHERS: readonly (() => Candidate)[] = [
  () => VALIDATING,
  () => ({
    name: 'Fastify',
    command: () => [join(SUBJECTS, 'fastify.js')],
    env: { FASTIFY: install('fastify', '5.12.8', 'fastify.js') },
  }),
  () => {
    const prism = install('@stoplight/prism-cli', '5.16.0', join('dist', 'index.js'));
    const contract = join(packageFolder(), 'openapi.yaml');
    // In one process, so that all of its CPU time is counted.
    const options = ['--multiprocess=false', '--host', '127.0.0.1'];
    return { name: 'Prism', command: (port) => [prism, 'mock', ...options, '--port', String(port), contract] };
  },
];

/** The main file of a package, which is installed into the cache of node_modules if it is not there yet. */
function install(name: string, version: string, main: string): string {
  const spec = `${name}@${version}`;
  const folder = join(CACHE, spec.replaceAll(/[@/]/g, '_'));
  const file = join(folder, 'node_modules', name, main);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefix', folder];
  execFileSync('npm', ['install', ...options, spec], { stdio: ['ignore', 'ignore', 'pipe'] });
  return file;
}

/** On the disk of the project: what is temporary may be kept in memory, where flushing costs nothing. */
export const CACHE = join(packageFolder(), 'node_modules', '.cache', 'edge-contract');

/** The servers that are compared, and where those that are no dependencies of this project come from. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../../contract.ts';
import { OPERATIONS } from './many-operations.ts';
import { type Kind, SUBJECTS } from './subject.ts';

const OTHERS = { fastify: '5.12.8', '@stoplight/prism-cli': '5.16.0' };

const own = (name: string, file: string, judges: boolean): Kind => ({
  name,
  judges,
  command: () => [join(SUBJECTS, file)],
});

/** Those that need nothing else. */
export const SERVER = own('this server', 'reference.js', true);
export const BARE_EXPRESS = own('bare Express 5', 'bare-express.js', false);
const RAW_HTTP = own('raw node:http', 'raw-http.js', false);

/** This server with a contract of many operations. */
export const manyOperations = (file: string): Kind => ({
  ...SERVER,
  name: `this server, ${OPERATIONS} operations`,
  env: { CONTRACT: file },
  only: ['POST edge', 'GET edge'],
});

/** @param left names of those that could not be had, with the reason: they are told, not passed over */
export function kinds(left: string[]): Kind[] {
  const found = [SERVER, BARE_EXPRESS, RAW_HTTP];
  const fastify = install('fastify', 'fastify.js', left);
  if (fastify !== undefined) found.push({ ...own('Fastify 5', 'fastify.js', true), env: { FASTIFY: fastify } });
  const prism = install('@stoplight/prism-cli', join('dist', 'index.js'), left);
  if (prism !== undefined) {
    const contract = join(packageFolder(), 'openapi.yaml');
    found.push({
      name: 'Prism',
      judges: true, // In one process, so that all of its time is counted.
      command: (port) => [
        prism,
        'mock',
        '--multiprocess=false',
        '--port',
        String(port),
        '--host',
        '127.0.0.1',
        contract,
      ],
    });
  }
  return found;
}

/** The main file of a package, installed into the cache of node_modules if it is not there yet; undefined where it cannot be. */
function install(name: keyof typeof OTHERS, main: string, left: string[]): string | undefined {
  const spec = `${name}@${OTHERS[name]}`;
  const folder = join(packageFolder(), 'node_modules', '.cache', 'edge-contract', spec.replaceAll(/[@/]/g, '_'));
  const file = join(folder, 'node_modules', name, main);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  try {
    execFileSync(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefix', folder, spec],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
  } catch (error) {
    left.push(
      `${spec}: ${
        String((error as { stderr?: Buffer }).stderr)
          .trim()
          .split('\n')[0]
      }`,
    );
    return undefined;
  }
  return file;
}

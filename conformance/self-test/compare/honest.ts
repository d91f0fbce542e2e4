#!/usr/bin/env node
/**
 * The suite passes services that conform: those of `contracts/`, and examples of FastAPI's
 * documentation as they are.
 *
 *     node tools/run.js conformance/self-test/compare/honest [NAME ...]
 */
import { join } from 'node:path';
import { cached, run } from '../../../tools/shell.ts';
import { contractOf } from '../planted.ts';
import type { Listening } from '../service.ts';
import {
  type ComparedService,
  FASTAPI_VERSION,
  fastApiPython,
  SERVICES,
  uvicorn,
} from './services.ts';
import { suite } from './tools.ts';

/** Requirements that are not tried, by the name of the service, each with its reason. */
const SKIPPED: Readonly<Record<string, readonly string[]>> = {
  library: ['add_review_books__book_id__reviews_post.body=forms are tried with JSON'],
};

const EXAMPLES: Readonly<Record<string, ComparedService>> = {
  'FastAPI, query models': example('query_param_models', 'tutorial002'),
  'FastAPI, cookie models': example('cookie_param_models', 'tutorial002'),
  'FastAPI, form models': example('request_form_models', 'tutorial002'),
  'FastAPI, query validations': example('query_params_str_validations', 'tutorial010'),
  'FastAPI, path parameters': example('path_params', 'tutorial005'),
};

/** An example of FastAPI's own documentation. */
function example(folder: string, module: string): ComparedService {
  return {
    style: 'FastAPI',
    contractPath: '/openapi.json',
    async start(): Promise<Listening> {
      const python = await fastApiPython();
      const sources = await fastApiSources(python);
      return uvicorn(join(sources, 'docs_src', folder), module);
    },
  };
}

/** The folder of FastAPI's source package, which has the examples. */
function fastApiSources(python: string): Promise<string> {
  const name = `fastapi-${FASTAPI_VERSION}`;
  return cached(`${name}-source`, async (folder) => {
    const options = ['--quiet', '--no-deps', '--no-binary', 'fastapi'];
    const download = ['-m', 'pip', 'download', ...options, `fastapi==${FASTAPI_VERSION}`];
    await run({ command: python, args: download, cwd: folder });
    const unpack = ['xzf', `${name}.tar.gz`, '--strip-components=1'];
    await run({ command: 'tar', args: unpack, cwd: folder });
  });
}

/** The failures that the suite reports of a service, a line each. */
async function alarmsOf(name: string, service: ComparedService, seed: number): Promise<string[]> {
  const { url, close } = await service.start('');
  const { contractPath } = service;
  const outcome = await suite({
    url,
    contract: contractPath === undefined ? contractOf(name) : url + contractPath,
    key: service.key,
    seconds: 120,
    level: 'extended',
    seed,
    skip: SKIPPED[name] ?? [],
  }).finally(close);
  const alarms = [...outcome.failures].map(([failure, message]) => `${failure} ${message}`);
  if (outcome.trouble) {
    alarms.push(outcome.trouble.slice(0, 300));
  }
  const counts = `${outcome.requests} requests, ${alarms.length} alarms`;
  process.stdout.write(`${name}, seed ${seed}: ${counts}\n`);
  return alarms;
}

const names = process.argv.slice(2);
const services = Object.entries({ ...SERVICES, ...EXAMPLES });
let passed = 0;
let failed = 0;
for (const [name, service] of services) {
  if (names.length === 0 || names.includes(name)) {
    const seed = Math.floor(Math.random() * 2 ** 30);
    const alarms = await alarmsOf(name, service, seed);
    for (const alarm of alarms) {
      process.stdout.write(`  ${alarm}\n`);
    }
    if (alarms.length === 0) {
      passed++;
    } else {
      failed++;
    }
  }
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

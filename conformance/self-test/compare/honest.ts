#!/usr/bin/env node
/**
 * The suite passes services that conform: those of `contracts/`, and examples of FastAPI's documentation as they are.
 *
 *     node tools/run.js conformance/self-test/compare/honest [NAME ...]
 */
import { join } from 'node:path';
import { cached, run } from '../../../tools/shell.ts';
import { contractOf } from '../planted.ts';
import { type Compared, FASTAPI, fastApiPython, SERVICES, uvicorn } from './services.ts';
import { TOOLS } from './tools.ts';

/** Requirements that are not tried, and why not. */
const SKIPPED: Readonly<Record<string, readonly string[]>> = {
  library: ['add_review_books__book_id__reviews_post.body=forms are tried with JSON'],
};

const PUBLIC: Readonly<Record<string, Compared>> = {
  'FastAPI, query models': tutorial('query_param_models/tutorial002'),
  'FastAPI, cookie models': tutorial('cookie_param_models/tutorial002'),
  'FastAPI, form models': tutorial('request_form_models/tutorial002'),
  'FastAPI, query validations': tutorial('query_params_str_validations/tutorial010'),
  'FastAPI, path parameters': tutorial('path_params/tutorial005'),
};

/** An example of FastAPI's own documentation, which is in its source package. */
function tutorial(path: string): Compared {
  return {
    style: 'FastAPI',
    contract: '/openapi.json',
    start: async () => {
      const python = await fastApiPython();
      const [name, version] = FASTAPI[0].split('==') as [string, string];
      const sources = await cached(`${name}-${version}-source`, async (to) => {
        const pip = [
          '-m',
          'pip',
          'download',
          '--quiet',
          '--no-deps',
          '--no-binary',
          name,
          `${name}==${version}`,
        ];
        await run({ command: python, args: pip, cwd: to });
        await run({
          command: 'tar',
          args: ['xzf', `${name}-${version}.tar.gz`, '--strip-components=1'],
          cwd: to,
        });
      });
      const [folder, module] = path.split('/') as [string, string];
      return uvicorn(join(sources, 'docs_src', folder), module);
    },
  };
}

const names = process.argv.slice(2);
const counts = { passed: 0, failed: 0 };
for (const [name, { contract = contractOf(name), key, start }] of Object.entries({
  ...SERVICES,
  ...PUBLIC,
})) {
  if (names.length > 0 && !names.includes(name)) {
    continue;
  }
  const { url, close } = await start('');
  const trial = {
    url,
    contract: contract.startsWith('/openapi') ? url + contract : contract,
    key,
    seconds: 120,
  };
  const seed = Math.floor(Math.random() * 2 ** 30);
  const options = { ...trial, level: 'extended', first: false, seed, skip: SKIPPED[name] ?? [] };
  const { failures, requests, trouble } = await TOOLS['suite']!(options).finally(close);
  const alarms = [...failures].map((one) => one.join(' '));
  if (trouble) {
    alarms.push(trouble.slice(0, 300));
  }
  counts[alarms.length === 0 ? 'passed' : 'failed']++;
  process.stdout.write(`${name}, seed ${seed}: ${requests} requests, ${alarms.length} alarms\n`);
  for (const alarm of alarms) {
    process.stdout.write(`  ${alarm}\n`);
  }
}
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;

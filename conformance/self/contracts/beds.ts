/** Contracts of other APIs, each with a service that conforms to it: the command runs on them with `--contract`. */
import { join } from 'node:path';
import { suite } from '../../command/suite.ts';
import { loadContract } from '../../engine/contract/load.ts';
import type { Report } from '../../engine/run/result.ts';
import type { Bed } from '../mutation/mutants.ts';
import { type Service, serve } from '../service.ts';
import { createShapes } from './shapes/service.ts';
import { createTasks, KEY } from './tasks/service.ts';

/** The contracts stand beside the sources, wherever this runs from. */
const HERE = import.meta.dirname.replace(/\/dist(?=\/conformance\/)/, '');

export const BEDS: Record<string, () => Bed> = {
  tasks: () => bedOf('tasks', createTasks, ['--header', `X-Key: ${KEY}`]),
  shapes: () => bedOf('shapes', createShapes, []),
};

function bedOf(name: string, createService: () => Service, args: string[]): Bed {
  const path = join(HERE, name, 'openapi.yaml');
  return {
    contract: loadContract(path),
    requirements: [],
    createService: () => createService(),
    run: (service, { seed, runs, bail }) =>
      runCommand(service, [
        ...['--contract', path, ...args, '--format', 'json', '--seed', String(seed)],
        ...(runs === undefined ? [] : ['--runs', String(runs)]),
        ...(bail ? ['--bail'] : []),
      ]),
  };
}

/** One run of the command. @throws Error where it gives no report */
async function runCommand(service: Service, args: readonly string[]): Promise<Report> {
  const served = await serve(service);
  const line = [served.url, ...args].map((arg) => `"${arg}"`).join(' ');
  const { stdout, stderr } = await suite(line, { cwd: HERE }).finally(served.close);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

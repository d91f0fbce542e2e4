/** Contracts of other APIs, each with a service that conforms to it: the command runs on them with `--contract`. */
import { join } from 'node:path';
import { loadContract } from '../../engine/contract/load.ts';
import type { Service } from '../service.ts';
import { type Bed, run } from '../test-bed.ts';
import { createShapes } from './shapes/service.ts';
import { createTasks, KEY } from './tasks/service.ts';

/** The contracts stand beside the sources, wherever this runs from. */
const HERE = import.meta.dirname.replace(/\/dist(?=\/conformance\/)/, '');

export const BEDS: Record<string, () => Bed> = {
  tasks: () => bedOf('tasks', createTasks, ['--header', `X-Key: ${KEY}`]),
  shapes: () => bedOf('shapes', createShapes, []),
};

function bedOf(name: string, createService: () => Service, more: string[]): Bed {
  const path = join(HERE, name, 'openapi.yaml');
  return {
    contract: loadContract(path),
    requirements: [],
    createService,
    // Levels and tokens are those of the edge API.
    run: (service, { seed, runs, bail = false }) => run(service, { seed, runs, bail }, ['--contract', path, ...more]),
  };
}

/**
 * Runs the suite by its command, against services in this process: of this contract, and of those
 * of other APIs.
 */
import { edgeApiRequirements } from '../api/index.ts';
import { suite } from '../cli/testing/suite.ts';
import { type Contract, loadContract } from '../engine/contract/load.ts';
import type { Level, Report } from '../engine/run/result.ts';
import { createShapes } from './contracts/shapes/service.ts';
import { createTasks, KEY } from './contracts/tasks/service.ts';
import { createIndependentService } from './independent/index.ts';
import { contractOf } from './planted.ts';
import { serve, type Service, type Tokens } from './service.ts';

/** As the options of the command, with its defaults. */
interface BedOptions extends Partial<Tokens> {
  seed: number;
  only?: readonly string[];
  level?: Level;
  origin?: 'all' | 'source';
  bail?: boolean;
  runs?: number | undefined;
}

/**
 * A contract, a service that conforms to it, and the suite as it runs against services of that
 * contract.
 */
export interface Bed {
  contract: Contract;
  /** Their ids; empty if a run cannot be about some of them. */
  requirements: readonly string[];
  createService(tokens: Tokens): Service;
  run(service: Service, options: BedOptions): Promise<Report>;
}

/** Long, since the service is not to blame for a busy machine. */
const TIMEOUT_MS = 60_000;

/**
 * Runs the suite once.
 * @param more other arguments of the command
 * @throws Error if there is no report
 */
export async function run(
  service: Service,
  options: BedOptions,
  more: readonly string[] = [],
): Promise<Report> {
  const served = await serve(service);
  const args = [served.url, ...more, ...argumentsFor(options)];
  const line = args.map((one) => `"${one}"`).join(' ');
  const { stdout, stderr } = await suite(line).finally(served.close);
  if (stdout === '') {
    throw new Error(stderr);
  }
  return JSON.parse(stdout) as Report;
}

function argumentsFor(options: BedOptions): string[] {
  const { only = [], bail = false, readOnlyToken, ...others } = options;
  const values = {
    ...others,
    'read-only-token': readOnlyToken,
    'timeout-ms': TIMEOUT_MS,
    format: 'json',
  };
  const args: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) {
      args.push(`--${name}`, String(value));
    }
  }
  for (const id of only) {
    args.push('--only', id);
  }
  if (bail) {
    args.push('--bail');
  }
  return args;
}

interface OtherService {
  createService: () => Service;
  /** The arguments of the command that a run needs. */
  args: readonly string[];
}

/** Services of other APIs, by the names of their contracts. */
const OTHERS: ReadonlyMap<string, OtherService> = new Map([
  ['tasks', { createService: () => createTasks(), args: ['--header', `X-Key: ${KEY}`] }],
  ['shapes', { createService: () => createShapes(), args: [] }],
]);

/**
 * @param name a folder of `contracts/`; by default, the contract of this project
 * @throws Error for another name
 */
export function bedOf(name = ''): Bed {
  if (name === '') {
    const contract = loadContract();
    const requirements = edgeApiRequirements(contract).map(({ id }) => id);
    return { contract, requirements, createService: createIndependentService, run };
  }
  const other = OTHERS.get(name);
  if (!other) {
    throw new Error(`--contract ${name}: it is not one of ${[...OTHERS.keys()].join(', ')}`);
  }
  const path = contractOf(name);
  const args = ['--contract', path, ...other.args];
  return {
    contract: loadContract(path),
    requirements: [],
    createService: other.createService,
    // Levels, tokens and single requirements are those of the edge API.
    run: (service, { seed, runs, bail = false }) => run(service, { seed, runs, bail }, args),
  };
}

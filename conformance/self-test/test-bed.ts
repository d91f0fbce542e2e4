/** Runs the suite by its command, against services in this process: of this contract, and of those of other APIs. */
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

/** A contract, a service that conforms to it, and the suite as it runs against services of that contract. */
export interface Bed {
  contract: Contract;
  /** Their ids, where a run can be about some of them. */
  requirements: readonly string[];
  createService(tokens: Tokens): Service;
  run(service: Service, options: BedOptions): Promise<Report>;
}

/** A busy machine is no error of the service. */
const TIMEOUT_MS = 60_000;

/** One run, on a port of its own. @param more other options of the command @throws Error where there is no report */
export async function run(
  service: Service,
  options: BedOptions,
  more: readonly string[] = [],
): Promise<Report> {
  const { only = [], bail = false, readOnlyToken, ...others } = options;
  const given = {
    ...others,
    'read-only-token': readOnlyToken,
    'timeout-ms': TIMEOUT_MS,
    format: 'json',
  };
  const flags = [
    ...more,
    ...Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    ),
    ...only.flatMap((id) => ['--only', id]),
    ...(bail ? ['--bail'] : []),
  ];
  const served = await serve(service);
  const line = [served.url, ...flags].map((one) => `"${one}"`).join(' ');
  const { stdout, stderr } = await suite(line).finally(served.close);
  if (stdout === '') {
    throw new Error(stderr);
  }
  return JSON.parse(stdout) as Report;
}

/** Services of other APIs, by the name of the contract, and the options of the command that they need. */
const OTHERS: Record<string, [createService: () => Service, ...options: string[]]> = {
  tasks: [() => createTasks(), '--header', `X-Key: ${KEY}`],
  shapes: [() => createShapes()],
};

/** @param name a folder of `contracts`; by default, the contract of this project @throws Error for another name */
export function bedOf(name = ''): Bed {
  if (name === '') {
    const contract = loadContract();
    const requirements = edgeApiRequirements(contract).map(({ id }) => id);
    return { contract, requirements, createService: createIndependentService, run };
  }
  if (!Object.hasOwn(OTHERS, name)) {
    throw new Error(`--contract ${name}: it is not one of ${Object.keys(OTHERS).join(', ')}`);
  }
  const [createService, ...options] = OTHERS[name]!;
  const path = contractOf(name);
  return {
    contract: loadContract(path),
    requirements: [],
    createService,
    // Levels and tokens are those of the edge API.
    run: (service, { seed, runs, bail = false }) =>
      run(service, { seed, runs, bail }, ['--contract', path, ...options]),
  };
}

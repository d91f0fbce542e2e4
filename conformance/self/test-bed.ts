/** Runs the suite against services in this process, by its command. */
import { requirementsOf } from '../api/index.ts';
import { suite } from '../command/suite.ts';
import { type Contract, loadContract } from '../engine/contract/load.ts';
import type { Level, Report } from '../engine/run/result.ts';
import { createIndependentService } from './independent/index.ts';
import { type Service, serve } from './service.ts';
import type { Tokens } from './tokens.ts';

/** As the options of the command, with its defaults. */
export interface BedOptions extends Partial<Tokens> {
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

/** That of this project. */
export function edgeBed(): Bed {
  const contract = loadContract();
  const requirements = requirementsOf(contract).map(({ id }) => id);
  return { contract, requirements, createService: createIndependentService, run };
}

/** A busy machine is no error of the service. */
const TIMEOUT_MS = 60_000;

/**
 * One run against the service, on a port of its own.
 * @param more other options of the command
 * @throws Error where the run gives no report
 */
export async function run(service: Service, options: BedOptions, more: readonly string[] = []): Promise<Report> {
  const { only = [], bail = false, readOnlyToken, ...others } = options;
  const given = { ...others, 'read-only-token': readOnlyToken, 'timeout-ms': TIMEOUT_MS, format: 'json' };
  const flags = [
    ...more,
    ...Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...only.flatMap((id) => ['--only', id]),
    ...(bail ? ['--bail'] : []),
  ];
  const served = await serve(service);
  const line = [served.url, ...flags].map((one) => `"${one}"`).join(' ');
  const { stdout, stderr } = await suite(line).finally(served.close);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

/** Runs the suite against a service in this process: what a command does with a URL, without the command. */
import type { Contract } from '../engine/contract/load.ts';
import type { Level, Report } from '../engine/run/result.ts';
import { EDGE_API, requirementsOf } from '../api/index.ts';
import { type Progress, run, type RunOptions } from '../engine/run/run.ts';
import { Client } from '../engine/http/client.ts';
import { SubscriptionPool } from '../api/subscriptions.ts';
import { LostEdges } from '../api/lookups.ts';
import { createImplementation } from '../api/implementation.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { curlScript } from '../engine/report/curl.ts';
import { createIndependentService } from './independent/index.ts';
import type { Tokens } from './tokens.ts';
import { type Service, serve } from './service.ts';

export interface BedOptions extends Partial<Tokens> {
  seed: number;
  only?: string[];
  skip?: RunOptions['skip'];
  level?: Level;
  origin?: Implementation['origin'];
  /** Stop at the first failure. */
  bail?: boolean;
  shrink?: boolean;
  /** Cases a property; by default as many as the command line tries. */
  runs?: number;
  progress?: Progress;
}

/** The defaults of the command line, but for the time-out: a busy machine is no error of the service. */
const RUNS = 20;
const CONCURRENCY = 8;
const TIMEOUT_MS = 60_000;

export class TestBed {
  readonly contract: Contract;
  /** The ids of all requirements. */
  readonly requirements: readonly string[];
  readonly #targets = new Map<string, Implementation>();
  #made = 0;

  constructor(contract: Contract) {
    this.contract = contract;
    this.requirements = requirementsOf(contract).map(({ id }) => id);
  }

  createService(tokens: Tokens): Service {
    return createIndependentService(tokens);
  }

  /** Serves the service on a port of its own for one run. */
  async run(service: Service, options: BedOptions): Promise<Report> {
    const served = await serve(service);
    try {
      return await this.runAt(served.url, options);
    } finally {
      await served.close();
    }
  }

  async runAt(
    url: string,
    {
      seed,
      only = [],
      skip = [],
      level = 'core',
      origin = 'all',
      bail = false,
      shrink = true,
      runs = RUNS,
      token,
      readOnlyToken,
      progress = {},
    }: BedOptions,
  ): Promise<Report> {
    const client = new Client({
      base: url,
      headers: {
        accept: 'application/json, application/problem+json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      timeoutMs: TIMEOUT_MS,
      connections: CONCURRENCY * 8,
    });
    // Values are generated from a target's hints and cached by their identity: making a target anew would make them
    // anew.
    const implementation: Implementation = {
      ...this.#targetFor(level, origin, client),
      client,
      token,
      readOnlyToken,
      subscriptions: new SubscriptionPool(`self-${process.pid}-${Date.now().toString(36)}-${++this.#made}`, []),
      leftBehind: { edges: 0, sources: 0 },
      perhapsMade: {},
      lostEdges: new LostEdges(),
    };
    const options: RunOptions = {
      seed,
      runs,
      concurrency: CONCURRENCY,
      bail,
      shrink,
      only,
      skip,
      replay: undefined,
      knownFailures: [],
      api: EDGE_API,
      script: curlScript,
      replayCommand: (name) => name,
      suite: { name: 'self', version: this.contract.version },
    };
    try {
      return await run(implementation, options, progress);
    } finally {
      client.close();
    }
  }

  #targetFor(level: Level, origin: Implementation['origin'], client: Client): Implementation {
    const key = `${level} ${origin}`;
    let implementation = this.#targets.get(key);
    if (!implementation) {
      const testData = { subscriptionIds: [], eventTypes: [], hostportDomain: undefined, certificateAuthorityIds: [] };
      implementation = createImplementation({
        contract: this.contract,
        client,
        level,
        origin,
        token: undefined,
        readOnlyToken: undefined,
        testData: testData,
        namespace: 'self',
      });
      this.#targets.set(key, implementation);
    }
    return implementation;
  }
}

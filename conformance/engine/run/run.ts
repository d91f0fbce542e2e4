/** One run of the suite: which requirements, in which order, and what their results come to. */
import { type Contract, entry, perContract } from '../contract/load.ts';
import { documentedFor, type Operation, operationsOf } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { requestTargetOf, type Sending } from '../http/call.ts';
import type { Client } from '../http/client.ts';
import type { Implementation } from '../http/implementation.ts';
import { HttpResponse, NoResponse, type Silence } from '../http/response.ts';
import type { Api } from '../requirements/api.ts';
import { CLAUSE, type Requirement } from '../requirements/requirement.ts';
import { wrongExamples } from '../requirements/statuses.ts';
import { requirementsOf } from '../requirements/requirements-of.ts';
import { attempt, type AttemptOptions, type CaseName, describe, parseName } from './attempt.ts';
import { type KnownFailure, OptionError } from './known-failures.ts';
import type { Level, Report, RequirementResult, Status } from './result.ts';
import { count, isBroken, isExcused, verdictOf, warningsFor } from './verdict.ts';

export interface RunOptions extends Omit<AttemptOptions, 'shrink' | 'part' | 'replay'> {
  /** Additions of the API to what follows from its contract. */
  api: Api;
  /** Requirements under way at once, in each worker. */
  concurrency: number;
  bail: boolean;
  only: string[];
  /** How the ids begin that are tried at all; none: all ids. */
  within: readonly string[];
  skip: { prefix: string; reason: string }[];
  replay: string | undefined;
  knownFailures: KnownFailure[];
  /** The share of requirements that must be tried for a verdict, 0 to 1. */
  minTried: number;
  /** Ends the run early: what is under way is cleaned up, and the rest is not tried. Its reason says why. */
  signal: AbortSignal;
  suite: { name: string; version: string };
  startedAt: number;
  /** Starts the workers beside the one of this thread. */
  others: () => Worker[];
}

/** Tries requirements, perhaps in another thread: what goes in and out is data. It fails where the thread is gone. */
export type Worker = ReturnType<typeof workerFor>;

type OfRun = 'others' | 'signal' | 'knownFailures' | 'suite' | 'startedAt';

/** @param implementation of its own */
export function workerFor(implementation: Implementation, options: Omit<RunOptions, OfRun>) {
  const all = new Map(
    select(implementation, options).map(({ requirement }) => [requirement.id, requirement]),
  );
  return {
    attempt: (id: string, more: Pick<AttemptOptions, 'part' | 'shrink' | 'replay'>) =>
      attempt(all.get(id)!, implementation, { ...options, ...more }),
    /** Nothing more is sent, but to clean up. */
    halt: (reason: string) => void (implementation.halted ??= reason),
    /** After the last attempt. @returns what the user must know */
    end: async () => (await options.api.lookBack?.(implementation)) ?? [],
  };
}

export interface Progress {
  /** Before the first request: how many requirements there are to try. */
  started(count: number): void;
  /** A requirement is under way, or goes on with the rest of its cases. */
  trying(id: string): void;
  finished(result: RequirementResult, done: number): void;
}

/** Deriving them takes a while, and they hold nothing of a run. */
const derived = perContract(() => new WeakMap<Api, Map<string, Requirement[]>>());

function derivedFrom(
  contract: Contract,
  api: Api,
  level: Level,
  prefixes: readonly string[] = [''],
): Requirement[] {
  const known = entry(derived(contract), api, () => new Map<string, Requirement[]>());
  return entry(known, [level, ...prefixes].join('\n'), () =>
    requirementsOf(contract, api, level, prefixes),
  );
}

/** The ids of all requirements, of whichever level and origin. */
export const allIds = (contract: Contract, api: Api): Set<string> =>
  new Set(derivedFrom(contract, api, 'extended').map(({ id }) => id));

/** A requirement of a run; one that is disabled is not tried. */
interface Selected {
  requirement: Requirement;
  disabled?: string;
}

/** Those of the level and origin of the implementation, with filters applied. @throws OptionError where none is left */
export function select(
  { contract, level, origin }: Pick<Implementation, 'contract' | 'level' | 'origin'>,
  {
    api,
    only,
    within,
    skip,
    replay,
  }: Pick<RunOptions, 'api' | 'only' | 'within' | 'skip' | 'replay'>,
): Selected[] {
  const wanted = only.length > 0 ? only : within;
  const named = wanted.length > 0 ? [...wanted, ...skip.map(({ prefix }) => prefix)] : [''];
  const all = derivedFrom(contract, api, level, replay === undefined ? named : [replay]).filter(
    (one) =>
      (one.level === 'core' || level === 'extended') &&
      (origin === 'all' || one.origin.startsWith('source')),
  );
  if (replay !== undefined) {
    const name = parseName(replay);
    if (!name) {
      throw new OptionError(`--replay ${replay} is not the name of a case; copy it from a failure`);
    }
    const requirement = all.find(({ id }) => id === name.id);
    if (requirement) {
      return [{ requirement }];
    }
    throw new OptionError(
      `--replay ${replay} names no requirement of this level and origin; copy it from a failure`,
    );
  }
  const filters = [
    ...only.map((prefix) => ['only', prefix]),
    ...skip.map(({ prefix }) => ['skip', prefix]),
  ];
  for (const [option, prefix] of filters as [string, string][]) {
    if (!all.some(({ id }) => id.startsWith(prefix))) {
      throw new OptionError(
        `--${option} ${prefix} matches no requirement of this level and origin; --list shows them`,
      );
    }
  }
  const isAmong = (prefixes: readonly string[], id: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix));
  const chosen = all.filter(({ id }) => isAmong(only, id) && isAmong(within, id));
  if (chosen.length === 0 && within.length > 0) {
    throw new OptionError('--only names nothing of what --path, --method and --tag choose');
  }
  return chosen.map((requirement) => {
    const skipped = skip.find(({ prefix }) => requirement.id.startsWith(prefix));
    if (skipped) {
      return { requirement, disabled: skipped.reason };
    }
    return { requirement };
  });
}

export async function run(
  implementation: Implementation,
  options: RunOptions,
  progress: Progress,
): Promise<Report> {
  const { api, seed, runs, suite, knownFailures, startedAt } = options;
  const { client, contract, level, origin, token } = implementation;
  const selected = select(implementation, options);
  progress.started(selected.length);
  implementation.halted =
    (await reach(implementation, api)) ?? (await api.survey?.(implementation));
  const tried = implementation.halted === undefined ? selected : [];
  const { results, stop, lookedBack } = await tryAll(tried, implementation, options, progress);

  const all = selected.map(({ requirement }) => requirement);
  const examples = operationsOf(contract)
    .filter(({ operationId }) => all.some(({ id }) => id.startsWith(`${operationId}.`)))
    .flatMap((operation) => wrongExamples(contract, operation));
  const { halted } = implementation;
  const rest: Stop = halted === undefined ? stop : { status: 'error', reason: halted };
  const requirements = all.map((one) => results.get(one.id) ?? untried(one, implementation, rest));
  return {
    ...verdictOf(requirements, knownFailures, options.minTried, halted),
    target: {
      url: client.base.href.replace(/\/$/, ''),
      level,
      origin,
      authenticated: token !== undefined,
    },
    seed,
    runs,
    contract: { title: contract.title, version: contract.version, sha256: contract.sha256 },
    suite,
    started_at: new Date(startedAt).toISOString(),
    // By a clock that nobody sets back while the process runs.
    duration_ms: Math.round(performance.timeOrigin + performance.now() - startedAt),
    requests: client.sent,
    retries: { ...client.retries },
    warnings: [...warningsFor(client.retries), ...annotated(contract), ...examples, ...lookedBack],
    left_behind: implementation.leftBehind,
    may_have_been_made: implementation.perhapsMade,
    summary: count(requirements),
    requirements,
  };
}

/** A keyword that is misspelt looks like one of a vendor's own. */
function annotated({ annotations }: Contract): string[] {
  const found = [...annotations].map(([keyword, pointer]) => `${keyword} (first at ${pointer})`);
  if (found.length === 0) {
    return [];
  }
  return [`Keywords that nobody knows were taken as annotations: ${found.join(', ')}.`];
}

function untried(
  requirement: Requirement,
  implementation: Implementation,
  why: Stop,
): RequirementResult {
  return { ...describe(requirement, implementation.contract), ...why, cases: 0, duration_ms: 0 };
}

/** Why a run ends early and still has a result: what was found counts, and the rest has this status. */
interface Stop {
  status: Status;
  reason: string;
}

const NOT_TRIED: Stop = { status: 'error', reason: 'not tried' };
const BAILED: Stop = {
  status: 'disabled',
  reason: 'not tried: --bail stopped the run at the first failure',
};

/** Each costs a whole timeout, and more of them say no more. */
const MAX_LATE = 10;
const GAVE_UP: Stop = {
  status: 'error',
  reason: `not tried: ${MAX_LATE} requirements got no response in time`,
};

/** Where so many fail, making the next one small does not make it clearer: it is shown as it was found. */
const MAX_SHRUNK = 30;

/** How often a failure is tried again. One that comes back at once, as most do, costs one case. */
const SECOND_TRIES = 3;

/** The failure, or `flaky` where the same case with test data of its own passes each time. */
async function confirmed(worker: Worker, result: RequirementResult, failed: CaseName) {
  for (let again = 0; again < SECOND_TRIES; again++) {
    const second = await worker.attempt(result.id, {
      part: 'first',
      shrink: false,
      replay: failed,
    });
    // A case that cannot be tried again is no sign that the first result was wrong.
    if (second.result.status !== 'pass') {
      return result;
    }
  }
  const reason = `the same case passed ${SECOND_TRIES} times when it was tried again`;
  return { ...result, status: 'flaky', reason } as const;
}

/** Tries requirements: each once, so that a common cause shows at once; then the rest of the cases. */
async function tryAll(
  selected: Selected[],
  implementation: Implementation,
  options: RunOptions,
  progress: Progress,
) {
  const { api, bail, concurrency, knownFailures, signal } = options;
  const replay = options.replay === undefined ? undefined : parseName(options.replay);
  const results = new Map<string, RequirementResult>();
  const first = new Map<string, RequirementResult>();
  const own = workerFor(implementation, options);
  const workers = [own, ...(selected.length > 0 ? options.others() : [])];
  /** Who began a requirement, and has what was made of it. */
  const owners = new Map<Requirement, Worker>();
  let stop: Stop | undefined;
  let late = 0;
  let broken = 0;

  const finish = (result: RequirementResult) => {
    results.set(result.id, result);
    if (isBroken(result)) {
      broken++;
      const known = knownFailures.find(({ id }) => id === result.id);
      if (known) {
        result.known_failure = {
          reason: known.reason,
          expires: known.expires,
          expired: known.expired,
        };
      }
      if (bail && !isExcused(result)) {
        stop ??= BAILED;
      }
    }
    progress.finished(result, results.size);
  };

  const isStopped = () => stop !== undefined || implementation.halted !== undefined;
  const halt = (reason: string) => {
    for (const one of workers) {
      one.halt(reason);
    }
  };
  const fail = (error: unknown) =>
    halt(`a worker failed (${String(error)}), and what it had made may still be there`);

  /** A request without a response counts against the implementation as long as it responds to others. */
  const look = async (id: string, silence: Silence) => {
    const gone = await reach(implementation, api);
    if (gone !== undefined) {
      halt(`${gone} It stopped while ${id} was tried: --only ${id} may show why.`);
    }
    if (silence === 'late' && ++late >= MAX_LATE) {
      stop ??= GAVE_UP;
    }
  };

  const tryOne = async (
    requirement: Requirement,
    part: AttemptOptions['part'],
    worker: Worker,
  ): Promise<void> => {
    const { id } = requirement;
    if (isStopped()) {
      return;
    }
    progress.trying(id);
    owners.set(requirement, worker);
    const more = { part, shrink: broken < MAX_SHRUNK, replay };
    const { result, silence, failed, hasRest } = await worker.attempt(id, more);
    // The worker of this thread alone has what a user lends.
    if (result.status === 'error' && worker !== own) {
      return tryOne(requirement, part, own);
    }
    const before = first.get(id) ?? { cases: 0, duration_ms: 0 };
    const cases = result.cases + before.cases;
    const whole = { ...result, cases, duration_ms: result.duration_ms + before.duration_ms };
    if (silence !== undefined) {
      await look(id, silence);
    }
    // A case that was broken off says nothing.
    if (implementation.halted !== undefined && (silence !== undefined || whole.status !== 'fail')) {
      return;
    }
    if (failed !== undefined && silence !== 'late' && !replay) {
      finish(await confirmed(worker, whole, failed));
    } else if (hasRest) {
      first.set(id, whole);
    } else {
      finish(whole);
    }
  };

  const abort = () => halt(String(signal.reason));
  if (signal.aborted) {
    abort();
  }
  signal.addEventListener('abort', abort);
  for (const { requirement, disabled: reason } of selected) {
    if (reason !== undefined) {
      finish(untried(requirement, implementation, { status: 'disabled', reason }));
    }
  }
  const open = () => selected.map((one) => one.requirement).filter(({ id }) => !results.has(id));
  // Requirements of which there are hundreds come last. Laws are spread: side by side, they change each other's lists.
  const rank = ({ weight = 1 }: Requirement) => Math.min(weight, CLAUSE);
  const order = open().toSorted((one, other) => rank(other) - rank(one));
  const wide = workers.flatMap((one) => Array<Worker>(concurrency).fill(one));
  for (const part of ['first', 'rest'] as const) {
    await inParallel(part === 'first' ? order : open(), wide, owners, (one, by) =>
      tryOne(one, part, by).catch(fail),
    );
  }
  signal.removeEventListener('abort', abort);
  const lookedBack: string[] = [];
  for (const one of workers) {
    lookedBack.push(...((await one.end().catch(fail)) ?? []));
  }
  return { results, stop: stop ?? NOT_TRIED, lookedBack };
}

/** Each worker takes the next item that it owns, as long as there is one, or else any. */
async function inParallel<T, W>(
  items: T[],
  workers: W[],
  owners: Map<T, W>,
  work: (item: T, by: W) => Promise<void>,
) {
  const rest = [...items];
  const next = (worker: W) => {
    const own = rest.findIndex((one) => owners.get(one) === worker);
    return rest.splice(Math.max(0, own), 1)[0];
  };
  const takeTurns = async (worker: W) => {
    for (let item = next(worker); item !== undefined; item = next(worker)) {
      await work(item, worker);
    }
  };
  await Promise.all(workers.map(takeTurns));
}

/** Why the service cannot be checked, and what to do about it; undefined when it can. Creates nothing. */
export async function reach(implementation: Implementation, api: Api): Promise<string | undefined> {
  const { client } = implementation;
  const responses: HttpResponse[] = [];
  const probes = probesOf(implementation, api);
  for (const probe of probes.length > 0 ? probes : ['/']) {
    try {
      const response = new HttpResponse(await client.send({ method: 'GET', target: probe }));
      if (response.status === 429) {
        return `${client.base.href} limits requests (429), also after waiting: try again later, with --rate`;
      }
      responses.push(response);
    } catch (error) {
      if (error instanceof NoResponse) {
        return `${client.base.href} gives no response (${error.message}): is the service running there?`;
      }
      throw error;
    }
  }
  // Nothing can be read without sending more: the response shows that a service listens.
  if (probes.length === 0) {
    return undefined;
  }
  if (await knowsPaths(implementation, responses)) {
    return undefined;
  }
  return whyNothing(responses, implementation, api);
}

/** Why all responses say nothing about the API, where they have that in common. */
function whyNothing(
  responses: HttpResponse[],
  implementation: Implementation,
  api: Api,
): string | undefined {
  const { client, operations, token } = implementation;
  const [{ status, headers }] = responses as [HttpResponse];
  const all = (...statuses: number[]) =>
    responses.every((response) => statuses.includes(response.status));
  const to = `${client.base.href} returns ${status} to every operation that was tried`;
  if (all(401, 403)) {
    if (token === undefined) {
      return `${client.base.href} asks for credentials (${status}): give them with --token or --header`;
    }
    return `${client.base.href} refuses the token (${status}): check --token`;
  }
  if (all(404)) {
    return `${to}: is the base URL right?${api.adviceWhenNothingIsFound ? ` ${api.adviceWhenNothingIsFound}` : ''}`;
  }
  const documented = [...operations.values()].flatMap((operation) =>
    Object.entries(operation.responses),
  );
  if (all(301, 302, 303, 307, 308) && !documented.some(([code]) => code.startsWith('3'))) {
    return `${to} and leads to ${headers['location'] ?? 'nowhere'}: aim at the service itself`;
  }
  if (all(502, 503, 504)) {
    return `${to}: is the service up?`;
  }
  const isPage = ([, { content }]: (typeof documented)[number]) => 'text/html' in content;
  if (responses.every(({ mediaType }) => mediaType === 'text/html') && !documented.some(isPage)) {
    return `${to}, with an HTML page: is the base URL that of the API?`;
  }
  return undefined;
}

/** Whether a path is known although nothing is found: a body that is not JSON is refused otherwise, and creates nothing. */
async function knowsPaths(
  { client, operations }: Implementation,
  responses: HttpResponse[],
): Promise<boolean> {
  if (!responses.every(({ status }) => status === 404)) {
    return false;
  }
  const headers = { 'content-type': 'application/json' };
  for (const operation of operations.values()) {
    if (operation.method !== 'POST' || pathNames(operation).length > 0) {
      continue;
    }
    const response = await sendTo(client, operation, { headers, body: '{' });
    if (response && response.status >= 400 && response.status < 500 && response.status !== 404) {
      return true;
    }
  }
  return false;
}

const pathNames = ({ parameters }: Operation) =>
  parameters.filter((one) => one.in === 'path').map(({ name }) => name);

/** @param valueOf gives values of path parameters; by default they name nothing */
function targetOf(
  operation: Operation,
  valueOf: (name: string) => string | undefined = () => undefined,
): string {
  const values = pathNames(operation).map((name) => [name, valueOf(name) ?? 'conformance-probe']);
  return requestTargetOf(operation, { path: Object.fromEntries(values) as Record<string, string> });
}

/** The response to a call of the operation; undefined where none came. */
async function sendTo(
  client: Client,
  operation: Operation,
  more: Pick<Sending, 'headers' | 'body'> = {},
) {
  const { method } = operation;
  const response = await client
    .send({ method, target: targetOf(operation), ...more })
    .catch(() => undefined);
  return response && new HttpResponse(response);
}

/** Reads that need nothing to exist; by default they find nothing. */
function probesOf(implementation: Implementation, api: Api): string[] {
  return [...implementation.operations.values()]
    .filter(({ method, level }) => method === 'GET' && level === 'core')
    .map((operation) => targetOf(operation, (name) => api.probe?.(name, implementation)));
}

/** The highest level that the service offers: a list responds as its operation does, not as an unknown path does. */
export async function offeredLevel(contract: Contract, client: Client): Promise<Level> {
  for (const operation of operationsOf(contract)) {
    const isList = operation.method === 'GET' && pathNames(operation).length === 0;
    if (!isList || operation.level !== 'extended') {
      continue;
    }
    const response = await sendTo(client, operation);
    if (response && isOffered(contract, operation, response)) {
      return 'extended';
    }
  }
  return 'core';
}

/** Whether some operation that only reads is found, whatever it responds. */
export async function isServed(contract: Contract, client: Client): Promise<boolean> {
  for (const operation of operationsOf(contract).filter(({ method }) => method === 'GET')) {
    const response = await sendTo(client, operation);
    if (response?.status !== 404) {
      return response !== undefined;
    }
  }
  return false;
}

/** A service that returns 200 to every path shows no list, and one that fails at the list has it all the same. */
function isOffered(
  contract: Contract,
  operation: Operation,
  { status, mediaType, json }: HttpResponse,
): boolean {
  if (status === 404 || status === 405) {
    return false;
  }
  if (status < 200 || status > 299) {
    return true;
  }
  const schema = documentedFor(operation, status)?.content[mediaType];
  if (schema === undefined || typeof json !== 'object' || json === null) {
    return false;
  }
  return [...shapeOf(contract, schema).required].some((name) => name in json);
}

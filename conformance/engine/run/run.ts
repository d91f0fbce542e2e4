/** One run of the suite: which requirements, in which order, and what their results come to. */
import { attempt, type AttemptOptions, describe } from './attempt.ts';
import { type CaseName, parseName } from './replay.ts';
import { reach } from './probe.ts';
import { type Contract, entry } from '../contract/load.ts';
import { isBroken, isExcused } from './broken.ts';
import type { Level, Report, RequirementResult, Status } from './result.ts';
import type { Api } from '../requirements/api.ts';
import { requirementsOf } from '../requirements/requirements-of.ts';
import type { Requirement } from '../requirements/requirement.ts';
import type { KnownFailure } from './known-failures.ts';
import { OptionError } from './option-error.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Retries } from '../http/retries.ts';

export interface RunOptions {
  /** What the API adds to what follows from its contract. */
  api: Api;
  /** The script that shows a failure again. */
  script: AttemptOptions['script'];
  seed: number;
  /** Cases a property. */
  runs: number;
  /** Requirements under way at once. */
  concurrency: number;
  bail: boolean;
  only: string[];
  skip: { prefix: string; reason: string }[];
  replay: string | undefined;
  /** Whether a failure is made as small as it gets, which takes most of its requests; true by default. */
  shrink?: boolean;
  knownFailures: KnownFailure[];
  replayCommand: (name: string) => string;
  /** Ends the run early: what is under way is cleaned up, and the rest is not tried. Its reason says why. */
  signal?: AbortSignal;
  suite: { name: string; version: string };
  /** Since when the user waits, in milliseconds since 1970; by default, since the run began. */
  startedAt?: number;
}

/** What a run reports while it goes on. */
export interface Progress {
  /** Before the first request: how many requirements there are to try. */
  started?(count: number): void;
  /** A requirement is under way, or goes on with the rest of its cases. */
  trying?(id: string): void;
  /** A requirement has its result. */
  finished?(result: RequirementResult, done: number): void;
  /** After each part of a requirement. */
  tried?(id: string, cases: number): void;
}

/** Deriving them takes a while, and they hold nothing of a run. */
const derived = new WeakMap<Contract, WeakMap<Api, Map<Level, Requirement[]>>>();

function derivedFrom(contract: Contract, api: Api, level: Level): Requirement[] {
  const byApi = entry(derived, contract, () => new WeakMap<Api, Map<Level, Requirement[]>>());
  const byLevel = entry(byApi, api, () => new Map<Level, Requirement[]>());
  return entry(byLevel, level, () => requirementsOf(contract, api, level));
}

/** The ids of all requirements, of whichever level and origin. */
export function allIds(contract: Contract, api: Api): Set<string> {
  return new Set(derivedFrom(contract, api, 'extended').map(({ id }) => id));
}

/**
 * Requirements of the level and origin that the implementation is checked by, with filters applied.
 * @throws OptionError where the options name none
 */
export function select(
  implementation: Pick<Implementation, 'contract' | 'level' | 'origin'>,
  options: Pick<RunOptions, 'api' | 'only' | 'skip' | 'replay'>,
): { requirement: Requirement; disabled?: string }[] {
  const all = derivedFrom(implementation.contract, options.api, implementation.level).filter(
    (one) =>
      (one.level === 'core' || implementation.level === 'extended') &&
      (implementation.origin === 'all' || one.origin.startsWith('source')),
  );
  const replayed = options.replay === undefined ? undefined : parseName(options.replay);
  if (options.replay !== undefined && !replayed)
    throw new OptionError(`--replay ${options.replay} is not the name of a case; copy it from a failure`);
  if (replayed) {
    const requirement = all.find(({ id }) => id === replayed.id);
    if (!requirement)
      throw new OptionError(
        `--replay ${options.replay} names no requirement of this level and origin; copy it from a failure`,
      );
    return [{ requirement }];
  }
  const { only } = options;
  for (const prefix of only) {
    if (!all.some(({ id }) => startsWith(id, prefix)))
      throw new OptionError(`--only ${prefix} matches no requirement of this level and origin; --list shows them`);
  }
  for (const { prefix } of options.skip) {
    if (!all.some(({ id }) => startsWith(id, prefix)))
      throw new OptionError(`--skip ${prefix} matches no requirement of this level and origin; --list shows them`);
  }
  return all
    .filter(({ id }) => only.length === 0 || only.some((prefix) => startsWith(id, prefix)))
    .map((requirement) => {
      const skipped = options.skip.find(({ prefix }) => startsWith(requirement.id, prefix));
      return skipped ? { requirement, disabled: skipped.reason } : { requirement };
    });
}

function startsWith(id: string, prefix: string): boolean {
  return id.startsWith(prefix);
}

/** In milliseconds since 1970, by a clock that nobody sets back while the process runs. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

export async function run(
  implementation: Implementation,
  options: RunOptions,
  progress: Progress = {},
): Promise<Report> {
  const startedAt = options.startedAt ?? now();
  const selected = select(implementation, options);
  progress.started?.(selected.length);
  const results = new Map<string, RequirementResult>();

  implementation.halted = (await reach(implementation, options.api)) ?? (await options.api.survey?.(implementation));
  const stop =
    implementation.halted === undefined
      ? await tryAll(implementation, selected, options, progress, results)
      : undefined;
  const lookedBack = (await options.api.lookBack?.(implementation)) ?? [];

  const { halted } = implementation;
  const untried = (requirement: Requirement): RequirementResult => {
    const reason = halted ?? stop?.reason ?? 'not tried';
    return {
      ...describe(requirement, implementation),
      status: halted === undefined && stop ? stop.status : 'error',
      reason,
      cases: 0,
      duration_ms: 0,
    };
  };
  const requirements = selected.map(({ requirement }) => results.get(requirement.id) ?? untried(requirement));
  return {
    ...verdictOf(requirements, options.knownFailures, halted),
    target: {
      url: implementation.client.base.href.replace(/\/$/, ''),
      level: implementation.level,
      origin: implementation.origin,
      authenticated: implementation.token !== undefined,
    },
    seed: options.seed,
    runs: options.runs,
    contract: {
      title: implementation.contract.title,
      version: implementation.contract.version,
      sha256: implementation.contract.sha256,
    },
    suite: options.suite,
    started_at: new Date(startedAt).toISOString(),
    duration_ms: Math.round(now() - startedAt),
    requests: implementation.client.sent,
    retries: { ...implementation.client.retries },
    warnings: [...warningsFor(implementation.client.retries), ...lookedBack],
    left_behind: implementation.leftBehind,
    may_have_been_made: implementation.perhapsMade,
    summary: count(requirements),
    requirements,
  };
}

/** A run that ends before its end, and still says something: what was found counts, and the rest has this status. */
interface Stop {
  status: Status;
  reason: string;
}

const BAILED: Stop = { status: 'disabled', reason: 'not tried: --bail stopped the run at the first failure' };

/** Each costs a whole timeout, and more of them say no more. */
const MAX_LATE = 10;
const GAVE_UP: Stop = { status: 'error', reason: `not tried: ${MAX_LATE} requirements got no response in time` };

/** Where so many fail, the next one is no clearer for being small: it is shown as it was found. */
const MAX_SHRUNK = 30;

/** So often a failure is tried again. One that comes back at once, as most do, costs one case. */
const SECOND_TRIES = 3;

/**
 * Each requirement once, so that a common cause shows at once; then the rest of the cases. Why it stopped, if it did.
 */
async function tryAll(
  implementation: Implementation,
  selected: { requirement: Requirement; disabled?: string }[],
  options: RunOptions,
  progress: Progress,
  results: Map<string, RequirementResult>,
): Promise<Stop | undefined> {
  const { seed, runs, shrink = true, replayCommand, script, signal } = options;
  const replay = options.replay === undefined ? undefined : parseName(options.replay);
  const first = new Map<string, RequirementResult>();
  let stop: Stop | undefined;
  let failures = 0;
  let late = 0;

  const finish = (result: RequirementResult) => {
    const known = isBroken(result) ? options.knownFailures.find(({ id }) => id === result.id) : undefined;
    if (known) {
      const { reason, expires, expired } = known;
      result.known_failure = { reason, expires, expired };
    }
    results.set(result.id, result);
    if (isBroken(result)) failures++;
    progress.finished?.(result, results.size);
    if (options.bail && isBroken(result) && !isExcused(result)) stop ??= BAILED;
  };

  /** The failure, or what is flaky: the same case with test data of its own passes each time. */
  const confirmed = async (requirement: Requirement, result: RequirementResult, failed: CaseName) => {
    for (let again = 0; again < SECOND_TRIES; again++) {
      const second = await attempt(requirement, implementation, {
        ...{ seed, runs, shrink: false, part: 'first', replayCommand, script, replay: failed },
      });
      // What cannot be tried again is no sign that the first result was wrong.
      if (second.result.status !== 'pass') return result;
    }
    const reason = `the same case passed ${SECOND_TRIES} times when it was tried again`;
    return { ...result, status: 'flaky' as const, reason };
  };

  const part = async (requirement: Requirement, name: AttemptOptions['part'], before?: RequirementResult) => {
    progress.trying?.(requirement.id);
    const { result, silence, failed } = await attempt(requirement, implementation, {
      seed,
      runs,
      shrink: shrink && failures < MAX_SHRUNK,
      part: name,
      replayCommand,
      script,
      ...(replay ? { replay } : {}),
    });
    const whole = before
      ? { ...result, cases: result.cases + before.cases, duration_ms: result.duration_ms + before.duration_ms }
      : result;
    progress.tried?.(requirement.id, whole.cases);
    if (silence !== undefined) {
      // No response to one request counts against the implementation as long as others are answered.
      const gone = await reach(implementation, options.api);
      if (gone !== undefined)
        implementation.halted ??= `${gone} It stopped while ${requirement.id} was tried: --only ${requirement.id} may show why.`;
      if (silence === 'late' && ++late >= MAX_LATE) stop ??= GAVE_UP;
    }
    // A case that was broken off says nothing.
    if (implementation.halted !== undefined && (silence !== undefined || whole.status !== 'fail')) return;
    if (failed !== undefined && silence !== 'late' && !replay) finish(await confirmed(requirement, whole, failed));
    else if (name === 'rest' || whole.status !== 'pass' || replay) finish(whole);
    else first.set(requirement.id, whole);
  };

  const abort = () => (implementation.halted ??= String(signal?.reason));
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  for (const { requirement, disabled } of selected) {
    if (disabled !== undefined)
      finish({
        ...describe(requirement, implementation),
        status: 'disabled',
        reason: disabled,
        cases: 0,
        duration_ms: 0,
      });
  }
  const open = () =>
    selected.filter(({ requirement }) => !results.has(requirement.id)).map(({ requirement }) => requirement);
  const isStopped = () => stop !== undefined || implementation.halted !== undefined;
  // What stands alone comes before what is one of hundreds.
  const order = open().toSorted((one, other) => (other.weight ?? 1) - (one.weight ?? 1));
  await inParallel(order, options.concurrency, isStopped, (requirement) => part(requirement, 'first'));
  await inParallel(open(), options.concurrency, isStopped, (requirement) =>
    part(requirement, 'rest', first.get(requirement.id)),
  );
  signal?.removeEventListener('abort', abort);
  return stop;
}

async function inParallel<T>(
  items: T[],
  width: number,
  stopped: () => boolean,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined && !stopped(); item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

export function count(requirements: readonly RequirementResult[]): Record<Status, number> {
  const summary: Record<Status, number> = { pass: 0, fail: 0, flaky: 0, skip: 0, disabled: 0, error: 0 };
  for (const { status } of requirements) summary[status]++;
  return summary;
}

/** More broken connections and 503s than these are worth a look, whatever the verdict. */
const FEW = 3;

function warningsFor({ unavailable, connection_lost, cases }: Retries): string[] {
  if (unavailable + connection_lost <= FEW) return [];
  const what = [
    ...(unavailable > 0 ? [`${unavailable} responses were 503 with Retry-After`] : []),
    ...(connection_lost > 0 ? [`${connection_lost} connections ended before their response`] : []),
  ];
  const again = cases > 0 ? `; ${cases} cases were tried again from their start` : '';
  return [`The service is not stable: ${what.join(' and ')}${again}.`];
}

/** What the results come to. A flaky requirement does not hold: it was seen to fail. */
function verdictOf(
  requirements: RequirementResult[],
  known: KnownFailure[],
  halted: string | undefined,
): Pick<Report, 'verdict' | 'reason'> {
  if (halted !== undefined) return { verdict: 'inconclusive', reason: halted };
  const unexpected = requirements.flatMap((result) => {
    const { id, status, known_failure: failure } = result;
    if (status === 'pass' && known.some((one) => one.id === id))
      return [`${id} (listed as a known failure, but it passes: remove it)`];
    if (!isBroken(result) || isExcused(result)) return [];
    const notes = [
      ...(status === 'flaky' ? ['flaky'] : []),
      ...(failure ? [`known, but expired on ${failure.expires}`] : []),
    ];
    return [notes.length === 0 ? id : `${id} (${notes.join(', ')})`];
  });
  if (unexpected.length > 0) {
    const more = unexpected.length > 3 ? ` and ${unexpected.length - 3} more` : '';
    return {
      verdict: 'nonconformant',
      reason: `${unexpected.length} broken: ${unexpected.slice(0, 3).join(', ')}${more}`,
    };
  }
  const errors = requirements.filter(({ status }) => status === 'error');
  if (errors.length > 0)
    return {
      verdict: 'inconclusive',
      reason: `${errors.length} could not be tried: ${errors[0]!.id}: ${errors[0]!.reason}`,
    };
  const excused = requirements.filter(isExcused).length;
  if (!requirements.some(({ status }) => status === 'pass') && excused === 0) {
    return {
      verdict: 'inconclusive',
      reason: 'nothing was verified, since every requirement was skipped or disabled: their reasons say what is needed',
    };
  }
  return excused > 0
    ? {
        verdict: 'conformant',
        reason: `${excused} known ${excused === 1 ? 'failure is' : 'failures are'} excused until the day in --known-failures`,
      }
    : { verdict: 'conformant' };
}

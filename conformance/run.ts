/** One run of the suite: which requirements, in which order, and what their results come to. */
import { attempt, type AttemptOptions, describe } from './check/attempt.ts';
import { parseName } from './check/replay.ts';
import { reach } from './probe.ts';
import type { Report, RequirementResult, Status } from './report/report.ts';
import { requirementsOf } from './requirements/index.ts';
import type { Requirement } from './requirements/requirement.ts';
import type { KnownFailure } from './known-failures.ts';
import type { Target } from './target/target.ts';

export interface RunOptions {
  seed: number;
  /** Cases a property. */
  runs: number;
  /** Requirements under way at once. */
  concurrency: number;
  bail: boolean;
  only: string[];
  skip: { prefix: string; reason: string }[];
  replay: string | undefined;
  knownFailures: KnownFailure[];
  replayCommand: (name: string) => string;
  suite: { name: string; version: string };
}

/** What a run says while it goes on. */
export interface Progress {
  /** Before the first request: how many requirements there are to try. */
  started?(count: number): void;
  /** A requirement has its result. */
  finished?(result: RequirementResult, done: number): void;
  /** After each part of a requirement. */
  tried?(id: string, cases: number): void;
}

/** The options name nothing that could be run; the message says which. */
export class NothingToRun extends Error {
  override name = 'NothingToRun';
}

/** Requirements of the level and origin that the target is judged by, with filters applied. */
export function select(target: Pick<Target, 'contract' | 'level' | 'origin'>, options: Pick<RunOptions, 'only' | 'skip' | 'replay'>): { requirement: Requirement; disabled?: string }[] {
  const all = requirementsOf(target.contract).filter(
    (one) => (one.level === 'core' || target.level === 'extended') && (target.origin === 'all' || one.origin.startsWith('source')),
  );
  const replayed = options.replay === undefined ? undefined : parseName(options.replay);
  if (options.replay !== undefined && !replayed) throw new NothingToRun(`--replay ${options.replay} is not the name of a case; copy it from a failure`);
  const only = replayed ? [replayed.id] : options.only;
  for (const prefix of only) {
    if (!all.some(({ id }) => startsWith(id, prefix))) throw new NothingToRun(`--only ${prefix} matches no requirement of this level and origin; --list shows them`);
  }
  for (const { prefix } of options.skip) {
    if (!all.some(({ id }) => startsWith(id, prefix))) throw new NothingToRun(`--skip ${prefix} matches no requirement of this level and origin; --list shows them`);
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

export async function run(target: Target, options: RunOptions, progress: Progress = {}): Promise<Report> {
  const started = new Date();
  const clock = performance.now();
  const selected = select(target, options);
  progress.started?.(selected.length);
  const results = new Map<string, RequirementResult>();
  let stopped: string | undefined;

  const unreachable = await reach(target);
  if (unreachable === undefined) stopped = await tryAll(target, selected, options, progress, results);

  const requirements = selected.map(({ requirement }) => results.get(requirement.id) ?? untried(requirement, target, unreachable ?? stopped));
  return {
    ...judge(requirements, options.knownFailures, unreachable ?? (stopped === BAILED ? undefined : stopped)),
    target: {
      url: target.client.base.href.replace(/\/$/, ''),
      level: target.level,
      origin: target.origin,
      authenticated: target.token !== undefined,
    },
    seed: options.seed,
    runs: options.runs,
    contract: { title: target.contract.title, version: target.contract.version, sha256: target.contract.sha256 },
    suite: options.suite,
    started_at: started.toISOString(),
    duration_ms: Math.round(performance.now() - clock),
    requests: target.client.sent,
    left_behind: target.leftBehind,
    summary: count(requirements),
    requirements,
  };
}

const BAILED = 'not tried: --bail stopped the run at the first failure';

/** Each requirement once, so that a common fault shows at once; then the rest of the cases. Why it stopped, if it did. */
async function tryAll(
  target: Target,
  selected: { requirement: Requirement; disabled?: string }[],
  options: RunOptions,
  progress: Progress,
  results: Map<string, RequirementResult>,
): Promise<string | undefined> {
  const replay = options.replay === undefined ? undefined : parseName(options.replay);
  let stopped: string | undefined;
  const finish = (result: RequirementResult) => {
    results.set(result.id, result);
    progress.finished?.(result, results.size);
    if (options.bail && result.status === 'fail') stopped ??= BAILED;
  };

  const part = async (requirement: Requirement, name: AttemptOptions['part'], before?: RequirementResult) => {
    const { seed, runs, replayCommand } = options;
    const result = await attempt(requirement, target, { seed, runs, part: name, replayCommand, ...(replay ? { replay } : {}) });
    const whole = before ? { ...result, cases: result.cases + before.cases, duration_ms: result.duration_ms + before.duration_ms } : result;
    progress.tried?.(requirement.id, whole.cases);
    if (whole.status === 'fail' && whole.failure?.expected === 'an answer') {
      // No answer to one request is the implementation's fault as long as others are answered.
      const gone = await reach(target);
      if (gone !== undefined) {
        stopped ??= gone;
        return;
      }
    }
    if (name === 'rest' || whole.status !== 'pass' || replay) finish(whole);
    else first.set(requirement.id, whole);
  };
  const first = new Map<string, RequirementResult>();

  for (const { requirement, disabled } of selected) {
    if (disabled !== undefined) finish({ ...describe(requirement, target), status: 'disabled', reason: disabled, cases: 0, duration_ms: 0 });
  }
  const open = () => selected.filter(({ requirement }) => !results.has(requirement.id)).map(({ requirement }) => requirement);
  const isStopped = () => stopped !== undefined;
  await inParallel(open(), options.concurrency, isStopped, (requirement) => part(requirement, 'first'));
  await inParallel(open(), options.concurrency, isStopped, (requirement) => part(requirement, 'rest', first.get(requirement.id)));
  return stopped;
}

async function inParallel<T>(items: T[], width: number, stopped: () => boolean, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined && !stopped(); item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

function untried(requirement: Requirement, target: Target, reason = 'not tried'): RequirementResult {
  const status: Status = reason === BAILED ? 'disabled' : 'error';
  return { ...describe(requirement, target), status, reason, cases: 0, duration_ms: 0 };
}

export function count(requirements: readonly RequirementResult[]): Record<Status, number> {
  const summary: Record<Status, number> = { pass: 0, fail: 0, skip: 0, disabled: 0, error: 0 };
  for (const { status } of requirements) summary[status]++;
  return summary;
}

/** Marks known failures, and says what the results come to. */
function judge(requirements: RequirementResult[], known: KnownFailure[], stopped: string | undefined): Pick<Report, 'verdict' | 'reason'> {
  if (stopped !== undefined) return { verdict: 'inconclusive', reason: stopped };
  const unexpected: string[] = [];
  let excused = 0;
  for (const result of requirements) {
    const entry = known.find(({ id }) => id === result.id);
    if (result.status === 'fail' && entry && !entry.expired) {
      excused++;
      result.reason = `known until ${entry.expires}: ${entry.reason}`;
    } else if (result.status === 'fail') {
      unexpected.push(entry ? `${result.id} (known, but expired on ${entry.expires})` : result.id);
    } else if (result.status === 'pass' && entry) {
      unexpected.push(`${result.id} (listed as a known failure, but it passes: remove it)`);
    }
  }
  if (unexpected.length > 0) {
    const more = unexpected.length > 3 ? ` and ${unexpected.length - 3} more` : '';
    return { verdict: 'nonconformant', reason: `${unexpected.length} broken: ${unexpected.slice(0, 3).join(', ')}${more}` };
  }
  const errors = requirements.filter(({ status }) => status === 'error');
  if (errors.length > 0) return { verdict: 'inconclusive', reason: `${errors.length} could not be tried: ${errors[0]!.id}: ${errors[0]!.reason}` };
  if (!requirements.some(({ status }) => status === 'pass') && excused === 0) {
    return { verdict: 'inconclusive', reason: 'nothing was verified: every requirement was skipped or disabled; see their reasons' };
  }
  return excused > 0 ? { verdict: 'conformant', reason: `but for ${excused} known failures` } : { verdict: 'conformant' };
}

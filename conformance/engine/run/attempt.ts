/** Tries one requirement: all its properties, first each once, then the rest of the cases. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { entry } from '../contract/entry.ts';
import { type ClauseLocation, type Failure, type RequirementResult } from './result.ts';
import type { Property, Requirement } from '../requirements/requirement.ts';
import { NoResponse, type Silence } from '../http/no-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { lineOfWords } from '../contract/line-of-words.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import { causeOf } from './cause.ts';
import { type Evidence, type Outcome, tryProperty } from './property.ts';
import { type CaseName, nameOf } from './replay.ts';
import { Unsupported } from '../contract/unsupported.ts';
import { GaveUp } from '../generate/filter.ts';
import { Shared } from '../http/shared.ts';

export interface AttemptOptions {
  seed: number;
  /** Cases a property. */
  runs: number;
  shrink: boolean;
  /** Only the first case of each property; or all but it. */
  part: 'first' | 'rest';
  replay?: CaseName;
  /** The command line that runs one case again. */
  replayCommand: (name: string) => string;
  /** The script that shows a failure again. */
  script: (
    sentence: string,
    evidence: Pick<Evidence, 'exchanges' | 'removals'>,
    implementation: Implementation,
  ) => string;
}

export interface Attempted {
  /** So far; `cases` and `duration_ms` are those of this part. */
  result: RequirementResult;
  /** It failed because no response came: in which way. */
  silence?: Silence;
  /** The case that failed. */
  failed?: CaseName;
}

export async function attempt(
  requirement: Requirement,
  implementation: Implementation,
  options: AttemptOptions,
): Promise<Attempted> {
  const shared = new Shared(implementation);
  try {
    return await attemptWith(shared, requirement, implementation, options);
  } finally {
    await shared.renew();
  }
}

async function attemptWith(
  shared: Shared,
  requirement: Requirement,
  implementation: Implementation,
  options: AttemptOptions,
): Promise<Attempted> {
  const started = performance.now();
  let cases = 0;
  let notPossible: string | undefined;
  const result = (verdict: Pick<RequirementResult, 'status' | 'reason' | 'failure'>): Attempted => ({
    result: {
      ...describe(requirement, implementation),
      cases,
      duration_ms: Math.round(performance.now() - started),
      ...verdict,
    },
  });

  const reason = requirement.skip?.(implementation);
  if (reason !== undefined) return result({ status: 'skip', reason });
  let properties: readonly Property[];
  try {
    properties = propertiesOf(requirement, implementation);
  } catch (error) {
    if (error instanceof Unsupported || error instanceof GaveUp)
      return result({ status: 'skip', reason: error.message });
    throw error;
  }
  const nothing = () => result({ status: 'skip', reason: NOTHING });
  if (properties.length === 0) return nothing();
  // What is tried once takes nothing from those that vary.
  const varying = properties.filter(({ once }) => !once).length;
  const share = Math.max(1, Math.ceil((options.runs * (requirement.weight ?? 1)) / Math.max(1, varying)));
  /** A fixed case stays as large as it is; the first generated one that fails as well is made small. */
  const firstGenerated = async () => {
    for (const [index, property] of properties.entries()) {
      if (property.once) continue;
      const seed = seedOf(requirement, property, options);
      const outcome = await tryProperty(property, implementation, { seed, runs: share, shrink: true }, shared);
      cases += outcome.cases;
      if (outcome.kind === 'broken') return { property: index, seed, outcome };
    }
    return undefined;
  };
  for (const [index, property] of properties.entries()) {
    const trial = trialOf(requirement, property, index, share, options);
    if (!trial) continue;
    const outcome = await tryProperty(property, implementation, { ...trial, shrink: options.shrink }, shared);
    cases += outcome.cases;
    if (outcome.kind === 'broken') {
      const found = { property: index, seed: trial.seed, outcome };
      const isFixed = property.once && options.shrink && !options.replay && !(outcome.error instanceof NoResponse);
      const smaller = isFixed ? await firstGenerated() : undefined;
      const { outcome: shown, ...place } = smaller ?? found;
      const failed = { id: requirement.id, ...place, path: shown.path };
      const failure = failureOf(shown, requirement, implementation, options, nameOf(failed));
      const silence = outcome.error instanceof NoResponse ? { silence: outcome.error.kind } : {};
      return { ...result({ status: 'fail', failure }), ...silence, failed };
    }
    if (outcome.kind === 'broken off') return result({ status: 'error', reason: outcome.reason });
    if (options.replay && cases === 0) break;
    if (outcome.kind === 'suite failed')
      return result({ status: 'error', reason: `the suite failed: ${messageOf(outcome.error)}` });
    if (outcome.kind === 'not possible') notPossible ??= outcome.reason;
  }
  // A name of a case that is no case of this requirement must not look like one that passes.
  if (options.replay && cases === 0) {
    return result({
      status: 'error',
      reason: `--replay names no case of ${requirement.id}: copy it from a failure of this version of the suite`,
    });
  }
  if (options.part === 'first' && cases === 0) return nothing();
  return notPossible === undefined ? result({ status: 'pass' }) : result({ status: 'skip', reason: notPossible });
}

const NOTHING = 'nothing of it can be tried with the test data that the service is said to have';

/** Made once in a run: both parts of a requirement, and a second try of a failure, have the same. */
const made = new WeakMap<Implementation, Map<string, Property[]>>();

function propertiesOf(requirement: Requirement, implementation: Implementation): Property[] {
  const all = entry(made, implementation, () => new Map<string, Property[]>());
  return entry(all, requirement.id, () => requirement.properties(implementation));
}

/** Undefined when the property has nothing to try in this part. */
function trialOf(requirement: Requirement, property: Property, index: number, share: number, options: AttemptOptions) {
  const { replay } = options;
  if (replay) return replay.property === index ? { seed: replay.seed, runs: 1, path: replay.path } : undefined;
  const base = seedOf(requirement, property, options);
  if (options.part === 'first') return { seed: base, runs: 1 };
  return property.once || share < 2 ? undefined : { seed: base ^ 1, runs: share - 1 };
}

/** A seed of its own for each property, so that cases do not move when requirements come and go. */
function seedOf({ id }: Requirement, { label }: Property, { seed }: AttemptOptions): number {
  return createHash('sha256').update(`${seed} ${id} ${label}`).digest().readInt32LE(0);
}

export function describe(
  requirement: Requirement,
  implementation: Pick<Implementation, 'contract'>,
): Omit<RequirementResult, 'status' | 'cases' | 'duration_ms'> {
  const { id, level, origin, sentence } = requirement;
  return { id, level, origin, clause: locate(implementation, requirement), sentence };
}

function locate({ contract }: Pick<Implementation, 'contract'>, { clause, words }: Requirement): ClauseLocation {
  const isInWords = clause === '/info/description' && words !== undefined;
  const line = isInWords ? lineOfWords(contract, clause, words) : contract.lineOf(clause);
  return { file: basename(contract.path), pointer: clause, line };
}

function failureOf(
  { error, exchanges, removals }: Extract<Outcome, { kind: 'broken' }>,
  requirement: Requirement,
  implementation: Implementation,
  { replayCommand, script }: AttemptOptions,
  name: string,
): Failure {
  const exact = error instanceof Nonconformity && error.clause !== undefined ? ` (${error.clause})` : '';
  return {
    message: error instanceof NoResponse ? `No response came: ${error.message}.` : error.message,
    cause: causeOf(error, requirement, exchanges.at(-1)?.response ?? undefined),
    expected: error instanceof NoResponse ? 'a response' : `${(error as Nonconformity).expected}${exact}`,
    got: error instanceof NoResponse ? error.message : (error as Nonconformity).got,
    exchanges: exchanges.map(({ request, response, error: reason }) => ({
      request: { ...request, body: request.body === null ? null : cut(request.body) },
      response: response && { ...response, body: cut(response.body) },
      ...(reason === undefined ? {} : { error: reason }),
    })),
    curl: script(requirement.sentence, { exchanges, removals }, implementation),
    replay: replayCommand(name),
  };
}

/** Reports stay readable and small; the curl script has the whole. */
const MAX_BODY = 10_000;

function cut(body: string): string {
  return body.length > MAX_BODY ? `${body.slice(0, MAX_BODY)}… (${body.length} characters)` : body;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

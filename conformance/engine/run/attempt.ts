/**
 * Tries one requirement: all its properties, first each once, then the rest of the cases; and
 * shrinks failures.
 */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { Unsupported } from '../contract/keywords.ts';
import { type Contract, entry, lineOfWords } from '../contract/load.ts';
import { GaveUp } from '../generate/filter.ts';
import type { RecordedExchange } from '../http/exchange.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Surveyed } from '../http/recipe.ts';
import { show } from '../http/nonconformity.ts';
import { NoResponse, type Silence } from '../http/response.ts';
import { Shared } from '../http/session.ts';
import { isLaw, type Property, type Requirement } from '../requirements/requirement.ts';
import { type CaseName, formatCaseName } from './case-name.ts';
import { failureOf } from './failure.ts';
import type { RequirementResult } from './result.ts';
import {
  type Broken,
  type Evidence,
  type Trial,
  type TrialContext,
  tryProperty,
} from './try-property.ts';

export interface AttemptOptions {
  seed: number;
  /** Cases a property. */
  runs: number;
  shrink: boolean;
  /** Only the first case of each property; or all but it. */
  part: 'first' | 'rest';
  /** The one case that is tried; undefined: those of the seed. */
  replay: CaseName | undefined;
  /** The command that tries a case again, by its name. */
  replayCommand: (name: string) => string;
  script: (sentence: string, evidence: Evidence, implementation: Implementation) => string;
}

interface Tried {
  /** So far. */
  verdict: Pick<RequirementResult, 'status' | 'reason' | 'failure' | 'blocked_by'>;
  /** It failed because no response came: the way in which it did not come. */
  silence?: Silence;
  /** The case that failed. */
  failed?: CaseName;
  /** It held so far, and has more cases. */
  hasRest?: true;
}

/** The outcome of trying a requirement. It is data, because it may come from another thread. */
export interface Attempt extends Omit<Tried, 'verdict'> {
  result: RequirementResult;
  /** A request got no response, perhaps one of a preparation or a clean-up, and none did since. */
  hasLost?: true;
}

interface Context extends TrialContext {
  requirement: Requirement;
  options: AttemptOptions;
}

/**
 * Made once in a run: both parts of a requirement, and a second try of a failure, have the same. By
 * id.
 */
const made = new WeakMap<Implementation, Map<string, Property[]>>();

export async function attempt(
  requirement: Requirement,
  implementation: Implementation,
  options: AttemptOptions,
): Promise<Attempt> {
  const started = performance.now();
  const shared = new Shared();
  const context: Context = { requirement, implementation, options, shared, cases: 0 };
  try {
    const { verdict, ...more } = await tryRequirement(context);
    // The properties of a requirement are large: they are kept no longer than until the rest, or a
    // second try of a failure.
    if (options.replay || !(more.hasRest || more.failed)) {
      made.get(implementation)?.delete(requirement.id);
    }
    const { cases } = context;
    const stated = describe(requirement, implementation.contract);
    const duration_ms = Math.round(performance.now() - started);
    const found: Attempt = { result: { ...stated, cases, duration_ms, ...verdict }, ...more };
    if (implementation.suspects.areThere) {
      found.hasLost = true;
    }
    return found;
  } finally {
    await shared.renew();
  }
}

/** The members of a result that describe its requirement. */
type Description = Pick<RequirementResult, 'id' | 'level' | 'origin' | 'clause' | 'sentence'>;

export function describe(requirement: Requirement, contract: Contract): Description {
  const { id, level, origin, sentence, clause, words } = requirement;
  const isInWords = clause === '/info/description' && words !== undefined;
  const line = isInWords ? lineOfWords(contract, clause, words) : contract.lineOf(clause);
  const file = basename(contract.path);
  return { id, level, origin, clause: { file, pointer: clause, line }, sentence };
}

const NOTHING =
  'no value for it is known: the contract, its media type or the test data leave none';

const skipped = (reason: string): Tried => ({ verdict: { status: 'skip', reason } });
const blocked = (by: string, reason: string): Tried => ({
  verdict: { status: 'blocked', reason, blocked_by: by },
});
const inError = (reason: string): Tried => ({ verdict: { status: 'error', reason } });
/** @param after the last request, whose response led to it */
function suiteFailed(error: unknown, after?: RecordedExchange): Tried {
  if (error instanceof Unsupported) {
    return skipped(error.message);
  }
  const response = after === undefined ? '' : `, after ${exchangeInWords(after)}`;
  return inError(`the suite failed: ${messageOf(error)}${placeIn(error)}${response}`);
}

/** The first place of the stack that is in the suite, such as `engine/laws/echo.ts:12`. */
const PLACE = /(?:conformance|dist)\/((?:engine|api|cli)\/[\w./-]+:\d+)/;

function placeIn(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [, place] = PLACE.exec(stack) ?? [];
  return place === undefined ? '' : ` (at ${place})`;
}

/** In characters. */
const LONGEST_BODY = 200;

function exchangeInWords({ request, response }: RecordedExchange): string {
  const start = `${request.method} ${request.url}`;
  if (response === null) {
    return `${start}, which got no response`;
  }
  const body = response.body === '' ? '' : ` ${show(response.body, LONGEST_BODY)}`;
  return `${start} → ${response.status}${body}`;
}

function messageOf(error: unknown): string {
  if (error instanceof Error) {
    return `${error.name}: ${error.message}`;
  }
  return String(error);
}

async function tryRequirement(context: Context): Promise<Tried> {
  const { requirement, implementation } = context;
  const { survey } = implementation;
  const all = entry(made, implementation, () => new Map<string, Property[]>());
  let properties: readonly Property[];
  try {
    const reason = requirement.skip?.(implementation);
    if (reason !== undefined) {
      return skipped(reason);
    }
    const base = requirement.base === undefined ? undefined : survey[requirement.base];
    if (base !== undefined && !base.isReached) {
      return blocked(base.operationId, whyNotReached(base));
    }
    properties = entry(all, requirement.id, () => requirement.properties(implementation));
  } catch (error) {
    if (error instanceof Unsupported || error instanceof GaveUp) {
      return skipped(error.message);
    }
    return suiteFailed(error);
  }
  if (properties.length === 0) {
    return skipped(NOTHING);
  }
  return tryProperties(planOf(properties, context), context);
}

const whyNotReached = ({ operationId, reason = 'no call of it was accepted' }: Surveyed): string =>
  `no call of ${operationId} was accepted beside which this would say something: ${reason}`;

/** A property with the values that decide its cases. */
interface Seeded {
  property: Property;
  /** The index of the property in its requirement. */
  index: number;
  seed: number;
}

interface Plan {
  properties: readonly Seeded[];
  /** Those that are tried. */
  chosen: readonly Seeded[];
  /** The number of cases of each chosen property that varies; at least 1. */
  share: number;
  /** Whether one of the chosen properties varies. */
  varies: boolean;
}

function planOf(all: readonly Property[], context: Context): Plan {
  const { requirement, options } = context;
  const properties = all.map((property, index) => {
    return { property, index, seed: seedOf(property, context) };
  });
  const cases = Math.ceil(options.runs * (requirement.weight ?? 1));
  const chosen = options.replay ? properties : oneOfEachKind(properties, cases);
  // Properties that are tried once take no cases from those that vary.
  const varying = chosen.filter(({ property }) => !property.once).length;
  const share = Math.max(1, Math.ceil(cases / Math.max(1, varying)));
  return { properties, chosen, share, varies: varying > 0 };
}

/** Each property has another seed, so that cases do not move when requirements come and go. */
function seedOf({ label }: Property, { requirement, options }: Context): number {
  const text = `${options.seed} ${requirement.id} ${label}`;
  return hash('sha256', text, 'buffer').readInt32LE(0);
}

/**
 * A property of each kind; more of them, as long as each has a case. Another seed chooses others.
 */
function oneOfEachKind(properties: readonly Seeded[], cases: number): Seeded[] {
  const order = properties.toSorted((one, other) => one.seed - other.seed);
  const chosen = new Set<Seeded>();
  const kinds = new Set<unknown>();
  for (const one of order) {
    // A property without a kind is the only one of its kind.
    const kind = one.property.kind ?? one.property;
    if (!kinds.has(kind)) {
      kinds.add(kind);
      chosen.add(one);
    }
  }
  for (const one of order) {
    if (chosen.size < cases) {
      chosen.add(one);
    }
  }
  return properties.filter((one) => chosen.has(one));
}

async function tryProperties(plan: Plan, context: Context): Promise<Tried> {
  const { options } = context;
  let notPossible: string | undefined;
  for (const seeded of plan.chosen) {
    const trial = trialOf(seeded, plan.share, options);
    if (!trial) {
      continue;
    }
    const outcome = await tryProperty(seeded.property, trial, context);
    if (outcome.kind === 'broken') {
      const found = { property: seeded.index, seed: trial.seed, outcome };
      return failedBy(found, seeded, plan, context);
    }
    if (outcome.kind === 'broken off') {
      return inError(outcome.reason);
    }
    if (outcome.kind === 'blocked') {
      return blocked(outcome.by, outcome.reason);
    }
    if (options.replay && context.cases === 0) {
      break;
    }
    if (outcome.kind === 'suite failed') {
      return suiteFailed(outcome.error, outcome.after);
    }
    if (outcome.kind === 'not possible') {
      notPossible ??= outcome.reason;
    }
  }
  return withoutFailure(plan, context, notPossible);
}

/** Undefined if the property has nothing to try in this part. */
function trialOf(
  { property, index, seed }: Seeded,
  share: number,
  { replay, part, shrink }: AttemptOptions,
): Trial | undefined {
  if (replay) {
    if (replay.property === index) {
      return { seed: replay.seed, runs: 1, path: replay.path, shrink };
    }
    return undefined;
  }
  if (part === 'first') {
    return { seed, runs: 1, shrink };
  }
  if (property.once || share < 2) {
    return undefined;
  }
  return { seed: seed ^ 1, runs: share - 1, shrink };
}

/** @param notPossible why some of the cases could not be tried */
function withoutFailure(plan: Plan, context: Context, notPossible: string | undefined): Tried {
  const { requirement, options } = context;
  const isFirst = options.part === 'first';
  if (context.cases === 0) {
    // A name that belongs to no case of this requirement must not look like a case that passes.
    if (options.replay) {
      const advice = 'copy it from a failure of this version of the suite';
      return inError(`--replay names no case of ${requirement.id}: ${advice}`);
    }
    if (isFirst) {
      return skipped(NOTHING);
    }
  }
  if (notPossible !== undefined) {
    return skipped(notPossible);
  }
  const tried: Tried = { verdict: { status: 'pass' } };
  if (isFirst && !options.replay && plan.share > 1 && plan.varies) {
    tried.hasRest = true;
  }
  return tried;
}

/** A failed case, and the parts of its name. */
interface Found {
  /** The index of the property. */
  property: number;
  seed: number;
  outcome: Broken;
}

async function failedBy(
  found: Found,
  { property }: Seeded,
  plan: Plan,
  context: Context,
): Promise<Tried> {
  const { requirement, implementation, options } = context;
  const { error } = found.outcome;
  const isShrunk = options.shrink && !options.replay && !(error instanceof NoResponse);
  const generated = property.once && isShrunk ? await firstGenerated(plan, context) : undefined;
  const { outcome, ...place } = generated ?? found;
  const failed: CaseName = { id: requirement.id, ...place, path: outcome.path };
  const failure = failureOf(outcome, {
    requirement: { id: requirement.id, clause: requirement.clause, isLaw: isLaw(requirement) },
    implementation,
    curl: options.script(requirement.sentence, outcome, implementation),
    replay: options.replayCommand(formatCaseName(failed)),
  });
  const tried: Tried = { verdict: { status: 'fail', failure }, failed };
  if (error instanceof NoResponse) {
    tried.silence = error.kind;
  }
  return tried;
}

/**
 * A fixed case cannot shrink: the first generated one that fails as well is shrunk, and shown in
 * its place.
 */
async function firstGenerated(
  { properties, share }: Plan,
  context: Context,
): Promise<Found | undefined> {
  for (const { property, index, seed } of properties) {
    if (property.once) {
      continue;
    }
    const outcome = await tryProperty(property, { seed, runs: share, shrink: true }, context);
    if (outcome.kind === 'broken') {
      return { property: index, seed, outcome };
    }
  }
  return undefined;
}

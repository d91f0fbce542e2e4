/** Tries one requirement: all its properties, first each once, then the rest of the cases; and shrinks what fails. */
import fc from 'fast-check';
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { type Contract, entry, lineOfWords } from '../contract/load.ts';
import { isRule, Unsupported } from '../contract/keywords.ts';
import { parsePointer } from '../contract/pointers.ts';
import { GaveUp, shrunkUntil } from '../generate/filter.ts';
import type { Implementation } from '../http/implementation.ts';
import { NoResponse, ResponseLost, type Silence } from '../http/response.ts';
import { type RecordedExchange, Session, Shared } from '../http/session.ts';
import type { Property, Requirement } from '../requirements/requirement.ts';
import type { Exchange, Failure, RequirementResult } from './result.ts';
import { BrokenOff, Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import type { Sending } from '../http/call.ts';

/** The name of one case: requirement, property, seed and the place that shrinking came to. */
export interface CaseName {
  id: string;
  /** Its index in the requirement. */
  property: number;
  seed: number;
  /** As fast-check gives it, such as `3:0:1`. */
  path: string;
}

export const nameOf = ({ id, property, seed, path }: CaseName): string =>
  `${id}@${property}.${seed}.${path}`;

/** Undefined when the text is no such name. A requirement's id alone is not one: see `--only`. */
export function parseName(text: string): CaseName | undefined {
  const [, id = '', property, seed, path = ''] =
    /^(\S+)@(\d+)\.(-?\d+)\.([\d:]+)$/.exec(text) ?? [];
  if (id === '') {
    return undefined;
  }
  return { id, property: Number(property), seed: Number(seed), path };
}

export interface AttemptOptions {
  seed: number;
  /** Cases a property. */
  runs: number;
  shrink: boolean;
  /** Only the first case of each property; or all but it. */
  part: 'first' | 'rest';
  replay: CaseName | undefined;
  replayCommand: (name: string) => string;
  script: (sentence: string, evidence: Evidence, implementation: Implementation) => string;
}

interface Tried {
  /** So far. */
  verdict: Pick<RequirementResult, 'status' | 'reason' | 'failure'>;
  /** It failed because no response came: in which way. */
  silence?: Silence;
  failed?: CaseName;
  /** It held so far, and has more cases. */
  hasRest?: true;
}

/** What came of trying a requirement. It is data, because it may come from another thread. */
export interface Attempt extends Omit<Tried, 'verdict'> {
  result: RequirementResult;
}

export async function attempt(
  requirement: Requirement,
  implementation: Implementation,
  options: AttemptOptions,
): Promise<Attempt> {
  const started = performance.now();
  const shared = new Shared();
  const context: Context = { requirement, implementation, options, shared, cases: 0 };
  try {
    const { verdict, ...more } = await attemptWith(context);
    // What is made of a requirement is large: it is kept no longer than until the rest, or a second try of a failure.
    if (options.replay || !(more.hasRest || more.failed)) {
      made.get(implementation)?.delete(requirement.id);
    }
    const { cases } = context;
    const stated = describe(requirement, implementation.contract);
    const duration_ms = Math.round(performance.now() - started);
    return { result: { ...stated, cases, duration_ms, ...verdict }, ...more };
  } finally {
    await shared.renew();
  }
}

const skipped = (reason: string): Tried => ({ verdict: { status: 'skip', reason } });
const inError = (reason: string): Tried => ({ verdict: { status: 'error', reason } });

interface Context {
  requirement: Requirement;
  implementation: Implementation;
  options: AttemptOptions;
  /** Lasts from one of its properties to the next. */
  shared: Shared;
  /** How many were tried so far. */
  cases: number;
}

async function attemptWith(context: Context): Promise<Tried> {
  const { requirement, implementation, options } = context;
  const all = entry(made, implementation, () => new Map<string, Property[]>());
  let properties: readonly Property[];
  try {
    const reason = requirement.skip?.(implementation);
    if (reason !== undefined) {
      return skipped(reason);
    }
    properties = entry(all, requirement.id, () => requirement.properties(implementation));
  } catch (error) {
    if (error instanceof Unsupported || error instanceof GaveUp) {
      return skipped(error.message);
    }
    return inError(`the suite failed: ${messageOf(error)}`);
  }
  if (properties.length === 0) {
    return skipped(NOTHING);
  }
  const cases = Math.ceil(options.runs * (requirement.weight ?? 1));
  const seeds = new Map(properties.map((one) => [one, seedOf(one, context)]));
  const chosen = options.replay ? new Set(properties) : oneOfEachKind(seeds, cases);
  // Properties that are tried once take no cases from those that vary.
  const varying = [...chosen].filter(({ once }) => !once).length;
  const share = Math.max(1, Math.ceil(cases / Math.max(1, varying)));
  /** A fixed case stays as large as it is; the first generated one that fails as well is made small. */
  const firstGenerated = async () => {
    for (const [index, property] of properties.entries()) {
      if (property.once) {
        continue;
      }
      const seed = seeds.get(property)!;
      const outcome = await tryProperty(property, { seed, runs: share, shrink: true }, context);
      if (outcome.kind === 'broken') {
        return { property: index, seed, outcome };
      }
    }
    return undefined;
  };
  let notPossible: string | undefined;
  for (const [index, property] of properties.entries()) {
    const trial =
      chosen.has(property) &&
      trialOf({ property, index, seed: seeds.get(property)! }, share, options);
    if (!trial) {
      continue;
    }
    const outcome = await tryProperty(property, { ...trial, shrink: options.shrink }, context);
    if (outcome.kind === 'broken') {
      const { error } = outcome;
      const isFixed =
        property.once && options.shrink && !options.replay && !(error instanceof NoResponse);
      const found = (isFixed ? await firstGenerated() : undefined) ?? {
        property: index,
        seed: trial.seed,
        outcome,
      };
      const { outcome: shown, ...place } = found;
      const failed = { id: requirement.id, ...place, path: shown.path };
      const failure = failureOf(shown, nameOf(failed), context);
      const silence = error instanceof NoResponse ? { silence: error.kind } : {};
      return { verdict: { status: 'fail', failure }, ...silence, failed };
    }
    if (outcome.kind === 'broken off') {
      return inError(outcome.reason);
    }
    if (options.replay && context.cases === 0) {
      break;
    }
    if (outcome.kind === 'suite failed') {
      return inError(`the suite failed: ${messageOf(outcome.error)}`);
    }
    if (outcome.kind === 'not possible') {
      notPossible ??= outcome.reason;
    }
  }
  // A name that is not one of a case of this requirement must not look like a case that passes.
  if (options.replay && context.cases === 0) {
    return inError(
      `--replay names no case of ${requirement.id}: copy it from a failure of this version of the suite`,
    );
  }
  if (options.part === 'first' && context.cases === 0) {
    return skipped(NOTHING);
  }
  if (notPossible !== undefined) {
    return skipped(notPossible);
  }
  const hasRest = options.part === 'first' && !options.replay && share > 1 && varying > 0;
  return { verdict: { status: 'pass' }, ...(hasRest ? { hasRest } : {}) };
}

const NOTHING =
  'no value for it is known: the contract, its media type or the test data leave none';

/** Made once in a run: both parts of a requirement, and a second try of a failure, have the same. */
const made = new WeakMap<Implementation, Map<string, Property[]>>();

/** A property of each kind; more of them, as long as each has a case. Another seed chooses others. */
function oneOfEachKind(seeds: ReadonlyMap<Property, number>, cases: number): Set<Property> {
  const order = [...seeds.keys()].toSorted((one, other) => seeds.get(one)! - seeds.get(other)!);
  const kinds = new Map(order.toReversed().map((one) => [one.kind ?? one, one]));
  const chosen = new Set(kinds.values());
  for (const one of order) {
    if (chosen.size < cases) {
      chosen.add(one);
    }
  }
  return chosen;
}

/** Undefined when the property has nothing to try in this part. */
function trialOf(
  { property, index, seed }: Seeded,
  share: number,
  { replay, part }: AttemptOptions,
) {
  if (replay) {
    if (replay.property === index) {
      return { seed: replay.seed, runs: 1, path: replay.path };
    }
    return undefined;
  }
  if (part === 'first') {
    return { seed, runs: 1 };
  }
  if (property.once || share < 2) {
    return undefined;
  }
  return { seed: seed ^ 1, runs: share - 1 };
}

interface Seeded {
  property: Property;
  /** Of the property in its requirement. */
  index: number;
  seed: number;
}

/** A seed of its own for each property, so that cases do not move when requirements come and go. */
const seedOf = ({ label }: Property, { requirement, options }: Context): number =>
  hash('sha256', `${options.seed} ${requirement.id} ${label}`, 'buffer').readInt32LE(0);

export function describe(
  { id, level, origin, sentence, clause, words }: Requirement,
  contract: Contract,
) {
  const isInWords = clause === '/info/description' && words !== undefined;
  const line = isInWords ? lineOfWords(contract, clause, words) : contract.lineOf(clause);
  return {
    id,
    level,
    origin,
    clause: { file: basename(contract.path), pointer: clause, line },
    sentence,
  };
}

function failureOf(
  evidence: Evidence,
  name: string,
  { requirement, implementation, options }: Context,
): Failure {
  const { error, exchanges } = evidence;
  const shown = {
    cause: causeOf(error, requirement.clause, exchanges.at(-1)?.response),
    exchanges: exchanges.map(({ request, response, error: reason }) => ({
      request: { ...request, body: request.body === null ? null : show(request.body, MAX_BODY) },
      response: response && { ...response, body: show(response.body, MAX_BODY) },
      ...(reason === undefined ? {} : { error: reason }),
    })),
    curl: options.script(requirement.sentence, evidence, implementation),
    replay: options.replayCommand(name),
  };
  const { message } = error;
  if (error instanceof NoResponse) {
    return {
      message: `No response came: ${message}.`,
      expected: 'a response',
      got: message,
      ...shown,
    };
  }
  const { expected, got, clause } = error.details;
  return {
    message,
    expected: clause === undefined ? expected : `${expected} (${clause})`,
    got,
    ...shown,
  };
}

/** Reports stay readable and small; the curl script has the whole. */
const MAX_BODY = 10_000;

const messageOf = (error: unknown) => {
  if (error instanceof Error) {
    return `${error.name}: ${error.message}`;
  }
  return String(error);
};

interface Trial {
  seed: number;
  runs: number;
  /** The place of one case, as an earlier failure gave it: only that case is tried. */
  path?: string;
  /** Whether a failure is made as small as possible, which takes most of its requests. */
  shrink: boolean;
}

type Outcome =
  /** In no case where its values do not exist. */
  | { kind: 'held' }
  | ({ kind: 'broken'; path: string } & Evidence)
  | { kind: 'not possible' | 'broken off'; reason: string }
  | { kind: 'suite failed'; error: unknown };

interface Evidence {
  error: Nonconformity | NoResponse;
  exchanges: RecordedExchange[];
  removals: Sending[];
}

/** A minimum is not worth more than so many steps, or so many requests. */
const MAX_SHRINKS = 120;
const MAX_SHRINK_REQUESTS = 600;

/** How often a case begins, where requests were lost that must not be sent again: in all, and lost at one step. */
const MAX_BEGINNINGS = 10;
const MAX_AT_ONE_STEP = 3;

/** The way in which a case fails: the status that came in place of another one, no response, or anything else. */
function kindOf(error: Nonconformity | NoResponse): string {
  if (error instanceof NoResponse) {
    return error.kind;
  }
  if (error.details.kind === 'status') {
    return error.details.got.slice(0, 3);
  }
  return '';
}

async function tryProperty(property: Property, trial: Trial, context: Context): Promise<Outcome> {
  const { seed, runs, path, shrink } = trial;
  const { implementation, shared } = context;
  const before = context.cases;
  let shrinks = 0;
  let spent = 0;
  let smallest: Evidence | undefined;
  /** Why no further case says anything. */
  let ended: Outcome | undefined;
  const enough = () =>
    (!shrink && smallest !== undefined) ||
    shrinks > MAX_SHRINKS ||
    spent > MAX_SHRINK_REQUESTS ||
    // Each smaller case would take as long again to say the same.
    (smallest?.error instanceof NoResponse && smallest.error.kind === 'late');
  // A replay is one case: not those that shrinking would try next to it.
  const over = () =>
    ended !== undefined || enough() || (path !== undefined && context.cases > before);

  const holds = async (value: unknown): Promise<void> => {
    if (over()) {
      return;
    }
    if (smallest !== undefined) {
      shrinks++;
    }
    context.cases++;
    /** The step that was the last one, each time. */
    const lostAt: number[] = [];
    const mayBeginAgain = (step: number) => {
      lostAt.push(step);
      return (
        lostAt.length < MAX_BEGINNINGS &&
        lostAt.filter((one) => one === step).length < MAX_AT_ONE_STEP
      );
    };
    while (await tryOnce(value, mayBeginAgain)) {
      implementation.client.retries.cases++;
    }
  };

  /** True where the case is to be tried again from its start. */
  const tryOnce = async (
    value: unknown,
    mayBeginAgain: (step: number) => boolean,
  ): Promise<boolean> => {
    const session = new Session(implementation, shared, seed);
    let renew = false;
    let failed = false;
    try {
      await property.check(value, session);
    } catch (error) {
      if (error instanceof ResponseLost && mayBeginAgain(session.exchanges.length)) {
        return (renew = true);
      }
      if (error instanceof BrokenOff) {
        ended = { kind: 'broken off', reason: error.message };
      } else if (error instanceof NotPossible || error instanceof Unsupported) {
        ended = { kind: 'not possible', reason: error.message };
      } else if (error instanceof Nonconformity || error instanceof NoResponse) {
        // fast-check only goes on from failures; a smaller case that fails in another way shows something else.
        if (smallest && kindOf(error) !== kindOf(smallest.error)) {
          return false;
        }
        smallest = { error, exchanges: session.exchanges, removals: session.removals };
        renew = failed = true;
        throw error;
      } else {
        ended = { kind: 'suite failed', error };
      }
    } finally {
      if (smallest !== undefined) {
        spent += session.exchanges.length;
      }
      await session.cleanUp(failed);
      if (renew) {
        await shared.renew();
      }
    }
    return false;
  };

  const settings = {
    seed,
    numRuns: property.once ? 1 : runs,
    ...(path === undefined ? {} : { path }),
  };
  let details: fc.RunDetails<[unknown]>;
  try {
    details = await fc.check(fc.asyncProperty(shrunkUntil(property.values, over), holds), settings);
  } catch (error) {
    if (property.mayBeEmpty && error instanceof GaveUp && context.cases === before) {
      return { kind: 'held' };
    }
    // A path that leads to no case.
    return { kind: 'suite failed', error };
  }
  if (ended?.kind === 'suite failed') {
    return ended;
  }
  // A failure that was found before the run was broken off still counts.
  if (smallest) {
    return { kind: 'broken', ...smallest, path: details.counterexamplePath ?? '0' };
  }
  if (ended) {
    return ended;
  }
  // Without a failing case of ours, a failure is the generator's.
  if (details.failed) {
    return { kind: 'suite failed', error: details.errorInstance };
  }
  return { kind: 'held' };
}

/** What failures of one cause share: expectation, last status, media type, and the keyword of an accepted violation. */
export function causeOf(
  error: Nonconformity | NoResponse,
  clause: string,
  response?: Exchange['response'],
): string {
  if (error instanceof NoResponse) {
    return `No response: ${withoutNumbers(error.message)}`;
  }
  // The sentences before the last one say what was sent, which differs from case to case.
  const sentences = error.message.split(/(?<=[.)]) (?=[A-Z`])/);
  const last = withoutNumbers(sentences.at(-1)!.replace(/\.$/, ''));
  const [, media] = /^Content-Type: (.*)$/.exec(error.details.got) ?? [];
  if (media !== undefined) {
    return `Another media type than the documented one: ${media.split(';', 1)[0]}`;
  }
  if (response === null || response === undefined) {
    return last;
  }
  const { status, headers } = response;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const what = type === '' ? String(status) : `${status}, ${type}`;
  const isStatus = error.details.kind === 'status';
  const mayRefuse = error.details.expected.split(' or ').map(Number).some(isRefusal);
  // The service refuses, and otherwise than documented, where it may refuse: whichever status was due.
  if (isStatus && isRefusal(status) && mayRefuse) {
    return `Refused with ${what} in place of the documented status`;
  }
  // A valid request is refused: by which operation, for which place, and which success was due, is no cause.
  const got = last.replace(/^.* got /, '').replaceAll(/ at \/\S*/g, '');
  const why = got.startsWith(`${status} `) ? `${got} (${type})` : what;
  if (isStatus && isRefusal(status)) {
    return `A valid request is refused with ${why}`;
  }
  // A crash is never the status that was due.
  if (isStatus && status >= 500) {
    return `The service failed: ${what}`;
  }
  if (status >= 400) {
    return `${last} (${isStatus ? type : what})`;
  }
  if (!isStatus || !mayRefuse) {
    return last;
  }
  // What breaks a rule was accepted: its keyword, such as `maxLength`, or the sentence about it.
  const keyword = parsePointer(clause).at(-1) ?? '';
  if (isRule(keyword)) {
    return `${last} (${keyword})`;
  }
  return `${withoutNumbers(sentences[0]!)} ${last}`;
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** Places in lists, and how long something is, differ from case to case; a status does not. */
function withoutNumbers(text: string): string {
  return text
    .replaceAll(/(?<=\/)\d+(?=\/|\b)/g, '*')
    .replaceAll(/\b(?![1-5]\d\d\b)\d[\d,]*\b/g, '*')
    .replaceAll(/\s+/g, ' ');
}

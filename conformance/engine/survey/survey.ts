/**
 * Finds out how to reach each operation of the service, before anything is checked: by a bounded
 * number of calls for each operation, the likeliest first. The survey removes the resources that it
 * makes.
 */
import { stringifyJson } from '../contract/json-numbers.ts';
import { byName } from '../contract/by-name.ts';
import type { Operation, RequestBody } from '../contract/operations.ts';
import { type Random, seededRandom } from '../generate/random.ts';
import { type Implementation, isOffered } from '../http/implementation.ts';
import type { ParameterValue, Surveyed, SurveyResult } from '../http/recipe.ts';
import { type BodyCandidate, bodyCandidates, withNamed, withoutNamed } from './body-candidates.ts';
import { lenderOf } from './call-from.ts';
import { isSafe } from './left-out.ts';
import { parameterSets, setsWithOptional } from './parameter-sets.ts';
import { membersInPath } from './members-in-path.ts';
import { mayCall, type Permission } from './may-call.ts';
import { operationsNamedBy } from './named-resources.ts';
import { nounOf } from '../contract/nouns.ts';
import { namingParameter } from './naming-parameter.ts';
import { type PathCandidate, pathCandidates, type Surroundings } from './path-candidates.ts';
import { namingCandidates } from './query-names.ts';
import { Seen, type SeenCall } from './seen.ts';
import { shownCandidates } from './shown-items.ts';
import { SurveySession } from './survey-session.ts';
import { type End, isAbsent, recipeWith, RecipeTrial } from './recipe-trial.ts';
import { TrialRunner } from './trial-runner.ts';
import { NO_TIME, NOT_OWN, reasonOfError, whyNoPath, whyNotReached } from './why-not-reached.ts';

export interface SurveyOptions {
  /** The operations that are surveyed, beside those that they need. */
  operations: readonly Operation[];
  /** The same seed sends the same survey to the same service. */
  seed: number;
  /** Whether the user allows an operation that may do harm. */
  isAllowed(operation: Operation): boolean;
  /** Why an operation is left out of the run; undefined if it is not. */
  whyLeftOut(operation: Operation): string | undefined;
  /** Whether the time of the survey is over. */
  isOver(): boolean;
  /**
   * After a request without a response: whether the service has stopped, and has lost what was
   * made.
   */
  hasStopped(): Promise<boolean>;
}

/**
 * The implementation gets the result.
 * @throws BrokenOff if the service limits requests
 */
export async function surveyOperations(
  implementation: Implementation,
  options: SurveyOptions,
): Promise<void> {
  await new Survey(implementation, options).run();
}

/** What one operation may cost in a round. */
interface Round {
  /** Its calls, each time that it is tried, without those of its sources. */
  calls: number;
  /** How often it is tried, also as a source of others: each time, other bodies are generated. */
  times: number;
}

/** Each operation has a few calls before one has many: the time of the survey may be short. */
const FIRST_ROUND: Round = { calls: 3, times: 1 };

const LATER_ROUND: Round = { calls: 24, times: 3 };

/** All calls of one operation. */
const MOST_CALLS = 72;

/** An operation that was not reached is tried again when other calls have shown more. */
const ROUNDS: readonly Round[] = [FIRST_ROUND, LATER_ROUND, LATER_ROUND, LATER_ROUND];

/** Paths that exist, at which every body was refused. */
const MOST_FOUND = 2;

/** What is tried with one body after the other. */
interface Target {
  operation: Operation;
  path: PathCandidate;
  parameters: ParameterValue[];
  surveyed: Surveyed;
}

/** The media type of the body is not supported. */
const WRONG_KIND = 415;

class Survey {
  readonly #implementation: Implementation;
  readonly #options: SurveyOptions;
  readonly #session: SurveySession;
  /** The same choices for the same seed. */
  readonly #random: Random;
  readonly #seen = new Seen();
  /** The recipes so far, by `operationId`: sources are called by them. */
  readonly #survey: SurveyResult = byName();
  readonly #underWay = new Set<Operation>();
  #round = FIRST_ROUND;
  /** What other operations need is tried a few times in a round, and not for each of them. */
  readonly #triedInRound = new Map<Operation, number>();
  /** The number of tries that an operation may have had by the end of this round. */
  readonly #limits = new Map<Surveyed, number>();
  /** The tries so far, so that no round repeats one. */
  readonly #known = new Set<string>();
  readonly #trials: TrialRunner;

  constructor(implementation: Implementation, options: SurveyOptions) {
    this.#implementation = implementation;
    this.#options = options;
    this.#session = new SurveySession(implementation, this.#survey, () => options.hasStopped());
    this.#random = seededRandom(options.seed);
    this.#trials = new TrialRunner({
      implementation,
      session: this.#session,
      survey: this.#survey,
      seen: this.#seen,
      random: this.#random,
    });
    implementation.survey = this.#survey;
  }

  async run(): Promise<void> {
    const operations = this.#options.operations.toSorted((one, other) => order(one) - order(other));
    try {
      for (const round of ROUNDS) {
        this.#round = round;
        this.#triedInRound.clear();
        const before = this.#seen.calls.length;
        for (const operation of operations) {
          await this.#reach(operation);
        }
        if (round === LATER_ROUND && this.#seen.calls.length === before) {
          break;
        }
      }
    } finally {
      await this.#session.cleanUp(this.#hasRefused());
    }
  }

  /** Whether the service may have done what it refused, or what it did not respond to. */
  #hasRefused(): boolean {
    return Object.values(this.#survey).some(({ isReached, tried }) => {
      return !isReached && tried.length > 0;
    });
  }

  /** @returns the call that reached the operation; undefined if none did, or if it is under way */
  async #reach(operation: Operation): Promise<SeenCall | undefined> {
    const { operationId } = operation;
    if (this.#survey[operationId]?.isReached) {
      return this.#seen.callOf(operation);
    }
    if (!isOffered(this.#implementation, operation)) {
      return undefined;
    }
    if (this.#underWay.has(operation) || this.#implementation.halted !== undefined) {
      return undefined;
    }
    const surveyed = (this.#survey[operationId] ??= emptyResult(operation));
    const isInVain = this.#trials.isInVain(surveyed) || isTriedOut(surveyed);
    const times = this.#triedInRound.get(operation) ?? 0;
    if (isInVain || times >= this.#round.times) {
      return undefined;
    }
    if (this.#options.isOver()) {
      surveyed.reason ??= NO_TIME;
      return undefined;
    }
    this.#triedInRound.set(operation, times + 1);
    this.#underWay.add(operation);
    const harm = this.#options.whyLeftOut(operation);
    if (operation.unsupported !== undefined) {
      surveyed.reason = operation.unsupported;
    } else if (harm !== undefined) {
      surveyed.isLeftOut = true;
      surveyed.reason = harm;
    } else {
      await this.#tryAll(operation, surveyed);
    }
    this.#underWay.delete(operation);
    return this.#seen.callOf(operation);
  }

  #surroundings(): Surroundings {
    const { contract, api } = this.#implementation;
    return {
      contract,
      seen: this.#seen,
      random: this.#random,
      lentBy: (one, name) => lenderOf(this.#implementation, one, name) && api.callData?.source,
      reach: (one) => this.#reach(one),
    };
  }

  async #tryAll(operation: Operation, surveyed: Surveyed): Promise<void> {
    this.#limits.set(surveyed, surveyed.tried.length + this.#round.calls);
    try {
      const { hasPath, isForeign } = await this.#tryPaths(operation, surveyed);
      await this.#trials.tryInBareParent(operation, surveyed);
      await this.#trials.tryBehindOthers(operation, surveyed);
      if (hasPath) {
        surveyed.reason = whyNotReached(operation, surveyed);
      } else {
        surveyed.reason = whyNoPath(operation, isForeign);
      }
    } catch (error) {
      const reason = reasonOfError(error);
      // A response says more.
      const hasResponse = surveyed.status !== undefined;
      surveyed.reason = hasResponse ? whyNotReached(operation, surveyed) : reason;
    }
    if (surveyed.isReached) {
      delete surveyed.reason;
      delete surveyed.refusal;
    }
  }

  /**
   * Tries the paths until one reaches the operation.
   * @returns whether there was a path to try, and whether one was passed over, since a call there
   *   could change what others have
   */
  async #tryPaths(
    operation: Operation,
    surveyed: Surveyed,
  ): Promise<{ hasPath: boolean; isForeign: boolean }> {
    let hasPath = false;
    let isForeign = false;
    let refusals = 0;
    for await (const path of pathCandidates(operation, this.#surroundings())) {
      if (!(await mayCall(operation, path, this.#permission(operation)))) {
        isForeign = true;
        continue;
      }
      hasPath = true;
      const end = await this.#tryPath(operation, path, surveyed);
      if (end === 'reached' || end === 'stop') {
        break;
      }
      // Another path does not help against the refusal of a body.
      const isBodyRefused = operation.requestBody !== null && wasFound(surveyed);
      refusals += Number(isBodyRefused);
      if (refusals >= MOST_FOUND) {
        break;
      }
    }
    return { hasPath, isForeign };
  }

  #permission(operation: Operation): Permission {
    return {
      contract: this.#implementation.contract,
      isFirstRound: this.#round === FIRST_ROUND,
      isAllowed: this.#options.isAllowed(operation),
      makesAnew: (source) => this.#session.makesAnew(source),
    };
  }

  async #tryPath(operation: Operation, path: PathCandidate, surveyed: Surveyed): Promise<End> {
    let first: ParameterValue[] | undefined;
    for await (const parameters of this.#parameterSets(operation)) {
      first ??= parameters;
      const end = await this.#tryBodies(operation, path, parameters, surveyed);
      if (end !== 'next body') {
        return end;
      }
    }
    if (first === undefined) {
      surveyed.reason ??= NOT_OWN;
      return 'next path';
    }
    return this.#tryOptional(first, { operation, path, surveyed });
  }

  /** Tries the parameters that the contract calls optional, and the service may want. */
  async #tryOptional(
    set: readonly ParameterValue[],
    { operation, path, surveyed }: Omit<Target, 'parameters'>,
  ): Promise<End> {
    const known = { seen: this.#seen, random: this.#random };
    const refused = { set, refusal: this.#trials.refusal };
    for (const parameters of setsWithOptional(operation, this.#implementation, known, refused)) {
      const end = await this.#tryBodies(operation, path, parameters, surveyed);
      if (end !== 'next body') {
        return end;
      }
    }
    return 'next path';
  }

  /** What a write changes is named by what the run makes alone, unless the user allows more. */
  async *#parameterSets(operation: Operation): AsyncGenerator<ParameterValue[]> {
    const { contract } = this.#implementation;
    const known = { seen: this.#seen, random: this.#random };
    const sets = parameterSets(operation, this.#implementation, known);
    const naming = namingParameter(contract, operation);
    if (naming === undefined) {
      yield* sets;
      return;
    }
    const { name } = naming;
    const others = (sets[0] ?? []).filter((one) => one.name !== name || one.in !== 'query');
    const mayBeOfOthers = isSafe(operation) || this.#options.isAllowed(operation);
    for await (const { source } of namingCandidates(operation, naming, this.#surroundings())) {
      if (source !== undefined && (mayBeOfOthers || (await this.#session.makesAnew(source)))) {
        yield [...others, { in: 'query', name, value: undefined, source }];
      }
    }
    if (mayBeOfOthers) {
      yield* sets;
    }
  }

  async #tryBodies(
    operation: Operation,
    path: PathCandidate,
    parameters: ParameterValue[],
    surveyed: Surveyed,
  ): Promise<End> {
    const { others = [] } = operation.requestBody ?? {};
    let end: End = 'next body';
    for (const kind of [undefined, ...others]) {
      end = await this.#tryBodiesOf(kind, { operation, path, parameters, surveyed });
      const isOfKind = surveyed.tried.at(-1)?.status === WRONG_KIND;
      if (end !== 'next body' || !isOfKind) {
        break;
      }
    }
    return end;
  }

  /** @param kind of body, in place of the one that the contract prefers */
  async #tryBodiesOf(
    kind: RequestBody | undefined,
    { operation, path, parameters, surveyed }: Target,
  ): Promise<End> {
    const bodies = await this.#bodiesFor(operation, kind);
    for (const body of bodies) {
      const limit = this.#limits.get(surveyed) ?? this.#round.calls;
      if (surveyed.tried.length >= limit || this.#options.isOver()) {
        return 'stop';
      }
      const recipe = recipeWith(path, body, parameters);
      recipe.otherKind = kind?.mediaType;
      if (recipe.body && this.#givenBody(operation) === undefined) {
        recipe.body.inPath = membersInPath(this.#implementation.contract, operation);
      }
      const key = stringifyJson([operation.operationId, recipe]);
      if (this.#known.has(key)) {
        continue;
      }
      this.#known.add(key);
      const trial = new RecipeTrial(operation, { recipe, candidate: path, surveyed });
      const end = await this.#trials.run(trial, body?.json);
      if (trial.isBlocked) {
        // What is limited may be called again in a later round.
        this.#known.delete(key);
      }
      const isOfKind = surveyed.tried.at(-1)?.status === WRONG_KIND;
      if (end !== 'next body' || isOfKind) {
        return end;
      }
      const { requestBody } = operation;
      const mayNameMembers = kind === undefined && trial.refusal !== '';
      if (body && requestBody && mayNameMembers) {
        bodies.push(...this.#bodiesAfter(trial.refusal, requestBody, body));
      }
    }
    return 'next body';
  }

  /** Bodies with and without what the refusal of another one names. */
  #bodiesAfter(refusal: string, requestBody: RequestBody, body: BodyCandidate): BodyCandidate[] {
    const { contract, hints } = this.#implementation;
    const random = this.#random;
    const more = withNamed(requestBody, body, refusal, { contract, hints, random });
    if (body.isSmaller !== true) {
      more.push(...withoutNamed(contract, requestBody, body, refusal));
    }
    return more;
  }

  /** The bodies to try, of which there may be more later; undefined stands for no body. */
  async #bodiesFor(
    operation: Operation,
    other: RequestBody | undefined,
  ): Promise<(BodyCandidate | undefined)[]> {
    const requestBody = other ?? operation.requestBody;
    if (!requestBody) {
      return [undefined];
    }
    const { contract, hints, api } = this.#implementation;
    const { callData } = api;
    const make = this.#givenBody(operation);
    if (make !== undefined) {
      const how = `the body of ${callData?.source}`;
      const kind = callData?.takesOthers ? 'generated' : 'fixed';
      return [{ kind, json: await make(), shown: [], how }];
    }
    for (const maker of makersFor(operation, this.#implementation)) {
      await this.#reach(maker);
    }
    const [first, ...others] = bodyCandidates(requestBody, {
      contract,
      hints,
      random: this.#random,
      seen: this.#seen,
      noun: nounOf(operation),
    });
    const shown = shownCandidates(this.#implementation, operation, this.#random);
    return first === undefined ? shown : [first, ...shown, ...others];
  }

  /** Makes the body that is given for the operation; undefined if none is. */
  #givenBody({ operationId }: Operation): (() => unknown) | undefined {
    const make = this.#implementation.api.callData?.bodies?.[operationId];
    return make && (() => make(this.#session.current));
  }
}

/** The operations that make what the members of a body name, such as `siteId`. */
function makersFor(operation: Operation, { contract, operations }: Implementation): Operation[] {
  const named = operationsNamedBy(contract, operation, [...operations.values()]);
  return named.filter((one) => one.method === 'POST' && nounOf(one) !== nounOf(operation));
}

const isTriedOut = ({ tried }: Surveyed): boolean => tried.length >= MOST_CALLS;

/** Whether the last path that was tried names something, whatever else was wrong. */
function wasFound({ tried }: Surveyed): boolean {
  const last = tried.at(-1);
  return last !== undefined && !isAbsent(last.status);
}

const emptyResult = ({ operationId }: Operation): Surveyed => ({
  operationId,
  isReached: false,
  isLeftOut: false,
  tried: [],
});

/** Reads of whole collections come first, then what makes items, then what needs them. */
function order({ method, path }: Operation): number {
  const parameters = path.split('{').length - 1;
  const rank = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method);
  const last = method === 'DELETE' ? 1000 : 0;
  return last + parameters * 10 + (rank < 0 ? 5 : rank);
}

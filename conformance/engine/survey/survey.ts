/**
 * Finds out how to reach each operation of the service, before anything is checked: by a bounded
 * number of calls for each operation, the likeliest first. The survey removes the resources that it
 * makes.
 */
import { stringifyJson } from '../contract/json-numbers.ts';
import { byName, memberOf } from '../contract/by-name.ts';
import { Unsupported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import {
  documentedFor,
  type Operation,
  pathParameters,
  type RequestBody,
} from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { CHANCE, type Random, seededRandom } from '../generate/random.ts';
import type { CallInput } from '../http/call.ts';
import { keysOfItems } from '../http/existing-items.ts';
import { MOST_IN_WORDS, requestInWords, withoutBase } from '../http/exchange.ts';
import { expectDocumentedSuccess } from '../http/expect-response.ts';
import { type Implementation, isOffered } from '../http/implementation.ts';
import { Blocked, BrokenOff, Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import type {
  BodyRecipe,
  ParameterValue,
  Recipe,
  Source,
  Surveyed,
  SurveyResult,
} from '../http/recipe.ts';
import { type HttpResponse, MAY_PASS, NoResponse, type Silence } from '../http/response.ts';
import {
  bareBody,
  type BodyCandidate,
  bodyCandidates,
  plainBody,
  withNamed,
  withoutNamed,
} from './body-candidates.ts';
import { callFrom, lenderOf } from './call-from.ts';
import { harmIn, isHarmful, isSafe } from './left-out.ts';
import { parameterSets, setsWithOptional } from './parameter-sets.ts';
import { membersInPath } from './members-in-path.ts';
import { nounOf } from './names.ts';
import { namingParameter } from './naming-parameter.ts';
import {
  isCreationBelow,
  type PathCandidate,
  pathCandidates,
  type Surroundings,
} from './path-candidates.ts';
import { namingCandidates } from './query-names.ts';
import { reactTo } from './reactions.ts';
import { Seen, type SeenCall } from './seen.ts';
import { SurveySession } from './survey-session.ts';
import {
  type End,
  endAfter,
  howOf,
  isAbsent,
  isMoreTelling,
  recipeWith,
  RecipeTrial,
} from './recipe-trial.ts';
import { hasFewValues } from './values.ts';
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

/** Conflicts, conditions, credentials and waits may come one after the other. */
const MOST_REACTIONS = 5;

/** Paths that exist, at which every body was refused. */
const MOST_FOUND = 2;

/** Stops of the service by one operation: the first one may be due to the path. */
const MOST_STOPS = 2;

/** Requests of one operation whose response did not come in time: each takes all of that time. */
const MOST_LATE = 2;

/** What is tried with one body after the other. */
interface Target {
  operation: Operation;
  path: PathCandidate;
  parameters: ParameterValue[];
  surveyed: Surveyed;
}

/** A service that is busier than during the survey takes longer until an item exists. */
const MARGIN_OF_WAIT = 2;

/** No response, or no end of it, came in time. */
const LATE: ReadonlySet<Silence> = new Set(['late', 'endless']);

/** What exists is in the way. */
const CONFLICT = 409;

/** What reached an operation. */
type Reached = Pick<RecipeTrial, 'operation' | 'recipe' | 'candidate' | 'surveyed'>;

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
  /** Recipes that are in conflict with what exists, also with other names. */
  readonly #inConflict = new Map<Operation, Recipe>();
  /** Paths at which something was there, whatever else was wrong. */
  readonly #found = new Set<PathCandidate>();
  /** How many requests had no response in time. */
  readonly #late = new Map<Surveyed, number>();
  /** The text of the last response that refused a call. */
  #refusal = '';

  constructor(implementation: Implementation, options: SurveyOptions) {
    this.#implementation = implementation;
    this.#options = options;
    this.#session = new SurveySession(implementation, this.#survey, () => options.hasStopped());
    this.#random = seededRandom(options.seed);
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
    const isInVain = this.#isInVain(surveyed) || failsTooOften(surveyed) || isTriedOut(surveyed);
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

  /** Whether another call would stop the service again, or take all of its time again. */
  #isInVain(surveyed: Surveyed): boolean {
    return stopsTooOften(surveyed) || (this.#late.get(surveyed) ?? 0) >= MOST_LATE;
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
      await this.#tryInBareParent(operation, surveyed);
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
      if (!(await this.#mayCall(operation, path))) {
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

  /** Whether the call can harm only resources that the run made. */
  async #mayCall(operation: Operation, path: PathCandidate): Promise<boolean> {
    const { isOwn, sources, fresh } = path;
    const { contract } = this.#implementation;
    const isFirst = this.#round === FIRST_ROUND;
    if (isFirst && operation.method === 'POST' && fresh.length > 0) {
      // Nothing has this name: what the run makes, or others have, is tried before it.
      return false;
    }
    if (this.#mayChangeAny(operation) || isOwn === true || isCreationInRoot(operation, path)) {
      return true;
    }
    if (isFirst) {
      // What others have is no parent as long as the run may still make one.
      return false;
    }
    const source = sources.at(-1);
    if (isOwn === 'perhaps' && source && !isCreationBelow(contract, operation)) {
      return this.#session.makesAnew(source);
    }
    return isCreationBelow(contract, operation) || namesNoItem(contract, operation);
  }

  /** Whether the call may go to what others have. */
  #mayChangeAny(operation: Operation): boolean {
    const isCollection = pathParameters(operation).length === 0;
    return isSafe(operation) || isCollection || this.#options.isAllowed(operation);
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
    const refused = { set, refusal: this.#refusal };
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
      const end = await this.#try(trial);
      if (trial.isBlocked) {
        // What is limited may be called again in a later round.
        this.#known.delete(key);
      }
      if (end === 'reached' && operation.method === 'POST') {
        await this.#tryPlain(trial);
      }
      if (end === 'reached') {
        await this.#tryOtherNames(trial, body?.json);
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
    return bodyCandidates(requestBody, {
      contract,
      hints,
      random: this.#random,
      seen: this.#seen,
      noun: nounOf(operation),
    });
  }

  /** Makes the body that is given for the operation; undefined if none is. */
  #givenBody({ operationId }: Operation): (() => unknown) | undefined {
    const make = this.#implementation.api.callData?.bodies?.[operationId];
    return make && (() => make(this.#session.current));
  }

  async #try(trial: RecipeTrial): Promise<End> {
    const { operation, surveyed } = trial;
    for (let reactions = 0; ; reactions++) {
      const exchange = await this.#exchangeOf(trial);
      if (exchange === undefined) {
        if (this.#isInVain(surveyed)) {
          return 'stop';
        }
        return 'next path';
      }
      const { input, response } = exchange;
      if (isSuccess(operation, response.status)) {
        this.#noteReached(trial, input, response);
        return 'reached';
      }
      trial.note(response);
      this.#refusal = trial.refusal;
      if (!isAbsent(response.status)) {
        this.#found.add(trial.candidate);
      }
      if (reactions < MOST_REACTIONS && (await reactTo(response.status, trial, this.#session))) {
        continue;
      }
      if (response.status === CONFLICT) {
        this.#inConflict.set(operation, trial.recipe);
      }
      this.#noteRefusal(trial, response);
      if (failsTooOften(surveyed)) {
        return 'stop';
      }
      return endAfter(trial, response.status, this.#found.has(trial.candidate));
    }
  }

  /** If any body is accepted, one of words is the base: its names become parts of paths. */
  async #tryPlain(trial: RecipeTrial): Promise<void> {
    const { operation, recipe } = trial;
    const { body } = recipe;
    const { requestBody } = operation;
    if (body?.kind !== 'generated' || requestBody === null) {
      return;
    }
    const { contract } = this.#implementation;
    const json = plainBody(requestBody, body.json, { contract, random: this.#random });
    if (json === undefined) {
      return;
    }
    await this.#takeBody(trial, { ...body, kind: 'fixed', json });
  }

  /** If any body was accepted beside the names of the path: whether other names are, too. */
  async #tryOtherNames(trial: RecipeTrial, json: unknown): Promise<void> {
    const { operation, recipe, candidate, surveyed } = trial;
    const { body } = recipe;
    if (body?.kind !== 'generated' || body.inPath === undefined) {
      return;
    }
    const other: Recipe = { ...recipe, body: { ...body, json, inPath: undefined } };
    const exchange = await this.#exchangeOf(
      new RecipeTrial(operation, { recipe: other, candidate, surveyed }),
    );
    if (exchange !== undefined && isSuccess(operation, exchange.response.status)) {
      body.inPath = undefined;
    } else {
      body.kind = 'fixed';
    }
  }

  /**
   * Takes the value of another body into a recipe that reached its operation, if the service
   * accepts it.
   * @returns whether it does
   */
  async #takeBody(
    { operation, recipe, candidate, surveyed }: Reached,
    body: BodyRecipe,
  ): Promise<boolean> {
    const other: Recipe = { ...recipe, body };
    const trial = new RecipeTrial(operation, { recipe: other, candidate, surveyed });
    const exchange = await this.#exchangeOf(trial);
    if (exchange === undefined || !isSuccess(operation, exchange.response.status)) {
      return false;
    }
    if (recipe.body) {
      recipe.body.json = exchange.input.json;
    }
    this.#seen.note({ operation, ...exchange });
    this.#session.keep(operation, other, exchange);
    return true;
  }

  /** A parent with optional members may allow less inside than one that has the required ones. */
  async #tryInBareParent(operation: Operation, surveyed: Surveyed): Promise<void> {
    const recipe = this.#inConflict.get(operation);
    const source = recipe?.path.sources.at(-1);
    if (surveyed.isReached || recipe === undefined || source === undefined) {
      return;
    }
    if (await this.#takeBareBody(source)) {
      const candidate: PathCandidate = recipe.path;
      await this.#try(new RecipeTrial(operation, { recipe, candidate, surveyed }));
    }
  }

  /** @returns whether the source makes items with the required members alone from now on */
  async #takeBareBody({ operationId }: Source): Promise<boolean> {
    const operation = this.#implementation.operations.get(operationId);
    const surveyed = this.#survey[operationId];
    const { recipe } = surveyed ?? {};
    if (!operation?.requestBody || recipe?.body?.kind !== 'generated' || surveyed === undefined) {
      return false;
    }
    const { body } = recipe;
    const json = bareBody(this.#implementation.contract, operation.requestBody, body.json);
    if (json === undefined) {
      return false;
    }
    const reached = { operation, recipe, candidate: recipe.path, surveyed };
    return this.#takeBody(reached, { ...body, json });
  }

  /** Keeps what a refusal shows, if it tells more than the ones before. */
  #noteRefusal(trial: RecipeTrial, { status, text }: HttpResponse): void {
    const { surveyed, recipe } = trial;
    const sent = this.#session.current.exchanges.at(-1);
    if (sent === undefined || !isMoreTelling(trial, status)) {
      return;
    }
    const url = withoutBase(sent.request.url, this.#implementation.client.urlOf(''));
    surveyed.recipe = recipe;
    surveyed.status = status;
    surveyed.refusal = {
      request: requestInWords({ ...sent.request, url }),
      response: `${status} ${show(text, MOST_IN_WORDS)}`.trim(),
    };
  }

  /** @returns undefined if nothing came of it */
  async #exchangeOf(
    trial: RecipeTrial,
  ): Promise<{ input: CallInput; response: HttpResponse } | undefined> {
    const { operation, recipe, surveyed } = trial;
    const last = recipe.path.sources.at(-1);
    const lend = (source: Source) => {
      // A change or removal must not hit an item that others still need; and the time until an item
      // exists shows only with a new one.
      const isNamed = recipe.parameters.some((one) => one.source === source);
      const isTarget = (source === last || isNamed) && !isSafe(operation);
      if (isTarget || this.#session.comesLater(recipe)) {
        return this.#session.call(source);
      }
      return this.#session.lend(source);
    };
    try {
      const session = this.#session.current;
      session.random = trial.isBeyondSeed ? CHANCE : this.#random;
      const input = await callFrom(session, operation, recipe, lend);
      return { input, response: await session.call(operation.operationId, input) };
    } catch (error) {
      if (error instanceof BrokenOff) {
        throw error;
      }
      if (error instanceof NoResponse) {
        surveyed.tried.push({ how: howOf(recipe), status: 0 });
        if (LATE.has(error.kind)) {
          this.#late.set(surveyed, (this.#late.get(surveyed) ?? 0) + 1);
        }
        surveyed.recipe ??= recipe;
        if (await this.#session.isStoppedBy(error, surveyed)) {
          return undefined;
        }
        if (trial.isRepeated || !MAY_PASS.has(error.kind)) {
          return undefined;
        }
        trial.isRepeated = true;
        await this.#session.startOver();
        return this.#exchangeOf(trial);
      }
      if (error instanceof Blocked || error instanceof NotPossible) {
        surveyed.reason = error.message;
        trial.isBlocked = error instanceof Blocked;
        return undefined;
      }
      throw error;
    }
  }

  #noteReached(
    { operation, recipe, surveyed }: RecipeTrial,
    input: CallInput,
    response: HttpResponse,
  ) {
    const { status } = response;
    surveyed.isReached = true;
    surveyed.status = status;
    surveyed.recipe = recipe;
    recipe.waitMs *= MARGIN_OF_WAIT;
    surveyed.tried.push({ how: howOf(recipe), status });
    if (recipe.body) {
      recipe.body.json = input.json;
    }
    try {
      expectDocumentedSuccess(this.#implementation, operation, response);
    } catch (error) {
      // A schema that cannot be read says nothing of the response.
      if (!(error instanceof Nonconformity || error instanceof Unsupported)) {
        throw error;
      }
      if (error instanceof Nonconformity) {
        surveyed.flaw = error.message;
      }
    }
    if (operation.method === 'PUT' && recipe.path.fresh.length > 0) {
      // Only now it is known that this makes something, which is to be removed.
      this.#session.current.made(operation.operationId, input, response);
    }
    const isUntouched = this.#seen.calls.every((call) => isSafe(call.operation));
    if (operation.method === 'GET' && isUntouched) {
      surveyed.existing = keysOfItems(response.json);
    }
    this.#seen.note({ operation, input, response });
    this.#session.keep(operation, recipe, { input, response });
  }
}

/**
 * Whether the last value in the path of a POST says what it does, and names no item: the contract
 * lists the values.
 */
function namesNoItem(contract: Contract, operation: Operation): boolean {
  const last = pathParameters(operation).at(-1);
  if (last === undefined || operation.method !== 'POST') {
    return false;
  }
  const choices = shapeOf(contract, last.schema).choices ?? [];
  const isListed = choices.length > 0 && !choices.some((one) => isHarmful(String(one)));
  const isChoice = isListed || (!operation.path.endsWith('}') && hasFewValues(contract, last));
  return isChoice && harmIn(contract, operation) === undefined;
}

/** Whether a POST names the root of a tree by an empty value: what it makes is in the root. */
function isCreationInRoot(operation: Operation, { given }: PathCandidate): boolean {
  const last = pathParameters(operation).at(-1);
  return operation.method === 'POST' && last !== undefined && memberOf(given, last.name) === '';
}

/** Errors of the service at one operation: other data would show no more. */
const MOST_FAILURES = 8;

const failsTooOften = ({ tried }: Surveyed): boolean =>
  tried.filter(({ status }) => status >= 500).length >= MOST_FAILURES;

const isTriedOut = ({ tried }: Surveyed): boolean => tried.length >= MOST_CALLS;

/** Another start of the service would show no more. */
const stopsTooOften = ({ stops = 0 }: Surveyed): boolean => stops >= MOST_STOPS;

/** Whether the last path that was tried names something, whatever else was wrong. */
function wasFound({ tried }: Surveyed): boolean {
  const last = tried.at(-1);
  return last !== undefined && !isAbsent(last.status);
}

/** Any 2xx reaches an operation, and a redirect that the contract documents. */
function isSuccess(operation: Operation, status: number): boolean {
  if (status >= 300 && status < 400) {
    return documentedFor(operation, status) !== undefined;
  }
  return status >= 200 && status < 300;
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

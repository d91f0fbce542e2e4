/**
 * Finds out how to reach each operation of the service, before anything is checked: by a bounded
 * number of calls for each operation, the likeliest first. The survey removes the resources that it
 * makes.
 */
import { byName } from '../contract/by-name.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { GaveUp } from '../generate/filter.ts';
import { CHANCE, type Random, seededRandom } from '../generate/random.ts';
import { Unsupported } from '../contract/keywords.ts';
import { documentedFor, type Operation, pathParameters } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import type { CallInput } from '../http/call.ts';
import { expectDocumentedSuccess } from '../http/expect-response.ts';
import { MOST_IN_WORDS, requestInWords, withoutBase } from '../http/exchange.ts';
import { type Implementation, isOffered, operationBeside } from '../http/implementation.ts';
import { Blocked, BrokenOff, Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import { type HttpResponse, NoResponse, SIGNS_OF_A_STOP } from '../http/response.ts';
import { CaseSession } from '../http/session.ts';
import { type BodyCandidate, bodyCandidates, withoutNamed } from './body-candidates.ts';
import { callAccepted, callFrom, lenderOf } from './call-from.ts';
import { harmIn, isHarmful, isSafe } from './left-out.ts';
import { parameterSets } from './parameter-sets.ts';
import { isCreationBelow, type PathCandidate, pathCandidates } from './path-candidates.ts';
import type {
  ParameterValue,
  Recipe,
  Source,
  Surveyed,
  SurveyResult,
  Tried,
} from '../http/recipe.ts';
import { evaluate, type Exchange } from '../http/runtime-expressions.ts';
import { Seen, type SeenCall } from './seen.ts';
import { hasFewValues } from './values.ts';

export interface SurveyOptions {
  /** The operations that are surveyed, beside those that they need. */
  operations: readonly Operation[];
  /** The same seed sends the same survey to the same service. */
  seed: number;
  /** Whether the user allows an operation that may do harm. */
  isAllowed(operation: Operation): boolean;
  /** Why an operation is left out of the run; undefined if it is not. */
  whyLeftOut(operation: Operation): string | undefined;
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

/** Calls of one operation in a round, without those of its sources. */
const MOST_TRIES = 24;

/** An operation that was not reached is tried again when other calls have shown more. */
const ROUNDS = 3;

/** Paths that exist, at which every body was refused. */
const MOST_FOUND = 2;

/** Stops of the service by one operation: the first one may be due to the path. */
const MOST_STOPS = 2;

const WAITS_MS = [100, 400, 1500];

/** The end of a try: `next path` if another body would not help. */
type End = 'reached' | 'next body' | 'next path' | 'stop';

class Survey {
  readonly #implementation: Implementation;
  readonly #options: SurveyOptions;
  /** Another one when the service was away; all of them remove what they made. */
  #session: CaseSession;
  readonly #sessions: CaseSession[] = [];
  /** The same choices for the same seed. */
  readonly #random: Random;
  readonly #seen = new Seen();
  /** The recipes so far, by `operationId`: sources are called by them. */
  readonly #survey: SurveyResult = byName();
  readonly #underWay = new Set<Operation>();
  /** The number of tries that an operation may have had by the end of this round. */
  readonly #limits = new Map<Surveyed, number>();
  /** The tries so far, so that no round repeats one. */
  readonly #known = new Set<string>();
  /** The last exchanges of sources: reads and parents need no newer ones. */
  readonly #made = new Map<string, Exchange>();
  /** Whether two calls of a source give two items, by the source. */
  readonly #makes = new Map<string, boolean>();
  /** Paths at which something was there, whatever else was wrong. */
  readonly #found = new Set<PathCandidate>();

  constructor(implementation: Implementation, options: SurveyOptions) {
    this.#implementation = implementation;
    this.#options = options;
    this.#session = this.#newSession();
    this.#random = seededRandom(options.seed);
    implementation.survey = this.#survey;
  }

  async run(): Promise<void> {
    const operations = this.#options.operations.toSorted((one, other) => order(one) - order(other));
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const before = this.#seen.calls.length;
        for (const operation of operations) {
          await this.#reach(operation);
        }
        if (round > 0 && this.#seen.calls.length === before) {
          break;
        }
      }
    } finally {
      const mayHaveMore = this.#hasRefused();
      for (const session of this.#sessions) {
        await session.cleanUp(mayHaveMore);
      }
    }
  }

  /** Whether the service may have done what it refused, or what it did not respond to. */
  #hasRefused(): boolean {
    return Object.values(this.#survey).some(({ isReached, tried }) => {
      return !isReached && tried.length > 0;
    });
  }

  #newSession(): CaseSession {
    const session = new CaseSession(this.#implementation);
    // What a check of the user says of a response is a finding of the requirements.
    session.checksResponses = false;
    this.#sessions.push(session);
    return session;
  }

  /** Whether the request without a response has stopped the service. */
  async #isStoppedBy(error: NoResponse, surveyed: Surveyed): Promise<boolean> {
    if (!SIGNS_OF_A_STOP.has(error.kind) || !(await this.#options.hasStopped())) {
      return false;
    }
    surveyed.stops = (surveyed.stops ?? 0) + 1;
    this.#made.clear();
    this.#session = this.#newSession();
    return true;
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
    if (stopsTooOften(surveyed)) {
      return undefined;
    }
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

  async #tryAll(operation: Operation, surveyed: Surveyed): Promise<void> {
    const { contract, api } = this.#implementation;
    const surroundings = {
      contract,
      seen: this.#seen,
      random: this.#random,
      lentBy: (one: Operation, name: string) =>
        lenderOf(this.#implementation, one, name) && api.callData?.source,
      reach: (one: Operation) => this.#reach(one),
    };
    this.#limits.set(surveyed, surveyed.tried.length + MOST_TRIES);
    let isForeign = false;
    let hasPath = false;
    let found = 0;
    try {
      for await (const path of pathCandidates(operation, surroundings)) {
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
        const isFound = !ABSENT.includes(surveyed.tried.at(-1)?.status ?? 404);
        found += isFound && operation.requestBody !== null ? 1 : 0;
        if (found >= MOST_FOUND) {
          break;
        }
      }
    } catch (error) {
      surveyed.reason = reasonOf(error);
    }
    if (surveyed.isReached) {
      delete surveyed.reason;
      delete surveyed.refusal;
    } else if (!hasPath) {
      surveyed.reason = isForeign
        ? NOT_OWN
        : `nothing says what ${operation.path} may name: ${GIVE}`;
    } else {
      surveyed.reason = whyNot(operation, surveyed);
    }
  }

  /** Whether the call can harm only resources that the run made. */
  async #mayCall(operation: Operation, { isOwn, sources }: PathCandidate): Promise<boolean> {
    const { contract } = this.#implementation;
    const { path } = operation;
    const last = pathParameters(operation).at(-1);
    if (isSafe(operation) || last === undefined || this.#options.isAllowed(operation)) {
      return true;
    }
    if (isOwn === true || isCreationBelow(contract, operation)) {
      return true;
    }
    const source = sources.at(-1);
    if (isOwn === 'perhaps' && source) {
      return this.#makesAnew(source);
    }
    // A value that the contract lists names no item: it says what a POST does.
    const choices = shapeOf(contract, last.schema).choices ?? [];
    const isNamed = choices.length > 0 && !choices.some((one) => isHarmful(String(one)));
    const isChoice = isNamed || (!path.endsWith('}') && hasFewValues(contract, last));
    const isPost = operation.method === 'POST';
    return isPost && isChoice && harmIn(contract, operation) === undefined;
  }

  /** Whether two calls of a source give two names: then it makes the resource that it names. */
  async #makesAnew(source: Source): Promise<boolean> {
    const key = JSON.stringify(source);
    const known = this.#makes.get(key);
    if (known !== undefined) {
      return known;
    }
    const recipe = this.#survey[source.operationId]?.recipe;
    let makes = await this.#givesTwo(source);
    if (!makes && recipe?.body && !recipe.body.isFresh) {
      recipe.body.isFresh = true;
      makes = await this.#givesTwo(source);
      recipe.body.isFresh = makes;
    }
    this.#makes.set(key, makes);
    return makes;
  }

  async #givesTwo(source: Source): Promise<boolean> {
    try {
      const first = await this.#call(source);
      const second = await this.#call(source);
      const expression = Object.values(source.values).at(-1);
      const name = evaluate(expression, first);
      return name !== undefined && name !== evaluate(expression, second);
    } catch (error) {
      if (error instanceof Blocked || error instanceof NotPossible) {
        return false;
      }
      throw error;
    }
  }

  /** Calls a source anew. @throws Blocked */
  async #call(source: Source): Promise<Exchange> {
    const operation = this.#session.operation(source.operationId);
    const recipe = this.#survey[source.operationId]?.recipe;
    if (!recipe) {
      throw new Blocked(source.operationId, 'it was not reached');
    }
    try {
      const exchange = await this.#callAlone(operation, recipe);
      this.#made.set(source.operationId, exchange);
      return exchange;
    } catch (error) {
      if (error instanceof NoResponse) {
        const surveyed = this.#survey[source.operationId];
        const isStopped = surveyed !== undefined && (await this.#isStoppedBy(error, surveyed));
        throw new Blocked(
          source.operationId,
          isStopped ? 'it stops the service' : 'it gave no response',
        );
      }
      throw error;
    }
  }

  /** The call of a source. What has a given name may be there already: then that is removed. */
  async #callAlone(operation: Operation, recipe: Recipe): Promise<Exchange> {
    const call = () => {
      return callAccepted(this.#session, operation, recipe, (one) => this.#lend(one));
    };
    try {
      return await call();
    } catch (error) {
      const hasGivenBody = this.#givenBody(operation) !== undefined;
      if (!(error instanceof Blocked) || !hasGivenBody || this.#made.size === 0) {
        throw error;
      }
      await this.#session.cleanUp(false);
      this.#made.clear();
      return call();
    }
  }

  /** The exchange of a source, as it was made for another call. */
  async #lend(source: Source): Promise<Exchange> {
    return this.#made.get(source.operationId) ?? this.#call(source);
  }

  async #tryPath(operation: Operation, path: PathCandidate, surveyed: Surveyed): Promise<End> {
    const known = { seen: this.#seen, random: this.#random };
    for (const parameters of parameterSets(operation, this.#implementation, known)) {
      const end = await this.#tryBodies(operation, path, parameters, surveyed);
      if (end !== 'next body') {
        return end;
      }
    }
    return 'next path';
  }

  async #tryBodies(
    operation: Operation,
    path: PathCandidate,
    parameters: ParameterValue[],
    surveyed: Surveyed,
  ): Promise<End> {
    const bodies = await this.#bodiesFor(operation);
    for (const body of bodies) {
      if (surveyed.tried.length >= (this.#limits.get(surveyed) ?? MOST_TRIES)) {
        return 'stop';
      }
      const recipe = recipeWith(path, body, parameters);
      const key = JSON.stringify([operation.operationId, recipe]);
      if (this.#known.has(key)) {
        continue;
      }
      this.#known.add(key);
      const trial = new Trial(operation, { recipe, candidate: path, surveyed });
      const end = await this.#try(trial);
      if (end !== 'next body') {
        return end;
      }
      const { requestBody } = operation;
      if (body && requestBody && trial.refusal !== '' && body.isSmaller !== true) {
        const { contract } = this.#implementation;
        bodies.push(...withoutNamed(contract, requestBody, body, trial.refusal));
      }
    }
    return 'next body';
  }

  /** The bodies to try, of which there may be more later; undefined stands for no body. */
  async #bodiesFor(operation: Operation): Promise<(BodyCandidate | undefined)[]> {
    const { requestBody } = operation;
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
    });
  }

  /** Makes the body that is given for the operation; undefined if none is. */
  #givenBody({ operationId }: Operation): (() => unknown) | undefined {
    const make = this.#implementation.api.callData?.bodies?.[operationId];
    return make && (() => make(this.#session));
  }

  async #try(trial: Trial): Promise<End> {
    const { operation, surveyed } = trial;
    for (let reactions = 0; ; reactions++) {
      const exchange = await this.#exchangeOf(trial);
      if (exchange === undefined) {
        return stopsTooOften(surveyed) ? 'stop' : 'next path';
      }
      const { input, response } = exchange;
      if (isSuccess(operation, response.status)) {
        this.#noteReached(trial, input, response);
        return 'reached';
      }
      trial.note(response);
      if (!ABSENT.includes(response.status)) {
        this.#found.add(trial.candidate);
      }
      if (reactions < MOST_REACTIONS && (await this.#react(trial, response))) {
        continue;
      }
      this.#noteRefusal(trial, response);
      return endAfter(trial, response.status, this.#found.has(trial.candidate));
    }
  }

  /** Keeps what a refusal shows, if it tells more than the ones before. */
  #noteRefusal(trial: Trial, { status, text }: HttpResponse): void {
    const { surveyed, recipe } = trial;
    const sent = this.#session.exchanges.at(-1);
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
    trial: Trial,
  ): Promise<{ input: CallInput; response: HttpResponse } | undefined> {
    const { operation, recipe, surveyed } = trial;
    const last = recipe.path.sources.at(-1);
    const lend = (source: Source) => {
      // A change or removal must not hit an item that others still need; and the time until an item
      // exists shows only with a new one.
      const isTarget = source === last && !isSafe(operation);
      if (isTarget || this.#comesLater(recipe)) {
        return this.#call(source);
      }
      return this.#lend(source);
    };
    try {
      this.#session.random = trial.isBeyondSeed ? CHANCE : this.#random;
      const input = await callFrom(this.#session, operation, recipe, lend);
      return { input, response: await this.#session.call(operation.operationId, input) };
    } catch (error) {
      if (error instanceof BrokenOff) {
        throw error;
      }
      if (error instanceof NoResponse) {
        surveyed.tried.push({ how: howOf(recipe), status: 0 });
        surveyed.recipe ??= recipe;
        if (await this.#isStoppedBy(error, surveyed)) {
          return undefined;
        }
        const isLost = error.kind === 'closed' || error.kind === 'unavailable';
        const mayRespond = isLost && !trial.isRepeated;
        trial.isRepeated = true;
        return mayRespond ? this.#exchangeOf(trial) : undefined;
      }
      if (error instanceof Blocked || error instanceof NotPossible) {
        surveyed.reason = error.message;
        return undefined;
      }
      throw error;
    }
  }

  /** Changes the recipe by what a refusal asks for. @returns whether to call again */
  async #react(trial: Trial, { status }: HttpResponse): Promise<boolean> {
    const { operation, recipe } = trial;
    if (status === 409 && trial.conflicts < MOST_CONFLICTS && hasNewNames(recipe)) {
      trial.conflicts++;
      if (recipe.body) {
        recipe.body.isFresh = true;
      }
      return true;
    }
    const mayBeGone = status === 409 || ABSENT.includes(status);
    if (mayBeGone && recipe.path.isOwn && recipe.path.sources.length > 0 && !trial.isRenewed) {
      trial.isRenewed = true;
      recipe.path.sources.forEach((source) => this.#made.delete(source.operationId));
      return true;
    }
    const type = status === 415 ? nextMediaType(operation, recipe) : undefined;
    if (type !== undefined) {
      recipe.mediaType = type;
      return true;
    }
    const canRead = operationBeside(this.#implementation, operation, 'GET') !== undefined;
    if ((status === 412 || status === 428) && canRead && !recipe.needsEntityTag) {
      recipe.needsEntityTag = true;
      return true;
    }
    const isLate = status === 404 && this.#comesLater(recipe);
    const next = WAITS_MS.find((ms) => ms > recipe.waitMs);
    if (isLate && next !== undefined) {
      recipe.waitMs = next;
      await sleep(next);
      return true;
    }
    return false;
  }

  /** Whether the resource that a source makes may not exist yet (202). */
  #comesLater({ path }: Recipe): boolean {
    return path.sources.some(({ operationId }) => {
      return this.#survey[operationId]?.status === 202;
    });
  }

  #noteReached({ operation, recipe, surveyed }: Trial, input: CallInput, response: HttpResponse) {
    const { status } = response;
    surveyed.isReached = true;
    surveyed.status = status;
    surveyed.recipe = recipe;
    surveyed.tried.push({ how: howOf(recipe), status });
    if (recipe.body) {
      recipe.body.json = input.json;
    }
    try {
      expectDocumentedSuccess(this.#implementation, operation, response);
    } catch (error) {
      if (!(error instanceof Nonconformity)) {
        throw error;
      }
      surveyed.flaw = error.message;
    }
    this.#seen.note({ operation, input, response });
    this.#made.set(operation.operationId, { input, response });
    if (operation.method === 'DELETE') {
      // Its source is gone with it.
      recipe.path.sources.forEach((source) => this.#made.delete(source.operationId));
      this.#made.delete(operation.operationId);
    }
  }
}

/** Another start of the service would show no more. */
const stopsTooOften = ({ stops = 0 }: Surveyed): boolean => stops >= MOST_STOPS;

/** Any 2xx reaches an operation, and a redirect that the contract documents. */
function isSuccess(operation: Operation, status: number): boolean {
  if (status >= 300 && status < 400) {
    return documentedFor(operation, status) !== undefined;
  }
  return status >= 200 && status < 300;
}

/** Conflicts, conditions, credentials and waits may come one after the other. */
const MOST_REACTIONS = 5;

/** One recipe that is tried. */
class Trial {
  readonly operation: Operation;
  readonly recipe: Recipe;
  readonly candidate: PathCandidate;
  readonly surveyed: Surveyed;
  /** The response of the service when it refused. */
  refusal = '';
  /** Whether it was sent again, since a connection was lost. */
  isRepeated = false;
  /**
   * Whether its sources were called again: the resources that they made may be gone, or in
   * conflict.
   */
  isRenewed = false;
  /** How often it was called with other names after a conflict. */
  conflicts = 0;

  constructor(
    operation: Operation,
    { recipe, candidate, surveyed }: Pick<Trial, 'recipe' | 'candidate' | 'surveyed'>,
  ) {
    this.operation = operation;
    this.recipe = recipe;
    this.candidate = candidate;
    this.surveyed = surveyed;
  }

  /**
   * An earlier run with the same seed may have left what has the names of this one: after a second
   * conflict, they come from chance.
   */
  get isBeyondSeed(): boolean {
    return this.conflicts > 1;
  }

  note({ status, text }: HttpResponse): void {
    this.refusal = text.slice(0, 2000);
    const tried: Tried = { how: howOf(this.recipe), status };
    this.surveyed.tried.push(tried);
  }
}

/** Conflicts after which a body or a name is given up. */
const MOST_CONFLICTS = 2;

/** Whether another call can have other names. */
const hasNewNames = ({ body, path }: Recipe): boolean =>
  body !== undefined || path.fresh.length > 0;

const emptyResult = ({ operationId }: Operation): Surveyed => ({
  operationId,
  isReached: false,
  isLeftOut: false,
  tried: [],
});

function recipeWith(
  path: PathCandidate,
  body: BodyCandidate | undefined,
  parameters: ParameterValue[],
): Recipe {
  const { sources, given, lent, fresh, isGuess, how } = path;
  return {
    path: { sources, given, lent, fresh, isGuess, how, isOwn: path.isOwn !== false },
    body: body && { ...body, isFresh: false },
    mediaType: undefined,
    parameters,
    needsEntityTag: false,
    waitMs: 0,
  };
}

/** The documented media type of the body to try next; undefined if all were refused. */
function nextMediaType({ requestBody }: Operation, { mediaType }: Recipe): string | undefined {
  const others = requestBody?.otherTypes ?? [];
  if (mediaType === undefined) {
    return others[0];
  }
  return others[others.indexOf(mediaType) + 1];
}

/** Reads of whole collections come first, then what makes items, then what needs them. */
function order({ method, path }: Operation): number {
  const parameters = path.split('{').length - 1;
  const rank = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method);
  const last = method === 'DELETE' ? 1000 : 0;
  return last + parameters * 10 + (rank < 0 ? 5 : rank);
}

const howOf = ({ path, body }: Recipe): string => (body ? `${path.how}, ${body.how}` : path.how);

/** Statuses that say that the path names nothing. */
const ABSENT = [404, 410];

/** Statuses that no other data changes. */
const FINAL = [401, 403, 405, 501];

/** @param wasFound whether another body was refused at the path, and the path was not */
function endAfter({ operation }: Trial, status: number, wasFound: boolean): End {
  if (FINAL.includes(status)) {
    return 'stop';
  }
  if (!ABSENT.includes(status)) {
    return 'next body';
  }
  // A member of the body may name what does not exist, too.
  const isOfBody = operation.requestBody !== null && (wasFound || !operation.path.includes('{'));
  return isOfBody ? 'next body' : 'next path';
}

/** Whether a status explains better why the operation is not reached than the one before. */
function isMoreTelling({ surveyed, operation }: Trial, status: number): boolean {
  const weight = (one: number | undefined): number => {
    if (one === undefined) {
      return -1;
    }
    if (one >= 500) {
      return 3;
    }
    // Without a body, the path is refused: an id of another kind explains little.
    const isAbsent = ABSENT.includes(one);
    return isAbsent === (operation.requestBody === null) ? 2 : 1;
  };
  return surveyed.recipe === undefined || weight(status) > weight(surveyed.status);
}

const GIVE = '--data names what works';

const NOT_OWN =
  'nothing is known that the run itself makes at this path, and what others have is not changed';

function whyNot(operation: Operation, { status, tried, reason, stops = 0 }: Surveyed): string {
  const { operationId, requestBody } = operation;
  if (stops > 0) {
    return `${operationId} stops the service`;
  }
  if (status === undefined) {
    const isSilent = tried.some((one) => one.status === 0);
    if (isSilent) {
      return `${operationId} gives no response`;
    }
    return reason ?? `nothing could be sent: ${GIVE}`;
  }
  if (ABSENT.includes(status)) {
    const where = `${operation.path} as far as it was tried (${status})`;
    return `the service has nothing at ${where}: ${GIVE}`;
  }
  const isDocumented = documentedFor(operation, status) !== undefined;
  // A documented 403 may refuse the data, such as a wrong password.
  const wantsCredentials = status === 401 || (status === 403 && !isDocumented);
  if (wantsCredentials && operation.security.length === 0) {
    const options = '--token, --auth, --cert or --header';
    return `it asks for credentials (${status}), which the contract does not say: give ${options}`;
  }
  if (status < 500 && isDocumented && requestBody) {
    const why = `it refuses whatever the contract allows, as documented (${status})`;
    return `${operationId} needs data: ${why}; --data names a body that works`;
  }
  return `every call gets ${status}${status < 500 ? `: ${GIVE}` : ''}`;
}

function reasonOf(error: unknown): string {
  const isKnown = error instanceof NotPossible || error instanceof Unsupported;
  if (isKnown || error instanceof GaveUp) {
    return error.message;
  }
  if (error instanceof BrokenOff || !(error instanceof Error)) {
    throw error;
  }
  // The requirements of the operation say where; the others are tried.
  return `the suite failed: ${error.name}: ${error.message}`;
}

/**
 * Tries recipes of operations: sends the call, reacts to what the response says, and notes in the
 * result of the survey what came of it.
 */
import { Unsupported } from '../contract/keywords.ts';
import { documentedFor, type Operation } from '../contract/operations.ts';
import { CHANCE, type Random } from '../generate/random.ts';
import type { CallInput } from '../http/call.ts';
import { keysOfItems } from '../http/existing-items.ts';
import { MOST_IN_WORDS, requestInWords, withoutBase } from '../http/exchange.ts';
import { expectDocumentedSuccess } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { Blocked, BrokenOff, Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import type { BodyRecipe, Recipe, Source, Surveyed, SurveyResult } from '../http/recipe.ts';
import { type HttpResponse, MAY_PASS, NoResponse, type Silence } from '../http/response.ts';
import { bareBody, plainBody } from './body-candidates.ts';
import { callFrom } from './call-from.ts';
import { isSafe } from './left-out.ts';
import type { PathCandidate } from './path-candidates.ts';
import { reactTo } from './reactions.ts';
import type { Seen } from './seen.ts';
import type { SurveySession } from './survey-session.ts';
import { waysBefore } from './steps-before.ts';
import { type End, endAfter, howOf, isAbsent, isMoreTelling, RecipeTrial } from './recipe-trial.ts';

/** Conflicts, conditions, credentials and waits may come one after the other. */
const MOST_REACTIONS = 5;

/** Stops of the service by one operation: the first one may be due to the path. */
const MOST_STOPS = 2;

/** Requests of one operation whose response did not come in time: each takes all of that time. */
const MOST_LATE = 2;

/** Errors of the service at one operation: other data would show no more. */
const MOST_FAILURES = 8;

const failsTooOften = ({ tried }: Surveyed): boolean =>
  tried.filter(({ status }) => status >= 500).length >= MOST_FAILURES;

/** A service that is busier than during the survey takes longer until an item exists. */
const MARGIN_OF_WAIT = 2;

/** No response, or no end of it, came in time. */
const LATE: ReadonlySet<Silence> = new Set(['late', 'endless']);

/** What exists is in the way. */
const CONFLICT = 409;

/** What reached an operation. */
type Reached = Pick<RecipeTrial, 'operation' | 'recipe' | 'candidate' | 'surveyed'>;

/** What the trials of a survey share. */
interface Surroundings {
  implementation: Implementation;
  session: SurveySession;
  survey: SurveyResult;
  seen: Seen;
  random: Random;
}

/** A call and its response. */
interface Exchanged {
  input: CallInput;
  response: HttpResponse;
}

/** The trials of one survey. */
export class TrialRunner {
  readonly #implementation: Implementation;
  readonly #session: SurveySession;
  readonly #survey: SurveyResult;
  readonly #seen: Seen;
  readonly #random: Random;
  /** Recipes that are in conflict with what exists, also with other names. */
  readonly #inConflict = new Map<Operation, Recipe>();
  /** Paths at which something was there, whatever else was wrong. */
  readonly #found = new Set<PathCandidate>();
  /** Actions that were tried behind others. */
  readonly #behind = new Set<string>();
  /** How many requests had no response in time. */
  readonly #late = new Map<Surveyed, number>();
  /** The text of the last response that refused a call. */
  #refusal = '';

  constructor({ implementation, session, survey, seen, random }: Surroundings) {
    this.#implementation = implementation;
    this.#session = session;
    this.#survey = survey;
    this.#seen = seen;
    this.#random = random;
  }

  /** The text of the last response that refused a call. */
  get refusal(): string {
    return this.#refusal;
  }

  /** Whether more calls of the operation would show no more than those before. */
  isInVain(surveyed: Surveyed): boolean {
    const isTooLate = (this.#late.get(surveyed) ?? 0) >= MOST_LATE;
    return isTooLate || stopsTooOften(surveyed) || failsTooOften(surveyed);
  }

  /**
   * Tries a recipe. If it is accepted, tries also which other bodies are.
   * @param json the body of the recipe before it is called
   */
  async run(trial: RecipeTrial, json: unknown): Promise<End> {
    const end = await this.#try(trial);
    if (end === 'reached') {
      if (trial.operation.method === 'POST') {
        await this.#tryPlain(trial);
      }
      await this.#tryOtherNames(trial, json);
    }
    return end;
  }

  async #try(trial: RecipeTrial): Promise<End> {
    const { operation, surveyed } = trial;
    for (let reactions = 0; ; reactions++) {
      const exchange = await this.#exchangeOf(trial);
      if (exchange === undefined) {
        if (this.isInVain(surveyed)) {
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
      if (this.isInVain(surveyed)) {
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
  async tryInBareParent(operation: Operation, surveyed: Surveyed): Promise<void> {
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

  /** Tries an action again behind others on the same new item: it may refuse the first state. */
  async tryBehindOthers(operation: Operation, surveyed: Surveyed): Promise<void> {
    const recipe = this.#inConflict.get(operation);
    const source = recipe?.path.sources.at(-1);
    if (surveyed.isReached || recipe === undefined || source === undefined) {
      return;
    }
    const ways = waysBefore(operation, this.#implementation);
    // What comes before may remove the item.
    if (ways.length === 0 || !recipe.path.isOwn || !(await this.#session.makesAnew(source))) {
      return;
    }
    for (const before of ways) {
      const key = `${operation.operationId} behind ${before.join(' and ')}`;
      if (this.#behind.has(key)) {
        continue;
      }
      this.#behind.add(key);
      const how = `${recipe.path.how}, behind ${before.join(' and ')}`;
      const behind: Recipe = { ...recipe, path: { ...recipe.path, how }, before };
      const trial = new RecipeTrial(operation, {
        recipe: behind,
        candidate: recipe.path,
        surveyed,
      });
      const end = await this.#try(trial);
      // The item is in another state than others need.
      this.#session.forget(recipe.path.sources);
      if (end === 'reached') {
        return;
      }
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
  async #exchangeOf(trial: RecipeTrial): Promise<Exchanged | undefined> {
    const { surveyed } = trial;
    try {
      return await this.#send(trial);
    } catch (error) {
      if (error instanceof BrokenOff) {
        throw error;
      }
      if (error instanceof NoResponse) {
        return this.#afterSilence(trial, error);
      }
      if (error instanceof Blocked || error instanceof NotPossible) {
        surveyed.reason = error.message;
        trial.isBlocked = error instanceof Blocked;
        return undefined;
      }
      throw error;
    }
  }

  async #send(trial: RecipeTrial): Promise<Exchanged> {
    const { operation, recipe } = trial;
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
    const session = this.#session.current;
    session.random = trial.isBeyondSeed ? CHANCE : this.#random;
    const input = await callFrom(session, operation, recipe, lend);
    return { input, response: await session.call(operation.operationId, input) };
  }

  /** Sends the call again, once, if its response may have been lost on the way. */
  async #afterSilence(trial: RecipeTrial, error: NoResponse): Promise<Exchanged | undefined> {
    const { recipe, surveyed } = trial;
    surveyed.tried.push({ how: howOf(recipe), status: 0 });
    surveyed.recipe ??= recipe;
    if (LATE.has(error.kind)) {
      this.#late.set(surveyed, (this.#late.get(surveyed) ?? 0) + 1);
    }
    const isStopped = await this.#session.isStoppedBy(error, surveyed);
    if (isStopped || trial.isRepeated || !MAY_PASS.has(error.kind)) {
      return undefined;
    }
    trial.isRepeated = true;
    await this.#session.startOver();
    return this.#exchangeOf(trial);
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

/** Another start of the service would show no more. */
const stopsTooOften = ({ stops = 0 }: Surveyed): boolean => stops >= MOST_STOPS;

/** Any 2xx reaches an operation, and a redirect that the contract documents. */
function isSuccess(operation: Operation, status: number): boolean {
  if (status >= 300 && status < 400) {
    return documentedFor(operation, status) !== undefined;
  }
  return status >= 200 && status < 300;
}

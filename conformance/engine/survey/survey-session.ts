/**
 * The calls of the survey, and the resources that they made: a source is called once, and its
 * exchange is lent to the calls that need it.
 */
import { stringifyJson } from '../contract/json-numbers.ts';
import type { Operation } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import { Blocked, NotPossible } from '../http/nonconformity.ts';
import type { Recipe, Source, Surveyed, SurveyResult } from '../http/recipe.ts';
import { MAY_PASS, NoResponse, SIGNS_OF_A_STOP } from '../http/response.ts';
import { evaluate, type Exchange } from '../http/runtime-expressions.ts';
import { CaseSession } from '../http/session.ts';
import { callAccepted } from './call-from.ts';
import { sourcesOfRecipe } from './recipe-trial.ts';

export class SurveySession {
  readonly #implementation: Implementation;
  readonly #hasStopped: () => Promise<boolean>;
  /** The recipes so far, by `operationId`. */
  readonly #survey: SurveyResult;
  /** Another one after a stop of the service; all of them remove what they made. */
  #current: CaseSession;
  readonly #all: CaseSession[] = [];
  /** The last exchange of each source: reads and parents need no newer one. */
  readonly #made = new Map<string, Exchange>();
  /** Whether two calls of a source give two items, by the source. */
  readonly #makesAnew = new Map<string, boolean>();

  /**
   * @param survey the recipes so far
   * @param hasStopped after a request without a response: whether the service has stopped, and has
   *   lost what was made
   */
  constructor(
    implementation: Implementation,
    survey: SurveyResult,
    hasStopped: () => Promise<boolean>,
  ) {
    this.#implementation = implementation;
    this.#survey = survey;
    this.#hasStopped = hasStopped;
    this.#current = this.#newSession();
  }

  /** The session that calls are made in. */
  get current(): CaseSession {
    return this.#current;
  }

  #newSession(): CaseSession {
    const session = new CaseSession(this.#implementation);
    // What a check of the user says of a response is a finding of the requirements.
    session.checksResponses = false;
    // The survey counts what has no response.
    session.allowsSilentStreams = false;
    this.#all.push(session);
    return session;
  }

  /** Removes what was made. */
  async cleanUp(mayHaveMore: boolean): Promise<void> {
    for (const session of this.#all) {
      await session.cleanUp(mayHaveMore);
    }
  }

  /** Whether the request without a response has stopped the service. */
  async isStoppedBy(error: NoResponse, surveyed: Surveyed): Promise<boolean> {
    const isOver = this.#implementation.halted !== undefined;
    if (isOver || !SIGNS_OF_A_STOP.has(error.kind) || !(await this.#hasStopped())) {
      return false;
    }
    surveyed.stops = (surveyed.stops ?? 0) + 1;
    this.#made.clear();
    this.#current = this.#newSession();
    return true;
  }

  /** Keeps the exchange that reached an operation, so that it can be lent. */
  keep(operation: Operation, recipe: Recipe, exchange: Exchange): void {
    if (operation.method === 'DELETE') {
      // Its source is gone with it.
      this.forget(sourcesOfRecipe(recipe));
      return;
    }
    this.#made.set(operation.operationId, exchange);
  }

  /** The next call that needs one of the sources calls it anew. */
  forget(sources: readonly Source[]): void {
    for (const { operationId } of sources) {
      this.#made.delete(operationId);
    }
  }

  /** Whether the resource that a source makes may not exist yet (202). */
  comesLater({ path }: Recipe): boolean {
    return path.sources.some(({ operationId }) => this.#survey[operationId]?.status === 202);
  }

  /** The exchange of a source, as it was made for another call. @throws Blocked */
  async lend(source: Source): Promise<Exchange> {
    return this.#made.get(source.operationId) ?? this.call(source);
  }

  /** Calls a source anew. @throws Blocked */
  async call({ operationId }: Source): Promise<Exchange> {
    const operation = this.#current.operation(operationId);
    const surveyed = this.#survey[operationId];
    if (!surveyed?.recipe) {
      throw new Blocked(operationId, 'it was not reached');
    }
    const { recipe } = surveyed;
    const call = () => this.#callAlone(operation, recipe);
    const exchange = await this.#twice(call, operationId, surveyed);
    this.#made.set(operationId, exchange);
    return exchange;
  }

  /** Makes a call again, once, if its response was lost. @throws Blocked */
  async #twice(
    call: () => Promise<Exchange>,
    operationId: string,
    surveyed: Surveyed,
    isRepeated = false,
  ): Promise<Exchange> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof NoResponse)) {
        throw error;
      }
      if (await this.isStoppedBy(error, surveyed)) {
        throw new Blocked(operationId, 'it stops the service');
      }
      if (isRepeated || !MAY_PASS.has(error.kind)) {
        throw new Blocked(operationId, 'it gave no response');
      }
      await this.startOver();
      return this.#twice(call, operationId, surveyed, true);
    }
  }

  /**
   * Removes what was made, also by a call whose response was lost: the next calls make it anew,
   * with the same names.
   */
  async startOver(): Promise<void> {
    await this.#current.cleanUp(false);
    this.#made.clear();
  }

  /** The call of a source. What has a given name may be there already: then that is removed. */
  async #callAlone(operation: Operation, recipe: Recipe): Promise<Exchange> {
    const call = () => {
      return callAccepted(this.#current, operation, recipe, (source) => this.lend(source));
    };
    try {
      return await call();
    } catch (error) {
      const { callData } = this.#implementation.api;
      const hasGivenBody = callData?.bodies?.[operation.operationId] !== undefined;
      if (!(error instanceof Blocked) || !hasGivenBody || this.#made.size === 0) {
        throw error;
      }
      await this.startOver();
      return call();
    }
  }

  /** Whether two calls of a source give two names: then it makes the resource that it names. */
  async makesAnew(source: Source): Promise<boolean> {
    const key = stringifyJson(source);
    const known = this.#makesAnew.get(key);
    if (known !== undefined) {
      return known;
    }
    const makes = (await this.#givesTwo(source)) || (await this.#givesTwoWithNewTexts(source));
    this.#makesAnew.set(key, makes);
    return makes;
  }

  async #givesTwo(source: Source): Promise<boolean> {
    try {
      const first = await this.call(source);
      const second = await this.call(source);
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

  /** The body of the source has new texts from now on, if they make a difference. */
  async #givesTwoWithNewTexts(source: Source): Promise<boolean> {
    const body = this.#survey[source.operationId]?.recipe?.body;
    if (!body || body.isFresh) {
      return false;
    }
    body.isFresh = true;
    body.isFresh = await this.#givesTwo(source);
    return body.isFresh;
  }
}

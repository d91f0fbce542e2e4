/** Changes of a recipe that the refusal of a call asks for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { operationBeside } from '../http/implementation.ts';
import type { Recipe } from '../http/recipe.ts';
import type { SurveySession } from './survey-session.ts';
import { isAbsent, nextMediaType, type RecipeTrial } from './recipe-trial.ts';

/** The times in milliseconds that a call waits for what was accepted and is not there yet. */
const WAITS_MS = [100, 400, 1500];

/**
 * Changes the recipe by what the status of a refusal asks for.
 * @returns whether to call again
 */
export async function reactTo(
  status: number,
  trial: RecipeTrial,
  session: SurveySession,
): Promise<boolean> {
  const isRenewed = takeOtherNames(status, trial) || callSourcesAgain(status, trial, session);
  if (isRenewed || takeOtherMediaType(status, trial) || giveEntityTag(status, trial, session)) {
    return true;
  }
  return waitFor(status, trial.recipe, session);
}

function takeOtherNames(status: number, trial: RecipeTrial): boolean {
  if (status !== 409 || !trial.mayBeRenamed) {
    return false;
  }
  trial.conflicts++;
  if (trial.recipe.body) {
    trial.recipe.body.isFresh = true;
  }
  return true;
}

/** What the sources made may be gone, or in conflict. */
function callSourcesAgain(status: number, trial: RecipeTrial, session: SurveySession): boolean {
  const mayBeGone = status === 409 || isAbsent(status);
  if (!mayBeGone || !trial.mayBeRenewed) {
    return false;
  }
  trial.isRenewed = true;
  session.forget(trial.recipe.path.sources);
  return true;
}

function takeOtherMediaType(status: number, { operation, recipe }: RecipeTrial): boolean {
  if (status !== 415) {
    return false;
  }
  const type = nextMediaType(operation, recipe);
  if (type === undefined) {
    return false;
  }
  recipe.mediaType = type;
  return true;
}

function giveEntityTag(
  status: number,
  { operation, recipe }: RecipeTrial,
  { current }: SurveySession,
): boolean {
  const isAsked = status === 412 || status === 428;
  const canRead = operationBeside(current.implementation, operation, 'GET') !== undefined;
  if (!isAsked || !canRead || recipe.needsEntityTag) {
    return false;
  }
  recipe.needsEntityTag = true;
  return true;
}

async function waitFor(status: number, recipe: Recipe, session: SurveySession): Promise<boolean> {
  const next = WAITS_MS.find((ms) => ms > recipe.waitMs);
  if (status !== 404 || next === undefined || !session.comesLater(recipe)) {
    return false;
  }
  recipe.waitMs = next;
  await sleep(next);
  return true;
}

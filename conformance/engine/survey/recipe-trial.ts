/** One recipe that the survey tries, and what a refusal of it says about the next one. */
import { withoutSlash } from '../contract/item-paths.ts';
import type { Operation } from '../contract/operations.ts';
import type { ParameterValue, Recipe, Source, Surveyed } from '../http/recipe.ts';
import type { HttpResponse } from '../http/response.ts';
import type { BodyCandidate } from './body-candidates.ts';
import type { PathCandidate } from './path-candidates.ts';

/** Conflicts after which a body or a name is given up. */
const MOST_CONFLICTS = 2;

/** What is kept of a refusal to look for names in it, in characters. */
const MOST_OF_REFUSAL = 2000;

export class RecipeTrial {
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
  /** Whether an operation that it needs, or its own, is not called any more, or not yet again. */
  isBlocked = false;
  /** How often it was called with other names after a conflict. */
  conflicts = 0;

  constructor(
    operation: Operation,
    { recipe, candidate, surveyed }: Pick<RecipeTrial, 'recipe' | 'candidate' | 'surveyed'>,
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

  /** Whether a call with other names may help after a conflict. */
  get mayBeRenamed(): boolean {
    const { body, path } = this.recipe;
    const hasNames = body !== undefined || path.fresh.length > 0;
    return hasNames && this.conflicts < MOST_CONFLICTS;
  }

  /** Whether its sources can be called again, once. */
  get mayBeRenewed(): boolean {
    const { isOwn, sources } = this.recipe.path;
    return isOwn && sources.length > 0 && !this.isRenewed;
  }

  note({ status, text }: HttpResponse): void {
    this.refusal = text.slice(0, MOST_OF_REFUSAL);
    this.surveyed.tried.push({ how: howOf(this.recipe), status });
  }
}

export function recipeWith(
  path: PathCandidate,
  body: BodyCandidate | undefined,
  parameters: ParameterValue[],
): Recipe {
  const { sources, given, lent, fresh, isGuess, how } = path;
  return {
    path: { sources, given, lent, fresh, isGuess, how, isOwn: path.isOwn !== false },
    body: body && { ...body, isFresh: false },
    mediaType: undefined,
    otherKind: undefined,
    parameters,
    needsEntityTag: false,
    waitMs: 0,
  };
}

/** All calls that make something for this one. */
export const sourcesOfRecipe = ({ path, parameters }: Recipe): Source[] => [
  ...path.sources,
  ...parameters.flatMap(({ source }) => source ?? []),
];

/** The path and the body of a recipe, in words. */
export const howOf = ({ path, body }: Recipe): string =>
  body ? `${path.how}, ${body.how}` : path.how;

/** The documented media type of the body to try next; undefined if all were refused. */
export function nextMediaType(
  { requestBody }: Operation,
  { mediaType }: Recipe,
): string | undefined {
  const others = requestBody?.otherTypes ?? [];
  if (mediaType === undefined) {
    return others[0];
  }
  return others[others.indexOf(mediaType) + 1];
}

/** Whether the status says that the path names nothing. */
export const isAbsent = (status: number): boolean => status === 404 || status === 410;

/** Statuses that no other data changes. */
const FINAL = [401, 403, 405, 501];

/** The end of a try: `next path` if another body would not help. */
export type End = 'reached' | 'next body' | 'next path' | 'stop';

/** @param wasFound whether another body was refused at the path, and the path was not */
export function endAfter(
  { operation, candidate }: RecipeTrial,
  status: number,
  wasFound: boolean,
): End {
  if (FINAL.includes(status)) {
    return 'stop';
  }
  // Without parameters in the path, other values or members name what does not exist.
  if (!isAbsent(status) || !operation.path.includes('{')) {
    return 'next body';
  }
  // A member of the body may name what does not exist, too.
  const isBelowOwn = candidate.isOwn === true && !withoutSlash(operation.path).endsWith('}');
  const hasPath = wasFound || isBelowOwn;
  const isOfBody = operation.requestBody !== null && hasPath;
  if (isOfBody) {
    return 'next body';
  }
  return 'next path';
}

/** Whether a status explains better why the operation is not reached than the one before. */
export function isMoreTelling({ surveyed, operation }: RecipeTrial, status: number): boolean {
  if (surveyed.recipe === undefined || surveyed.status === undefined) {
    return true;
  }
  return tellingWeight(operation, status) > tellingWeight(operation, surveyed.status);
}

function tellingWeight({ requestBody }: Operation, status: number): number {
  if (status >= 500) {
    return 3;
  }
  // Without a body, the path is refused: an id of another kind explains little.
  const isRefusalOfPath = requestBody === null;
  if (isAbsent(status) === isRefusalOfPath) {
    return 2;
  }
  return 1;
}

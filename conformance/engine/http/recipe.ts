/**
 * Recipes: the ways to reach operations that the survey found. They are data, so that the workers
 * of a run share them.
 */

/** An operation whose call or response gives values of path parameters. */
export interface Source {
  operationId: string;
  /** A runtime expression of OpenAPI for each path parameter that the source gives. */
  values: Record<string, string>;
}

/** The values for the path of a call. */
export interface PathRecipe {
  /** They are called in this order. A later one takes precedence. */
  sources: Source[];
  /** Values that are known, by the name of the path parameter. */
  given: Record<string, string>;
  /** Path parameters whose values the user lends, in turn. */
  lent: string[];
  /** Path parameters that get a new name for each call, which a PUT makes. */
  fresh: string[];
  /** Whether the contract does not say that the path is filled like this. */
  isGuess: boolean;
  /**
   * Whether the run makes the resource that the path names, so that the call may change or remove
   * it.
   */
  isOwn: boolean;
  /** For the user, such as `the id of createPet`. */
  how: string;
}

/**
 * The body of a call. `generated`: any body that the schema allows is accepted, as far as it was
 * tried. `fixed`: this one is accepted; others were refused.
 */
export interface BodyRecipe {
  kind: 'generated' | 'fixed';
  /** The body that was accepted. */
  json: unknown;
  /** The members whose values other calls have shown: they name what exists. */
  shown: string[];
  /**
   * If the body is the item as a read shows it: the members that differ. Undefined: it does not
   * depend on the item.
   */
  asShown?: Readonly<Record<string, unknown>>;
  /** The path parameters that members repeat, by the name of the member. */
  inPath?: Readonly<Record<string, string>> | undefined;
  /** The calls that make what members name, by the name of the member: see `isFresh`. */
  makers?: Source[];
  /**
   * Whether each call needs texts that nobody has sent before, and names of items that nothing else
   * has used, such as a book that is not lent.
   */
  isFresh: boolean;
  /** For the user, such as `the example of the contract`. */
  how: string;
}

/** A value of a parameter that is not in the path. */
export interface ParameterValue {
  in: string;
  name: string;
  /** Undefined if a source gives it. */
  value: unknown;
  /** The call that makes what the parameter names, anew for each call. */
  source?: Source;
}

export interface Recipe {
  path: PathRecipe;
  /** Undefined if the operation takes no body. */
  body: BodyRecipe | undefined;
  /** The media type of the body that the service takes; undefined if it takes the preferred one. */
  mediaType: string | undefined;
  /** The media type of a body of another kind, if the service takes that one alone. */
  otherKind: string | undefined;
  /** The parameters that the operation cannot be without. */
  parameters: ParameterValue[];
  /** Whether the call needs the entity tag of the item. */
  needsEntityTag: boolean;
  /**
   * Operations on the item of the path that come first, such as the one that solves a ticket which
   * is to be closed. Undefined: none.
   */
  before?: readonly string[];
  /** The time in milliseconds until a resource that the sources make exists. */
  waitMs: number;
}

/** One try of an operation. */
export interface Tried {
  /** The path and the body, in words. */
  how: string;
  /** The status of the response; 0 if none came. */
  status: number;
}

/** A request that was refused and the response, so that a reader sees why. */
export interface Refusal {
  /** Method, path with query, and body. */
  request: string;
  /** Status and body. */
  response: string;
}

/** The result of the survey for an operation. */
export interface Surveyed {
  operationId: string;
  isReached: boolean;
  isLeftOut: boolean;
  /** The recipe that worked; of an operation that was not reached, the most telling one. */
  recipe?: Recipe;
  /** The status of its response. */
  status?: number;
  /** Why the operation was not reached. */
  reason?: string;
  /** The most telling refusal, if the operation was not reached. */
  refusal?: Refusal;
  /**
   * The difference between the success and the documented one. It is a finding of this operation
   * alone: calls that prepare others go on with the response.
   */
  flaw?: string;
  /** The keys of the items that a list had before the run made anything. */
  existing?: string[];
  /** How often a call of it stopped the service. */
  stops?: number;
  tried: Tried[];
}

/** By `operationId`. */
export type SurveyResult = Record<string, Surveyed>;

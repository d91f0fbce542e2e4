/** Places in a body as JSON Pointers (RFC 6901). */

const LONGEST_POINTER = 4096;

export interface Place {
  pointer: string;
  /** False below a name that no pointer can spell: then it is the nearest enclosing place. */
  exact: boolean;
}

export const BODY: Place = { pointer: '', exact: true };

/**
 * The place of a member or item. A name with a lone surrogate cannot be written in UTF-8, and a pointer may not be
 * longer than the contract says; a wrong pointer would mislead, so the enclosing place stands for both.
 */
export function step(place: Place, token: string | number): Place {
  if (!place.exact) return place;
  const name = String(token);
  const pointer = `${place.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (!name.isWellFormed() || pointer.length > LONGEST_POINTER) return { ...place, exact: false };
  return { pointer, exact: true };
}

/** JSON Pointer (RFC 6901). */

export function pointerTo(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A place in a body, known by the one around it: a body may be nested deeper than paths can be written out for. */
export interface Place {
  name: string;
  /** Undefined at the top. */
  around: Place | undefined;
}

/** @param place undefined: the body itself. What is no Unicode in names is replaced, so that the pointer can be sent */
export function pointerAt(place: Place | undefined): string {
  const path: string[] = [];
  for (let at = place; at; at = at.around) path.push(at.name.toWellFormed());
  return pointerTo(path.toReversed());
}

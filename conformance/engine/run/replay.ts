/** The name of one case: requirement, property, seed and the place that shrinking came to. */
export interface CaseName {
  id: string;
  /** Its index in the requirement. */
  property: number;
  seed: number;
  /** As fast-check gives it, such as `3:0:1`. */
  path: string;
}

export function nameOf({ id, property, seed, path }: CaseName): string {
  return `${id}@${property}.${seed}.${path}`;
}

/** Undefined when the text is no such name. A requirement's id alone is not one: see `--only`. */
export function parseName(text: string): CaseName | undefined {
  const [, id, property, seed, path] = /^(\S+)@(\d+)\.(-?\d+)\.([\d:]+)$/.exec(text) ?? [];
  if (id === undefined || property === undefined || seed === undefined || path === undefined) return undefined;
  return { id, property: Number(property), seed: Number(seed), path };
}

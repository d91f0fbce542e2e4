/** The name of one case: requirement, property, seed and the place that shrinking came to. */
export interface CaseName {
  /** The id of the requirement. */
  id: string;
  /** Its index in the requirement. */
  property: number;
  seed: number;
  /** The path that fast-check gives, such as `3:0:1`. */
  path: string;
}

/** `ID@PROPERTY.SEED.PATH` */
const CASE_NAME = /^(\S+)@(\d+)\.(-?\d+)\.([\d:]+)$/;

export function formatCaseName({ id, property, seed, path }: CaseName): string {
  return `${id}@${property}.${seed}.${path}`;
}

/**
 * Undefined if the text is not the name of a case. The id of a requirement alone is not one: see
 * `--only`.
 */
export function parseCaseName(text: string): CaseName | undefined {
  const [, id, property, seed, path] = CASE_NAME.exec(text) ?? [];
  if (id === undefined || path === undefined) {
    return undefined;
  }
  return { id, property: Number(property), seed: Number(seed), path };
}

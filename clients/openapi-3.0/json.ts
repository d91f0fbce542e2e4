export type Json = Record<string, unknown>;

/** A rule of the contract that OpenAPI 3.0 cannot carry. */
export interface Lost {
  /** Where it stands in openapi.yaml: a JSON Pointer as URI fragment. */
  pointer: string;
  keyword: string;
  /** The value of the keyword. */
  rule: unknown;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function resolve(contract: Json, ref: string): Json {
  const found = ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), contract);
  if (!isObject(found)) throw new Error(`openapi.yaml has no ${ref}`);
  return found;
}

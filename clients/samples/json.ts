/** JSON, and references within a document. */
export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that `#/a/b` refers to, as often as needed. @throws Error for a reference that leads nowhere */
export function resolve(document: Json, value: unknown): Json {
  let at = value;
  while (isObject(at) && typeof at['$ref'] === 'string') {
    const [ref, [, ...names]] = [at['$ref'], at['$ref'].split('/')];
    at = names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), document);
    if (at === undefined) throw new Error(`${ref} leads nowhere`);
  }
  if (!isObject(at)) throw new Error('expected an object in the contract');
  return at;
}

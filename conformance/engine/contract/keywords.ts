/** The keywords and formats of JSON Schema 2020-12 that the suite knows, by what they say of a value. */

/** The contract says something that the suite cannot try: what concerns it is skipped, for this reason. */
export class Unsupported extends Error {
  override name = 'Unsupported';
}

/** The result of `make`; where it is `Unsupported`, what `otherwise` makes of the reason. */
export function supported<T, U>(make: () => T, otherwise: (reason: string) => U): T | U {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unsupported) {
      return otherwise(error.message);
    }
    throw error;
  }
}

/** Far more than a service takes, by what is counted: to make more takes minutes, or more memory than there is. */
const MOST = { items: 10_000, characters: 2 ** 24 };

/** @throws Unsupported for more than can be sent. @param place in the contract, which asks for so many */
export function sendableSize(size: number, what: keyof typeof MOST, place: string): number {
  if (size > MOST[what]) {
    throw new Unsupported(`${size} ${what}, as ${place} states, are too large to send`);
  }
  return size;
}

/** Why values on the limit of a rule cannot be sent; undefined where they can. */
export function tooLarge(rule: {
  keyword: string;
  schema: Record<string, unknown>;
  pointer: string;
}) {
  if (!/^(m(in|ax)(Length|Items|Properties|Contains)|x-max-bytes)$/.test(rule.keyword)) {
    return undefined;
  }
  const what = /Length|bytes/.test(rule.keyword) ? 'characters' : 'items';
  const check = (): undefined =>
    void sendableSize(rule.schema[rule.keyword] as number, what, rule.pointer);
  return supported(check, (reason) => reason);
}

export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Keywords with one rule each, in the order in which their clauses are listed. */
export const SINGLE_RULES = words(`
  type enum const minLength maxLength pattern format x-max-bytes minimum maximum exclusiveMinimum exclusiveMaximum
  multipleOf minItems maxItems uniqueItems minProperties maxProperties`);

/** Rules about a value as a whole. Valid values are found by trying; of some of them, values that break them too. */
export const WHOLE_RULES = words(`
  anyOf oneOf not unevaluatedProperties unevaluatedItems contains minContains maxContains dependentSchemas`);

const OF_SEVERAL_CLAUSES = words('required dependentRequired additionalProperties then else');

const RULES = new Set([...SINGLE_RULES, ...WHOLE_RULES, ...OF_SEVERAL_CLAUSES]);

/** Applicators and annotations. */
const OTHERS = words(`
  $ref allOf properties patternProperties propertyNames prefixItems items if
  title description default example examples deprecated readOnly writeOnly $comment externalDocs discriminator xml
  $schema $defs contentEncoding contentMediaType contentSchema`);

const KNOWN = new Set([...RULES, ...OTHERS]);

export const isRule = (word: string): boolean => RULES.has(word);

/** Keywords that say something which nothing here reads. */
const UNREAD = words('$dynamicRef $recursiveRef');

/** Keywords that nobody knows are annotations (JSON Schema 2020-12, 6.5). @throws Unsupported for a rule among them */
export function annotationsOf(schema: Record<string, unknown>, pointer: string): string[] {
  const unknown = Object.keys(schema).filter(
    (keyword) => !KNOWN.has(keyword) && !keyword.startsWith('x-'),
  );
  const rule = unknown.find((keyword) => UNREAD.includes(keyword));
  if (rule !== undefined) {
    throw new Unsupported(`the keyword ${rule} at ${pointer} is not one that this suite can check`);
  }
  return unknown;
}

/** Names of properties that a request should not have, and that a service may ignore: they are not unknown to it. */
export const NOT_SENT = 'x-not-sent';

/** The format that names a limit in bytes of UTF-8. */
export const BYTE_FORMAT = /^max-([1-9]\d*)-utf8-bytes$/;

/** Formats that refuse some texts, with the length of the shortest text that each allows. */
export const SHORTEST = {
  uri: 3,
  'uri-reference': 0,
  'date-time': 20,
  date: 10,
  email: 3,
  uuid: 36,
  ipv4: 7,
  ipv6: 2,
  re2: 0,
  hostname: 1,
};

export type TextFormat = keyof typeof SHORTEST;

export const isTextFormat = (name: string): name is TextFormat => Object.hasOwn(SHORTEST, name);

/**
 * The keywords and formats of JSON Schema 2020-12 that the suite knows, by the kind of their rule.
 */

/**
 * The contract has a construct that the suite cannot try. Requirements that need it are skipped,
 * with the message as the reason.
 */
export class Unsupported extends Error {
  override name = 'Unsupported';
}

/** The result of `make`; if it throws `Unsupported`, the result of `recover` for the reason. */
export function supported<T, U>(make: () => T, recover: (reason: string) => U): T | U {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unsupported) {
      return recover(error.message);
    }
    throw error;
  }
}

type SizeUnit = 'items' | 'characters';

/** Far more than a service takes: to make more would take minutes, or more memory than there is. */
const MOST: Readonly<Record<SizeUnit, number>> = { items: 10_000, characters: 2 ** 24 };

/**
 * The size.
 * @param place in the contract, which states it
 * @throws Unsupported for more than can be sent
 */
export function sendableSize(size: number, unit: SizeUnit, place: string): number {
  const reason = whyNotSendable(size, unit, place);
  if (reason !== undefined) {
    throw new Unsupported(reason);
  }
  return size;
}

function whyNotSendable(size: number, unit: SizeUnit, place: string): string | undefined {
  if (size > MOST[unit]) {
    return `${size} ${unit}, as ${place} states, are too large to send`;
  }
  return undefined;
}

/** Keywords that state a number of characters, bytes, items or properties. */
const STATES_SIZE = /^(m(in|ax)(Length|Items|Properties|Contains)|x-max-bytes)$/;

interface Rule {
  keyword: string;
  /** The schema object that holds the keyword. */
  schema: Readonly<Record<string, unknown>>;
  /** JSON Pointer of the keyword. */
  pointer: string;
}

/** Why values on the limit of a rule cannot be sent; undefined if they can. */
export function tooLarge({ keyword, schema, pointer }: Rule): string | undefined {
  if (!STATES_SIZE.test(keyword)) {
    return undefined;
  }
  const unit = /Length|bytes/.test(keyword) ? 'characters' : 'items';
  return whyNotSendable(schema[keyword] as number, unit, pointer);
}

/** The words of a text, which are separated by white space. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Keywords with one rule each, in the order in which their clauses are listed. */
export const SINGLE_RULES = words(`
  type enum const minLength maxLength pattern format x-max-bytes
  minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
  minItems maxItems uniqueItems minProperties maxProperties`);

/**
 * Rules about a value as a whole. Valid values are found by trying; for some of the rules, invalid
 * ones, too.
 */
export const WHOLE_RULES = words(`
  anyOf oneOf not unevaluatedProperties unevaluatedItems
  contains minContains maxContains dependentSchemas`);

const OF_SEVERAL_CLAUSES = words('required dependentRequired additionalProperties then else');

const RULES = new Set([...SINGLE_RULES, ...WHOLE_RULES, ...OF_SEVERAL_CLAUSES]);

/** Applicators and annotations. */
const OTHERS = words(`
  $ref allOf properties patternProperties propertyNames prefixItems items if
  title description default example examples deprecated readOnly writeOnly
  $comment externalDocs discriminator xml
  $schema $defs contentEncoding contentMediaType contentSchema`);

const KNOWN = new Set([...RULES, ...OTHERS]);

export const isRule = (word: string): boolean => RULES.has(word);

/** Keywords with rules that the suite does not read. */
const UNREAD = words('$dynamicRef $recursiveRef');

/**
 * The keywords of a schema that are not known: they are annotations (JSON Schema 2020-12, 6.5).
 * @throws Unsupported for a rule among them
 */
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

/**
 * Keyword for the names of `readOnly` properties: a request does not have them, but the service
 * knows them.
 */
export const NOT_SENT = 'x-not-sent';

/**
 * Keyword of a schema of which the contract does not settle whether null is valid: null is never
 * sent, and a response may have it.
 */
export const NULL_IS_OPEN = 'x-null-is-open';

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

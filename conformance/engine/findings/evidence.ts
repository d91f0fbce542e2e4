/**
 * What several operations have in common if their failures have one cause: the name of the error
 * in the responses, or a rule that the service counts in another way.
 */
import { isRule } from '../contract/keywords.ts';
import { parsePointer } from '../contract/pointers.ts';

/** The name of an error in most languages, such as `DataIntegrityViolationException`. */
const ERROR_NAME = /\b[A-Z][A-Za-z0-9]*(?:Exception|Error)\b/g;

/** `HTTP`, `Http` or `2` in a name such as `HTTPHttp2Error`. */
const WORDS = /[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+/g;

/** The words of names that say no more than a status from 500 on. */
const OF_STATUS = `
  Api Application Base Error Exception Fatal General Generic Http Internal Request
  Response Runtime Server Service Status System Unexpected Unhandled Uncaught Unknown Web
`;

/** The words of names that a language gives to errors in code of any place. */
const OF_LANGUAGE = `
  Argument Arithmetic Assertion Attribute Bounds By Cast Class Divide Division Illegal
  Implemented Index Invalid Key Lookup Memory Name None Not Null Of Operation Out Overflow
  Pointer Range Recursion Reference Stack State Type Undefined Unsupported Value Zero
`;

const UNTELLING = new Set((OF_STATUS + OF_LANGUAGE).toLowerCase().split(/\s+/));

/** In UTF-16 code units: a trace is behind the name. */
const SEARCHED = 10_000;

/**
 * The name of the error in the body of a response, if code that operations share raises it, such as
 * a parser or a database; undefined for a name such as `TypeError`, whose reason may be anywhere.
 */
export function nameOfError(body: string): string | undefined {
  const names = body.slice(0, SEARCHED).match(ERROR_NAME) ?? [];
  return names.find(isTelling);
}

function isTelling(name: string): boolean {
  const words = name.match(WORDS) ?? [];
  return words.some((word) => !UNTELLING.has(word.toLowerCase()));
}

/** Rules whose values one piece of code counts or compares, whichever property they are of. */
const COUNTED: ReadonlySet<string> = new Set([
  'maxLength',
  'minLength',
  'multipleOf',
  'uniqueItems',
]);

/**
 * @param clause the pointer of the rule that a refused value keeps @returns words such as `values
 * that just keep maxLength`
 */
export function ruleCounted(clause: string): string | undefined {
  const keyword = parsePointer(clause).at(-1) ?? '';
  if (isRule(keyword) && COUNTED.has(keyword)) {
    return `values that just keep ${keyword}`;
  }
  return undefined;
}

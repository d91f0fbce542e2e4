/**
 * The table "Field errors" of the contract: the code and the place of an error, for each keyword.
 */
import { type Contract, perContract } from '../../engine/contract/load.ts';
import { valueAt } from '../../engine/contract/pointers.ts';

export interface FieldErrorRow {
  codes: readonly string[];
  /**
   * The place in the words of the table: one of `VALUES`, `SECOND_ITEM`, `PROPERTIES` or the like.
   */
  place: string;
}

export interface FieldErrorTable {
  keywords: ReadonlyMap<string, FieldErrorRow>;
  /**
   * A `then` or `else` asks for a property. The first code is for a missing one, and all codes are
   * for null.
   */
  required: FieldErrorRow;
  /** A `then` or `else` asks for a property that is null, false or empty. */
  notAllowed: FieldErrorRow;
}

/** A contract, and its table of field errors. */
export interface ErrorRules {
  contract: Contract;
  table: FieldErrorTable;
}

/** Places that are the broken value itself. */
export const VALUES: readonly string[] = [
  'the value',
  'the text',
  'the number',
  'the list',
  'the object',
];
export const SECOND_ITEM = 'the list, or the second of the two items';
export const PROPERTIES: readonly string[] = ['where the property would stand', 'the property'];
const PLACES = new Set([...VALUES, SECOND_ITEM, ...PROPERTIES, 'the property, or the object']);

const HEADING = '### Field errors';
const HEAD = '| keyword | code | place |';
const REQUIRED = 'a property is missing or null';
const NOT_ALLOWED = 'a property must be null, false or empty';
const CONDITIONS = [REQUIRED, NOT_ALLOWED];

const ROW = /^\|.*\|$/gm;
const THREE_CELLS = /^\| (.+) \| (.+) \| (.+) \|$/;
const QUOTED_WORD = /`([\w-]+)`/g;
const QUOTED_WORDS = /^`[\w-]+`(, `[\w-]+`)*$/;
const BRANCH = /^`then`, `else`: (.+)$/;

/**
 * The table in `info.description`; undefined if there is no such heading.
 * @throws Error for a row that cannot be read
 */
export const fieldErrorTable = perContract((contract: Contract) =>
  parseFieldErrorTable(String(valueAt(contract.document, '/info/description'))),
);

/** @throws Error that shows the row which cannot be read: no row is left out */
export function parseFieldErrorTable(description: string): FieldErrorTable | undefined {
  const section = new RegExp(`^${HEADING}$`, 'm').exec(description);
  if (!section) {
    return undefined;
  }
  const rest = description.slice(section.index + HEADING.length);
  const [text = ''] = rest.split(/^#/m);
  const [head, , ...rows] = text.match(ROW) ?? [];
  if (head !== HEAD) {
    throw new Error(`"${HEADING}" in the contract has no table of keyword, code and place`);
  }
  const keywords = new Map<string, FieldErrorRow>();
  const conditions = new Map<string, FieldErrorRow>();
  for (const row of rows) {
    readRow(row, keywords, conditions);
  }
  const required = conditions.get(REQUIRED);
  const notAllowed = conditions.get(NOT_ALLOWED);
  if (!required || !notAllowed) {
    throw new Error(`"${HEADING}" in the contract lacks the two rows for \`then\` and \`else\``);
  }
  return { keywords, required, notAllowed };
}

/** Adds the codes and places of one row. @throws Error if it cannot be read */
function readRow(
  row: string,
  keywords: Map<string, FieldErrorRow>,
  conditions: Map<string, FieldErrorRow>,
): void {
  const [, keyword = '', code = '', place = ''] = THREE_CELLS.exec(row) ?? [];
  // The names of properties have the codes of any text.
  if (keyword === '`propertyNames`' && code === 'as for a text') {
    return;
  }
  const codes = quotedIn(code);
  const [firstCode] = codes;
  if (!PLACES.has(place) || firstCode === undefined) {
    throw unreadable(row);
  }
  const [, condition] = BRANCH.exec(keyword) ?? [];
  if (condition !== undefined) {
    if (!CONDITIONS.includes(condition)) {
      throw unreadable(row);
    }
    conditions.set(condition, { codes, place });
    return;
  }
  const names = quotedIn(keyword);
  const isList = QUOTED_WORDS.test(keyword) && QUOTED_WORDS.test(code);
  const hasCodeForEach = codes.length === 1 || codes.length === names.length;
  if (!isList || !hasCodeForEach) {
    throw unreadable(row);
  }
  for (const [at, name] of names.entries()) {
    keywords.set(name, { codes: [codes[at] ?? firstCode], place });
  }
}

function unreadable(row: string): Error {
  return new Error(`a row of "${HEADING}" in the contract cannot be read: ${row}`);
}

function quotedIn(cell: string): string[] {
  return [...cell.matchAll(QUOTED_WORD)].map(([, word = '']) => word);
}

/** Texts by which an item of this run is known, and names that nothing else has. */
import { memberOf } from '../contract/by-name.ts';
import { type Contract, perContract } from '../contract/load.ts';
import type { CallInput } from '../http/call.ts';
import type { Session } from '../http/session.ts';
import { UUID } from './unknown-ids.ts';

/** Shorter texts occur by chance. */
const SHORTEST_MARK = 6;

/** A text of the contract, such as one of an enum, may be in any item. */
const textOf = perContract(({ document }: Contract) => JSON.stringify(document));

/**
 * The texts in a response by which the item is known: texts that this case has sent in bodies and
 * made at random, and random names in the path.
 */
export function marksIn(session: Session, json: unknown, { path = {} }: CallInput): Set<string> {
  const { contract } = session.implementation;
  const names = Object.values(path).filter(isRandom);
  const bodies = session.exchanges.map(({ request }) => request.body ?? '');
  const isMark = (text: string): boolean => {
    const written = JSON.stringify(text);
    const isSent = text.length >= SHORTEST_MARK && bodies.some((body) => body.includes(written));
    return names.includes(text) || (isSent && !textOf(contract).includes(written));
  };
  return new Set(textsIn(json).filter(isMark));
}

export const showsAny = (json: unknown, marks: ReadonlySet<string>): boolean =>
  textsIn(json).some((text) => marks.has(text));

function textsIn(json: unknown): string[] {
  if (typeof json === 'string') {
    return [json];
  }
  if (typeof json !== 'object' || json === null) {
    return [];
  }
  return Object.values(json).flatMap(textsIn);
}

/**
 * Whether the path names something that the run has made, by a random name.
 * @param another call of the operation, for another item
 */
export function hasRandomName(
  { implementation }: Session,
  operationId: string,
  { path = {} }: CallInput,
  another: CallInput,
): boolean {
  const { sources = [] } = implementation.survey[operationId]?.recipe?.path ?? {};
  const parameters = sources.flatMap(({ values }) => Object.keys(values));
  return parameters.some((parameter) => {
    const name = memberOf(path, parameter) ?? '';
    const other = memberOf(another.path ?? {}, parameter) ?? '';
    return isRandom(name) || areUnlike(name, other);
  });
}

/** Whether two names of one length differ in so many characters that none is counted. */
function areUnlike(one: string, other: string): boolean {
  const differing = [...one].filter((character, index) => character !== other[index]);
  return one.length === other.length && differing.length >= MOST_COUNTED;
}

/** Numbers that follow each other differ in fewer characters. */
const MOST_COUNTED = 8;

const SEPARATOR = /[^A-Za-z\d]/;

/** A part of a name with so many characters may be random. */
const SHORTEST_RANDOM = 12;

/** Whether a name is random by its look, and no number, date or word. */
export function isRandom(name: string): boolean {
  return UUID.test(name) || name.split(SEPARATOR).some(isRandomPart) || isMixed(name);
}

/** A letter before a digit, or a digit before a letter. */
const CHANGE = /[a-z](?=\d)|\d(?=[a-z])/gi;

/** A hexadecimal number or the like: letters and digits follow each other often. */
function isRandomPart(part: string): boolean {
  const changes = part.match(CHANGE) ?? [];
  return part.length >= SHORTEST_RANDOM && changes.length >= 3;
}

/** As in `V1StGXR8_Z5jdHi6B-myT`: small and capital letters and digits in turn. */
function isMixed(name: string): boolean {
  const kinds = [/[a-z][A-Z]/, /[A-Z][a-z]/, /[A-Za-z]\d/, /\d[A-Za-z]/];
  return name.length >= SHORTEST_RANDOM && kinds.every((kind) => kind.test(name));
}

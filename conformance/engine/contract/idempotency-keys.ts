/**
 * Keys by which a service knows a request that is sent again (draft-ietf-httpapi-idempotency-key-
 * header), and what a contract promises of them in words.
 */
import type { Contract } from './load.ts';
import type { Operation, Parameter } from './operations.ts';
import { wordsAt } from './words.ts';

/** Each request that is not a repetition has another one. */
export const isIdempotencyKey = ({ in: place, name }: Pick<Parameter, 'in' | 'name'>): boolean =>
  place === 'header' && isNameOfKey(name);

const NAME_OF_KEY = /^(x-)?idempotency-?key$/i;

/** Whether a header field of this name has such a key. */
export const isNameOfKey = (name: string): boolean => NAME_OF_KEY.test(name);

/**
 * What a request gets that is sent again with its key: the same response, or any, as long as it is
 * not executed again.
 */
export type Repetition = 'same response' | 'not again';

/** As in "returns the cached response" and "gets the response of the first one". */
const SAME_RESPONSE =
  /\b(same|first|original|cached|stored|saved|prior|previous|initial|earlier) (response|result)\b/i;

const RESPONSE_OF_FIRST =
  /\b(response|result) (of|to|from) the (first|original|previous|initial|earlier)\b/i;

/** As in "is never processed twice". */
const NOT_AGAIN =
  /\b(not|never) (be )?(executed|processed|performed|run|carried out|applied) (again|twice)\b/i;

/** As in "is processed only once". */
const ONCE =
  /\b(executed|processed|performed|run|carried out|applied) (only|exactly|at most) once/i;

const DENIES = /\b(not|never) (return|give|get|send|repeat|replay)/i;

/** What the contract promises; undefined if its words leave it open. */
export function repetitionOf(
  contract: Contract,
  operation: Operation,
  key: Parameter,
): Repetition | undefined {
  const sentences = sentencesOf(wordsAt(contract, key.pointer, operation.pointer));
  const says = (...words: readonly RegExp[]): boolean =>
    sentences.some((one) => !DENIES.test(one) && words.some((word) => word.test(one)));
  if (says(SAME_RESPONSE, RESPONSE_OF_FIRST)) {
    return 'same response';
  }
  return says(NOT_AGAIN, ONCE) ? 'not again' : undefined;
}

/** As in "The key was used with another body." */
const OTHER_BODY =
  /\b(another|different|other|changed)\b[^.]{0,30}\b(body|payload|request|content|parameters)\b/i;

const STATUS = /\b4\d\d\b/g;

/** The documented statuses of a request that has the key of another one, as the contract says. */
export function statusesOfReusedKey(
  contract: Contract,
  operation: Operation,
  key: Parameter,
): number[] {
  const isAboutReuse = (text: string): boolean => /\bkey\b/i.test(text) && OTHER_BODY.test(text);
  const { pointer, responses } = operation;
  const stated = sentencesOf(wordsAt(contract, key.pointer, pointer)).filter(isAboutReuse);
  const named = stated.flatMap((one) => one.match(STATUS) ?? []);
  const documented = Object.values(responses).filter(({ status, pointer: at }) => {
    return status.startsWith('4') && sentencesOf(wordsAt(contract, at)).some(isAboutReuse);
  });
  const statuses = [...named, ...documented.map(({ status }) => status)];
  const known = statuses.filter((status) => status in responses);
  return [...new Set(known.map(Number))];
}

const END = /(?<=[.;])\s+|\n\s*\n/;

/** A line break within a sentence is a space. */
function sentencesOf(text: string): string[] {
  return text.split(END).map((one) => one.replaceAll(/\s+/g, ' '));
}

/** The cause of a failure in words, by which reports group failures. */
import { isRule } from '../contract/keywords.ts';
import { parsePointer } from '../contract/pointers.ts';
import type { Nonconformity } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';
import type { Exchange } from './result.ts';

type Response = NonNullable<Exchange['response']>;

/**
 * The words that failures of one cause share: expectation, last status, media type, and the keyword
 * of an accepted violation.
 */
export function causeOf(
  error: Nonconformity | NoResponse,
  clause: string,
  response?: Exchange['response'],
): string {
  if (error instanceof NoResponse) {
    return `No response: ${withoutNumbers(error.message)}`;
  }
  const media = otherMediaType(error);
  if (media !== undefined) {
    return `Another media type than the documented one: ${media}`;
  }
  const { what, expectation } = sentencesOf(error);
  if (!response) {
    return expectation;
  }
  if (error.details.kind === 'status') {
    return causeOfStatus({ error, response, expectation, what, clause });
  }
  if (response.status >= 400) {
    return `${expectation} (${inWords(response)})`;
  }
  return expectation;
}

const CONTENT_TYPE = /^Content-Type: (.*)$/;

/** The media type that is not the documented one; undefined if the error is about something else. */
export function otherMediaType({ details }: Nonconformity): string | undefined {
  const [, media] = CONTENT_TYPE.exec(details.got) ?? [];
  return media === undefined ? undefined : mediaTypeIn(media);
}

function mediaTypeIn(contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  return type;
}

/** Between the sentences of a message: the next one begins with a capital letter or a name. */
const BETWEEN_SENTENCES = /(?<=[.)]) (?=[A-Z`])/;

interface Sentences {
  /** The first sentence: what was sent, which differs from case to case. */
  what: string;
  /** The last sentence, without its full stop and its numbers. */
  expectation: string;
}

function sentencesOf({ message }: Nonconformity): Sentences {
  const sentences = message.split(BETWEEN_SENTENCES);
  const [what = ''] = sentences;
  const last = sentences.at(-1) ?? '';
  return { what, expectation: withoutNumbers(last.replace(/\.$/, '')) };
}

/** A status that is not one of those that were due. */
interface WrongStatus extends Sentences {
  error: Nonconformity;
  response: Response;
  clause: string;
}

function causeOfStatus(wrong: WrongStatus): string {
  const { error, response, expectation, what, clause } = wrong;
  const { status } = response;
  const due = error.details.expected.split(' or ').map(Number);
  const wasRefusalDue = due.some(isRefusal);
  // The service may refuse, and does it with another status than documented: whichever was due.
  if (isRefusal(status) && wasRefusalDue) {
    return `Refused with ${inWords(response)} in place of the documented status`;
  }
  if (isRefusal(status)) {
    return `A valid request is refused with ${refusalInWords(expectation, response)}`;
  }
  // A crash is never the status that was due.
  if (status >= 500) {
    return `The service failed: ${inWords(response)}`;
  }
  if (!wasRefusalDue) {
    return expectation;
  }
  // A request that breaks a rule was accepted: the keyword of the rule, such as `maxLength`, or the
  // sentence about it.
  const keyword = parsePointer(clause).at(-1) ?? '';
  if (isRule(keyword)) {
    return `${expectation} (${keyword})`;
  }
  return `${withoutNumbers(what)} ${expectation}`;
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

export const mediaTypeOf = ({ headers }: Response): string =>
  mediaTypeIn(headers['content-type'] ?? '')
    .trim()
    .toLowerCase();

/** `422, application/json` */
function inWords(response: Response): string {
  const type = mediaTypeOf(response);
  return type === '' ? String(response.status) : `${response.status}, ${type}`;
}

/** The words of an expectation before the status that came. */
const UNTIL_GOT = /^.* got /;
/** The place of an error in a request. */
const PLACE = / at \/\S*/g;

/**
 * The refusal of a valid request. Its operation, the place, and the success that was due are not a
 * part of the cause.
 */
function refusalInWords(expectation: string, response: Response): string {
  const got = expectation.replace(UNTIL_GOT, '').replaceAll(PLACE, '');
  if (got.startsWith(`${response.status} `)) {
    return `${got} (${mediaTypeOf(response)})`;
  }
  return inWords(response);
}

/** An index in a pointer. */
const INDEX = /(?<=\/)\d+(?=\/|\b)/g;
/** A number that is not a status. */
const NUMBER = /\b(?![1-5]\d\d\b)\d[\d,]*\b/g;
const SPACES = /\s+/g;

/** Places in lists, and how long something is, differ from case to case; a status does not. */
function withoutNumbers(text: string): string {
  return text.replaceAll(INDEX, '*').replaceAll(NUMBER, '*').replaceAll(SPACES, ' ');
}

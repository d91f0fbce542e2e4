/**
 * The text that failures of one cause have in common: the kind of the expectation, the status and the media type that
 * came, and the keyword of the rule where a request was accepted that breaks it. The requirement is not part of it: one
 * cause breaks many.
 */
import { isRule } from '../contract/keywords.ts';
import { parsePointer } from '../contract/pointers.ts';
import type { Nonconformity } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';
import type { Exchange } from './result.ts';

/** @param response the last one of the case */
export function causeOf(error: Nonconformity | NoResponse, clause: string, response?: Exchange['response']): string {
  if (error instanceof NoResponse) return `No response: ${withoutNumbers(error.message)}`;
  // The sentences before the last one say what was sent, which differs from case to case.
  const sentences = error.message.split(/(?<=[.)]) (?=[A-Z`])/);
  const last = withoutNumbers(sentences.at(-1)!.replace(/\.$/, ''));
  const [, media] = /^Content-Type: (.*)$/.exec(error.details.got) ?? [];
  if (media !== undefined) return `Another media type than the documented one: ${media.split(';', 1)[0]}`;
  if (response === null || response === undefined) return last;
  const { status, headers } = response;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const what = type === '' ? String(status) : `${status}, ${type}`;
  const isStatus = error.details.kind === 'status';
  const mayRefuse = error.details.expected.split(' or ').map(Number).some(isRefusal);
  // The service refuses, and otherwise than documented, where it may refuse: whichever status was due.
  if (isStatus && isRefusal(status) && mayRefuse) return `Refused with ${what} in place of the documented status`;
  // A valid request is refused: by which operation, for which place, and which success was due, is no cause.
  const got = last.replace(/^.* got /, '').replaceAll(/ at \/\S*/g, '');
  const why = got.startsWith(`${status} `) ? `${got} (${type})` : what;
  if (isStatus && isRefusal(status)) return `A valid request is refused with ${why}`;
  // A crash is never the status that was due.
  if (isStatus && status >= 500) return `The service failed: ${what}`;
  if (status >= 400) return `${last} (${isStatus ? type : what})`;
  if (!isStatus || !mayRefuse) return last;
  // What breaks a rule was accepted: its keyword, such as `maxLength`, or the sentence about it.
  const keyword = parsePointer(clause).at(-1) ?? '';
  return isRule(keyword) ? `${last} (${keyword})` : `${withoutNumbers(sentences[0]!)} ${last}`;
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** Places in lists, and how long something is, differ from case to case; a status does not. */
function withoutNumbers(text: string): string {
  return text
    .replaceAll(/(?<=\/)\d+(?=\/|\b)/g, '*')
    .replaceAll(/\b(?![1-5]\d\d\b)\d[\d,]*\b/g, '*')
    .replaceAll(/\s+/g, ' ');
}

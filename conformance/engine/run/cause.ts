/**
 * What failures of one cause have in common: the kind of the expectation, the status and the media type that came, and
 * the keyword of the rule where a request was accepted that breaks it. Not the requirement: one cause breaks many.
 */
import type { Exchange } from './result.ts';
import type { Nonconformity } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';

/** @param response the last one of the case */
export function causeOf(
  error: Nonconformity | NoResponse,
  { clause }: { clause: string },
  response: Exchange['response'] | undefined,
): string {
  if (error instanceof NoResponse) return `No response: ${withoutNumbers(error.message)}`;
  // What comes before says what was sent, which differs from case to case.
  const last = withoutNumbers(
    error.message
      .split(/(?<=[.)]) (?=[A-Z`])/)
      .at(-1)!
      .replace(/\.$/, ''),
  );
  if (response === null || response === undefined) return last;
  const type = /^[^;]*/
    .exec(response.headers['content-type'] ?? '')![0]
    .trim()
    .toLowerCase();
  // The service refuses, and otherwise than documented, where it may refuse: whichever status was due.
  if (error.kind === 'status' && isRefusal(response.status) && error.expected.split(' or ').map(Number).some(isRefusal))
    return `Refused with ${[response.status, type].filter((part) => part !== '').join(', ')} in place of the documented status`;
  // Whatever was due: a crash is none of the statuses that anything has.
  if (error.kind === 'status' && response.status >= 500)
    return `The service failed: ${[response.status, type].filter((part) => part !== '').join(', ')}`;
  if (response.status >= 400)
    return `${last} (${[...(error.kind === 'status' ? [] : [response.status]), type].filter((part) => part !== '').join(', ')})`;
  return error.kind === 'status' ? `${last} (${keywordOf(clause)})` : last;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** The last name of a pointer: `maxLength` of `/components/schemas/Edge/properties/description/maxLength`. */
function keywordOf(clause: string): string {
  return clause
    .slice(clause.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** Places in lists, and how long something is, differ from case to case; a status does not. */
function withoutNumbers(text: string): string {
  return text
    .replaceAll(/(?<=\/)\d+(?=\/|\b)/g, '*')
    .replaceAll(/\b(?![1-5]\d\d\b)\d[\d,]*\b/g, '*')
    .replaceAll(/\s+/g, ' ');
}

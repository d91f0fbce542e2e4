/** Error responses: each status that an operation has, and each member of the problem. */
import type { Operation, Response } from '../../engine/contract/operations.ts';
import { after, type Mutate } from '../mutate/mutate.ts';
import { answering, isProblem, jsonOf, showing, withoutHeader } from '../mutate/response.ts';
import { isObject, type Json } from '../mutate/request.ts';
import type { ServiceResponse } from '../service.ts';
import { oneOfEach } from './api.ts';
import { DROP, editAt } from './edit.ts';
import { idOf, type Operator, type Variant } from './operator.ts';

/** No test can make a service fail or count requests: a service need not have these. */
const NOT_MADE = ['429', '500', '503'];
const NEEDS_TOKEN = ['401', '403'];

/** @param each what stands behind operation and status, and what it does to the response */
function perError(
  name: string,
  description: string,
  each: (response: Response, operation: Operation) => Record<string, (response: ServiceResponse) => ServiceResponse>,
): Operator {
  return {
    name,
    description,
    variants: ({ operations }) =>
      oneOfEach(
        operations.flatMap((operation) =>
          Object.values(operation.responses)
            .filter(({ status }) => status.startsWith('4') && !NOT_MADE.includes(status))
            .flatMap((response) =>
              Object.entries(each(response, operation)).map(([more, change]): Variant => ({
                at: [operation.operationId, response.status, ...(more === '' ? [] : [more])].join('/'),
                level: operation.level,
                ...(NEEDS_TOKEN.includes(response.status) ? { needsToken: true } : {}),
                mutate: onStatus(operation, Number(response.status), change),
              })),
            ),
        ),
        // A problem has the same members wherever it comes from; the status is the operation's own.
        ({ at }) => (name === 'other-error-status' ? undefined : at.slice(at.indexOf('/'))),
        name,
      ),
  };
}

function onStatus(
  operation: Operation,
  status: number,
  change: (response: ServiceResponse) => ServiceResponse,
): Mutate {
  return after(idOf(operation), (response) => (response.status === status ? change(response) : response));
}

/** Changes a problem, where the response is one. */
const problemWith = (change: (problem: Json) => Json) => (response: ServiceResponse) =>
  isProblem(response) ? showing(response, change(jsonOf(response))) : response;

/** The same change of each member that the contract requires. */
function perMember(name: string, description: string, change: (value: unknown, member: string) => unknown): Operator {
  return perError(name, description, () =>
    Object.fromEntries(
      ['type', 'title', 'status', 'detail', 'code'].map((member) => [
        member,
        problemWith((problem) => editAt(problem, [member], (value) => change(value, member)) as Json),
      ]),
    ),
  );
}

/** The same change of each member of the entries of `errors`. */
function perErrorMember(
  name: string,
  description: string,
  change: (value: unknown, member: string) => unknown,
  members = ['code', 'detail', 'pointer', 'parameter'],
): Operator {
  return perError(name, description, ({ status }, { requestBody }) =>
    status === '400'
      ? Object.fromEntries(
          members
            .filter((member) => member !== 'pointer' || requestBody)
            .map((member) => [
              member,
              problemWith(
                (problem) => editAt(problem, ['errors', '*', member], (value) => change(value, member)) as Json,
              ),
            ]),
        )
      : {},
  );
}

const onErrors =
  (change: (errors: unknown[]) => unknown) =>
  ({ status }: Response) =>
    status === '400'
      ? {
          '': problemWith((problem) => editAt(problem, ['errors'], (errors) => change(errors as unknown[])) as Json),
        }
      : ({} as Record<string, never>);

const OTHER_CODE: Record<string, string> = {
  type: 'value',
  format: 'value',
  value: 'format',
  required: 'type',
  unknown: 'not_allowed_here',
};

export const errorResponses: Operator[] = [
  perError('other-error-status', 'An error has another status, in the body as well', ({ status }) =>
    Object.fromEntries(
      [status === '409' ? 404 : 409, 500].map((other) => [
        String(other),
        (response: ServiceResponse) => ({
          ...(isProblem(response) ? showing(response, { ...jsonOf(response), status: other }) : response),
          status: other,
        }),
      ]),
    ),
  ),
  perError('error-as-success', 'An error has the status 200.', () => ({
    '': (response) => ({ ...response, status: 200 }),
  })),
  perError('error-media-type', 'An error has another media type', () =>
    Object.fromEntries(
      ['application/json', 'text/html'].map((type) => [
        type,
        (response) => answering(response, { 'content-type': type }),
      ]),
    ),
  ),
  perError('error-no-body', 'An error has no body.', () => ({
    '': (response) => showing(withoutHeader(response, 'content-type'), undefined),
  })),
  perError('error-drop-header', 'An error lacks a header that it must have', ({ headers }) =>
    Object.fromEntries(
      Object.entries(headers)
        .filter(([, { required }]) => required)
        .map(([name]) => [name, (response) => withoutHeader(response, name.toLowerCase())]),
    ),
  ),
  perError('error-empty-header', 'An error has a header with another value', ({ headers }) =>
    Object.fromEntries(
      Object.keys(headers).map((name) => [name, (response) => answering(response, { [name.toLowerCase()]: 'none' })]),
    ),
  ),
  perMember('error-drop-member', 'A problem lacks a member', () => DROP),
  perMember('error-null-member', 'A member of a problem is null', () => null),
  perMember('error-empty-member', 'A member of a problem is empty', (value) => (typeof value === 'number' ? 0 : '')),
  perMember('error-retype-member', 'A member of a problem has another type', (value) =>
    typeof value === 'number' ? String(value) : { value },
  ),
  perError('error-other-code', 'A problem has a code of another status.', ({ status }) => ({
    '': problemWith((problem) => ({ ...problem, code: status === '404' ? 'conflict' : 'not_found' })),
  })),
  perError('error-new-code', 'A problem has a code that the contract does not have.', () => ({
    '': problemWith((problem) => ({ ...problem, code: `${String(problem['code'])}_error` })),
  })),
  perError('error-other-body-status', 'The status in a problem is not that of the response.', () => ({
    '': problemWith((problem) => ({ ...problem, status: Number(problem['status']) + 1 })),
  })),
  perError('error-rename-code', 'The code of a problem is under `error`.', () => ({
    '': problemWith(({ code, ...problem }) => ({ ...problem, error: code })),
  })),
  perError('error-older-members', 'The members for clients of the older form have other values', () =>
    Object.fromEntries(
      Object.entries({ error_code: 'other', status_code: 418, msg: 'other', details: { of: 1 } }).map(
        ([member, value]) => [member, problemWith((problem) => ({ ...problem, [member]: value }))],
      ),
    ),
  ),
  perError('error-request-id', 'The request_id of a problem is empty.', () => ({
    '': problemWith((problem) => ({ ...problem, request_id: '' })),
  })),
  perErrorMember('field-error-drop-member', 'An entry of `errors` lacks a member', () => DROP),
  perErrorMember('field-error-other-value', 'A member of an entry of `errors` has another value', (value, member) => {
    if (member === 'code') return OTHER_CODE[String(value)] ?? 'type';
    return member === 'detail' ? '' : `${String(value)}/x`;
  }),
  perErrorMember(
    'field-error-beginning',
    'A pointer or parameter in `errors` is only its beginning',
    (value, member) =>
      member === 'pointer' ? String(value).split('/').slice(0, 2).join('/') : String(value).slice(0, 1),
    ['pointer', 'parameter'],
  ),
  perErrorMember(
    'field-error-dots',
    'A pointer in `errors` is a path with dots',
    (value) => String(value).replaceAll('/', '.').slice(1),
    ['pointer'],
  ),
  perError(
    'drop-errors',
    'A problem has no `errors`.',
    onErrors(() => DROP),
  ),
  perError(
    'empty-errors',
    'The list `errors` of a problem is empty.',
    onErrors(() => []),
  ),
  perError(
    'null-errors',
    '`errors` of a problem is null.',
    onErrors(() => null),
  ),
  perError(
    'errors-of-texts',
    '`errors` of a problem has texts.',
    onErrors((errors) => errors.map((one) => (isObject(one) ? one['detail'] : one))),
  ),
];

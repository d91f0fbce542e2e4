/** Parts of a request, each with a right choice and others, which are combined. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { CallInput } from '../../engine/http/call.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { BROWSER } from '../../engine/requirements/header-field-rows.ts';
import { unknownValue } from '../implementation.ts';
import { required } from '../required.ts';
import { METHODS } from './methods.ts';

/** A choice for one factor of a request. */
export interface Choice {
  label: string;
  /** It is refused with one of these statuses; none: nothing is wrong. */
  due: readonly number[];
  /** It may be refused with one of these statuses. */
  may?: readonly number[];
  /** Members of the call, or a function of the call so far. */
  change?: Partial<CallInput> | ((call: CallInput) => Partial<CallInput>);
  /** In place of the method of the operation. */
  method?: string;
}

/** The choices of each factor; the first of each is right, and changes nothing. */
export function factorsOf(operation: Operation, implementation: Implementation): Choice[][] {
  return [
    methodChoices(operation, implementation),
    acceptChoices(operation),
    fieldChoices(),
    queryChoices(operation),
    tokenChoices(implementation),
    idChoices(operation),
    bodyChoices(operation),
    contentTypeChoices(operation),
  ];
}

function right(label: string): Choice {
  return { label, due: [] };
}

function withHeader(name: string, value: string, due: readonly number[] = []): Choice {
  const label = value === '' ? `no ${name}` : `${name}: ${value}`;
  return { ...withHeaders({ [name]: value }), label, due };
}

function withHeaders(fields: Record<string, string>): Choice {
  return {
    label: Object.keys(fields).join(', '),
    due: [],
    change: ({ headers }) => ({ headers: { ...headers, ...fields } }),
  };
}

function methodChoices({ method, path }: Operation, { operations }: Implementation): Choice[] {
  const beside = [...operations.values()].filter((one) => one.path === path);
  const present = beside.map((one) => one.method);
  const absent = required(
    METHODS.find((one) => !present.includes(one)),
    `${path} has all methods`,
  );
  const choices = [right(method)];
  if (method === 'GET') {
    choices.push({ label: 'HEAD', due: [], method: 'HEAD' });
  }
  choices.push(
    { label: 'OPTIONS', due: [], method: 'OPTIONS' },
    { label: absent, due: [405], method: absent },
  );
  return choices;
}

function acceptChoices({ method }: Operation): Choice[] {
  // `DELETE` need not look at `Accept`.
  const isIgnored = method === 'DELETE';
  const due = isIgnored ? [] : [406];
  const may = isIgnored ? [406] : [];
  return [
    right('any Accept'),
    withHeader('accept', BROWSER),
    withHeader('accept', ''),
    withHeader('accept', 'application/json'),
    { ...withHeader('accept', 'application/problem+json', due), may },
    { ...withHeader('accept', 'text/html', due), may },
  ];
}

const LONG_ID = 'x'.repeat(200);

/** Fields that do not change the response: an error is an error in spite of them. */
const OTHER_FIELDS = {
  prefer: 'handling=lenient',
  origin: 'https://other.example.com',
  'x-request-id': LONG_ID,
  'x-correlation-id': LONG_ID,
};

function fieldChoices(): Choice[] {
  return [right('no other fields'), withHeaders(OTHER_FIELDS)];
}

function queryChoices({ parameters }: Operation): Choice[] {
  const query: Record<string, string> = {};
  if (parameters.some(({ name }) => name === 'limit')) {
    query['limit'] = '2';
  }
  query['x'] = '1';
  return [right('no query'), { label: 'an unknown parameter', due: [400], change: { query } }];
}

function tokenChoices({ token }: Implementation): Choice[] {
  const choices = [right('a token')];
  if (token !== undefined) {
    choices.push(withHeader('authorization', '', [401]));
  }
  return choices;
}

/** The name of the path parameter that names the item, or its parent. */
function lastPathParameter({ parameters }: Operation): string | undefined {
  return parameters.findLast((one) => one.in === 'path')?.name;
}

function idChoices(operation: Operation): Choice[] {
  const name = lastPathParameter(operation);
  const choices = [right('an id')];
  // Any subscription may exist.
  if (name !== undefined && name !== 'subscription_id') {
    choices.push({
      label: 'an id of nothing',
      due: [404],
      change: ({ path }) => ({ path: { ...path, [name]: unknownValue(name) } }),
    });
  }
  return choices;
}

/** @param body is sent as it is */
function withBody(label: string, body: string, status: number): Choice {
  return { label, due: [status], change: { json: undefined, body } };
}

export const UNREADABLE = withBody('no JSON', '{', 400);
const TOO_LARGE = withBody('more than 1 MiB', `{"x": "${'x'.repeat(1_048_576)}"}`, 413);
/** The valid call is sent before the request. */
export const CONFLICT: Choice = { label: 'what exists already', due: [409] };

function bodyChoices(operation: Operation): Choice[] {
  const { requestBody, method, responses } = operation;
  if (!requestBody) {
    return [right('no body'), withHeader('content-type', 'application/json')];
  }
  const choices = [
    right('a body'),
    UNREADABLE,
    { label: '{"x": 1}', due: [400], change: { json: { x: 1 } } },
    TOO_LARGE,
  ];
  if (requestBody.required) {
    choices.push(withBody('an empty body', '', 400));
  }
  const isInParent = lastPathParameter(operation) !== undefined;
  if (method === 'POST' && isInParent && '409' in responses) {
    choices.push(CONFLICT);
  }
  return choices;
}

function contentTypeChoices({ requestBody }: Operation): Choice[] {
  const choices = [right('JSON')];
  if (requestBody) {
    choices.push(withHeader('content-type', 'text/plain', [415]));
  }
  return choices;
}

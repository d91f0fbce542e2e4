/** Holds a response to what the contract documents for its operation and status. */
import { branchesOf } from '../contract/inferred.ts';
import { type Contract, entry } from '../contract/load.ts';
import { originOf, originOfError } from '../contract/origins.ts';
import {
  documentedFor,
  documentedStatuses,
  type Header,
  type Operation,
  type Response,
  statusesFrom,
} from '../contract/operations.ts';
import { isJson, mostSpecificKey } from '../contract/media-types.ts';
import { joinPointer, valueAt } from '../contract/pointers.ts';
import { type SchemaError, schemasOf } from '../contract/schemas.ts';
import { asResponse, isMarked } from '../contract/variants.ts';
import type { CallInput } from './call.ts';
import { headerValue } from './header-values.ts';
import type { Implementation, Refused } from './implementation.ts';
import { expectThat, Nonconformity, show } from './nonconformity.ts';
import { type HttpResponse, NoResponse } from './response.ts';
import type { Session } from './session.ts';

type Other = CallInput | undefined;

declare module './implementation.ts' {
  interface HttpApi {
    /** Other data where the contract allows the refusal; undefined: it must work. @throws NotPossible for none known */
    instead?(
      session: Session,
      operation: Operation,
      input: CallInput,
      response: HttpResponse,
    ): Promise<Other>;
  }
}

/** Calls an operation whose success is due. @throws Nonconformity; NotPossible where the contract allows the refusal */
export async function succeed(
  session: Session,
  operationId: string,
  input: CallInput,
  why?: string,
) {
  const operation = session.operation(operationId);
  let response = await session.callAround(operationId, input);
  for (let tries = 0; response.status >= 400 && tries < OTHER_TRIES; tries++) {
    const other = await session.implementation.api.instead?.(session, operation, input, response);
    if (other === undefined) {
      break;
    }
    response = await session.callAround(operationId, other);
  }
  expectSuccess(session.implementation, operation, response, why);
  return response;
}

/** How often other data takes the place of data that the contract lets a service refuse. */
const OTHER_TRIES = 3;

/** Calls an operation that must refuse, with one of the statuses and with the code. @throws Nonconformity */
export async function refuse(
  session: Session,
  operationId: string,
  input: CallInput,
  statuses: readonly number[],
  why: string,
  code?: string,
): Promise<HttpResponse> {
  const operation = session.operation(operationId);
  // A change that must be refused changes nothing.
  const call = operation.method === 'GET' ? 'callAround' : 'call';
  const response = await session[call](operationId, input);
  expectRefusal(session.implementation, operation, response, statuses, why, { input });
  const got = (response.json as { code?: unknown } | undefined)?.code;
  const isDue = code !== undefined && session.implementation.origin === 'all';
  expectThat(!isDue || got === code, `${why} The code says so.`, { expected: code, got });
  return response;
}

/** The response is the success that is documented: status, media type, headers and body. @throws Nonconformity */
export function expectSuccess(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  why = OK,
) {
  expectStatus(response, documentedStatuses(operation, 2), why);
  expectDocumented(implementation, documentedFor(operation, response.status)!, response);
}

const OK = 'The request is valid.';

/** A refusal with one of the statuses; by the source alone (§7), any 4xx status and any body. @throws Nonconformity */
export function expectRefusal(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  statuses: readonly number[],
  why: string,
  refused: Omit<Refused, 'documented' | 'operation'> = {},
): void {
  if (implementation.origin === 'source') {
    if (response.status >= 400 && response.status < 500) {
      return;
    }
    const got = statusOf(response);
    throw new Nonconformity(`${why} It must be refused.`, {
      expected: 'a status from 400 to 499',
      got,
    });
  }
  expectStatus(response, statuses, why);
  const documented = documentedFor(operation, response.status);
  if (documented) {
    expectDocumented(implementation, documented, response);
  }
  implementation.api.expectError?.(implementation, response, { ...refused, operation, documented });
}

/** A documented success, or a refusal with one of the statuses: the contract leaves it open. @throws Nonconformity */
export function expectEither(...due: Parameters<typeof expectRefusal>): void {
  const [implementation, operation, response, , why] = due;
  if (response.status < 300) {
    expectSuccess(implementation, operation, response, why);
  } else {
    expectRefusal(...due);
  }
}

/** Refused in any form: HTTP servers refuse some requests before handlers see them, or close. @throws Nonconformity */
export async function expectRefusedAnyhow(
  send: () => Promise<HttpResponse>,
  why: string,
  more: readonly number[] = [],
) {
  try {
    expectStatus(await send(), [...more, ...statusesFrom(400), 501, 505], why);
  } catch (error) {
    if (!(error instanceof NoResponse && error.kind === 'closed')) {
      throw error;
    }
  }
}

export function expectStatus(
  response: HttpResponse,
  statuses: readonly number[],
  why: string,
): void {
  if (statuses.includes(response.status)) {
    return;
  }
  const expected = inWords(statuses);
  const named = whatItNames(response);
  const isRight = / at /.test(named) && statuses.every((status) => status < 300);
  const right = isRight ? ', where the suite finds nothing wrong' : '';
  throw new Nonconformity(`${why} Expected ${expected}, got ${response.status}${named}${right}.`, {
    expected,
    got: statusOf(response),
    kind: 'status',
  });
}

/** The code and the first field that an error names: they say more than its status. */
function whatItNames({ json }: HttpResponse): string {
  const { code, errors } = (json ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code !== 'string') {
    return '';
  }
  const [first] = Array.isArray(errors) ? (errors as ({ [name: string]: unknown } | null)[]) : [];
  const place = first?.['pointer'] ?? first?.['parameter'];
  const field = typeof place === 'string' ? ` at ${place === '' ? 'the body' : place}` : '';
  const why = typeof first?.['code'] === 'string' ? `: ${first['code']}` : '';
  return ` ${code}${why}${field}`.slice(0, MAX_NAMED);
}

const MAX_NAMED = 200;

function inWords(statuses: readonly number[]): string {
  const all = new Set(statuses);
  const whole = [200, 300, 400].filter((first) => statusesFrom(first).every((one) => all.has(one)));
  const rest = [...all].filter(
    (status) => !whole.some((first) => status >= first && status < first + 100),
  );
  return [...whole.map((first) => `any of ${first} to ${first + 99}`), ...rest].join(' or ');
}

const statusOf = ({ status, text }: HttpResponse) =>
  `${status}${text === '' ? '' : `, ${show(text)}`}`;

/** Media type, headers and body are as one documented response of the contract states them. @throws Nonconformity */
export function expectDocumented(
  implementation: Implementation,
  documented: Response,
  response: HttpResponse,
): void {
  if (documented.hasNoBody && response.bytes > 0) {
    const details = { expected: 'no body', got: show(response.text) };
    throw new Nonconformity(`A ${documented.status} has no body.`, details);
  }
  // The contract that says nothing of a body leaves it open.
  if (Object.keys(documented.content).length > 0) {
    if (applies(implementation, documented.origin) || implementation.origin === 'source') {
      expectContent(implementation, documented, response);
    }
  }
  for (const [name, header] of Object.entries(documented.headers)) {
    const value = response.headers[name.toLowerCase()];
    if (value !== undefined) {
      expectHeader(implementation, name, header, value);
    } else if (isRequired(implementation, header)) {
      const got = Object.keys(response.headers).join(', ');
      const details = { expected: name, got, clause: header.pointer };
      throw new Nonconformity(`A ${documented.status} has the header ${name}.`, details);
    }
  }
}

function isRequired(implementation: Implementation, { required, pointer }: Header): boolean {
  return required && applies(implementation, originOf(implementation.contract, pointer));
}

function expectHeader(
  implementation: Implementation,
  name: string,
  header: Header,
  value: string,
): void {
  const { contract } = implementation;
  if (header.schema === undefined) {
    return;
  }
  const read = headerValue(contract, header.schema, header, value);
  const errors = schemasOf(contract).validate(header.schema, read);
  throwFirst(implementation, errors, value, `The header ${name} breaks the contract`);
}

function expectContent(
  implementation: Implementation,
  documented: Response,
  response: HttpResponse,
): void {
  const { mediaType, headers } = response;
  const types = Object.keys(documented.content);
  const type = mostSpecificKey(types, headers['content-type'] ?? '');
  const schema = type === undefined ? undefined : documented.content[type];
  if (schema === undefined) {
    const got = `Content-Type: ${headers['content-type'] ?? 'none'}`;
    const expected = `Content-Type: ${types.join(' or ')}`;
    throw new Nonconformity('The media type is not the documented one.', { expected, got });
  }
  // The schema of another media type describes what a reader makes of the body.
  if (isJson(mediaType) && !response.isPartial) {
    expectSchema(implementation, schema, response);
  }
}

/** Bodies that were right, behind the place of their schema: many reads show again what others have shown. */
const right = new WeakMap<Implementation, Set<string>>();
const MAX_KEPT = 1000;
const MAX_LENGTH_KEPT = 10_000;

/** The body is JSON that the schema at this pointer of the contract allows. @throws Nonconformity */
export function expectSchema(
  implementation: Implementation,
  schema: string,
  response: HttpResponse,
): void {
  // To look up a text of megabytes would take longer than it saves.
  if (response.text.length > MAX_LENGTH_KEPT) {
    return expectNew(implementation, schema, response);
  }
  const known = entry(right, implementation, () => new Set<string>());
  const key = `${schema} ${response.text}`;
  if (known.has(key)) {
    return;
  }
  expectNew(implementation, schema, response);
  if (known.size >= MAX_KEPT) {
    known.clear();
  }
  known.add(key);
}

function expectNew(
  implementation: Implementation,
  schema: string,
  { json, text }: HttpResponse,
): void {
  if (json === undefined) {
    throw new Nonconformity('The body is not JSON.', { expected: 'JSON', got: show(text) });
  }
  const errors = schemasOf(asResponse(implementation.contract)).validate(schema, json);
  throwFirst(implementation, errors, json, 'The response body breaks the contract');
  // Where none is marked, the contract of responses is the contract itself.
  if (asResponse(implementation.contract) === implementation.contract) {
    return;
  }
  const pointer = writeOnlyIn(implementation.contract, [schema], json, '');
  const details = {
    expected: 'nothing, as it is writeOnly',
    got: show(valueAt(json, pointer ?? '')),
  };
  if (pointer !== undefined) {
    throw new Nonconformity(`The response shows what is writeOnly at ${pointer}.`, details);
  }
}

/** The place of a value that no response may show. */
function writeOnlyIn(
  contract: Contract,
  roots: readonly string[],
  value: unknown,
  at: string,
): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const shapes = branchesOf(contract, ...roots);
  for (const [name, child] of Object.entries(value)) {
    const place = joinPointer(at, name);
    for (const shape of shapes) {
      const one = Array.isArray(value) ? shape.items : shape.properties.get(name);
      if (one && child !== null && isMarked(one, 'writeOnly')) {
        return place;
      }
      const found = one && writeOnlyIn(contract, one.roots, child, place);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

function throwFirst(
  implementation: Implementation,
  errors: SchemaError[],
  value: unknown,
  what: string,
): void {
  const error = errors.find((one) =>
    applies(implementation, originOfError(implementation.contract, one, 'response')),
  );
  if (!error) {
    return;
  }
  const pointer = joinPointer('', ...error.path);
  const place = pointer === '' ? '' : `at ${pointer}: `;
  throw new Nonconformity(
    `${what}${pointer === '' ? '' : ` at ${pointer}`}: it ${error.message}.`,
    {
      expected: `${place}it ${error.message}`,
      got: `${place}${show(valueAt(value, pointer))}`,
      clause: error.pointer,
    },
  );
}

const applies = (implementation: Implementation, origin: string): boolean =>
  implementation.origin === 'all' || origin.startsWith('source');

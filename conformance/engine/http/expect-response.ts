/** Holds one response to what the contract documents for its operation and status. */
import { originOf } from '../contract/origins.ts';
import {
  documentedFor,
  documentedStatuses,
  isJson,
  type Operation,
  type Response,
  statusesFrom,
} from '../contract/operations.ts';
import { type SchemaError, schemasOf } from '../contract/schemas.ts';
import { shapeOf, spelled } from '../contract/shape.ts';
import { asResponse } from '../contract/variants.ts';
import type { Refused } from './api.ts';
import type { Implementation } from './implementation.ts';
import type { HttpResponse } from './response.ts';
import { Nonconformity, show } from './nonconformity.ts';

/**
 * The response is the success that is documented: status, media type, headers and body.
 * @throws Nonconformity
 */
export function expectSuccess(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  why = 'The request is valid.',
): void {
  expectStatus(response, documentedStatuses(operation, 2), why);
  expectDocumented(implementation, documentedFor(operation, response.status)!, response);
}

/**
 * The response is a refusal with one of the statuses, in the form that errors have. Checked by the source document alone,
 * any status from 400 to 499 will do, and any body: the source shows neither (§7).
 * @throws Nonconformity
 */
export function expectRefusal(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  statuses: number[],
  why: string,
  refused: Omit<Refused, 'documented' | 'operation'> = {},
): void {
  if (implementation.origin === 'source') {
    if (response.status >= 400 && response.status < 500) return;
    throw new Nonconformity(`${why} It must be refused.`, {
      expected: 'a status from 400 to 499',
      got: statusOf(response),
    });
  }
  expectStatus(response, statuses, why);
  const documented = documentedFor(operation, response.status);
  if (documented) expectDocumented(implementation, documented, response);
  implementation.api.expectError?.(implementation, response, { ...refused, operation, documented });
}

/**
 * Where the contract leaves open whether a request is understood: a documented success, or a documented refusal.
 * @throws Nonconformity
 */
export function expectEither(
  implementation: Implementation,
  operation: Operation,
  response: HttpResponse,
  why: string,
): void {
  expectStatus(response, [...documentedStatuses(operation, 2), ...documentedStatuses(operation, 4)], why);
  if (response.status < 300) expectSuccess(implementation, operation, response, why);
  else expectRefusal(implementation, operation, response, [response.status], why);
}

export function expectStatus(response: HttpResponse, statuses: readonly number[], why: string): void {
  if (statuses.includes(response.status)) return;
  const expected = inWords(statuses);
  throw new Nonconformity(`${why} Expected ${expected}, got ${response.status}${whatItNames(response)}.`, {
    expected,
    got: statusOf(response),
    kind: 'status',
  });
}

/** What an error names itself says more than its status: its code, and the first field. */
function whatItNames({ json }: HttpResponse): string {
  const { code, errors } = (json ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code !== 'string') return '';
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
  const rest = [...all].filter((status) => !whole.some((first) => status >= first && status < first + 100));
  return [...whole.map((first) => `any of ${first} to ${first + 99}`), ...rest].join(' or ');
}

function statusOf(response: HttpResponse): string {
  return `${response.status}${response.text === '' ? '' : `, ${show(response.text)}`}`;
}

/** Media type, headers and body as one documented of the contract states them. @throws Nonconformity */
export function expectDocumented(implementation: Implementation, documented: Response, response: HttpResponse): void {
  const types = Object.keys(documented.content);
  if (types.length === 0 && documented.anyBody) {
    // Nothing is said of the body.
  } else if (types.length === 0) {
    if (response.bytes > 0) {
      throw new Nonconformity(`A ${documented.status} has no body.`, { expected: 'no body', got: show(response.text) });
    }
  } else if (applies(implementation, documented.origin) || implementation.origin === 'source') {
    expectContent(implementation, documented, types, response);
  }
  for (const [name, header] of Object.entries(documented.headers)) {
    const value = response.headers[name.toLowerCase()];
    if (value === undefined) {
      if (header.required && applies(implementation, originOf(implementation.contract, header.pointer))) {
        throw new Nonconformity(`A ${documented.status} has the header ${name}.`, {
          expected: name,
          got: Object.keys(response.headers).join(', '),
          clause: header.pointer,
        });
      }
      continue;
    }
    throwFirst(
      implementation,
      schemasOf(implementation.contract).validate(
        header.schema,
        spelled(shapeOf(implementation.contract, header.schema), value),
      ),
      value,
      `The header ${name} breaks the contract`,
    );
  }
}

function expectContent(
  implementation: Implementation,
  documented: Response,
  types: string[],
  response: HttpResponse,
): void {
  const type = types.find((one) => covers(one, response.mediaType));
  if (type === undefined) {
    throw new Nonconformity('The media type is not the documented one.', {
      expected: `Content-Type: ${types.join(' or ')}`,
      got: `Content-Type: ${response.headers['content-type'] ?? 'none'}`,
    });
  }
  // Of other media types, the schema describes what a reader makes of them.
  if (isJson(response.mediaType)) expectSchema(implementation, documented.content[type]!, response);
}

/** Whether a media type, or a range of them, of a contract names the one of a response. */
function covers(range: string, mediaType: string): boolean {
  const [type = '', subtype = ''] = range.split(';', 1)[0]!.trim().toLowerCase().split('/');
  const [theirs, subs] = mediaType.split('/');
  return (type === '*' || type === theirs) && (subtype === '*' || subtype === subs);
}

/** The body is JSON that the schema at this pointer of the contract allows. @throws Nonconformity */
export function expectSchema(implementation: Implementation, schema: string, response: HttpResponse): void {
  const { json } = response;
  if (json === undefined) {
    throw new Nonconformity('The body is not JSON.', { expected: 'JSON', got: show(response.text) });
  }
  throwFirst(
    implementation,
    schemasOf(asResponse(implementation.contract)).validate(schema, json),
    json,
    'The body breaks the contract',
  );
}

function throwFirst(implementation: Implementation, errors: SchemaError[], value: unknown, what: string): void {
  const error = errors.find((one) => applies(implementation, originAt(implementation, one.pointer)));
  if (!error) return;
  const at = error.path.length === 0 ? '' : ` at /${error.path.join('/')}`;
  const place = at === '' ? '' : `${at.trim()}: `;
  throw new Nonconformity(`${what}${at}: it ${error.message}.`, {
    expected: `${place}it ${error.message}`,
    got: `${place}${show(valueAt(value, error.path))}`,
    clause: error.pointer,
  });
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string | number, unknown>)[name]
        : undefined,
    value,
  );
}

/** The origin of a clause by the pointer of its keyword. */
function originAt(implementation: Implementation, clause: string): string {
  const cut = clause.lastIndexOf('/');
  return originOf(implementation.contract, clause.slice(0, cut), clause.slice(cut + 1));
}

function applies(implementation: Implementation, origin: string): boolean {
  return implementation.origin === 'all' || origin.startsWith('source');
}

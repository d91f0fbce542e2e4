/** The responses that operations document. */
import { setMember } from './by-name.ts';
import { supported, Unsupported } from './keywords.ts';
import { type Contract, entry } from './load.ts';
import { isJson } from './media-types.ts';
import { originOfComponent } from './origins.ts';
import {
  dereference,
  joinPointer,
  objectAt,
  parameterSchema,
  schemasByMediaType,
  valueAt,
} from './pointers.ts';

export interface Response {
  status: string;
  /** JSON Pointer of the response, or of its component. */
  pointer: string;
  origin: string;
  /** By name as written. */
  headers: Record<string, Header>;
  /**
   * Media type -> JSON Pointer of its schema, or of its component. Empty if the contract does not
   * describe a body.
   */
  content: Record<string, string>;
  /** HTTP itself allows no body: the status is 204, 205 or 304, or the method HEAD. */
  hasNoBody: boolean;
  /** Why nothing is known of it, if the contract has it at no place that can be read. */
  unread?: string;
}

/** A header field of a response, whose value has the style `simple`. */
export interface Header {
  /** JSON Pointer of the header, or of its component. */
  pointer: string;
  required: boolean;
  /** JSON Pointer of its schema; undefined if the contract does not describe its value. */
  schema: string | undefined;
  explode: boolean;
  /** Whether the value is JSON. */
  inJson: boolean;
}

/** By status, such as `201`, `2XX` or `default`. */
export type Responses = Record<string, Response>;

interface Documenting {
  operationId: string;
  responses: Responses;
}

/**
 * The response that the operation documents for a status: itself, its range such as `4XX`, or
 * `default`.
 */
export function documentedFor(
  { responses }: Pick<Documenting, 'responses'>,
  status: number,
): Response | undefined {
  const hundred = String(Math.floor(status / 100));
  return (
    responses[String(status)] ??
    responses[`${hundred}XX`] ??
    responses[`${hundred}xx`] ??
    responses['default']
  );
}

/**
 * A redirect that ends a successful request, such as 303 (RFC 9110, 15.4); 304 refers to a copy
 * that the client has.
 */
const isRedirect = (status: string): boolean => status.startsWith('3') && status !== '304';

/**
 * The first success that the operation documents; else its redirect. @throws Unsupported if there
 * is none
 */
export function successOf({ operationId, responses }: Documenting): Response {
  const all = Object.values(responses);
  const stated = all.find(({ status }) => status.startsWith('2'));
  const redirect = all.find(({ status }) => isRedirect(status));
  const success = stated ?? redirect ?? responses['default'];
  if (!success) {
    throw new Unsupported(`the operation ${operationId} documents no success`);
  }
  return success;
}

/**
 * The schema of the body of the first success, if that is JSON.
 * @throws Unsupported if no success is documented
 */
export function schemaOfSuccess(operation: Documenting): string | undefined {
  const contents = Object.entries(successOf(operation).content);
  return contents.find(([type]) => isJson(type))?.[1];
}

/** The hundred statuses from this one on. */
export const statusesFrom = (first: number): number[] =>
  Array.from({ length: 100 }, (_, index) => first + index);

/** Documented statuses by their first digit. */
type StatusesByDigit = Record<2 | 4, readonly number[]>;

/** Known by the responses of an operation: each response of a service is compared with them. */
const documented = new WeakMap<Responses, StatusesByDigit>();

/**
 * The documented statuses with this first digit, ranges in full; all if there is a `default` alone.
 * Redirects are successes where the contract documents no 2xx.
 */
export function documentedStatuses(
  { responses }: Pick<Documenting, 'responses'>,
  digit: 2 | 4,
): readonly number[] {
  const known = entry(documented, responses, () => ({
    2: statusesIn(responses, 2),
    4: statusesIn(responses, 4),
  }));
  return known[digit];
}

/** The status, or those of a range such as `3XX`. */
function statusesOf(status: string): number[] {
  if (/xx$/i.test(status)) {
    return statusesFrom(Number(status[0]) * 100);
  }
  return [Number(status)];
}

function statusesIn(responses: Responses, digit: 2 | 4): number[] {
  const listed = Object.keys(responses).filter((status) => status.startsWith(String(digit)));
  const hasRange = listed.some((status) => /xx$/i.test(status));
  if (hasRange) {
    return statusesFrom(digit * 100);
  }
  const hasDefault = 'default' in responses;
  const redirects = Object.keys(responses).filter(isRedirect);
  if (digit === 2 && listed.length === 0 && redirects.length > 0) {
    const others = hasDefault ? statusesFrom(200) : [];
    return [...redirects.flatMap(statusesOf), ...others];
  }
  if (listed.length > 0 && (digit === 2 || !hasDefault)) {
    return listed.map(Number);
  }
  if (hasDefault) {
    return statusesFrom(digit * 100);
  }
  return [];
}

/** Whether a status is a success: any 2xx, or a redirect where the contract documents no 2xx. */
export function isSuccessOf(operation: Pick<Documenting, 'responses'>, status: number): boolean {
  const is2xx = status >= 200 && status < 300;
  return is2xx || documentedStatuses(operation, 2).includes(status);
}

/** The response of an operation at a pointer. */
export interface ResponsePlace {
  method: string;
  /** The origin of the operation. */
  origin: string;
  status: string;
  at: string;
}

const WITHOUT_BODY = /^(1\d\d|204|205|304)$/;

/** A response that cannot be read is one of which the contract says nothing. */
export function responseAt(contract: Contract, place: ResponsePlace): Response {
  return supported(
    () => readResponse(contract, place),
    (unread): Response => {
      const { method, origin, status, at } = place;
      const hasNoBody = isWithoutBody(method, status);
      return { status, pointer: at, origin, headers: {}, content: {}, hasNoBody, unread };
    },
  );
}

const isWithoutBody = (method: string, status: string): boolean =>
  method === 'HEAD' || WITHOUT_BODY.test(status);

function readResponse(contract: Contract, { method, origin, status, at }: ResponsePlace): Response {
  const pointer = dereference(contract.document, at);
  const hasNoBody = isWithoutBody(method, status);
  return {
    status,
    pointer,
    origin: originOfComponent(contract, pointer, origin),
    headers: headersOf(contract, pointer),
    content: hasNoBody ? {} : schemasByMediaType(contract.document, pointer),
    hasNoBody,
  };
}

/**
 * "If a response header is defined with the name Content-Type, it SHALL be ignored" (OpenAPI 3.1,
 * Response Object).
 */
function headersOf(contract: Contract, pointer: string): Record<string, Header> {
  const { headers } = objectAt(contract.document, pointer);
  const holder = joinPointer(pointer, 'headers');
  const found: Record<string, Header> = {};
  for (const name of Object.keys(Object(headers))) {
    const at = joinPointer(holder, name);
    // A header that refers to nothing says nothing of the field.
    const header = supported(
      () => headerAt(contract, at),
      () => undefined,
    );
    if (header && !/^content-type$/i.test(name)) {
      setMember(found, name, header);
    }
  }
  return found;
}

function headerAt({ document }: Contract, at: string): Header {
  const pointer = dereference(document, at);
  const { required, explode } = objectAt(document, pointer);
  const { schema, inJson } = parameterSchema(document, pointer);
  const isStated = valueAt(document, schema) !== undefined;
  return {
    pointer,
    required: required === true,
    schema: isStated ? dereference(document, schema, false) : undefined,
    explode: explode === true,
    inJson,
  };
}

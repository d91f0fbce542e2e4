/**
 * How long a service asks to wait: the header field `Retry-After` has a number of seconds, or an
 * HTTP date (RFC 9110, 10.2.3).
 */
import { memberOf } from '../contract/by-name.ts';
import type { Contract } from '../contract/load.ts';
import { type Header, operationsOf } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import type { RecordedExchange } from './exchange.ts';
import { headerValue } from './header-values.ts';
import type { Client } from './client.ts';
import { operationAt } from './operation-of.ts';
import { HttpResponse, type RawResponse } from './response.ts';

const SECONDS = /^\d+$/;

/** The form that senders use: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Two older forms, which readers understand (RFC 9110, 5.6.7). */
const RFC_850_DATE = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

const DATES = [IMF_FIXDATE, RFC_850_DATE, ASCTIME_DATE];

/** Whether the value is one that every client can read. */
export function isRetryAfter(value: string): boolean {
  if (SECONDS.test(value)) {
    return true;
  }
  const hasForm = DATES.some((form) => form.test(value));
  return hasForm && !Number.isNaN(Date.parse(value));
}

/**
 * A header field of a response after which the request may be sent again: a value of `Retry-After`
 * that tells a client nothing, or a field that the contract requires and that is missing.
 */
export interface WrongRetryAfter {
  status: number;
  /** The name of the field as written in the contract; default: `Retry-After`. */
  name?: string;
  /** Undefined if the field is missing. */
  value?: string;
  times: number;
  /** The request, and the response to it. */
  exchange: RecordedExchange;
}

/** The first wrong value and the first missing field of each status. */
export class WrongRetryAfters {
  readonly #found = new Map<string, WrongRetryAfter>();

  get all(): WrongRetryAfter[] {
    return [...this.#found.values()];
  }

  clear(): void {
    this.#found.clear();
  }

  add({ times, ...wrong }: WrongRetryAfter): void {
    const { status, name, value } = wrong;
    const key = JSON.stringify([status, name, value === undefined]);
    const known = this.#found.get(key);
    if (known === undefined) {
      this.#found.set(key, { ...wrong, times });
    } else {
      known.times += times;
    }
  }
}

interface Service {
  contract: Contract;
  client: Client;
  origin: 'all' | 'source';
  wrongRetryAfters: WrongRetryAfters;
}

/**
 * From now on, notes what is wrong with the header fields of each response after which the client
 * waits. A rule of HTTP is not one of the source document.
 */
export function noteRetryAfters(service: Service): void {
  const { client, origin, wrongRetryAfters } = service;
  client.onWait = ({ method, target, headers = {}, body }, response) => {
    if (origin === 'source') {
      return;
    }
    const { status, headers: fields } = response;
    const request = { method, url: client.urlOf(target), headers, body: body?.toString() ?? null };
    for (const wrong of wrongFields(service, request, response)) {
      const { text } = new HttpResponse(response);
      const exchange = { request, response: { status, headers: fields, body: text } };
      wrongRetryAfters.add({ status, ...wrong, times: 1, exchange });
    }
  };
}

type WrongField = Pick<WrongRetryAfter, 'name' | 'value'>;

function wrongFields(
  { contract, client }: Service,
  request: RecordedExchange['request'],
  { status, headers }: RawResponse,
): WrongField[] {
  const found: WrongField[] = [];
  const value = headers['retry-after'];
  if (value !== undefined && !isRetryAfter(value) && !hasOwnForm(contract, value)) {
    found.push({ value });
  }
  // Ranges such as 4XX and `default` say less of what stands before a service and limits requests.
  const documented = operationAt(contract, client, request)?.responses[String(status)];
  for (const [name, { required }] of Object.entries(documented?.headers ?? {})) {
    if (required && memberOf(headers, name.toLowerCase()) === undefined) {
      found.push({ name });
    }
  }
  return found;
}

/**
 * Whether the contract documents the field in a form of its own that the value has, such as seconds
 * with a fraction. What limits requests may stand before all operations.
 */
function hasOwnForm(contract: Contract, value: string): boolean {
  const responses = operationsOf(contract).flatMap((one) => Object.values(one.responses));
  const fields = responses.flatMap(({ headers }) => Object.entries(headers));
  return fields.some(([name, header]) => {
    const isMeant = name.toLowerCase() === 'retry-after' && allows(contract, header, value);
    return isMeant && isOwnForm(contract, header);
  });
}

/** Whether the header is not a text, or is one that has none of the usual forms. */
function isOwnForm(contract: Contract, header: Header): boolean {
  const isText = shapeOf(contract, header.schema ?? '').types.has('string');
  return !isText || !USUAL.some((usual) => allows(contract, header, usual));
}

/** A value of each form that RFC 9110 has. */
const USUAL = ['1', 'Sun, 06 Nov 1994 08:49:37 GMT'];

/** Whether the header has a schema, and that schema allows the value. */
function allows(contract: Contract, header: Header, value: string): boolean {
  const { schema } = header;
  if (schema === undefined) {
    return false;
  }
  return schemasOf(contract).isValid(schema, headerValue(contract, schema, header, value));
}

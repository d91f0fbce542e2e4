/** Runtime expressions of OpenAPI (3.1, 4.8.20.3): parts of a request or of its response. */
import { memberOf } from '../contract/by-name.ts';
import { isScalar } from '../contract/json-numbers.ts';
import { valueAt } from '../contract/pointers.ts';
import { type CallInput, queryOf } from './call.ts';
import { endOf } from './response-keys.ts';
import { type HttpResponse, parse } from './response.ts';

/** A call and its response. */
export interface Exchange {
  input: CallInput;
  response: Pick<HttpResponse, 'headers' | 'json'>;
}

const EXPRESSION = /^\$(request|response)\.(path|query|header|body)[.#]?(.*)$/;

/** An expression within a text: `doc-{$response.body#/n}`. */
const EMBEDDED = /\{(\$[^{}]+)\}/g;

/**
 * The text that an expression stands for; a constant stands for itself.
 * @returns undefined if the exchange has no such part, or if it is not a text or a number
 */
export function evaluate(expression: unknown, exchange: Exchange): string | undefined {
  if (typeof expression !== 'string') {
    return isScalar(expression) ? String(expression) : undefined;
  }
  if (!expression.includes('{$')) {
    return textOf(meaningOf(expression, exchange));
  }
  let isWhole = true;
  const text = expression.replaceAll(EMBEDDED, (_, inner: string) => {
    const value = textOf(meaningOf(inner, exchange));
    isWhole &&= value !== undefined;
    return value ?? '';
  });
  return isWhole ? text : undefined;
}

function textOf(value: unknown): string | undefined {
  if (!isScalar(value) || typeof value === 'boolean' || String(value) === '') {
    return undefined;
  }
  return String(value);
}

function meaningOf(expression: string, { input, response }: Exchange): unknown {
  const [, side, place, name = ''] = EXPRESSION.exec(expression) ?? [];
  if (side === undefined) {
    return expression;
  }
  if (place === 'body') {
    return valueAt(side === 'request' ? sentJson(input) : response.json, name);
  }
  if (side === 'response') {
    if (place !== 'header') {
      return undefined;
    }
    return fieldIn(response, name.toLowerCase());
  }
  if (place === 'path') {
    return memberOf(input.path, name);
  }
  if (place === 'header') {
    return memberOf(input.headers, name.toLowerCase());
  }
  return queryOf(input).find(([one]) => one === name)?.[1];
}

/** The body as JSON, if it is sent as JSON or as a text of it; else undefined. */
export function sentJson({ json, body }: CallInput): unknown {
  if (json !== undefined || body === undefined || body.length > MOST_PARSED) {
    return json;
  }
  return parse(body.toString());
}

/** In characters: the bodies of which parts are asked for are short. */
const MOST_PARSED = 100_000;

/** By convention, the `Location` of a response ends with the name of the item. */
function fieldIn(response: Exchange['response'], name: string): string | undefined {
  if (name === 'location') {
    return endOf(response);
  }
  return memberOf(response.headers, name);
}

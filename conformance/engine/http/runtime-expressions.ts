/** Runtime expressions of OpenAPI (3.1, 4.8.20.3): parts of a request or of its response. */
import { isScalar } from '../contract/json-numbers.ts';
import { valueAt } from '../contract/pointers.ts';
import { type CallInput, queryOf } from './call.ts';
import { endOf } from './response-keys.ts';
import type { HttpResponse } from './response.ts';

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
    return valueAt(side === 'request' ? input.json : response.json, name);
  }
  if (side === 'response') {
    if (place !== 'header') {
      return undefined;
    }
    return fieldIn(response, name.toLowerCase());
  }
  if (place === 'path') {
    return input.path?.[name];
  }
  if (place === 'header') {
    return input.headers?.[name.toLowerCase()];
  }
  return queryOf(input).find(([one]) => one === name)?.[1];
}

/** By convention, the `Location` of a response ends with the name of the item. */
function fieldIn(response: Exchange['response'], name: string): string | undefined {
  return name === 'location' ? endOf(response) : response.headers[name];
}

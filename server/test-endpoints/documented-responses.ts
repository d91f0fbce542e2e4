/** The responses of an operation in the contract: its errors, and an example of its success. */
import { type Contract, type JsonObject, type Operation, resolve } from '../contract.ts';
import type { ProblemCode } from '../domain/types.ts';

export interface DocumentedResponses {
  errors: DocumentedError[];
  /** Undefined if it has no body. */
  success: DocumentedSuccess | undefined;
}

export interface DocumentedError {
  status: number;
  /** The first is the usual one. */
  codes: ProblemCode[];
  /** Examples of their values. */
  headers: Record<string, string>;
}

export interface DocumentedSuccess {
  status: number;
  example: unknown;
}

/** In the contract. */
interface DocumentedResponse {
  content?: Record<string, { examples?: JsonObject } | undefined>;
  headers?: JsonObject;
  'x-problem-codes'?: ProblemCode[];
}

export function documentedResponses(
  { document }: Contract,
  { responses }: Operation,
): DocumentedResponses {
  const errors: DocumentedError[] = [];
  let success: DocumentedSuccess | undefined;
  for (const [text, one] of Object.entries(responses)) {
    const status = Number(text);
    const response: DocumentedResponse = resolve(document, one);
    if (status >= 400) {
      const headers = examplesOf(document, response.headers);
      errors.push({ status, codes: response['x-problem-codes'] ?? [], headers });
    } else if (status < 300) {
      success ??= successOf(document, status, response);
    }
  }
  return { errors, success };
}

function examplesOf(document: JsonObject, headers: JsonObject = {}): Record<string, string> {
  const examples: Record<string, string> = {};
  for (const [name, header] of Object.entries(headers)) {
    examples[name] = String(resolve(document, header)['example']);
  }
  return examples;
}

function successOf(
  document: JsonObject,
  status: number,
  { content }: DocumentedResponse,
): DocumentedSuccess | undefined {
  const [example] = Object.values(content?.['application/json']?.examples ?? {});
  if (example === undefined) {
    return undefined;
  }
  return { status, example: resolve(document, example)['value'] };
}

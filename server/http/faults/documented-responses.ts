/** What the contract documents an operation to respond with: its errors, and an example of its success. */
import { type Contract, type JsonObject, type Operation, resolve } from '../../contract.ts';
import type { ProblemCode } from '../../domain/types.ts';

export interface DocumentedError {
  status: number;
  /** What its schema allows as `code`; the first is the usual one. */
  codes: ProblemCode[];
  /** Names and examples of the headers that come with it. */
  headers: Record<string, string>;
}

export interface DocumentedResponses {
  errors: DocumentedError[];
  /** Undefined where success has no body. */
  success: { status: number; example: unknown } | undefined;
}

export function documentedResponses({ document }: Contract, operation: Operation): DocumentedResponses {
  const item = (document.paths as JsonObject)[operation.path] as JsonObject;
  const responses = Object.entries((item[operation.method] as JsonObject).responses as JsonObject).map(
    ([status, response]) => ({
      status: Number(status),
      response: resolve(document, response),
    }),
  );
  const success = responses.find(({ status }) => status < 300)!;
  const example = exampleOf(document, success.response);
  return {
    errors: responses
      .filter(({ status }) => status >= 400)
      .map(({ status, response }) => ({
        status,
        codes: codesOf(response),
        headers: headersOf(document, response),
      })),
    success: example === undefined ? undefined : { status: success.status, example },
  };
}

function codesOf({ content }: JsonObject): ProblemCode[] {
  const { schema } = (content as JsonObject)['application/problem+json'] as { schema: JsonObject };
  const { code } = schema['properties'] as { code: { enum: ProblemCode[] } };
  return code.enum;
}

function headersOf(document: JsonObject, response: JsonObject): Record<string, string> {
  const headers = Object.entries((response.headers ?? {}) as JsonObject);
  return Object.fromEntries(headers.map(([name, header]) => [name, String(resolve(document, header).example)]));
}

/** The first one of its JSON. */
function exampleOf(document: JsonObject, response: JsonObject): unknown {
  const media = ((response.content ?? {}) as JsonObject)['application/json'] as JsonObject | undefined;
  const [example] = Object.values((media?.examples ?? {}) as JsonObject);
  return example === undefined ? undefined : resolve(document, example).value;
}

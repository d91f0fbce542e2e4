/** Faults on request, off unless enabled at start: as a `Prefer` header asks (RFC 7240, docs/test-a-client.md). */
import type { Request, Response } from 'express';
import { type Contract, type JsonObject, type Operation, resolve } from '../contract.ts';
import { type ApiError, invalidRequest } from '../domain/api-error.ts';
import type { ProblemCode } from '../domain/types.ts';
import { HttpError, PROBLEM_TYPE, problemOf } from '../http/problem.ts';
import { contextOf, logOf } from '../http/request/context.ts';
import { JSON_TYPE } from '../http/request/media-types.ts';

const MAX_DELAY_MS = 30_000;

/** After validation, in place of the handler: nothing is read or changed, but for a delay. `done`: it has responded. */
export function faultInjector(contract: Contract, operation: Operation) {
  const responses = documentedResponses(contract, operation);
  return async (req: Request, res: Response): Promise<'go on' | 'done'> => {
    const asked = faultRequestOf(req, operation, responses);
    if (asked === undefined) {
      return 'go on';
    }
    const { error, delayMs, drop, applied } = asked;
    contextOf(res).injected = applied;
    const line = { operation: operation.id, injected: applied };
    logOf(res).warn(line, 'injecting an error because the Prefer header asks for it');
    res.set('Preference-Applied', applied);
    if (delayMs > 0) {
      await delayed(res, delayMs);
    }
    if (drop === '') {
      res.destroy();
    } else if (drop === 'midway' && !res.destroyed) {
      sendHalf(res, error, responses);
    } else if (error !== undefined) {
      throw error;
    }
    return drop === undefined && !res.destroyed ? 'go on' : 'done';
  };
}

/** `drop` is empty or `midway`; `applied` has the preferences unchanged. @throws ApiError that says what is possible */
function faultRequestOf(req: Request, operation: Operation, responses: DocumentedResponses) {
  const known = ['status', 'code', 'delay', 'drop'];
  const preferences = [...readPreferences(req.headers.prefer)].filter(([name]) =>
    known.includes(name),
  );
  if (preferences.length === 0) {
    return undefined;
  }
  const asked: Asked = Object.fromEntries(preferences);
  const { delay = '0', drop } = asked;
  if (![undefined, '', 'midway'].includes(drop)) {
    throw refused('drop is given alone or as drop=midway');
  }
  const error = errorOf(asked, operation, responses);
  if (drop === 'midway' && error === undefined && responses.success === undefined) {
    throw refused(
      `drop=midway needs a body, and ${operation.id} succeeds without one: ask for a status, too`,
    );
  }
  if (!/^\d{1,6}$/.test(delay) || Number(delay) > MAX_DELAY_MS) {
    throw refused(`delay is a number of milliseconds from 0 to ${MAX_DELAY_MS}`);
  }
  const applied = preferences
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .join(', ');
  return { error, delayMs: Number(delay), drop, applied };
}

type Asked = Partial<Record<'status' | 'code' | 'delay' | 'drop', string>>;

function errorOf({ status, code }: Asked, operation: Operation, { errors }: DocumentedResponses) {
  if (status === undefined && code === undefined) {
    return undefined;
  }
  const found = errors.find(
    (one) =>
      (status === undefined || String(one.status) === status) &&
      (code === undefined || one.codes.some((known) => known === code)),
  );
  if (found === undefined) {
    const list = errors.map((one) => `${one.status} (${one.codes.join(', ')})`).join(', ');
    throw refused(`the contract has these errors for ${operation.id}, with their codes: ${list}`);
  }
  const thrown = found.codes.find((one) => one === code) ?? found.codes[0]!;
  const detail = 'The Prefer header of the request asked for this error.';
  // Errors of the request name a place that the operation has.
  const [parameter] = operation.requestBody === undefined ? operation.parameters : [];
  const place = parameter === undefined ? { pointer: '' } : { parameter: parameter.name };
  const errorsOf =
    thrown === 'invalid_request' ? [{ ...place, code: 'value' as const, detail }] : [];
  return new HttpError(thrown, detail, found.headers, { errors: errorsOf });
}

/** 400, as for a parameter that breaks its schema. */
const refused = (detail: string): ApiError =>
  invalidRequest([{ parameter: 'Prefer', code: 'value', detail }]);

/** Ends at once when the client closes the connection: then nothing more is done. */
function delayed(res: Response, ms: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    res.once('close', () => done(clearTimeout(timer)));
  });
}

/** The headers announce the whole body, half of it goes out, and the connection closes. */
function sendHalf(
  res: Response,
  error: HttpError | undefined,
  { success }: DocumentedResponses,
): void {
  const problem = error && problemOf(error, contextOf(res).requestId, {});
  const body = Buffer.from(JSON.stringify(problem ?? success!.example));
  res.set(error?.headers ?? {}).status(problem?.status ?? success!.status);
  res.type(problem ? PROBLEM_TYPE : JSON_TYPE).set('Content-Length', String(body.length));
  res.write(body.subarray(0, Math.floor(body.length / 2)), () => res.destroy());
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const WORD = `(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
const VALUE = `(?:[ \\t]*=(?:[ \\t]*(${WORD}))?)?`;
// Spaces can match in one part alone: otherwise many of them would be tried in every combination.
const PARAMETERS = `(?:[ \\t]*;(?:[ \\t]*${TOKEN}${VALUE})?)*`;
const PREFERENCE = new RegExp(`[ \\t,]*(${TOKEN})${VALUE}${PARAMETERS}[ \\t]*(?=,|$)`, 'y');

/** The first value of each name in lower case; empty where there is none. Malformed text ends the list (RFC 7240). */
export function readPreferences(header: string | string[] | undefined): Map<string, string> {
  const preferences = new Map<string, string>();
  const text = [header ?? ''].flat().join(',');
  PREFERENCE.lastIndex = 0;
  for (let found = PREFERENCE.exec(text); found !== null; found = PREFERENCE.exec(text)) {
    const [, name, value = ''] = found;
    const key = name!.toLowerCase();
    if (!preferences.has(key)) {
      preferences.set(
        key,
        value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value,
      );
    }
  }
  return preferences;
}

type DocumentedResponses = ReturnType<typeof documentedResponses>;

/** The responses of an operation in the contract: its errors, and an example of its success, if that has a body. */
export function documentedResponses({ document }: Contract, operation: Operation) {
  const item = (document.paths as JsonObject)[operation.path] as JsonObject;
  const responses = Object.entries(
    (item[operation.method] as JsonObject).responses as JsonObject,
  ).map(([status, response]) => ({
    status: Number(status),
    ...(resolve(document, response) as DocumentedResponse),
  }));
  const { status, content } = responses.find((one) => one.status < 300)!;
  const textOf = (header: unknown) => String(resolve(document, header).example);
  const [example] = Object.values(content?.['application/json']?.examples ?? {});
  return {
    errors: responses
      .filter((one) => one.status >= 400)
      .map((one) => ({
        status: one.status,
        /** The first is the usual one. */
        codes: one['x-problem-codes']!,
        headers: Object.fromEntries(
          Object.entries(one.headers ?? {}).map(([name, header]) => [name, textOf(header)]),
        ),
      })),
    success:
      example === undefined ? undefined : { status, example: resolve(document, example).value },
  };
}

interface DocumentedResponse {
  content?: Record<string, { examples?: JsonObject } | undefined>;
  headers?: JsonObject;
  'x-problem-codes'?: ProblemCode[];
}

/**
 * Paths and queries of what exists, with one thing changed: another resource, or the same in
 * another spelling. An absent resource is refused in any case, and shows nothing.
 */
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { mayBeRefusedBelow } from '../../engine/http/below-application.ts';
import { type CallInput, requestTargetOf } from '../../engine/http/call.ts';
import {
  ANY_REFUSAL,
  expectRefusal,
  expectStatus,
  expectSuccess,
  unlessClosed,
} from '../../engine/http/expect-response.ts';
import { operationBeside } from '../../engine/http/implementation.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import {
  each,
  once,
  type Property,
  type Requirement,
} from '../../engine/requirements/requirement.ts';
import { INFO, ofOperation } from '../define.ts';
import { isPagedList, nextPage } from './next-page.ts';
import { encodeAllInLowerCase } from './paths.ts';

/** Makes another segment of the one of a resource that exists; both are written as in a path. */
type Alter = (segment: string) => string;

const LETTER = /[a-z]/i;

/** A letter in the other case. */
function otherCase(segment: string): string {
  return segment.replace(LETTER, (letter) => {
    const lower = letter.toLowerCase();
    return letter === lower ? letter.toUpperCase() : lower;
  });
}

/** Wide letters, which normalisation (NFKC) makes the same as those of ASCII. */
function wide(segment: string): string {
  const first = segment.codePointAt(0) ?? 0;
  return encodeURIComponent(String.fromCodePoint(first + 0xfee0)) + segment.slice(1);
}

/**
 * Without the last character. An id that ends in a digit may be counted: cut, it may be that of
 * somebody else, so it stays as it is.
 */
function cut(segment: string, end: string): string {
  const rest = segment.slice(0, -1);
  return /\d$/.test(segment) || rest === '' ? segment : rest + end;
}

/** A part of an id that is random, as far as one id shows it: letters and digits in any order. */
const RANDOM_PART = /(?=[a-z\d]*[a-z])(?=[a-z\d]*\d[a-z\d]*[a-z])[a-z\d]{8,}/i;

/**
 * With a character more in the middle of its random part. An id that is counted or chosen stays as
 * it is: with another digit, it may be that of somebody else.
 */
function inside(segment: string, more: string): string {
  return segment.replace(RANDOM_PART, (part) => {
    const at = Math.ceil(part.length / 2);
    return part.slice(0, at) + more + part.slice(at);
  });
}

/**
 * Where the number of a version begins, as in `tcp_connection_closed.v0`. The number at the end of
 * an id is no version: with a zero more, it may be that of somebody else.
 */
const VERSION_AT_END = /(?<=\.v)(?=\d+$)/;

/** By what is changed. Each names another resource, or none. */
const ALTERATIONS: Readonly<Record<string, Alter>> = {
  'the case of a letter': otherCase,
  'a letter more': (segment) => `${segment}x`,
  'a letter before': (segment) => `x${segment}`,
  'a letter in it': (segment) => inside(segment, 'x'),
  'a digit in it': (segment) => inside(segment, '7'),
  'a letter less': (segment) => cut(segment, ''),
  'a zero before': (segment) => `0${segment}`,
  'a zero in its version': (segment) => segment.replace(VERSION_AT_END, '0'),
  'a format behind': (segment) => `${segment}.json`,
  'a dot behind': (segment) => `${segment}.`,
  'an encoded dot behind': (segment) => `${segment}%2E`,
  'a space behind': (segment) => `${segment}%20`,
  'a space before': (segment) => `%20${segment}`,
  'a plus behind': (segment) => `${segment}+`,
  'an encoded semicolon': (segment) => `${segment}%3Ba=b`,
  'an encoded question mark': (segment) => `${segment}%3Fx`,
  'an encoded number sign': (segment) => `${segment}%23x`,
  'an encoded slash': (segment) => `${segment}%2Fx`,
  'a list of two': (segment) => `${segment},${segment}`,
  'any text': (segment) => cut(segment, '%25'),
  'any character': (segment) => cut(segment, '_'),
  'any characters': (segment) => cut(segment, '*'),
  quotes: (segment) => `%22${segment}%22`,
  'wide letters': wide,
};

/** The target of a call with one segment altered. */
function alteredTarget(
  operation: Operation,
  call: CallInput,
  { name }: Parameter,
  alter: Alter,
): string {
  const own = call.path?.[name] ?? '';
  const encode = (value: string): string => {
    const segment = encodeURIComponent(value);
    return value === own ? alter(segment) : segment;
  };
  return requestTargetOf(operation, { path: call.path ?? {}, encode });
}

/** @param parameter names something that must exist: not a subscription, of which any may exist */
export function alteredPath(operation: Operation, parameter: Parameter): Requirement {
  const { name, pointer } = parameter;
  return ofOperation(operation)(
    {
      part: `path.${name}.altered`,
      origin: 'D29',
      clause: pointer,
      quotes: ['Ids are opaque', 'A path is split into segments', '| 404 |'],
      sentence: `refuses a \`${name}\` that differs in one thing from one that exists.`,
    },
    () =>
      each({ ...ALTERATIONS }, (alter, session) =>
        expectOther(session, operation, parameter, alter),
      ),
  );
}

const WHY = 'Nothing has this name: it differs from the one that exists.';

async function expectOther(
  session: Session,
  operation: Operation,
  parameter: Parameter,
  alter: Alter,
): Promise<void> {
  const call = await callToRefuse(session, operation.operationId);
  const target = alteredTarget(operation, call, parameter, alter);
  if (target === requestTargetOf(operation, { path: call.path ?? {} })) {
    return;
  }
  if (await isAnother(session, operation, parameter, { call, target })) {
    return;
  }
  const response = await sendTo(session, operation, call, target);
  if (
    operation.method === 'GET' &&
    response &&
    showsAnother(response, call.path?.[parameter.name])
  ) {
    return;
  }
  if (response !== undefined && !isRefusedBelow(target, response)) {
    const due = { statuses: [400, 404], why: WHY };
    expectStatus(response, due.statuses, WHY);
    expectRefusal(session.implementation, operation, response, due);
  }
  await expectStillThere(session, operation, call);
}

/** What the service may have given as a name. */
const MAY_BE_ID = /^[\w.-]+$/;

/** A call, and the altered target of it. */
interface Altered {
  call: CallInput;
  target: string;
}

/** Names that the service gives may differ in one thing: a name of another resource is no error. */
async function isAnother(
  session: Session,
  operation: Operation,
  { name }: Parameter,
  { call, target }: Altered,
): Promise<boolean> {
  const end = operation.path.indexOf(`{${name}}`) + name.length + 2;
  const path = operation.path.slice(0, end);
  const read = [...session.implementation.operations.values()].find(
    (one) => one.method === 'GET' && one.path === path,
  );
  const itself = target.split('/').slice(0, path.split('/').length);
  const mayBeThere = MAY_BE_ID.test(decodeURIComponent(itself.at(-1) ?? ''));
  if (operation.method === 'GET' || !read || !mayBeThere) {
    return false;
  }
  // A service that counts gives the next names to whoever comes first. Once another resource is
  // made, those next to this one are given, and the name is not given between this read and the
  // change.
  await validCall(session, operation.operationId);
  const response = await session.send({ method: 'GET', target: itself.join('/') });
  return showsAnother(response, call.path?.[name]);
}

/** Whether a response shows a resource that does not have the name. */
function showsAnother({ status, json }: HttpResponse, name: string | undefined): boolean {
  return status < 300 && !Object.values(Object(json) as object).includes(name);
}

function isRefusedBelow(target: string, { status }: HttpResponse): boolean {
  return mayBeRefusedBelow(target) && ANY_REFUSAL.includes(status);
}

/** Undefined if the server below the application closes the connection. */
async function sendTo(
  session: Session,
  { method }: Operation,
  { json }: CallInput,
  target: string,
): Promise<HttpResponse | undefined> {
  const headers = { 'content-type': 'application/json' };
  const content = json === undefined ? {} : { body: JSON.stringify(json), headers };
  const send = () => session.send({ method, target, ...content });
  if (!mayBeRefusedBelow(target)) {
    return send();
  }
  return unlessClosed(send);
}

/** A DELETE that was refused has removed nothing. */
async function expectStillThere(
  session: Session,
  operation: Operation,
  { path = {} }: CallInput,
): Promise<void> {
  const read = operationBeside(session.implementation, operation, 'GET');
  if (!read || operation.method !== 'DELETE') {
    return;
  }
  const target = requestTargetOf(read, { path });
  const response = await session.send({ method: 'GET', target });
  expectStatus(response, [200], 'A refused DELETE removes nothing.');
}

/**
 * A target with encoded slashes: each but the first one alone, and each with all behind it. Its
 * beginning may be the path of another operation, as that of an edge is for a route.
 */
function withEncodedSlashes(target: string): string[] {
  const [, ...segments] = target.split('/');
  const found = segments.slice(1).flatMap((_, index) => {
    const before = segments.slice(0, index + 1).join('/');
    const behind = segments.slice(index + 1);
    return [`/${before}%2F${behind.join('/')}`, `/${before}%2f${behind.join('%2f')}`];
  });
  return [...new Set(found)];
}

/** Encoded slashes in place of those of the path. */
export function encodedSeparators(operation: Operation): Requirement {
  return ofOperation(operation)(
    {
      part: 'path.encoded-slash',
      origin: 'D29',
      clause: INFO,
      quotes: ['A path is split into segments', 'The HTTP server below'],
      sentence: 'is not reached by a path with `%2F` in place of a slash.',
    },
    once('each slash', async (session) => {
      const call = await callToRefuse(session, operation.operationId);
      for (const target of withEncodedSlashes(requestTargetOf(operation, call))) {
        await expectNotReached(session, operation, call, target);
      }
    }),
  );
}

async function expectNotReached(
  session: Session,
  operation: Operation,
  call: CallInput,
  target: string,
): Promise<void> {
  const response = await sendTo(session, operation, call, target);
  if (response !== undefined) {
    const why = `${operation.method} ${target}: an encoded slash is a part of its segment.`;
    // The path may be that of another operation, whose segment is no id, or no path at all.
    expectStatus(response, ANY_REFUSAL, why);
  }
  await expectStillThere(session, operation, call);
}

// Queries.

/** Makes the query of a target; an empty text adds none. */
interface QuerySpelling {
  query: string;
  due: 'the same' | 'the same or refused' | 'refused';
  why: string;
}

const NO_QUERY: Readonly<Record<string, QuerySpelling>> = {
  'an empty query': { query: '?', due: 'the same or refused', why: 'The query has no parameter.' },
  'an ampersand alone': {
    query: '?&&',
    due: 'the same or refused',
    why: 'The query has no parameter.',
  },
  // A form without a name is a parameter to some servers, and nothing to others.
  'an empty name': { query: '?=x', due: 'the same or refused', why: 'The name is empty.' },
  'a semicolon alone': { query: '?;', due: 'refused', why: '`;` is the name of a parameter.' },
  'a plus alone': { query: '?+', due: 'refused', why: '`+` stands for the name of a parameter.' },
};

const SAME = 'Encoded characters stand for themselves (RFC 3986, 6.2.2.2).';
const NO_NUMBER = 'A number is decimal digits alone.';
const UNKNOWN = 'There is no such parameter.';

const LIMITS: Readonly<Record<string, QuerySpelling>> = {
  'an encoded name': { query: '?%6cimit=1', due: 'the same', why: SAME },
  'every character encoded': { query: '?%6C%69%6D%69%74=%31', due: 'the same', why: SAME },
  'an encoded value': { query: '?limit=%31', due: 'the same', why: SAME },
  'ampersands around': {
    query: '?&limit=1&',
    due: 'the same or refused',
    why: 'Between ampersands is no parameter.',
  },
  'a semicolon behind': { query: '?limit=1;', due: 'refused', why: NO_NUMBER },
  'a semicolon between': { query: '?limit=1;limit=2', due: 'refused', why: NO_NUMBER },
  'a semicolon and a cursor': { query: '?limit=1;cursor=', due: 'refused', why: NO_NUMBER },
  'a semicolon before': { query: '?;limit=1', due: 'refused', why: UNKNOWN },
  'a plus before the digit': { query: '?limit=+1', due: 'refused', why: NO_NUMBER },
  'a plus behind the digit': { query: '?limit=1+', due: 'refused', why: NO_NUMBER },
  'an encoded plus': { query: '?limit=%2B1', due: 'refused', why: NO_NUMBER },
  'an encoded space': { query: '?limit=%201', due: 'refused', why: NO_NUMBER },
  'a plus before the name': { query: '?+limit=1', due: 'refused', why: UNKNOWN },
  'encoded twice': { query: '?limit=%2531', due: 'refused', why: NO_NUMBER },
  'an encoded equals sign': { query: '?limit%3D1', due: 'refused', why: UNKNOWN },
  'an encoded ampersand': { query: '?limit=1%26x', due: 'refused', why: NO_NUMBER },
  'another case': { query: '?LIMIT=1', due: 'refused', why: UNKNOWN },
  'wide digits': { query: '?limit=%EF%BC%91', due: 'refused', why: NO_NUMBER },
};

/** Each parameter twice, with its name in two spellings. */
function parametersTwice({ parameters }: Operation): Record<string, QuerySpelling> {
  const found: Record<string, QuerySpelling> = {};
  for (const { name, in: place } of parameters) {
    if (place === 'query') {
      const why = `\`${name}\` is there twice.`;
      const encoded = encodeAllInLowerCase(name);
      const behind = `?${name}=1&${encoded}=2`;
      const before = `?${encoded}=1&${name}=2`;
      found[`${name} twice, encoded behind`] = { query: behind, due: 'refused', why };
      found[`${name} twice, encoded before`] = { query: before, due: 'refused', why };
    }
  }
  return found;
}

/** How queries are written. */
export function spelledQuery(operation: Operation): Requirement {
  const hasLimit = operation.parameters.some(({ name }) => name === 'limit');
  const twice = parametersTwice(operation);
  const spellings = hasLimit ? { ...NO_QUERY, ...LIMITS, ...twice } : { ...NO_QUERY, ...twice };
  return ofOperation(operation)(
    {
      part: 'query.spellings',
      origin: 'D35',
      clause: INFO,
      quotes: ['In a query, a', 'An unknown query', 'Where the source document is silent'],
      sentence: 'reads a query as it is encoded, and neither `;` nor `+` as something else.',
    },
    () => each({ ...spellings }, (spelling, session) => trySpelling(session, operation, spelling)),
    isPagedList(operation) ? respelledPages(operation) : [],
  );
}

/** An encoded character, or one that need not be encoded (RFC 3986, 2.3). */
const ENCODED_OR_PLAIN = /%[\da-f]{2}|[\w.~-]/gi;

/** The query with each character of its values encoded, in digits of the case. */
function encodedAgain(query: string, digitsIn: (hex: string) => string): string {
  const encoded = (value: string) =>
    value.replaceAll(ENCODED_OR_PLAIN, (one) => {
      return digitsIn(one.startsWith('%') ? one : encodeAllInLowerCase(one));
    });
  const pairs = query.split('&').map((pair) => {
    const [name = '', ...values] = pair.split('=');
    return [name, ...values.map(encoded)].join('=');
  });
  return pairs.join('&');
}

/** The URI of the next page, which the service wrote, with the values of its query encoded. */
function respelledPages(operation: Operation): Property[] {
  const cases: Record<string, (hex: string) => string> = {
    'the next page, encoded in upper case': (hex) => hex.toUpperCase(),
    'the next page, encoded in lower case': (hex) => hex.toLowerCase(),
  };
  return each(cases, async (digitsIn, session) => {
    const [path = '', query] = (await nextPage(operation, session)).split('?', 2);
    let target = path;
    if (query !== undefined) {
      target += `?${encodedAgain(query, digitsIn)}`;
    }
    const response = await session.send({ method: 'GET', target });
    expectSuccess(session.implementation, operation, response, SAME);
  });
}

async function trySpelling(
  session: Session,
  operation: Operation,
  { query, due, why }: QuerySpelling,
): Promise<void> {
  const { implementation } = session;
  const isRefused = due === 'refused';
  const call = await (isRefused ? callToRefuse : validCall)(session, operation.operationId);
  const target = `${requestTargetOf(operation, { path: call.path ?? {} })}${query}`;
  const response = await sendTo(session, operation, call, target);
  if (response === undefined) {
    return;
  }
  if (response.status < 300) {
    session.made(operation.operationId, call, response);
  }
  if (due === 'the same' || (due === 'the same or refused' && response.status < 300)) {
    expectSuccess(implementation, operation, response, why);
    return;
  }
  expectStatus(response, [400, 404], why);
  expectRefusal(implementation, operation, response, { statuses: [400, 404], why });
  await expectStillThere(session, operation, call);
}

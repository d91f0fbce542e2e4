/** Methods of paths: 405 and `Allow`, OPTIONS and HEAD (D29). */
import { type Operation, statusesFrom } from '../../engine/contract/operations.ts';
import { requestTargetOf, type Sending } from '../../engine/http/call.ts';
import { expectStatus } from '../../engine/http/expect-response.ts';
import { type Implementation, operationBeside } from '../../engine/http/implementation.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { once } from '../../engine/laws/law.ts';
import { validCall } from '../../engine/requirements/calls.ts';
import {
  each,
  eachText,
  type Requirement,
  withoutToken,
} from '../../engine/requirements/requirement.ts';
import { core, define, INFO } from '../define.ts';
import { expectProblem } from '../errors/problem.ts';
import { eachOffered, offers, targetFor } from '../implementation.ts';
import { required } from '../required.ts';
import { stateOf } from './variants.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
export const ANY_SUCCESS = statusesFrom(200);

/** Every path, with the methods that it does not have. @param operations all of the contract */
export function methodRequirements(operations: readonly Operation[]): Requirement[] {
  const paths = new Set(operations.map(({ path }) => path));
  return [...paths].map((path) => methodsOn(path, operations));
}

function methodsOn(path: string, all: readonly Operation[]): Requirement {
  const operations = all.filter((one) => one.path === path);
  const { operationId } = required(operations[0], `no operation has the path ${path}`);
  const level = operations.every((one) => one.level === 'extended') ? 'extended' : 'core';
  const others = METHODS.filter((method) => !operations.some((one) => one.method === method));
  const name = path.replaceAll(/[{}]/g, '').slice(1).replaceAll('/', '.');
  return define(level)(
    {
      id: `protocol.405.${name}`,
      origin: 'D29',
      clause: INFO,
      quotes: ['A path responds with 405', '`Allow` lists the methods', '| 405 |'],
      sentence:
        `${path} returns 405 to a known method that it does not have, whatever other method its ` +
        'header fields name, and `Allow` lists those that it has.',
    },
    eachText(others, async (method, session) => {
      const target = await targetFor(session, operationId);
      const due = { statuses: [405], why: `${path} has no ${method}.` };
      await expectMethods(session, path, { method, target }, due);
    }),
    each(overridesOf(others, operations), (override, session) =>
      tryOverride(session, path, override),
    ),
    once('OPTIONS', async (session) => {
      const target = await targetFor(session, operationId);
      const due = { statuses: ANY_SUCCESS, why: 'OPTIONS responds with `Allow`.' };
      await expectMethods(session, path, { method: 'OPTIONS', target }, due);
    }),
  );
}

/** A method that a path lacks, in a request that names one of its operations by other means. */
interface Override {
  method: string;
  named: Operation;
}

function overridesOf(
  others: readonly string[],
  operations: readonly Operation[],
): Record<string, Override> {
  const overrides = others.flatMap((method) => operations.map((named) => ({ method, named })));
  return Object.fromEntries(overrides.map((one) => [`${one.method} as ${one.named.method}`, one]));
}

/** Fields in which frameworks take the name of another method. */
const METHOD_FIELDS = ['x-http-method-override', 'x-http-method', 'x-method-override'];

const FORM = 'application/x-www-form-urlencoded';

/** Sends no JSON: a service that takes the named method makes nothing that is left behind. */
async function tryOverride(
  session: Session,
  path: string,
  { method, named }: Override,
): Promise<void> {
  const { implementation } = session;
  const { operationId } = named;
  if (!offers(implementation, operationId)) {
    return;
  }
  const call = await validCall(session, operationId);
  const target = requestTargetOf(named, call);
  const before = await stateOf(session, named, call);
  const why = `${path} has no ${method}, and no field names another method.`;
  for (const { statuses, ...request } of overridingRequests(target, named.method)) {
    await expectMethods(session, path, { method, ...request }, { statuses, why });
  }
  expectSame('A refused request changed something', await stateOf(session, named, call), before);
}

/** A request that names another method, and the statuses that are right for it. */
interface OverridingRequest extends Omit<Sending, 'method'> {
  statuses: readonly number[];
}

function overridingRequests(target: string, named: string): OverridingRequest[] {
  const fields = Object.fromEntries(METHOD_FIELDS.map((name) => [name, named]));
  const form = { headers: { 'content-type': FORM }, body: `_method=${named}` };
  return [
    { target, headers: fields, statuses: [405] },
    // The parameter is unknown, too.
    { target: `${target}?_method=${named}`, statuses: [400, 405] },
    { target, ...form, statuses: [400, 405, 415] },
  ];
}

interface DueStatuses {
  statuses: readonly number[];
  /** The reason, as a sentence. */
  why: string;
}

/**
 * The response has one of the statuses, and `Allow` lists the methods of the path, if it must.
 * @throws Nonconformity
 */
export async function expectMethods(
  session: Session,
  path: string,
  sending: Sending,
  { statuses, why }: DueStatuses,
): Promise<void> {
  const { implementation } = session;
  const response = await session.send(sending);
  const { status } = response;
  expectStatus(response, statuses, why);
  if (status >= 400) {
    expectProblem(implementation, response);
  }
  if (status < 300 || status === 405) {
    expectAllow(response, sending.method, methodsOffered(implementation, path));
    expectNoOther(response, methodsOf(implementation, path));
  }
}

/** The methods that the level has. A service may offer those of the other level, too. */
function methodsOffered(implementation: Implementation, path: string): string[] {
  const operations = [...implementation.operations.values()];
  return operations
    .filter((one) => one.path === path && offers(implementation, one.operationId))
    .map(({ method }) => method);
}

/** The methods that the contract has at a path, whatever the level. */
function methodsOf({ operations }: Implementation, path: string): string[] {
  return [...operations.values()].filter((one) => one.path === path).map(({ method }) => method);
}

function expectAllow({ status, headers }: HttpResponse, method: string, due: string[]): void {
  const got = headers['allow'] ?? 'no Allow';
  const allowed = got.split(',').map((one) => one.trim().toUpperCase());
  for (const expected of due) {
    expectThat(allowed.includes(expected), '`Allow` lacks a method.', { expected, got });
  }
  const isContradiction = status === 405 && allowed.includes(method);
  const expected = `no ${method}`;
  expectThat(!isContradiction, '`Allow` lists the method that was refused.', { expected, got });
}

/** `Allow` lists the methods of the path, and no method that gets 405 there. */
function expectNoOther({ headers }: HttpResponse, known: readonly string[]): void {
  const got = headers['allow'] ?? '';
  const allowed = got.split(',').map((one) => one.trim().toUpperCase());
  const other = METHODS.find((method) => allowed.includes(method) && !known.includes(method));
  const details = { expected: known.join(', '), got };
  expectThat(other === undefined, '`Allow` lists a method that the path does not have.', details);
}

export const optionsWithoutToken: Requirement = {
  ...core(
    {
      id: 'protocol.options.without-token',
      origin: 'D29',
      clause: INFO,
      quotes: ['`OPTIONS` responds with any 2xx status'],
      sentence: 'OPTIONS responds with a 2xx status and `Allow` without a token, too.',
    },
    (implementation) =>
      eachOffered(implementation, async (operationId, session) => {
        const { path } = session.operation(operationId);
        const target = await targetFor(session, operationId);
        const sending = { method: 'OPTIONS', target, headers: { authorization: '' } };
        const why = 'OPTIONS responds with `Allow`, with or without a token.';
        await expectMethods(session, path, sending, { statuses: ANY_SUCCESS, why });
      }),
  ),
  skip: withoutToken,
};

/** HEAD beside a GET. @param operation a GET */
export function headRequirement(operation: Operation): Requirement {
  const { operationId, level } = operation;
  return define(level)(
    {
      id: `${operationId}.head`,
      origin: 'D29',
      clause: INFO,
      quotes: ['`HEAD` works wherever `GET` does'],
      sentence: `HEAD works like ${operationId}: the same status, and no body (RFC 9110).`,
    },
    once('HEAD beside GET', async (session) => {
      const target = await targetFor(session, operationId);
      const get = await session.send({ method: 'GET', target });
      // On a connection that is closed after it, a body behind the headers comes before the end.
      const headers = { connection: 'close' };
      const head = await session.send({ method: 'HEAD', target, headers });
      expectSame('HEAD has another status than GET', head.status, get.status);
      const details = { expected: 'no body', got: head.text };
      expectThat(head.bytes === 0, 'The response to HEAD has a body.', details);
      if (head.mediaType !== '') {
        expectSame('HEAD has another media type than GET', head.mediaType, get.mediaType);
      }
      if (operationBeside(session.implementation, operation, 'DELETE')) {
        await expectHeadGone(session, target);
      }
    }),
  );
}

/** After the resource is deleted, HEAD has the status of GET. */
async function expectHeadGone(session: Session, target: string): Promise<void> {
  await session.send({ method: 'DELETE', target });
  const head = await session.send({ method: 'HEAD', target });
  const get = await session.send({ method: 'GET', target });
  expectSame('HEAD shows what is gone', head.status, get.status);
}

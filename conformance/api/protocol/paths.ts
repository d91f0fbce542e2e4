/** Rules of HTTP about paths (D29): methods and HEAD, percent-encoding, unknown paths, and input that is not HTTP. */
import { type Operation, statusesFrom } from '../../engine/contract/operations.ts';
import { requestTargetOf, type Sending } from '../../engine/http/call.ts';
import { expectRefusal, expectRefusedAnyhow, expectStatus, expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { once } from '../../engine/laws/steps.ts';
import { validCall } from '../../engine/requirements/calls.ts';
import { each, eachText, type Property, type Requirement } from '../../engine/requirements/requirement.ts';
import { withoutToken } from '../../engine/requirements/requirement.ts';
import { AT, core, define, INFO, ofOperation } from '../define.ts';
import { eachOffered, offers, targetFor, unknownId } from '../implementation.ts';
import { expectProblem } from './problem.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
export const ANY_SUCCESS = statusesFrom(200);

function methods(path: string, all: readonly Operation[]): Requirement {
  const operations = all.filter((one) => one.path === path);
  const send = async (session: Session, method: string, statuses: readonly number[], why: string) => {
    const target = await targetFor(session, operations[0]!.operationId);
    await expectMethods(session, path, { method, target }, statuses, why);
  };
  const others = METHODS.filter((method) => !operations.some((one) => one.method === method));
  const id = `protocol.405.${path.replaceAll(/[{}]/g, '').slice(1).replaceAll('/', '.')}`;
  return define(operations.every((one) => one.level === 'extended') ? 'extended' : 'core')(
    [id, 'D29', INFO, 'A path responds with 405', '| 405 |'],
    `${path} returns 405 to a known method that it does not have, and \`Allow\` lists those that it has.`,
    eachText(others, (method, session) => send(session, method, [405], `${path} has no ${method}.`)),
    once('OPTIONS', (session) => send(session, 'OPTIONS', ANY_SUCCESS, 'OPTIONS responds with `Allow`.')),
  );
}

/** In the response, `Allow` lists the methods of the path, where it must. @throws Nonconformity */
export async function expectMethods(
  session: Session,
  path: string,
  sending: Sending,
  statuses: readonly number[],
  why: string,
): Promise<void> {
  const { implementation } = session;
  const { method } = sending;
  const response = await session.send(sending);
  const { status, headers } = response;
  expectStatus(response, statuses, why);
  if (status >= 400) expectProblem(implementation, response);
  if (status >= 300 && status !== 405) return;
  const operations = [...implementation.operations.values()].filter((one) => one.path === path);
  // A service may offer more than its level asks for, and more than this contract knows.
  const due = operations.filter((one) => offers(implementation, one.operationId)).map((one) => one.method);
  const got = headers['allow'] ?? 'no Allow';
  const allowed = got.split(',').map((one) => one.trim().toUpperCase());
  for (const expected of due) expectThat(allowed.includes(expected), '`Allow` lacks a method.', { expected, got });
  const isWrong = status === 405 && allowed.includes(method);
  expectThat(!isWrong, '`Allow` lists the method that was refused.', { expected: `no ${method}`, got });
}

const options = {
  ...core(
    ['protocol.options.without-token', 'D29', INFO, '`OPTIONS` responds with any 2xx status'],
    'OPTIONS responds with a 2xx status and `Allow` without a token, too.',
    (implementation) =>
      eachOffered(implementation, async (operationId, session) => {
        const target = await targetFor(session, operationId);
        const sending = { method: 'OPTIONS', target, headers: { authorization: '' } };
        const why = 'OPTIONS responds with `Allow`, with or without a token.';
        await expectMethods(session, session.operation(operationId).path, sending, ANY_SUCCESS, why);
      }),
  ),
  skip: withoutToken,
};

/** @param paths in them, `{id}` is the id of an edge that exists, and `{unknown}` one that does not */
function reads(due: readonly number[], why: string, paths: readonly string[]): Property[] {
  return eachText(paths, async (template, session) => {
    const id = template.includes('{id}') ? (await validCall(session, 'getEdge')).path!['edge_id']! : '';
    const target = template.replace('{id}', id).replace('{unknown}', unknownId());
    const response = await session.send({ method: 'GET', target });
    expectStatus(response, due, why);
    if (response.status === 200) expectSame('Another edge is shown', response.json, { id });
    else expectProblem(session.implementation, response);
  });
}

const pathRules = [
  core(
    ['protocol.404', 'D29', `${AT.responses}/NotFound`, 'Every error response', 'A problem may have four more'],
    'A path that the contract does not have gets 404.',
    reads([404], 'There is no such path.', [
      ...['/edges', '/edges/http', '/edges/https/{unknown}/y/z', '/event_subscriptions'],
      ...['/event_subscriptions/{unknown}', '/{unknown}', '/Edges/Https/{unknown}'],
    ]),
  ),
  core(
    ['protocol.path.undecodable', 'D29', INFO, 'The HTTP server below'],
    'A path that is not valid percent-encoding is refused.',
    eachText(
      ['edges/https/%E0%A4%A', 'edges/https/%', 'edges/https/%zz', 'event_subscriptions/%ff/sources', '%C3%28'],
      (path, session) =>
        expectRefusedAnyhow(() => session.send({ method: 'GET', target: `/${path}` }), 'The path cannot be decoded.'),
    ),
  ),
  core(
    ['protocol.path.encoded-slash', 'D29', INFO, 'A path is split into segments'],
    '`%2F` never separates two segments of a path.',
    reads([400, 404], 'An encoded slash is a part of a segment.', [
      ...['/edges%2Fhttps%2F{id}', '/edges/https%2F{id}', '/edges/https%2f{id}', '/edges%2fhttps/{id}'],
      '/edges/https/{id}%2F',
    ]),
  ),
  core(
    ['protocol.path.spellings', 'D29', INFO, 'Other spellings of a path'],
    'Another spelling of a path is understood, or refused with 400 or 404.',
    reads([200, 400, 404], 'It may be understood or not.', [
      ...['/edges/https/{id}/', '/edges//https/{id}', '/edges/./https/{id}', '/edges/https/../https/{id}'],
      ...['/edges/https/%2e/{id}', '/%65dges/https/{id}', '/edges/https/{id};a=b', '/edges/https/{id}?'],
      ...['/edges/https/{id}?&', '/EDGES/https/{id}'],
    ]),
  ),
];

function head(operation: Operation): Requirement {
  const { operationId } = operation;
  return define(operation.level)(
    [`${operationId}.head`, 'D29', INFO, '`HEAD` works wherever `GET` does'],
    `HEAD works where ${operationId} does: the same status, and no body (RFC 9110).`,
    once('HEAD beside GET', async (session) => {
      const target = await targetFor(session, operationId);
      const get = await session.send({ method: 'GET', target });
      // A connection of its own: what comes behind the headers comes before its end.
      const response = await session.send({ method: 'HEAD', target, headers: { connection: 'close' } });
      expectSame('HEAD has another status than GET', response.status, get.status);
      expectThat(response.bytes === 0, 'HEAD has no body.', { expected: 'no body', got: response.text });
      expectSame('HEAD has another media type than GET', response.mediaType, get.mediaType);
      const { operations, level } = session.implementation;
      const removal = [...operations.values()].find((one) => one.method === 'DELETE' && one.path === operation.path);
      if (!removal || (removal.level === 'extended' && level === 'core')) return;
      await session.send({ method: 'DELETE', target });
      const gone = await session.send({ method: 'HEAD', target });
      expectSame('HEAD shows what is gone', gone.status, (await session.send({ method: 'GET', target })).status);
    }),
  );
}

function decoding(operation: Operation): Requirement {
  const { operationId, method } = operation;
  return ofOperation(operation)(
    ['path.decoding', 'D29', INFO, 'A path is split into segments'],
    'takes percent-encoded path parameters for what they stand for (RFC 3986).',
    once('every character encoded', async (session) => {
      const call = await validCall(session, operationId);
      const encoded = { ...call, encode: encodeAll };
      const why = `${requestTargetOf(operation, encoded)} is ${requestTargetOf(operation, call)}.`;
      expectSuccess(session.implementation, operation, await session.call(operationId, encoded), why);
    }),
    once('encoded twice', async (session) => {
      const { json, ...call } = await validCall(session, operationId);
      const target = requestTargetOf(operation, { ...call, encode: (text) => encodeURIComponent(encodeAll(text)) });
      const headers = { 'content-type': 'application/json' };
      const body = json === undefined ? {} : { body: JSON.stringify(json), headers };
      const response = await session.send({ method, target, ...body });
      const why = `${target} is decoded once: a percent sign is in no name.`;
      expectRefusal(session.implementation, operation, response, [400, 404], why);
    }),
  );
}

const encodeAll = (text: string) => Buffer.from(text).toString('hex').toUpperCase().replaceAll(/../g, '%$&');

const notHttp = core(
  ['protocol.not-http', 'D29', INFO, 'The HTTP server below', 'It responds with any status'],
  'What an HTTP server may refuse by itself gets a status of HTTP, or the connection is closed; the service goes on.',
  (implementation) =>
    each(inputs(implementation.client.base), async (text, session) => {
      const send = () => session.sendBytes(Buffer.from(text, 'latin1'));
      await expectRefusedAnyhow(send, 'An HTTP server need not read this.');
      const target = `/edges/https/${unknownId()}`;
      expectStatus(await session.send({ method: 'GET', target }), [404], 'The next request is right.');
    }),
);

/** Servers need not know them, or hand them on. */
const METHODS_OF_FEW = ['FOO', 'TRACE', 'CONNECT', 'PROPFIND'];

function inputs({ pathname, host }: URL): Record<string, string> {
  const base = pathname.replace(/\/$/, '');
  const fields = `Host: ${host}\r\nConnection: close\r\n`;
  const get = `GET ${base}/edges/https/${unknownId()} HTTP/1.1\r\n${fields}`;
  const post = `POST ${base}/event_subscriptions/${unknownId()}/sources HTTP/1.1\r\n${fields}`;
  return {
    ...Object.fromEntries(METHODS_OF_FEW.map((method) => [method, `${get.replace('GET', method)}\r\n`])),
    'bytes in a path that are not ASCII': `${get.replace(' HTTP', '\xe9\xff HTTP')}\r\n`,
    'a path of 200,000 bytes': `${get.replace(' HTTP', `${'x'.repeat(200_000)} HTTP`)}\r\n`,
    'a line of text': 'hello\r\n\r\n',
    'another protocol': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n',
    'another version of HTTP': `${get.replace('HTTP/1.1', 'HTTP/9.9')}\r\n`,
    'a header without a name': `${get}: x\r\n\r\n`,
    'a space in a name': `${get}X Y: x\r\n\r\n`,
    'a header of 200,000 bytes': `${get}X-Long: ${'x'.repeat(200_000)}\r\n\r\n`,
    'two lengths': `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'a length that is not a number': `${post}Content-Length: two\r\n\r\n{}`,
    'a chunk without a size': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  };
}

export function pathRequirements(operations: Operation[], offered: Operation[]): Requirement[] {
  const paths = [...new Set(operations.map(({ path }) => path))];
  return [
    ...offered.filter(({ method }) => method === 'GET').map(head),
    ...offered.filter(({ path }) => path.includes('{')).map(decoding),
    ...[...paths.map((path) => methods(path, operations)), options, ...pathRules, notHttp],
  ];
}

/** What HTTP asks of the service as a whole (D29): unknown paths, methods, paths that cannot be decoded. */
import { expectStatus } from '../../engine/http/expect-response.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { type Operation, statusesFrom } from '../../engine/contract/operations.ts';
import { eachText, type Requirement } from '../../engine/requirements/requirement.ts';
import { unknownId } from '../unknown-ids.ts';
import { NOTHING, validCall } from '../valid-calls.ts';
import { expectProblem } from './problem.ts';
import { stated } from '../stated.ts';
import { requestTargetOf } from '../../engine/http/call.ts';

export function protocolRequirements(operations: Operation[]): Requirement[] {
  const paths = [...new Set(operations.map(({ path }) => path))];
  return [
    ...paths.map((path) =>
      methods(
        path,
        operations.filter((one) => one.path === path),
      ),
    ),
    options(operations),
    unknownPath(),
    undecodable(),
    encodedSlash(),
    pathSpellings(),
  ];
}

/** The last one is a method of HTTP that no path of the contract has, and that servers hand on. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];
const ANY_SUCCESS = statusesFrom(200);

function methods(path: string, operations: Operation[]): Requirement {
  const known = operations.map(({ method }) => method);
  const [first] = operations as [Operation];
  const level = operations.every((one) => one.level === 'extended') ? 'extended' : 'core';
  return {
    id: `protocol.405.${path.replaceAll(/[{}]/g, '').slice(1).replaceAll('/', '.')}`,
    level,
    origin: 'D29',
    ...stated('A path responds with 405'),
    sentence: `${path} returns 405 to a method that it does not have, and \`Allow\` lists those that it has.`,
    properties: (implementation) => {
      // A service may offer more than its level asks for, and more than this contract knows.
      const offered = operations
        .filter((one) => one.level === 'core' || implementation.level === 'extended')
        .map(({ method }) => method);
      return [
        ...eachText(
          METHODS.filter((method) => !known.includes(method)),
          async (method, session) => {
            const response = await session.send({
              method,
              target: requestTargetOf(first, await pathOf(first)(session)),
            });
            expectStatus(response, [405], `${path} has no ${method}.`);
            expectProblem(implementation, response);
            const allow = (response.headers['allow'] ?? '').split(',').map((one) => one.trim().toUpperCase());
            for (const one of offered)
              expectThat(allow.includes(one), '`Allow` lacks a method.', {
                expected: one,
                got: response.headers['allow'] ?? 'no Allow',
              });
            expectThat(!allow.includes(method), '`Allow` lists the method that was refused.', {
              expected: `no ${method}`,
              got: response.headers['allow'],
            });
          },
        ),
        {
          label: 'OPTIONS',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const response = await session.send({
              method: 'OPTIONS',
              target: requestTargetOf(first, await pathOf(first)(session)),
            });
            expectStatus(response, ANY_SUCCESS, 'OPTIONS responds with `Allow`.');
            const allow = (response.headers['allow'] ?? '').split(',').map((one) => one.trim().toUpperCase());
            for (const one of offered)
              expectThat(allow.includes(one), '`Allow` lacks a method.', {
                expected: one,
                got: response.headers['allow'] ?? 'no Allow',
              });
          },
        },
      ];
    },
  };
}

function options(operations: Operation[]): Requirement {
  return {
    id: 'protocol.options.without-token',
    level: 'core',
    origin: 'D29',
    ...stated('`OPTIONS` responds with any 2xx status'),
    sentence: 'OPTIONS responds with a 2xx status and `Allow` without a token, too.',
    skip: ({ token }) => (token === undefined ? 'needs --token: without one, every request has none' : undefined),
    properties: (implementation) =>
      eachText(
        operations
          .filter((one) => one.level === 'core' || implementation.level === 'extended')
          .map((one) => one.operationId),
        async (operationId, session) => {
          const operation = session.operation(operationId);
          const response = await session.send({
            method: 'OPTIONS',
            target: requestTargetOf(operation, await pathOf(operation)(session)),
            headers: { authorization: '' },
          });
          expectStatus(response, ANY_SUCCESS, 'OPTIONS responds with `Allow`, with or without a token.');
          expectThat(response.headers['allow'] !== undefined, '`Allow` is missing.', {
            expected: 'Allow',
            got: Object.keys(response.headers).join(', '),
          });
        },
      ),
  };
}

/** Path parameters alone: the method does not exist, so that nothing else of a call counts. */
function pathOf(operation: Operation) {
  return async (session: Session) => {
    const { path } = await validCall(session, operation.operationId);
    return path === undefined ? {} : { path };
  };
}

function unknownPath(): Requirement {
  return {
    id: 'protocol.404',
    level: 'core',
    origin: 'D29',
    clause: '/components/responses/NotFound',
    sentence: 'A path that the contract does not have gets 404.',
    properties: (implementation) =>
      eachText(
        [
          '/edges',
          '/edges/http',
          '/edges/https/{unknown}/y/z',
          '/event_subscriptions',
          '/event_subscriptions/{unknown}',
          '/{unknown}',
          '/Edges/Https/{unknown}',
        ],
        async (template, session) => {
          const path = template.replace('{unknown}', unknownId());
          const response = await session.send({ method: 'GET', target: path });
          expectStatus(response, [404], 'There is no such path.');
          expectProblem(implementation, response);
        },
      ),
  };
}

function undecodable(): Requirement {
  return {
    id: 'protocol.path.undecodable',
    level: 'core',
    origin: 'D29',
    clause: '/components/responses/BadRequest',
    sentence: 'A path that is not valid percent-encoding is refused with 400 (or, as naming nothing, 404).',
    properties: (implementation) =>
      eachText(
        [
          '/edges/https/%E0%A4%A',
          '/edges/https/%',
          '/edges/https/%zz',
          '/event_subscriptions/%ff/sources',
          '/event_subscriptions/{unknown}/sources/%C3%28',
        ],
        async (template, session) => {
          const path = template.replace('{unknown}', unknownId());
          const response = await session.send({ method: 'GET', target: path });
          expectStatus(response, [400, 404], 'The path cannot be decoded.');
          expectProblem(implementation, response);
        },
      ),
  };
}

function encodedSlash(): Requirement {
  return {
    id: 'protocol.path.encoded-slash',
    level: 'core',
    origin: 'D29',
    ...stated('A path is taken apart before it is decoded'),
    sentence: '`%2F` never separates two segments of a path.',
    properties: (implementation) =>
      eachText(
        [
          '/edges%2Fhttps%2F{id}',
          '/edges/https%2F{id}',
          '/edges/https%2f{id}',
          '/edges%2fhttps/{id}',
          '/edges/https/{id}%2F',
        ],
        async (template, session) => {
          const path = template.replace('{id}', await edgeId(session));
          const response = await session.send({ method: 'GET', target: path });
          expectStatus(response, [400, 404], 'An encoded slash is a part of a segment.');
          expectProblem(implementation, response);
        },
      ),
  };
}

function pathSpellings(): Requirement {
  return {
    id: 'protocol.path.spellings',
    level: 'core',
    origin: 'D29',
    ...stated('Other spellings of a path'),
    sentence: 'Another spelling of a path is understood, or refused with 400 or 404.',
    properties: (implementation) =>
      eachText(
        [
          '/edges/https/{id}/',
          '/edges//https/{id}',
          '/edges/./https/{id}',
          '/edges/https/../https/{id}',
          '/edges/https/%2e/{id}',
          '/%65dges/https/{id}',
          '/edges/https/{id};a=b',
          '/edges/https/{id}?',
          '/edges/https/{id}?&',
          '/EDGES/https/{id}',
        ],
        async (template, session) => {
          const id = await edgeId(session);
          const path = template.replace('{id}', id);
          const response = await session.send({ method: 'GET', target: path });
          expectStatus(response, [200, 400, 404], 'It may be understood or not.');
          if (response.status !== 200) expectProblem(implementation, response);
          else
            expectThat((response.json as { id?: unknown }).id === id, 'Another edge is shown.', {
              expected: id,
              got: response.text,
            });
        },
      ),
  };
}

async function edgeId(session: Session): Promise<string> {
  return (await validCall(session, 'getEdge')).path!['id']!;
}

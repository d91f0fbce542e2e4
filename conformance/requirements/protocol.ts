/** What HTTP asks of the service as a whole (D29): unknown paths, methods, paths that cannot be decoded. */
import { expectProblem, expectStatus } from '../check/judge.ts';
import { expectThat } from '../check/nonconformity.ts';
import { targetOf } from '../check/session.ts';
import type { Operation } from '../contract/operations.ts';
import { eachText, type Requirement } from './requirement.ts';
import { NOTHING, VALID_CALLS } from './valid-calls.ts';

export function protocolRequirements(operations: Operation[]): Requirement[] {
  const paths = [...new Set(operations.map(({ path }) => path))];
  return [
    ...paths.map((path) =>
      methods(
        path,
        operations.filter((one) => one.path === path),
      ),
    ),
    unknownPath(),
    undecodable(),
  ];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function methods(path: string, operations: Operation[]): Requirement {
  const known = operations.map(({ method }) => method);
  const [first] = operations as [Operation];
  const level = operations.every((one) => one.level === 'extended') ? 'extended' : 'core';
  return {
    id: `protocol.405.${path.replaceAll(/[{}]/g, '').slice(1).replaceAll('/', '.')}`,
    level,
    origin: 'D29',
    clause: '/components/responses/MethodNotAllowed',
    sentence: `${path} answers 405 to a method that it does not have, and \`Allow\` lists those that it has.`,
    properties: (target) => {
      // A service may offer more than its level asks for, and more than this contract knows.
      const offered = operations
        .filter((one) => one.level === 'core' || target.level === 'extended')
        .map(({ method }) => method);
      return [
        ...eachText(
          METHODS.filter((method) => !known.includes(method)),
          async (method, session) => {
            const answer = await session.send({ method, target: targetOf(first, await pathOf(first)(session)) });
            expectStatus(answer, [405], `${path} has no ${method}.`);
            expectProblem(target, answer);
            const allow = (answer.headers['allow'] ?? '').split(',').map((one) => one.trim().toUpperCase());
            for (const one of offered)
              expectThat(allow.includes(one), '`Allow` lacks a method.', {
                expected: one,
                got: answer.headers['allow'] ?? 'no Allow',
              });
            expectThat(!allow.includes(method), '`Allow` lists the method that was refused.', {
              expected: `no ${method}`,
              got: answer.headers['allow'],
            });
          },
        ),
        {
          label: 'OPTIONS',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const answer = await session.send({
              method: 'OPTIONS',
              target: targetOf(first, await pathOf(first)(session)),
            });
            expectStatus(answer, [200, 204], 'OPTIONS is answered with `Allow`.');
            const allow = (answer.headers['allow'] ?? '').split(',').map((one) => one.trim().toUpperCase());
            for (const one of offered)
              expectThat(allow.includes(one), '`Allow` lacks a method.', {
                expected: one,
                got: answer.headers['allow'] ?? 'no Allow',
              });
          },
        },
      ];
    },
  };
}

/** Path parameters alone: the method does not exist, so that nothing else of a call counts. */
function pathOf(operation: Operation) {
  return async (session: Parameters<(typeof VALID_CALLS)[string]>[0]) => {
    const { path } = await VALID_CALLS[operation.operationId]!(session);
    return path === undefined ? {} : { path };
  };
}

function unknownPath(): Requirement {
  return {
    id: 'protocol.404',
    level: 'core',
    origin: 'D29',
    clause: '/components/responses/NotFound',
    sentence: 'A path that the contract does not have is answered with 404.',
    properties: (target) =>
      eachText(
        [
          '/edges',
          '/edges/http',
          '/edges/https/x/y/z',
          '/event_subscriptions',
          '/event_subscriptions/x',
          '/conformance-unknown',
          '/Edges/Https/x',
        ],
        async (path, session) => {
          const answer = await session.send({ method: 'GET', target: path });
          expectStatus(answer, [404], 'There is no such path.');
          expectProblem(target, answer);
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
    properties: (target) =>
      eachText(
        [
          '/edges/https/%E0%A4%A',
          '/edges/https/%',
          '/edges/https/%zz',
          '/event_subscriptions/%ff/sources',
          '/event_subscriptions/x/sources/%C3%28',
        ],
        async (path, session) => {
          const answer = await session.send({ method: 'GET', target: path });
          expectStatus(answer, [400, 404], 'The path cannot be decoded.');
          expectProblem(target, answer);
        },
      ),
  };
}

/**
 * The requirements on HTTP itself, beyond what the contract says of each operation, with the files
 * that state them.
 */
import type { Operation } from '../../engine/contract/operations.ts';
import { type Requirement, statedIn } from '../../engine/requirements/requirement.ts';
import { alteredPath, encodedSeparators, spelledQuery } from './altered-paths.ts';
import { tokenRequirements } from './authentication.ts';
import { bodyProtocolRequirements } from './bodies.ts';
import { errorsTogether } from './errors-together.ts';
import { negotiationRequirements } from './media-types.ts';
import { instances } from './instances.ts';
import { headLikeGet } from './head.ts';
import { headRequirement, methodRequirements, optionsWithoutToken } from './methods.ts';
import { notHttp } from './not-http.ts';
import { openServiceRequirements } from './open-services.ts';
import { decodingRequirement, pathRequirements } from './paths.ts';
import { repeatedParameter, unknownParameter } from './queries.ts';
import { readOnlyTokenRequirements } from './read-only-tokens.ts';
import { requestIds } from './request-ids.ts';
import { manyErrors, twoErrorsInBody } from './several-errors.ts';

/** Media types and bodies. @param offered the operations of the level */
export function contentRequirements(offered: readonly Operation[]): Requirement[] {
  return offered.flatMap((operation) => [
    ...statedIn('api/protocol/media-types.ts', negotiationRequirements(operation)),
    ...statedIn('api/protocol/bodies.ts', bodyProtocolRequirements(operation)),
  ]);
}

/**
 * Methods, paths, queries and errors.
 * @param operations all of the contract
 * @param offered those of the level
 */
export function requestRequirements(
  operations: readonly Operation[],
  offered: readonly Operation[],
): Requirement[] {
  return [
    ...offered.flatMap(requirementsOfOperation),
    ...statedIn('api/protocol/methods.ts', methodRequirements(operations)),
    ...statedIn('api/protocol/methods.ts', [optionsWithoutToken]),
    ...statedIn('api/protocol/paths.ts', pathRequirements),
    ...statedIn('api/protocol/not-http.ts', [notHttp]),
    ...statedIn('api/protocol/request-ids.ts', [requestIds]),
    ...statedIn('api/protocol/instances.ts', [instances]),
  ];
}

function requirementsOfOperation(operation: Operation): Requirement[] {
  const { method, path, parameters, requestBody } = operation;
  const inQuery = parameters.filter((one) => one.in === 'query');
  const repeated = inQuery.map((parameter) => repeatedParameter(operation, parameter));
  const found = statedIn('api/protocol/queries.ts', repeated);
  if (requestBody) {
    const twoErrors = twoErrorsInBody(operation, requestBody.pointer);
    found.push(...statedIn('api/protocol/several-errors.ts', [twoErrors]));
  }
  found.push(
    ...statedIn('api/protocol/queries.ts', [unknownParameter(operation)]),
    ...statedIn('api/protocol/several-errors.ts', [manyErrors(operation)]),
    ...statedIn('api/protocol/errors-together.ts', [errorsTogether(operation)]),
  );
  const named = parameters.filter((one) => one.in === 'path' && one.name !== 'subscription_id');
  const altered = named.map((parameter) => alteredPath(operation, parameter));
  const ofTargets = [...altered, encodedSeparators(operation), spelledQuery(operation)];
  found.push(...statedIn('api/protocol/altered-paths.ts', ofTargets));
  if (method === 'GET') {
    found.push(...statedIn('api/protocol/methods.ts', [headRequirement(operation)]));
    found.push(...statedIn('api/protocol/head.ts', [headLikeGet(operation)]));
  }
  if (path.includes('{')) {
    found.push(...statedIn('api/protocol/paths.ts', [decodingRequirement(operation)]));
  }
  return found;
}

/**
 * Tokens, and services without them.
 * @param operations all of the contract
 * @param offered those of the level
 */
export function authenticationRequirements(
  operations: readonly Operation[],
  offered: readonly Operation[],
): Requirement[] {
  return [
    ...statedIn('api/protocol/authentication.ts', tokenRequirements(offered)),
    ...statedIn('api/protocol/read-only-tokens.ts', readOnlyTokenRequirements(operations)),
    ...statedIn('api/protocol/open-services.ts', openServiceRequirements),
  ];
}

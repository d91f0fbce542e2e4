/** An API that only its contract describes: the same for any contract. */
import * as fc from 'fast-check';
import type { Contract } from '../contract/load.ts';
import type { HttpApi } from '../http/implementation.ts';
import type { Api } from '../requirements/api.ts';
import { instead, withRequired } from '../requirements/calls.ts';
import { elsewhereRequirements } from '../requirements/credentials-elsewhere.ts';
import { headRequirements } from '../requirements/head.ts';
import { notFoundRequirements } from '../requirements/not-found.ts';
import { otherUserRequirements } from '../requirements/other-users.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { acceptableBodies } from '../requirements/statuses.ts';
import { byteLaws } from './bytes.ts';
import { conditionLaws } from './conditions.ts';
import { countLaws } from './counts.ts';
import { inferredLaws } from './inferred.ts';
import { isCursor } from './inference/pages.ts';
import { lookBack } from './look-back.ts';
import { otherUserLaws } from './other-users.ts';
import { refusedCreationLaws } from './refused-creations.ts';
import { repeatedRequestLaws } from './repeated-requests.ts';
import { batchLaws } from './batches.ts';
import { inUseLaws } from './in-use.ts';
import { refusingStateLaws } from './refusing-states.ts';
import { restoredLaws } from './restored.ts';
import { unreadLaws } from './unread.ts';

/** Its additions to calls. */
export const PLAIN_CALLS: Pick<HttpApi, 'instead' | 'withRequired'> = { instead, withRequired };

interface PlainOptions {
  /** Bodies that are known to work, by operation, in place of generated ones. */
  bodies?: Readonly<Record<string, unknown>> | undefined;
  /** Whether there are credentials of a second user. */
  hasOtherUser?: boolean;
}

export function plainApi({ bodies: given = {}, hasOtherUser = false }: PlainOptions = {}): Api {
  return {
    laws: (contract) => (hasOtherUser ? withOtherUser(contract) : plainLaws(contract)),
    lookBack,
    mayRefuse: isCursor,
    bodies(operation, implementation) {
      const { operationId } = operation;
      if (Object.hasOwn(given, operationId)) {
        return fc.constant(given[operationId]);
      }
      const { body } = implementation.survey[operationId]?.recipe ?? {};
      if (body?.kind === 'fixed') {
        return fc.constant(body.json);
      }
      return acceptableBodies(operation, {}, implementation);
    },
  };
}

function withOtherUser(contract: Contract): Requirement[] {
  return [...plainLaws(contract), ...otherUserRequirements(contract), ...otherUserLaws(contract)];
}

function plainLaws(contract: Contract): Requirement[] {
  return [
    ...notFoundRequirements(contract),
    ...headRequirements(contract),
    ...elsewhereRequirements(contract),
    ...inferredLaws(contract),
    ...unreadLaws(contract),
    ...refusedCreationLaws(contract),
    ...byteLaws(contract),
    ...conditionLaws(contract),
    ...restoredLaws(contract),
    ...inUseLaws(contract),
    ...refusingStateLaws(contract),
    ...countLaws(contract),
    ...batchLaws(contract),
    ...repeatedRequestLaws(contract),
  ];
}

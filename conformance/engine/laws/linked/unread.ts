/** What a POST makes and no operation reads: all that can be said of it is that its response shows what was sent. */
import { supported } from '../../contract/keywords.ts';
import type { Contract } from '../../contract/load.ts';
import { type Operation, operationsOf } from '../../contract/operations.ts';
import { shapeOf } from '../../contract/shape.ts';
import { asRequest } from '../../contract/variants.ts';
import { expectSame, NotPossible } from '../../http/nonconformity.ts';
import type { Session } from '../../http/session.ts';
import { mayConflict, validCall } from '../../requirements/calls.ts';
import { forEach, requirementOf, type Requirement, statedIn } from '../../requirements/requirement.ts';
import { creationsOf, membersOf, remembered, setIn, shapesOfSuccess } from './resources.ts';
import { bodiesOf } from './values.ts';

export function unreadLaws(contract: Contract): Requirement[] {
  const read = creationsOf(contract);
  const making = operationsOf(contract).filter((one) => one.method === 'POST' && '201' in one.responses);
  const unread = making.filter((one) => !read.has(one) && one.unsupported === undefined);
  const none = (): Requirement[] => [];
  const all = unread.flatMap((operation) => supported(() => shownBy(contract, operation), none));
  return statedIn('engine/laws/linked/unread.ts', all);
}

function shownBy(contract: Contract, operation: Operation): Requirement[] {
  const { operationId, origin, requestBody, responses } = operation;
  if (!requestBody) return [];
  const { pointer } = requestBody;
  const sent = shapeOf(asRequest(contract), pointer);
  const shown = shapesOfSuccess(contract, operation, sent);
  const members = membersOf(contract, sent, shown);
  if (shown.length === 0 || members.length === 0) return [];
  const bodies = remembered(() => bodiesOf(asRequest(contract), [pointer], mayConflict(operation)));
  const check = async (kind: 'full' | 'bare', session: Session) => {
    const json = bodies()?.[kind]();
    if (json === undefined) throw new NotPossible(`the body of ${operationId} need not be an object`);
    const call = await validCall(session, operationId);
    const response = await session.call(operationId, { ...call, json });
    if (response.status >= 300)
      throw new NotPossible(`${operationId} refuses what the contract allows (${response.status})`);
    expectSame('The response is not what was sent', response.json, setIn(json, members));
  };
  const clause = { origin, pointer: responses['201']!.pointer };
  const sentence = `What ${operationId} makes is shown as it was sent.`;
  const properties = () => forEach('a body', ['full', 'bare'] as const, check);
  return [requirementOf(operation, 'shown', clause, sentence, properties)];
}

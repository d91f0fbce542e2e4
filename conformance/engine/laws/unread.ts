/**
 * Laws of items that a POST makes and no operation reads: the response shows the sent body, and a
 * list of the place has the item.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../contract/load.ts';
import {
  type Operation,
  operationOn,
  operationsOf,
  schemaOfSuccess,
} from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { possible } from '../generate/filter.ts';
import { succeed } from '../http/expect-response.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { bodiesOf } from './inference/bodies.ts';
import { creationsOf } from './inference/creations.ts';
import { lazily } from './inference/facts.ts';
import { listIn } from './inference/lists.ts';
import { setIn, shapesOfSuccess, sharedMembersOf } from './inference/members.ts';
import type { Json } from './resource.ts';
import { mayConflict, validCall, withRequired } from '../requirements/calls.ts';
import {
  forEach,
  once,
  type Requirement,
  requirementOf,
  statedIn,
} from '../requirements/requirement.ts';

export function unreadLaws(contract: Contract): Requirement[] {
  const read = creationsOf(contract);
  const making = operationsOf(contract).filter(
    (one) => one.method === 'POST' && '201' in one.responses,
  );
  const unread = making.filter((one) => !read.has(one) && one.unsupported === undefined);
  const all = unread.flatMap((one) =>
    [shownBy, listedBy].flatMap((law) => possible(() => law(contract, one)).flat()),
  );
  return statedIn('engine/laws/unread.ts', all);
}

function shownBy(contract: Contract, operation: Operation): Requirement[] {
  const { operationId, origin, requestBody, responses } = operation;
  if (!requestBody) {
    return [];
  }
  const { pointer } = requestBody;
  const sent = shapeOf(asRequest(contract), pointer);
  const shown = shapesOfSuccess(contract, operation, sent);
  const members = sharedMembersOf(contract, sent, shown);
  if (shown.length === 0 || members.length === 0) {
    return [];
  }
  const bodies = lazily(() => bodiesOf(asRequest(contract), [pointer], mayConflict(operation)));
  const check = async (kind: 'full' | 'bare', session: Session) => {
    const json = bodies()?.[kind]();
    if (json === undefined) {
      throw new NotPossible(`the body of ${operationId} need not be an object`);
    }
    const response = await session.call(operationId, {
      ...(await validCall(session, operationId)),
      json,
    });
    if (response.status >= 300) {
      throw new NotPossible(`${operationId} refuses what the contract allows (${response.status})`);
    }
    expectSame('The response is not what was sent', response.json, setIn(json, members));
  };
  const sentence = `What ${operationId} makes is shown as it was sent.`;
  const properties = () => forEach('a body', ['full', 'bare'] as const, check);
  return [
    requirementOf(operation, 'shown', {
      stated: { origin, pointer: responses['201']!.pointer },
      sentence,
      properties,
    }),
  ];
}

/** The list of the same place that shows new items. */
function listedBy(contract: Contract, operation: Operation): Requirement[] {
  const { operationId, path, origin } = operation;
  const list = operationOn(contract, 'GET', path);
  const [made, page] = [operation, list].map((one) => one && schemaOfSuccess(one));
  if (!list || made === undefined || page === undefined || !path.includes('{')) {
    return [];
  }
  const { within, name, items } = listIn(shapeOf(contract, page)) ?? {};
  if (
    within !== undefined ||
    ![shapeOf(contract, made), items].every((one) => one?.properties.has('id'))
  ) {
    return [];
  }
  const check = async (session: Session) => {
    const place = await validCall(session, operationId);
    const other = await validCall(session, operationId);
    if (isDeepStrictEqual(place.path, other.path)) {
      throw new NotPossible(`nothing makes several places for ${operationId}`);
    }
    const { id } = (await succeed(session, operationId, place)).json as Json;
    for (const { path: where = {} } of [place, other]) {
      const input = withRequired(session.implementation, list, { path: where });
      const { json } = await succeed(session, list.operationId, input, 'It exists.');
      const all = (name === undefined ? json : (json as Json)[name]) as Json[];
      const expected = where === place.path ? 'in the list of its place' : 'in no other list';
      const isThere = all.some((one) => one['id'] === id);
      const what = isThere ? 'is in the list of another place' : 'is missing in its list';
      expectThat(isThere === (where === place.path), `What is made ${what}.`, {
        expected,
        got: all,
      });
    }
  };
  const clause = { origin, pointer: list.pointer };
  const sentence = `What ${operationId} makes is in the list of its place, and in no other one.`;
  return [
    requirementOf(operation, 'listed', {
      stated: clause,
      sentence,
      properties: () => [once('in one of two places', check)],
    }),
  ];
}

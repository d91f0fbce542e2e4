/** A refused request changes nothing, whatever the reason; and the next good request works. */
import { stringifyJson } from '../contract/json-numbers.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../contract/operations.ts';
import type { CallInput } from '../http/call.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';
import {
  type Requirement,
  withoutReadOnlyToken,
  withoutToken,
} from '../requirements/requirement.ts';
import { type LawProperty, casesOn, forEach, type Law, once, type Steps } from './steps.ts';
import { tryTaken, tryTwice } from './identity.ts';
import {
  type ResourceCall,
  type Item,
  type Json,
  levelOf,
  type Place,
  type Resource,
} from './resource.ts';

/** The sentence of the contract that the laws of this file hold services to. */
export const UNCHANGED = 'A refused request changes nothing';

const DONE = 'A refused request changed something';
const OTHER = 'The next good request has another effect';
const WHY = 'The body breaks the contract.';

type Writing = 'create' | 'update' | 'delete';

/** The largest body that the contract lets a service refuse, and more. */
const TOO_MUCH = 1_048_576;

/** Makes a good request one that must be refused with the status. */
const SPOILT: Record<number, (input: CallInput, implementation: Implementation) => CallInput> = {
  400: (input) => ({ ...input, query: { conformance_unknown: '1' } }),
  401: (input) => ({ ...input, headers: { authorization: '' } }),
  403: (input, { readOnlyToken }) => ({
    ...input,
    headers: { authorization: `Bearer ${readOnlyToken}` },
  }),
  406: (input) => ({ ...input, headers: { accept: 'text/html' } }),
  413: ({ json, ...input }) => ({ ...input, body: stringifyJson(json) + ' '.repeat(TOO_MUCH) }),
  415: (input) => ({ ...input, headers: { 'content-type': 'text/plain' } }),
};

const SKIPPED: Record<number, Requirement['skip']> = {
  401: withoutToken,
  403: withoutReadOnlyToken,
};

/** The request is refused, nothing of it is done, and the same request in its good form works. */
async function tryRefused(steps: Steps, call: Writing, status: number): Promise<void> {
  const { session, implementation, resource } = steps;
  const { calls, list } = resource;
  const place = await steps.place({ items: 3, atLeast: 2 });
  const item = await steps.create(place, { ...steps.full(), ...place.bodies[0]! });
  const json = call === 'create' ? place.bodies[1]! : steps.otherOf(place);
  const input = {
    path: call === 'create' ? place.path : item.path,
    ...(call === 'delete' ? {} : { json }),
  };
  await steps.refuse(
    call,
    SPOILT[status]!(input, implementation),
    [status],
    `It must be refused with ${status}.`,
  );
  await steps.expectItems(place, [item], DONE);
  if (call === 'create' && list.kind === 'paged' && list.shared) {
    // In a list that others use too, no item has what only the refused request has.
    const { items } = await steps.list(place, [item]);
    const isSent = (one: Json) =>
      Object.entries(json).every(([name, value]) => one[name] === value);
    expectSame(DONE, items.filter(isSent), []);
  }
  const good = await session.call(calls[call], input);
  if (good.status >= 300 || !(String(good.status) in session.operation(calls[call]).responses)) {
    return expectSame(
      `After a refusal with ${status}, the next good request does not work`,
      good.status,
      'a success',
    );
  }
  if (call === 'delete') {
    return steps.expectGone(item, 'It was removed.');
  }
  const now = steps.itemIn(place, good);
  if (call === 'create') {
    await steps.expectItems(place, [item, now], OTHER);
  } else {
    steps.expectShown(OTHER, now.shown, resource.changed({}, json));
  }
}

/** A refusal of one that is gone does not bring it back; one of a conflict leaves both as they are. */
async function tryMissing(steps: Steps, call: Writing): Promise<void> {
  const place = await steps.place({ items: 2 });
  const kept = await steps.create(place, place.bodies[0]!);
  if (call === 'create') {
    const gone = await steps.place();
    await steps.resource.removeParent!(steps.session, gone);
    await steps.refuse(
      'create',
      { path: gone.path, json: gone.bodies[0] },
      [404],
      'The parent is gone.',
    );
  } else {
    const gone = await steps.create(place, place.bodies[1]!);
    await steps.remove(gone);
    const json = { ...steps.full(), ...place.bodies[1]! };
    const input = { path: gone.path, ...(call === 'update' ? { json } : {}) };
    await steps.refuse(call, input, [404], 'It was removed.');
    await steps.expectGone(gone, 'A refused request brought it back.');
  }
  await steps.expectItems(place, [kept], DONE);
}

async function tryConflict(steps: Steps, call: Writing): Promise<void> {
  if (!steps.resource.unique) {
    const { body, patch } = steps.resource.values.conflict!;
    const item = await steps.createOne(body);
    await steps.refuse(
      'update',
      { path: item.path, json: patch },
      [409],
      'It contradicts what is there.',
    );
    return steps.expectRead(item, DONE);
  }
  return call === 'create' ? tryTwice({}, steps) : tryTaken({}, steps);
}

/** Each writing operation with each status that it documents, as far as it can be provoked. */
export function unchangedRequirements(
  resource: Resource,
  operations: readonly Operation[],
): Requirement[] {
  return (['create', 'update', 'delete'] as const).flatMap((call) => {
    const operation = operations.find(({ operationId }) => operationId === resource.calls[call])!;
    // A creation is seen by reading and by listing.
    const seenBy: ResourceCall[] = call === 'create' ? ['read', 'list'] : [];
    return Object.keys(operation.responses).flatMap((key): Requirement | [] => {
      const status = Number(key);
      const check = provoke(resource, call, status);
      if (!check) {
        return [];
      }
      return {
        id: `${operation.operationId}.${status}.unchanged`,
        level: seenBy.some((one) => levelOf(resource, operations, one) === 'extended')
          ? 'extended'
          : operation.level,
        origin: 'D29',
        clause: '/info/description',
        words: UNCHANGED,
        sentence: `${operation.operationId} that is refused with ${status} has changed nothing, and the next good request works.`,
        ...(SKIPPED[status] ? { skip: SKIPPED[status] } : {}),
        properties: () => casesOn(resource, once('a change that would show', check)),
      };
    });
  });
}

/** Undefined where nothing provokes the status. */
function provoke(
  resource: Resource,
  call: Writing,
  status: number,
): ((steps: Steps) => Promise<void>) | undefined {
  if (SPOILT[status]) {
    return (steps) => tryRefused(steps, call, status);
  }
  if (status === 404 && (call !== 'create' || resource.removeParent)) {
    return (steps) => tryMissing(steps, call);
  }
  if (status === 409 && (resource.unique || resource.values.conflict)) {
    return (steps) => tryConflict(steps, call);
  }
  return undefined;
}

/** Requests that must be refused with the status, as cases of one requirement. */
export function refused(
  resource: Resource,
  calls: readonly Writing[],
  status: number,
): LawProperty[] {
  return calls.map((call) => once(`${call} ${resource.one}`, provoke(resource, call, status)!));
}

function invalidCreate(resource: Resource): LawProperty[] {
  return forEach(
    'one error among good members',
    resource.values.invalid.create,
    async (bad, steps) => {
      const place = await steps.place();
      const { path } = place;
      const body = place.bodies[0]!;
      for (const json of [{ ...body, ...bad }, [body]]) {
        await steps.refuse('create', { path, json }, [400], WHY);
      }
      await steps.expectItems(place, [], DONE);
      // The refused body has not taken what no two may have.
      await steps.create(place, body);
    },
  );
}

function invalidUpdate(resource: Resource): LawProperty[] {
  return forEach(
    'one error among good members of a change',
    resource.values.invalid.update,
    async (bad, steps) => {
      const place = await steps.place({ items: 2 });
      const item = await steps.create(place, { ...steps.full(), ...steps.bodyIn(place, {}) });
      const { path } = item;
      const sent = {
        ...(resource.values.good?.(steps.implementation) ?? place.bodies[1]!),
        ...bad,
      };
      const json = resource.changeOf?.(item, sent) ?? sent;
      for (const one of [json, [json]]) {
        await steps.refuse('update', { path, json: one }, resource.invalid ?? [400], WHY);
      }
      await steps.expectItems(place, [item], DONE);
      await steps.expectRead(item, DONE);
    },
  );
}

export const refusedLaws = {
  refused: {
    needs: ['create', 'read', 'update', 'delete', 'list'],
    sentence: ({ many }) => `A refused request changes nothing of the ${many}.`,
    properties: (resource) => [...invalidCreate(resource), ...invalidUpdate(resource)],
  },
  refusedCreate: {
    needs: ['create', 'read', 'list'],
    sentence: ({ one }) => `Where the creation of ${one} is refused, it is not there.`,
    properties: invalidCreate,
  },
  refusedUpdate: {
    sentence: ({ one }) =>
      `A change of ${one} that is refused changes nothing, however much of it was right.`,
    properties: invalidUpdate,
  },
  full: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: ({ many, most }) =>
      `A place takes ${most} ${many}, and refuses one more with 409, until one of them is removed.`,
    properties: once('one more', tryFull),
  },
} satisfies Record<string, Law>;

/** Sent at once. */
const ABREAST = 8;

/** One request in hundreds may get no response: what it made is looked up, or it is sent again. */
async function createSurely(steps: Steps, place: Place, body: Json): Promise<Item> {
  try {
    return await steps.create(place, body);
  } catch (error) {
    if (!(error instanceof NoResponse)) {
      throw error;
    }
    const isSent = (one: Json) =>
      Object.entries(body).every(([name, value]) => isDeepStrictEqual(one[name], value));
    const json = (await steps.list(place)).items.find(isSent);
    return json ? steps.itemIn(place, { json }) : steps.create(place, body);
  }
}

async function tryFull(steps: Steps): Promise<void> {
  const most = steps.resource.most!;
  const place = await steps.place({ items: most + 1 });
  const [more, ...bodies] = place.bodies as [Json, ...Json[]];
  const items: Item[] = [];
  for (let at = 0; at < most; at += ABREAST) {
    const some = bodies.slice(at, at + ABREAST);
    items.push(
      ...(await steps.session.together(() => some.map((body) => createSurely(steps, place, body)))),
    );
  }
  const expectAll = async () => steps.expectAllListed(await steps.list(place), place, items);
  await steps.refuse(
    'create',
    { path: place.path, json: more },
    [409],
    'There are as many as there can be.',
  );
  await expectAll();
  await steps.remove(await steps.update(items[0]!, steps.otherOf(place)));
  items[0] = await steps.create(place, more, 'One was removed.');
  await expectAll();
}

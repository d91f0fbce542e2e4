/** A refused request changes nothing, whatever the reason; and the next good request works. */
import type { Operation } from '../contract/operations.ts';
import type { CallInput } from '../http/call.ts';
import { refuse } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import type { Property, Requirement } from '../requirements/requirement.ts';
import { withoutReadOnlyToken, withoutToken } from '../requirements/tokens.ts';
import {
  bodyIn,
  create,
  createAll,
  createOne,
  expectGone,
  expectItems,
  expectNotListed,
  expectRead,
  expectShown,
  itemIn,
  listOf,
  otherOf,
  placeFor,
  remove,
} from './items.ts';
import { type Cases, forEach, laws, once } from './law.ts';
import { type Call, idOf, type Item, levelOf, type Resource } from './resource.ts';

/** The sentence of the contract that the laws of this file hold services to. */
export const UNCHANGED = 'A refused request changes nothing';

const DONE = 'A refused request changed something';
const OTHER = 'The next good request has another effect';
const WHY = 'The body breaks the contract.';

type Writing = 'create' | 'update' | 'delete';

/** Makes a good request one that must be refused with the status. */
type Spoil = (input: CallInput, implementation: Implementation) => CallInput;

/** The largest body that the contract lets a service refuse, and more. */
const TOO_MUCH = 1_048_576;

const SPOILT: Record<number, Spoil> = {
  400: (input) => ({ ...input, query: { conformance_unknown: '1' } }),
  401: (input) => ({ ...input, headers: { authorization: '' } }),
  403: (input, { readOnlyToken }) => ({ ...input, headers: { authorization: `Bearer ${readOnlyToken}` } }),
  406: (input) => ({ ...input, headers: { accept: 'text/html' } }),
  413: ({ json, ...input }) => ({ ...input, body: JSON.stringify(json) + ' '.repeat(TOO_MUCH) }),
  415: (input) => ({ ...input, headers: { 'content-type': 'text/plain' } }),
};

const SKIPPED: Record<number, (implementation: Implementation) => string | undefined> = {
  401: withoutToken,
  403: withoutReadOnlyToken,
};

/** A request that would change something, and how to see whether it did. */
interface Change {
  input: CallInput;
  /** The only item in the place while the change is not made. */
  item: Item;
  /** Expects what is there once it is made. */
  after(response: Item | undefined): Promise<void> | void;
}

async function changeOf(session: Session, resource: Resource, call: Writing): Promise<Change> {
  const place = await placeFor(session, resource, { items: 3, atLeast: 2 });
  const full = resource.values.full(session.implementation);
  const item = await create(session, resource, place, { ...full, ...place.bodies[0]! });
  const { path } = item;
  if (call === 'create')
    return {
      input: { path: place.path, json: place.bodies[1] },
      item,
      after: (made) => expectItems(session, resource, place, made ? [item, made] : [item], OTHER),
    };
  if (call === 'delete')
    return { input: { path }, item, after: () => expectGone(session, resource, item, 'It was removed.') };
  const json = otherOf(session, resource, place);
  const after = (changed: Item | undefined) => expectShown(resource, OTHER, changed!.shown, resource.changed({}, json));
  return { input: { path, json }, item, after };
}

/** The request is refused, nothing of it is done, and the same request in its good form works. */
async function tryRefused(session: Session, resource: Resource, call: Writing, status: number): Promise<void> {
  const { input, item, after } = await changeOf(session, resource, call);
  const { place } = item;
  const operationId = resource.calls[call];
  const spoilt = SPOILT[status]!(input, session.implementation);
  await refuse(session, operationId, spoilt, [status], `It must be refused with ${status}.`);
  await expectItems(session, resource, place, [item], DONE);
  const { list } = resource;
  if (call === 'create' && list.kind === 'paged' && list.shared) await expectNothingNewer(session, resource, item);
  const good = await session.call(operationId, input);
  if (good.status >= 300 || !(String(good.status) in session.operation(operationId).responses))
    return expectSame(`After a refusal with ${status}, the next good request does not work`, good.status, 'a success');
  await after(call === 'delete' ? undefined : itemIn(resource, place, good));
}

/** In a list that others use too, no item has what only the refused request has. */
async function expectNothingNewer(session: Session, resource: Resource, known: Item): Promise<void> {
  const { place } = known;
  const sent = place.bodies[1]!;
  const { items } = await listOf(session, resource, place, [known]);
  const shown = items.find((one) => Object.entries(sent).every(([name, value]) => one[name] === value));
  if (shown) expectNotListed(resource, { ids: [idOf(resource, { shown })] }, { place, path: {}, shown });
}

/** A refusal of one that is gone does not bring it back; one of a conflict leaves both as they are. */
async function tryMissing(session: Session, resource: Resource, call: Writing): Promise<void> {
  const { calls, values } = resource;
  const place = await placeFor(session, resource, { items: 2 });
  const kept = await create(session, resource, place, place.bodies[0]!);
  if (call === 'create') {
    const gone = await placeFor(session, resource);
    await resource.removeParent!(session, gone);
    const input = { path: gone.path, json: gone.bodies[0] };
    await refuse(session, calls.create, input, [404], 'The parent is gone.');
  } else {
    const gone = await create(session, resource, place, place.bodies[1]!);
    await remove(session, resource, gone);
    const json = { ...values.full(session.implementation), ...place.bodies[1]! };
    const input = { path: gone.path, ...(call === 'update' ? { json } : {}) };
    await refuse(session, calls[call], input, [404], 'It was removed.');
    await expectGone(session, resource, gone, 'A refused request brought it back.');
  }
  await expectItems(session, resource, place, [kept], DONE);
}

async function tryConflict(session: Session, resource: Resource, call: Writing): Promise<void> {
  const { unique, values, calls } = resource;
  if (!unique) {
    const { body, patch } = values.conflict!;
    const item = await createOne(session, resource, body);
    await refuse(session, calls.update, { path: item.path, json: patch }, [409], 'It contradicts what is there.');
    return expectRead(session, resource, item, DONE);
  }
  const place = await placeFor(session, resource, { items: 2 });
  const items = await createAll(session, resource, place, place.bodies.slice(0, 2));
  const json = { ...values.full(session.implementation), ...place.bodies[0]! };
  const path = call === 'create' ? place.path : items[1]!.path;
  await refuse(session, calls[call], { path, json }, [409], 'Another one has this.', unique.code);
  await expectItems(session, resource, place, items, DONE);
}

/** Each writing operation with each status that it documents, as far as it can be provoked. */
export function refusalsOf(resource: Resource, operations: readonly Operation[]): Requirement[] {
  return (['create', 'update', 'delete'] as const).flatMap((call) => {
    const operation = operations.find(({ operationId }) => operationId === resource.calls[call])!;
    // A creation is seen by reading and by listing.
    const seenBy: Call[] = call === 'create' ? ['read', 'list'] : [];
    const isExtended = seenBy.some((one) => levelOf(resource, operations, one) === 'extended');
    return Object.keys(operation.responses).flatMap((key): Requirement[] => {
      const status = Number(key);
      const check = provoke(resource, call, status);
      if (!check) return [];
      return [
        {
          id: `${operation.operationId}.${status}.unchanged`,
          level: isExtended ? 'extended' : operation.level,
          origin: 'D29',
          clause: '/info/description',
          words: UNCHANGED,
          sentence: `${operation.operationId} that is refused with ${status} has changed nothing, and the next good request works.`,
          ...(SKIPPED[status] ? { skip: SKIPPED[status] } : {}),
          properties: () => [once('a change that would show', check)],
        },
      ];
    });
  });
}

/** Undefined where nothing provokes the status. */
function provoke(resource: Resource, call: Writing, status: number): ((session: Session) => Promise<void>) | undefined {
  if (SPOILT[status]) return (session) => tryRefused(session, resource, call, status);
  if (status === 404 && (call !== 'create' || resource.removeParent))
    return (session) => tryMissing(session, resource, call);
  if (status === 409 && (resource.unique || resource.values.conflict))
    return (session) => tryConflict(session, resource, call);
  return undefined;
}

/** Requests that must be refused with one of the statuses, as cases of one requirement. */
export function refused(resource: Resource, calls: readonly Writing[], statuses: readonly number[]): Property[] {
  return statuses.flatMap((status) =>
    calls
      .filter((call) => call !== 'delete' || ![406, 413, 415].includes(status))
      .map((call) => once(`${call}, refused with ${status}`, provoke(resource, call, status)!)),
  );
}

function invalidCreate(resource: Resource): Cases {
  return [
    forEach('one error among good members', resource.values.invalid.create, async (bad, session) => {
      const place = await placeFor(session, resource);
      const { path } = place;
      const body = place.bodies[0]!;
      for (const json of [{ ...body, ...bad }, [body]])
        await refuse(session, resource.calls.create, { path, json }, [400], WHY);
      await expectItems(session, resource, place, [], DONE);
      // The refused body has not taken what no two may have.
      await create(session, resource, place, body);
    }),
  ];
}

function invalidUpdate(resource: Resource): Cases {
  return [
    forEach('one error among good members of a change', resource.values.invalid.update, async (bad, session) => {
      const { full, good } = resource.values;
      const place = await placeFor(session, resource, { items: 2 });
      const body = { ...full(session.implementation), ...bodyIn(resource, place, {}) };
      const item = await create(session, resource, place, body);
      const { path } = item;
      const sent = { ...(good?.(session.implementation) ?? place.bodies[1]!), ...bad };
      const json = resource.changeOf?.(item, sent) ?? sent;
      for (const one of [json, [json]])
        await refuse(session, resource.calls.update, { path, json: one }, resource.invalid ?? [400], WHY);
      await expectItems(session, resource, place, [item], DONE);
      await expectRead(session, resource, item, DONE);
    }),
  ];
}

export const refusedLaws = laws({
  refused: {
    needs: ['create', 'read', 'update', 'delete', 'list'],
    sentence: ({ many }) => `A refused request changes nothing of the ${many}.`,
    properties: (resource) => [
      ...invalidCreate(resource),
      ...invalidUpdate(resource),
      ...refused(resource, ['create', 'update', 'delete'], [400, 406, 415]),
    ],
  },
  refusedCreate: {
    needs: ['create', 'read', 'list'],
    sentence: ({ one }) => `Where the creation of ${one} is refused, it is not there.`,
    properties: invalidCreate,
  },
  refusedUpdate: {
    needs: ['create', 'read', 'update'],
    sentence: ({ one }) => `A change of ${one} that is refused changes nothing, however much of it was right.`,
    properties: invalidUpdate,
  },
});

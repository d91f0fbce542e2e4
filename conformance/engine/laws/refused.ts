/** What is refused changes nothing, whatever it is refused for; and the next good request works. */
import { withoutReadOnlyToken, withoutToken } from '../requirements/tokens.ts';
import type { Operation } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectSame } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import type { Property, Requirement } from '../requirements/requirement.ts';
import type { CallInput } from '../http/call.ts';
import { create, createOne, expectGone, expectShown, itemIn, placeFor, read, remove } from './items.ts';
import { type Cases, forEach, laws, once } from './law.ts';
import { expectItems, expectNotListed, listOf } from './listing.ts';
import type { Item, Place, Resource } from './resource.ts';
import { refuse } from '../http/expect-response.ts';

/** The sentence of the contract that the laws of this file hold services to. */
export const UNCHANGED = 'A refused request changes nothing';

const DONE = 'A refused request changed something';
const WHY = 'The body breaks the contract.';

type Writing = 'create' | 'update' | 'delete';

/** How a good request is made one that must be refused with the status. */
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
  /** What is there in the place while the change is not made. */
  before: Item[];
  place: Place;
  /** What is there once it is made. */
  after(response: Item | undefined): Promise<void>;
}

async function changeOf(session: Session, resource: Resource, call: Writing): Promise<Change> {
  const { values } = resource;
  const place = await placeFor(session, resource, { items: 3, atLeast: 2 });
  const item = await create(session, resource, place, { ...values.full(session.implementation), ...place.bodies[0]! });
  const before = [item];
  if (call === 'create') {
    const after = async (made: Item | undefined) =>
      expectItems(session, resource, place, made ? [item, made] : [item], 'The next good request has another effect');
    return { input: { path: place.path, json: place.bodies[1] }, before, place, after };
  }
  if (call === 'delete')
    return {
      input: { path: item.path },
      before,
      place,
      after: () => expectGone(session, resource, item, 'It was removed.'),
    };
  const member = values.members[0]!;
  const json = { [member]: values.other(member, session.implementation, place) };
  const after = async (changed: Item | undefined) =>
    expectShown(resource, 'The next good request has another effect', changed!.shown, resource.changed({}, json));
  return { input: { path: item.path, json }, before, place, after };
}

/** The request is refused, nothing of it is done, and the same request in its good form works. */
async function tryRefused(session: Session, resource: Resource, call: Writing, status: number): Promise<void> {
  const { input, before, place, after } = await changeOf(session, resource, call);
  const spoilt = SPOILT[status]!(input, session.implementation);
  await refuse(session, resource.calls[call], spoilt, [status], `It must be refused with ${status}.`);
  await expectItems(session, resource, place, before, DONE);
  const { list } = resource;
  if (call === 'create' && list.kind === 'paged' && list.shared)
    await expectNothingNewer(session, resource, place, before);
  const good = await session.call(resource.calls[call], input);
  const operation = session.operation(resource.calls[call]);
  if (
    Object.keys(operation.responses)
      .filter((one) => one.startsWith('2'))
      .includes(String(good.status))
  )
    await after(call === 'delete' ? undefined : itemIn(resource, place, good));
  else expectSame(`After a refusal with ${status}, the next good request does not work`, good.status, 'a success');
}

/** Of those in a list that others use too, none has what only the refused request has. */
async function expectNothingNewer(
  session: Session,
  resource: Resource,
  place: Place,
  known: readonly Item[],
): Promise<void> {
  const { items } = await listOf(session, resource, place, known);
  const marked = items.find((shown) =>
    Object.entries(place.bodies[1]!).every(([name, value]) => shown[name] === value),
  );
  if (marked) expectNotListed(resource, { items: [marked], pages: [] }, { place, path: {}, shown: marked });
}

/** A refusal of one that is gone does not bring it back; one of a conflict leaves both as they are. */
async function tryMissing(session: Session, resource: Resource, call: Writing): Promise<void> {
  const place = await placeFor(session, resource, { items: 2 });
  const kept = await create(session, resource, place, place.bodies[0]!);
  if (call === 'create') {
    const gone = await placeFor(session, resource);
    await resource.removeParent!(session, gone);
    await refuse(
      session,
      resource.calls.create,
      { path: gone.path, json: gone.bodies[0] },
      [404],
      'The parent is gone.',
    );
  } else {
    const gone = await create(session, resource, place, place.bodies[1]!);
    await remove(session, resource, gone);
    const json = { ...resource.values.full(session.implementation), ...place.bodies[1]! };
    await refuse(
      session,
      resource.calls[call],
      { path: gone.path, ...(call === 'update' ? { json } : {}) },
      [404],
      'It was removed.',
    );
    await expectGone(session, resource, gone, 'A refused request brought it back.');
  }
  await expectItems(session, resource, place, [kept], DONE);
}

async function tryConflict(session: Session, resource: Resource, call: Writing): Promise<void> {
  const { unique, values } = resource;
  if (!unique) {
    const { body, patch } = values.conflict!;
    const item = await createOne(session, resource, body);
    await refuse(
      session,
      resource.calls.update,
      { path: item.path, json: patch },
      [409],
      'It contradicts what is there.',
    );
    return expectSame(DONE, await read(session, resource, item), item.shown);
  }
  const place = await placeFor(session, resource, { items: 2 });
  const items = [
    await create(session, resource, place, place.bodies[0]!),
    await create(session, resource, place, place.bodies[1]!),
  ];
  const json = { ...values.full(session.implementation), ...place.bodies[0]! };
  const path = call === 'create' ? place.path : items[1]!.path;
  await refuse(session, resource.calls[call], { path, json }, [409], 'Another one has this.', unique.code);
  await expectItems(session, resource, place, items, DONE);
}

/** Each writing operation with each status that it documents, as far as it can be provoked. */
export function refusalsOf(resource: Resource, operations: readonly Operation[]): Requirement[] {
  return (['create', 'update', 'delete'] as const).flatMap((call) => {
    const operation = operations.find(({ operationId }) => operationId === resource.calls[call])!;
    const level = (['read', 'list'] as const).some(
      (needed) => call === 'create' && isExtended(resource, operations, needed),
    )
      ? 'extended'
      : operation.level;
    return Object.keys(operation.responses)
      .map(Number)
      .filter((status) => provoke(resource, call, status) !== undefined)
      .map((status): Requirement => ({
        id: `${operation.operationId}.${status}.unchanged`,
        level,
        origin: 'D29',
        clause: '/info/description',
        words: UNCHANGED,
        sentence: `${operation.operationId} that is refused with ${status} has changed nothing, and the next good request works.`,
        ...(SKIPPED[status] ? { skip: SKIPPED[status] } : {}),
        properties: () => [once('a change that would show', provoke(resource, call, status)!)],
      }));
  });
}

function isExtended(resource: Resource, operations: readonly Operation[], call: 'read' | 'list'): boolean {
  const id = call === 'list' && resource.list.kind === 'embedded' ? resource.list.read : resource.calls[call];
  return operations.find(({ operationId }) => operationId === id)?.level === 'extended';
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
  const cases = statuses.flatMap((status) => calls.map((call) => ({ call, status })));
  return cases
    .filter(({ call, status }) => call !== 'delete' || ![406, 413, 415].includes(status))
    .map(({ call, status }) => once(`${call}, refused with ${status}`, provoke(resource, call, status)!));
}

function invalidCreate(resource: Resource): Cases {
  return [
    forEach('one error among good members', resource.values.invalid.create, async (bad, session) => {
      const place = await placeFor(session, resource);
      const body = place.bodies[0]!;
      await refuse(session, resource.calls.create, { path: place.path, json: { ...body, ...bad } }, [400], WHY);
      await refuse(session, resource.calls.create, { path: place.path, json: [body] }, [400], WHY);
      await expectItems(session, resource, place, [], DONE);
      // Neither is what no two may have taken by it.
      await create(session, resource, place, body);
    }),
  ];
}

function invalidUpdate(resource: Resource): Cases {
  return [
    forEach('one error among good members of a change', resource.values.invalid.update, async (bad, session) => {
      const { full, good } = resource.values;
      const place = await placeFor(session, resource, { items: 2 });
      const body = { ...full(session.implementation), ...(resource.unique ? place.bodies[0]! : {}) };
      const item = await create(session, resource, place, body);
      const sent = { ...(good?.(session.implementation) ?? place.bodies[1]!), ...bad };
      const json = resource.changeOf?.(item, sent) ?? sent;
      for (const one of [json, [json]])
        await refuse(
          session,
          resource.calls.update,
          { path: item.path, json: one },
          [...(resource.invalid ?? [400])],
          WHY,
        );
      await expectItems(session, resource, place, [item], DONE);
      expectSame(DONE, await read(session, resource, item), item.shown);
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

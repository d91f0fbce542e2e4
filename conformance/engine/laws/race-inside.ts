/**
 * Writes of an item while what is inside of it is written: nothing outlives its parent, and nothing
 * is lost.
 */
import type { HttpResponse } from '../http/response.ts';
import { forEach, type Law } from './law.ts';
import { elementAt } from './required.ts';
import {
  changeBodyFor,
  childrenOf,
  isShared,
  type Item,
  type Json,
  pick,
  type Resource,
  upper,
} from './resource.ts';
import type { Steps } from './steps.ts';

const GONE = 'It was removed with its parent.';

export type ChildCall = 'create' | 'update' | 'delete';

const CHILD_CALLS: readonly ChildCall[] = ['create', 'update', 'delete'];

/** How many items are inside, and how many of them are written at once. */
const WRITES = 3;

/** When the write of the parent is sent: before all others, or after a part of their time. */
export type Start = 'first' | number;

/**
 * A service that looks and then writes has its window somewhere between the beginning and the end
 * of a write.
 */
const STARTS: readonly Start[] = ['first', 0, 0, 0.15, 0.3, 0.5, 0.8];

/** A write of the parent meets calls of one kind inside of it. */
export interface Meeting {
  call: ChildCall;
  start: Start;
}

export const MEETINGS: readonly Meeting[] = CHILD_CALLS.flatMap((call) =>
  STARTS.map((start) => ({ call, start })),
);

export const raceInsideLaws = {
  raceInsideRemoved: {
    needs: ['create', 'read', 'update', 'delete'],
    sentence: (resource) =>
      `${manyInside(resource)} that are created, changed or removed while ${resource.one} is ` +
      'removed go with it, and do not bring it back.',
    properties: forEach('writes inside beside the removal', MEETINGS, tryRemoval),
  },
  raceInsideChanged: {
    sentence: (resource) =>
      `${manyInside(resource)} that are created, changed or removed while ${resource.one} is ` +
      'changed are as they were written, and so is what they are inside of.',
    properties: forEach('writes inside beside changes', MEETINGS, tryChanges),
  },
} satisfies Record<string, Law>;

export function manyInside(resource: Resource): string {
  return upper(childrenOf(resource).resource.many);
}

/** A parent with items inside, and writes of them that are ready to be sent. */
export interface Family {
  parent: Item;
  inner: Steps;
  /** Those that are there before. */
  inside: Item[];
  writes: (() => Promise<HttpResponse>)[];
  /** How long one such write took, in milliseconds. */
  duration: number;
}

export async function familyFor(call: ChildCall, steps: Steps): Promise<Family> {
  const children = childrenOf(steps.resource);
  const inner = steps.on(children.resource);
  const parent = await steps.createOne();
  const place = children.placeIn(parent, 2 * WRITES);
  const inside: Item[] = [];
  let duration = 0;
  for (const body of place.bodies.slice(0, WRITES)) {
    const begun = performance.now();
    inside.push(await inner.create(place, body));
    duration = performance.now() - begun;
  }
  const { session } = steps;
  const { calls } = children.resource;
  const created = place.bodies.slice(WRITES).map((json) => {
    return () => session.call(calls.create, { path: place.path, json });
  });
  const changeOf = (item: Item): Json =>
    changeBodyFor(children.resource, item, inner.otherOf(place));
  const written = inside.map((item) => () => {
    const { path } = item;
    if (call === 'update') {
      return session.call(calls.update, { path, json: changeOf(item) });
    }
    return session.call(calls.delete, { path });
  });
  return { parent, inner, inside, writes: call === 'create' ? created : written, duration };
}

/** Opens as many connections as are used at once, so that no request waits for one. */
export async function warmUp(steps: Steps, { parent }: Family): Promise<void> {
  const { session, resource } = steps;
  await session.together(() =>
    Array.from({ length: WRITES + 1 }, () =>
      session.call(resource.calls.read, { path: parent.path }),
    ),
  );
}

/** @returns the responses to the writes inside, and that to the write of the parent */
export async function meet(
  steps: Steps,
  start: Start,
  { writes, duration }: Family,
  ofParent: () => Promise<HttpResponse>,
): Promise<{ inside: HttpResponse[]; outside: HttpResponse }> {
  const later = async () => {
    if (typeof start === 'number' && start > 0) {
      await steps.pause(start * duration);
    }
    return ofParent();
  };
  const sends =
    start === 'first' ? [ofParent, ...writes] : [...writes.slice(0, 1), later, ...writes.slice(1)];
  const responses = await steps.session.together(() => sends.map((send) => send()));
  const at = start === 'first' ? 0 : 1;
  return { inside: responses.toSpliced(at, 1), outside: elementAt(responses, at) };
}

async function tryRemoval({ call, start }: Meeting, steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const older = await steps.createOne();
  const family = await familyFor(call, steps);
  const { parent, inner, inside } = family;
  await warmUp(steps, family);
  const { inside: responses, outside } = await meet(steps, start, family, () =>
    session.call(resource.calls.delete, { path: parent.path }),
  );
  steps.expectOutcome('delete', outside, undefined, '');
  for (const response of responses) {
    inner.expectOutcome(call, response, 404, GONE);
  }
  await steps.expectGone(parent, 'The item was removed.');
  const made = call === 'create' ? responses.filter(({ status }) => status < 300) : [];
  const place = { ...elementAt(inside, 0).place };
  for (const item of [...inside, ...made.map((response) => inner.itemIn(place, response))]) {
    await inner.expectGone(item, GONE);
  }
  if (resource.calls.list !== undefined) {
    const listing = await steps.list(older.place, [older]);
    steps.expectNotListed(listing, [parent], 'The list has an item that was removed');
  }
}

async function tryChanges({ call, start }: Meeting, steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const family = await familyFor(call, steps);
  const { parent, inner, inside } = family;
  await warmUp(steps, family);
  const json: Json = steps.otherOf(parent.place);
  const { inside: responses, outside } = await meet(steps, start, family, () =>
    session.call(resource.calls.update, { path: parent.path, json }),
  );
  steps.expectOutcome('update', outside, undefined, '');
  for (const response of responses) {
    inner.expectOutcome(call, response, undefined, '');
  }
  const { place } = elementAt(inside, 0);
  const written = call === 'delete' ? [] : responses.map((one) => inner.itemIn(place, one));
  const there = call === 'create' ? [...inside, ...written] : written;
  for (const item of there) {
    await inner.expectRead(item, 'A write at the same time was lost');
  }
  if (call === 'delete') {
    for (const item of inside) {
      await inner.expectGone(item, 'The item was removed.');
    }
  }
  if (!isShared(inner.resource)) {
    inner.expectAllListed(await inner.list(place), place, there);
  }
  const due = resource.changed(parent.shown, json);
  const shown = await steps.read(parent);
  steps.expectShown('The change was lost', shown, pick(due, Object.keys(json)));
}

/**
 * Writes of an item while what is inside of it is written, on any contract. What one request after
 * the other does to it shows what the service promises; at once, they do the same.
 */
import { isDeepStrictEqual } from 'node:util';
import { entry } from '../contract/load.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import { forEach, type Law } from './law.ts';
import {
  type ChildCall,
  type Family,
  familyFor,
  manyInside,
  MEETINGS,
  meet,
  type Meeting,
  warmUp,
} from './race-inside.ts';
import { changeBodyFor, childrenOf, type Item, pick, type Resource } from './resource.ts';
import type { Steps } from './steps.ts';

/** How long it is waited for what goes with its parent, from one look to the next. */
const LOOKS_MS = [50, 200, 800];

export const nestedRaceLaws = {
  outlivesParent: {
    needs: ['create', 'read', 'delete'],
    needsInside: ['create', 'read'],
    sentence: (resource) =>
      `${manyInside(resource)} that are written while ${resource.one} is removed go with it, as ` +
      'they do otherwise, and do not bring it back.',
    properties: (resource) =>
      forEach('writes inside beside the removal', meetingsIn(resource), tryRemoval),
  },
  lostBesideParent: {
    needs: ['create', 'read', 'update'],
    needsInside: ['create', 'read'],
    sentence: (resource) =>
      `${manyInside(resource)} that are written while ${resource.one} is changed are as they ` +
      'were written, and so is what they are inside of.',
    properties: (resource) =>
      forEach('writes inside beside a change', meetingsIn(resource), tryChange),
  },
} satisfies Record<string, Law>;

/** Whether the path of what is inside of an item names the item: it is found there alone. */
export function isNested({ facts, children }: Resource): boolean {
  const inside = children?.resource.facts;
  if (facts === undefined || inside === undefined) {
    return false;
  }
  return inside.read.path.startsWith(`${facts.read.path}/`);
}

/** Those of the calls that the contract has. */
function meetingsIn(resource: Resource): Meeting[] {
  const { calls, values } = childrenOf(resource).resource;
  const has: Record<ChildCall, boolean> = {
    create: true,
    update: calls.update !== '' && values.members.length > 0,
    delete: calls.delete !== '',
  };
  return MEETINGS.filter(({ call }) => has[call]);
}

/** Whether a request was done; a refusal says that another one came first. */
const isDone = ({ status }: HttpResponse): boolean => status < 300;

async function isThere({ session, resource }: Steps, { path }: Item): Promise<boolean> {
  return isDone(await session.call(resource.calls.read, { path }));
}

/** By service and resource; what is inside of an item is looked at once. */
const knownReasons = new WeakMap<Implementation, Map<string, Promise<string | undefined>>>();

/**
 * What is inside of an item goes with it if one request comes after the other.
 * @throws NotPossible if it does not
 */
async function expectCascade(steps: Steps): Promise<void> {
  const { implementation, resource } = steps;
  const known = entry(
    knownReasons,
    implementation,
    () => new Map<string, Promise<string | undefined>>(),
  );
  const outcome = entry(known, resource.one, () => whyNoCascade(steps));
  // That the service stopped meanwhile says nothing of what comes later.
  outcome.catch(() => known.delete(resource.one));
  const reason = await outcome;
  if (reason !== undefined) {
    throw new NotPossible(reason);
  }
}

async function whyNoCascade(steps: Steps): Promise<string | undefined> {
  const { session, resource } = steps;
  const { parent, inner, inside } = await familyFor('create', steps);
  const response = await session.call(resource.calls.delete, { path: parent.path });
  if (!isDone(response)) {
    return `an item with others inside is not removed (${response.status})`;
  }
  let areGone = await isGoneSoon(steps, parent);
  for (const item of inside) {
    areGone &&= await isGoneSoon(inner, item);
  }
  if (areGone) {
    return undefined;
  }
  return 'an item or what is inside of it is there after its removal';
}

async function isGoneSoon(steps: Steps, item: Item): Promise<boolean> {
  for (const ms of LOOKS_MS) {
    if (!(await isThere(steps, item))) {
      return true;
    }
    await steps.pause(ms);
  }
  return !(await isThere(steps, item));
}

async function tryRemoval({ call, start }: Meeting, steps: Steps): Promise<void> {
  const { session, resource } = steps;
  await expectCascade(steps);
  const family = await familyFor(call, steps);
  const { parent, inner, inside } = family;
  await warmUp(steps, family);
  const { inside: responses, outside } = await meet(steps, start, family, () =>
    session.call(resource.calls.delete, { path: parent.path }),
  );
  if (!isDone(outside)) {
    return;
  }
  const expectGone = async (one: Steps, item: Item, what: string): Promise<void> => {
    const details = { expected: 'a refusal', got: 'a success' };
    expectThat(await isGoneSoon(one, item), what, details);
  };
  await expectGone(steps, parent, 'A write inside brought back an item that was removed.');
  const made = call === 'create' ? responses.filter(isDone) : [];
  const { place } = inside[0] ?? parent;
  for (const item of [...inside, ...made.map((one) => inner.itemIn(place, one))]) {
    await expectGone(inner, item, 'What was written while its parent was removed is there.');
  }
}

async function tryChange({ call, start }: Meeting, steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const family = await familyFor(call, steps);
  const { parent } = family;
  await warmUp(steps, family);
  const patch = steps.otherOf(parent.place);
  const json = changeBodyFor(resource, parent, patch);
  const { inside: responses, outside } = await meet(steps, start, family, () =>
    session.call(resource.calls.update, { path: parent.path, json }),
  );
  await expectWritten(call, family, responses);
  if (isDone(outside)) {
    const due = pick(resource.changed(parent.shown, patch), Object.keys(patch));
    steps.expectShown('The change was lost', await steps.read(parent), due);
  }
}

const LOST = 'A write at the same time was lost';

/** What the responses say has been done. */
async function expectWritten(
  call: ChildCall,
  { inner, inside }: Family,
  responses: readonly HttpResponse[],
): Promise<void> {
  for (const [index, response] of responses.entries()) {
    const before = inside[index];
    if (before === undefined || !isDone(response)) {
      continue;
    }
    if (call === 'delete') {
      const details = { expected: 'a refusal', got: 'a success' };
      expectThat(await isGoneSoon(inner, before), `${LOST}.`, details);
      continue;
    }
    if (call === 'create') {
      await inner.read(inner.itemIn(before.place, response));
      continue;
    }
    const names = Object.keys(inner.otherOf(before.place));
    const got = pick(await inner.read(before), names);
    const isLost = isDeepStrictEqual(got, pick(before.shown, names));
    expectThat(!isLost, `${LOST}.`, { expected: 'what was sent', got });
  }
}

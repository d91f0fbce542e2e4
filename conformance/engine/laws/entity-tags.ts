/**
 * Entity tags: one that came with what was there before a change does not stand for what is there
 * after it (RFC 9110, 8.8.3 and 13.1.2). A service need not send any.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../contract/pointers.ts';
import type { CallInput } from '../http/call.ts';
import { expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import {
  bodyOf,
  type Item,
  type Json,
  operationIdOf,
  pick,
  type Place,
  type ResourceCall,
} from './resource.ts';
import type { Steps } from './steps.ts';

type Offered = (call: ResourceCall) => boolean;

/** A GET that shows items. */
interface ShowingRead {
  operationId: string;
  input: CallInput;
  /** The items in its response. */
  itemsIn(response: HttpResponse): unknown[];
}

/** A GET whose response had an entity tag. */
interface TaggedRead extends ShowingRead {
  tag: string;
  before: HttpResponse;
}

/** What a change does to what is shown. */
interface Effect {
  /** The items that are there before or after it. */
  ids: readonly string[];
  /** The members that it changes. */
  members: readonly string[];
}

/** Changes an item, creates one beside it and removes that. Old entity tags no longer count. */
export async function tryEntityTags(steps: Steps, offered: Offered): Promise<void> {
  const place = await steps.place({ items: 3, atLeast: 2 });
  const item = await steps.create(place, bodyOf(place));
  const patch = steps.otherOf(place);
  const reads = readsOf(steps, item, offered);
  const tagged = await taggedOf(steps, reads);
  if (tagged.length === 0) {
    return;
  }
  const changed = await steps.update(item, patch);
  const ids = [steps.idOf(item), steps.idOf(changed)];
  await expectNewTags(steps, tagged, { ids, members: Object.keys(patch) });
  if (place.bodies.length > 2) {
    await tryBeside(steps, changed, offered);
  }
}

/** Creates an item beside one, and removes it: the list has another entity tag each time. */
async function tryBeside(steps: Steps, item: Item, offered: Offered): Promise<void> {
  const reads = readsOf(steps, item, offered);
  const before = await taggedOf(steps, reads);
  const beside = await steps.create(item.place, bodyOf(item.place, 1));
  const effect: Effect = { ids: [steps.idOf(item), steps.idOf(beside)], members: [] };
  await expectNewTags(steps, before, effect);
  if (offered('delete')) {
    const withBoth = await taggedOf(steps, reads);
    await steps.remove(beside);
    await expectNewTags(steps, withBoth, effect);
  }
}

/** A read of the item, and of the list or the parent that shows it. */
function readsOf(steps: Steps, { place, path }: Item, offered: Offered): ShowingRead[] {
  const { list } = steps.resource;
  const ofItem: ShowingRead = {
    operationId: operationIdOf(steps.resource, 'read'),
    input: { path },
    itemsIn: ({ json }) => [steps.within(json)],
  };
  if (!offered('list')) {
    return [ofItem];
  }
  const isEmbedded = list.kind === 'embedded';
  const ofList: ShowingRead = {
    operationId: isEmbedded ? list.read : operationIdOf(steps.resource, 'list'),
    input: listInput(steps, place),
    itemsIn: ({ json }) => steps.itemsIn(json),
  };
  return [ofItem, ofList];
}

function listInput({ resource: { list } }: Steps, { path }: Place): CallInput {
  const needed = list.kind === 'whole' ? list.query : undefined;
  if (needed === undefined) {
    return { path };
  }
  return { path, query: needed.map(([name, value]): [string, string] => [name, value]) };
}

/**
 * The reads whose responses have entity tags. A weak one may be a time in whole seconds: the next
 * change comes in another second.
 */
async function taggedOf(steps: Steps, reads: readonly ShowingRead[]): Promise<TaggedRead[]> {
  const tagged: TaggedRead[] = [];
  for (const read of reads) {
    const before = await steps.session.call(read.operationId, read.input);
    const tag = before.headers['etag'];
    if (before.status === 200 && tag !== undefined) {
      tagged.push({ ...read, tag, before });
    }
  }
  if (tagged.some(({ tag }) => tag.startsWith('W/'))) {
    await steps.moreThanASecond();
  }
  return tagged;
}

/** After a change that a read shows, it is a success for an old entity tag, and shows the same. */
async function expectNewTags(
  steps: Steps,
  tagged: readonly TaggedRead[],
  effect: Effect,
): Promise<void> {
  for (const read of tagged) {
    const { operationId, input, tag, before } = read;
    const now = await steps.session.call(operationId, input);
    const wasShown = shownIn(steps, read, before, effect);
    if (now.status !== 200 || isDeepStrictEqual(shownIn(steps, read, now, effect), wasShown)) {
      continue;
    }
    const headers = { 'if-none-match': tag };
    const { status } = await steps.session.call(operationId, { ...input, headers });
    const what = `${operationId} has the entity tag of what was there before a change.`;
    expectThat(status === 200, what, { expected: 'the status 200', got: `the status ${status}` });
  }
}

/** What a response shows of the items that a change concerns. */
function shownIn(
  { resource: { id } }: Steps,
  { itemsIn }: ShowingRead,
  response: HttpResponse,
  { ids, members }: Effect,
): Json[] {
  const own = itemsIn(response)
    .filter(isObject)
    .filter((shown) => ids.includes(String(shown[id.member])));
  return own.map((shown) => pick(shown, [id.member, ...members]));
}

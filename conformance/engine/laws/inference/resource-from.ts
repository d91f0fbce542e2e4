/** A resource for laws, made of the facts about it. */
import { isScalar } from '../../contract/json-numbers.ts';
import type { Operation } from '../../contract/operations.ts';
import { defaultOf, type Shape } from '../../contract/shape.ts';
import { asRequest } from '../../contract/variants.ts';
import { valuesFor } from './bodies.ts';
import { lazily } from './facts.ts';
import { setIn } from './members.ts';
import { missingOf } from './removals.ts';
import type { Facts, Json, Place, Resource, ResourceCall } from '../resource.ts';
import { refusalStatuses, validCall, withRequired } from '../../requirements/calls.ts';

/** @param update the call that changes it */
export function resourceOf(
  facts: Facts,
  update: Operation | undefined,
  kindInWords: string,
): Resource {
  const { contract, create, read, removal, list, whole, id, sentAs, sent, members } = facts;
  const { bodies, gone, shows } = facts;
  const values = lazily(() =>
    valuesFor(asRequest(contract), bodies(), { members, sentAs, update }),
  );
  const changeOf: Resource['changeOf'] = ({ shown: was, path }, json) => ({
    ...bodies().bare(),
    ...setIn(was, members),
    ...(id.givenBy === 'body' ? { [id.member]: path[id.parameter] } : {}),
    ...json,
  });
  const calls: Resource['calls'] = {
    create: create.operationId,
    read: read.operationId,
    update: update?.operationId ?? '',
    delete: removal?.operationId ?? '',
  };
  if (list !== undefined && typeof whole !== 'string') {
    calls.list = list.operationId;
  }
  const silent: ResourceCall[] = [];
  if (!shows(create)) {
    silent.push('create');
  }
  if (!shows(update)) {
    silent.push('update');
  }
  const resource: Resource = {
    one: `an item of ${create.path}${kindInWords}`,
    many: `items of ${create.path}${kindInWords}`,
    calls,
    id,
    envelopes: facts.envelopes,
    list: typeof whole === 'string' ? { kind: 'whole', items: undefined } : whole,
    view: (item) => viewOf(item, facts),
    fixed: facts.fixed,
    order: 'any',
    silent,
    missing: missingOf(update, gone),
    facts,
    places: placesOf(create, bodies),
    shown: (json) => shownFor(json, sent, members),
    changed: (was, json) => ({ ...was, ...setIn(json, members) }),
    get values() {
      return values();
    },
  };
  if (update !== undefined) {
    resource.invalid = refusalStatuses(update);
  }
  if (update?.method === 'PUT') {
    resource.changeOf = changeOf;
  }
  return resource;
}

/** Places for items; each call of the case gets the parameters that it cannot be without. */
function placesOf(create: Operation, bodies: Facts['bodies']): Resource['places'] {
  return async (session, { items, places = 1 }) => {
    session.complete = (operation, input) => withRequired(session.implementation, operation, input);
    const all: Place[] = [];
    for (let count = 0; count < places; count++) {
      const { path = {} } = await validCall(session, create.operationId);
      all.push({ path, bodies: bodies().several(items), foreign: [] });
    }
    return all;
  };
}

function viewOf(item: Json, { id: { member }, members, fixed }: Facts): Json {
  const value = item[member];
  const isId = isScalar(value) && typeof value !== 'boolean';
  // In minutes: services show more or fewer digits of the same time.
  const minutes = fixed.map(
    (name) => [name, Math.floor(Date.parse(String(item[name])) / 60_000)] as const,
  );
  const times = Object.fromEntries(minutes.filter(([, minute]) => !Number.isNaN(minute)));
  return { ...setIn(item, members), ...(isId ? { [member]: String(value) } : {}), ...times };
}

/** Members that are sent are shown, and members that are left out have their default. */
function shownFor(body: Json, sent: Shape, members: readonly string[]): Json {
  const defaults = Object.fromEntries(
    members.map((name) => [name, defaultOf(sent.properties.get(name)!)]),
  );
  return { ...setIn(defaults, members), ...setIn(body, members) };
}

/** A resource for laws, made of the facts about it. */
import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../../contract/by-name.ts';
import { isScalar, scalarText } from '../../contract/json-numbers.ts';
import { type Operation, pathParameters } from '../../contract/operations.ts';
import { defaultOf, type Shape } from '../../contract/shape.ts';
import { isObject } from '../../contract/pointers.ts';
import { asRequest } from '../../contract/variants.ts';
import { CHANCE } from '../../generate/random.ts';
import type { CallInput } from '../../http/call.ts';
import type { Implementation } from '../../http/implementation.ts';
import { NotPossible } from '../../http/nonconformity.ts';
import { freshName } from '../../generate/fresh-names.ts';
import { valuesFor } from './bodies.ts';
import { lazily } from './facts.ts';
import { setIn } from './members.ts';
import { missingOf } from './removals.ts';
import { layOver, type Overlay } from './overlay.ts';
import type { Children, Facts, Json, Place, Resource, ResourceCall } from '../resource.ts';
import {
  namesForBody,
  refusalStatuses,
  validCall,
  withRequired,
} from '../../requirements/calls.ts';

/** The parts of a resource that do not follow from the facts about it. */
interface Variant {
  /** The call that changes an item. */
  update: Operation | undefined;
  kindInWords: string;
  overlay: Overlay | undefined;
}

export function resourceOf(facts: Facts, { update, kindInWords, overlay }: Variant): Resource {
  const { contract, create, listForm, id, sentAs, sent, members } = facts;
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
  const silent: ResourceCall[] = [];
  if (!shows(create)) {
    silent.push('create');
  }
  if (!shows(update)) {
    silent.push('update');
  }
  const resource: Resource = {
    one: `an item of ${facts.collection}${kindInWords}`,
    many: `items of ${facts.collection}${kindInWords}`,
    calls: callsOf(facts, update, overlay),
    id,
    envelopes: facts.envelopes,
    list: typeof listForm === 'string' ? { kind: 'whole', items: undefined } : listForm,
    view: (item) => viewOf(item, facts),
    fixed: facts.fixed,
    order: 'any',
    silent,
    missing: missingOf(update, gone),
    facts,
    places: placesOf(facts, bodiesInPlaceOf(facts, overlay)),
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
  const { wrapper } = facts;
  if (wrapper !== undefined) {
    resource.wrapped = (body) => ({ [wrapper]: body });
  }
  const [createdAt] = facts.fixed;
  if (createdAt !== undefined) {
    resource.createdAt = createdAt;
  }
  const removeParent = parentRemover(facts);
  if (removeParent !== undefined) {
    resource.removeParent = removeParent;
  }
  return layOver(resource, overlay);
}

function callsOf(
  { create, read, removal, list, listForm }: Facts,
  update: Operation | undefined,
  overlay: Overlay | undefined,
): Resource['calls'] {
  const calls: Resource['calls'] = {
    create: create.operationId,
    read: read.operationId,
    update: update?.operationId ?? '',
    delete: removal?.operationId ?? '',
  };
  const isUsable = typeof listForm !== 'string' || overlay?.list !== undefined;
  if (list !== undefined && isUsable) {
    calls.list = list.operationId;
  }
  return calls;
}

/** Makes bodies of items that can exist beside each other in one place. */
type BodiesInPlace = (count: number) => Json[];

function bodiesInPlaceOf({ bodies }: Facts, overlay: Overlay | undefined): BodiesInPlace {
  return overlay?.bodiesInPlace ?? ((count) => bodies().several(count));
}

/** A resource whose items are inside those of another one: their place is an item of that one. */
export function childrenFrom(
  facts: Facts,
  resource: Resource,
  overlay: Overlay | undefined,
): Children {
  const bodiesInPlace = bodiesInPlaceOf(facts, overlay);
  return {
    resource,
    placeIn: ({ path }, items) => ({ path, bodies: bodiesInPlace(items), foreign: [] }),
  };
}

function parentRemover({ parentRemoval }: Facts): Resource['removeParent'] {
  if (parentRemoval === undefined) {
    return undefined;
  }
  return async (session, { path }) => {
    await session.call(parentRemoval.operationId, { path });
  };
}

/** Places for items; each call of the case gets the parameters that it cannot be without. */
function placesOf(facts: Facts, bodiesInPlace: BodiesInPlace): Resource['places'] {
  const { create } = facts;
  return async (session, { items, places = 1 }) => {
    session.complete = (operation, input) => {
      const isCreation = operation.operationId === create.operationId;
      const whole = isCreation ? inWrapper(facts, withName(facts, operation, input)) : input;
      return withRequired(session.implementation, operation, whole);
    };
    const all: Place[] = [];
    for (let count = 0; count < places; count++) {
      const path = placeOf(
        facts,
        session.implementation,
        await validCall(session, create.operationId),
      );
      // A parent that no operation makes may be the only one that is known.
      const isKnown = all.some((one) => isDeepStrictEqual(one.path, path));
      if (isKnown && Object.keys(path).length > 0) {
        throw new NotPossible(`${create.operationId} is reached in one place only`);
      }
      const bodies: Json[] = [];
      let naming: string[] = [];
      for (const json of bodiesInPlace(items)) {
        const names = await namesForBody(session, create.operationId);
        bodies.push({ ...json, ...names });
        naming = Object.keys(names);
      }
      all.push({ path, bodies, naming, foreign: [] });
    }
    return all;
  };
}

/**
 * The path of a call that creates an item, without the name of the item.
 * @throws NotPossible for a PUT that has not shown that it makes what it names
 */
function placeOf(
  { isNamed, create, id }: Facts,
  { survey }: Implementation,
  { path = {} }: CallInput,
): Record<string, string> {
  if (!isNamed) {
    return path;
  }
  const { fresh = [] } = survey[create.operationId]?.recipe?.path ?? {};
  if (!fresh.includes(id.parameter)) {
    throw new NotPossible(`${create.operationId} was reached with the name of an item alone`);
  }
  const { [id.parameter]: _, ...place } = path;
  return place;
}

/** A PUT with a new name, or with that of its body, unless it changes an item. */
function withName({ isNamed, id, contract }: Facts, put: Operation, input: CallInput): CallInput {
  const { path = {}, json } = input;
  const last = pathParameters(put).at(-1);
  if (!isNamed || last === undefined || Object.hasOwn(path, last.name)) {
    return input;
  }
  const inBody = isObject(json) ? memberOf(json, id.member) : undefined;
  const name = inBody ?? freshName(contract, last, CHANCE);
  return { ...input, path: { ...path, [last.name]: String(name) } };
}

/** The input of a creation, whose body has the member around what is sent. */
function inWrapper({ wrapper }: Facts, input: CallInput): CallInput {
  const { json } = input;
  const isInside = wrapper === undefined || !isObject(json) || Object.hasOwn(json, wrapper);
  return isInside ? input : { ...input, json: { [wrapper]: json } };
}

function viewOf(item: Json, { id: { member }, members, fixed }: Facts): Json {
  const value = memberOf(item, member);
  const isId = isScalar(value) && typeof value !== 'boolean';
  // In minutes: services show more or fewer digits of the same time.
  const minutes = fixed.map(
    (name) =>
      [name, Math.floor(Date.parse(scalarText(memberOf(item, name)) ?? '') / 60_000)] as const,
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

/** The facts about a resource, from the operations at the paths of its list and its items. */
import { envelopeOf } from '../../contract/envelopes.ts';
import { Unsupported } from '../../contract/keywords.ts';
import type { Link } from '../../contract/links.ts';
import type { Contract } from '../../contract/load.ts';
import { type Operation, operationOn, schemaOfSuccess } from '../../contract/operations.ts';
import { satisfies } from '../../contract/schemas.ts';
import { type Shape, shapeOf } from '../../contract/shape.ts';
import { asRequest } from '../../contract/variants.ts';
import { bodiesOf } from './bodies.ts';
import { isNamedByClient } from './creations.ts';
import { idPlaceOf } from './keys.ts';
import { listIn, listOf } from './lists.ts';
import { shapesOfSuccess, sharedMembersOf } from './members.ts';
import { goneStatuses } from './removals.ts';
import { changing } from './updates.ts';
import type { Bodies, Facts, Json } from '../resource.ts';
import { mayConflict } from '../../requirements/calls.ts';

/**
 * @param kind the pointer of the kind of the body, if there are several @throws Unsupported with
 * the reason why nothing can be tried
 */
export function factsFrom(contract: Contract, link: Link, kind?: string): Facts {
  const { from: create, to: read } = link;
  const { member, ...id } = idPlaceOf(contract, link);
  const body = bodyOf(link);
  const wrapper = kind === undefined ? wrapperOf(contract, body, read) : undefined;
  const sentAs = schemasSent(body, kind, wrapper);
  const sent = shapeOf(asRequest(contract), ...sentAs);
  const shown = shapesOfItem(contract, read, sent, member);
  const at = (method: string, path = read.path) => operationOn(contract, method, path);
  const change = (method: string) =>
    wrapper === undefined ? changing(contract, at(method), sent) : undefined;
  const put = change('PUT');
  // If there are both, the PATCH is the change.
  const update = change('PATCH') ?? put;
  // An id that a body must have is given by the body, and no change moves it.
  const isGiven = sent.required.has(member);
  const members = sharedMembersOf(contract, sent, shown).filter((name) => name !== member);
  const isNamed = isNamedByClient(link);
  const collection = isNamed ? create.path.replace(LAST_SEGMENT, '') : create.path;
  const list = at('GET', collection);
  const removal = at('DELETE');
  const parentPath = collection.replace(LAST_SEGMENT, '');
  const isWhole = ({ properties }: Shape) =>
    [...members, member].every((name) => properties.has(name));
  const shows = (operation: Operation | undefined) => {
    const shapes = operation ? shapesOfSuccess(contract, operation, sent, member) : [];
    return shapes.length > 0 && shapes.every(isWhole);
  };
  const page = list && schemaOfSuccess(list);
  const isFresh = isGiven || isNamed || mayConflict(create);
  const bodies = lazily(() => bodiesFor(contract, create, sentAs, isFresh));
  return {
    contract,
    create,
    read,
    update,
    put,
    removal,
    list,
    sentAs,
    sent,
    shown,
    members,
    fixed: timesOfCreation(shown[0], sent),
    bodies,
    id: { ...id, member, givenBy: isGiven ? 'body' : 'service' },
    envelopes: [create, read, update, put].flatMap(
      (one) => (one && envelopeOf(contract, one)?.[0]) ?? [],
    ),
    shows,
    listed: page === undefined ? undefined : listIn(shapeOf(contract, page))?.items,
    listForm: listOf(contract, { create, list, parent: at('GET', parentPath) }, sent, isWhole),
    parentRemoval: isItemPath(parentPath) ? at('DELETE', parentPath) : undefined,
    gone: removal ? goneStatuses(read, removal) : [],
    isValid: (json: Json) => satisfies(asRequest(contract), sentAs, json),
    wrapper: wrapper?.name,
    isNamed,
    collection,
  };
}

/** The members of a shown item that say when it was created, and that no request sends. */
function timesOfCreation(shown: Shape, sent: Shape): string[] {
  const names = [...shown.properties.keys()];
  return names.filter((name) => !sent.properties.has(name) && TIME_OF_CREATION.test(name));
}

/** @throws Unsupported */
function bodiesFor(
  contract: Contract,
  { operationId }: Operation,
  sentAs: readonly string[],
  isFresh: boolean,
): Bodies {
  const made = bodiesOf(asRequest(contract), sentAs, isFresh);
  if (!made) {
    throw new Unsupported(`the body of ${operationId} need not be an object`);
  }
  return made;
}

function schemasSent(body: string, kind?: string, wrapper?: Wrapper): readonly string[] {
  if (wrapper !== undefined) {
    return wrapper.inside.roots;
  }
  return kind === undefined ? [body] : [body, kind];
}

/** The object in a body that has the members of an item. */
interface Wrapper {
  name: string;
  inside: Shape;
}

/**
 * The only member of a body, such as `data` of JSON:API or `article`, if reading an item shows it
 * within a member of the same name.
 */
function wrapperOf(contract: Contract, body: string, read: Operation): Wrapper | undefined {
  const { properties, alternatives } = shapeOf(asRequest(contract), body);
  const [only, ...others] = properties;
  const [shownIn] = envelopeOf(contract, read) ?? [];
  if (only === undefined || others.length > 0 || alternatives.length > 0) {
    return undefined;
  }
  const [name, inside] = only;
  const isObject = inside.types.size === 1 && inside.types.has('object');
  return isObject && name === shownIn ? { name, inside } : undefined;
}

/** The pointer of what creates an item. @throws Unsupported */
function bodyOf({ from: create, to: read }: Link): string {
  const unsupported = create.unsupported ?? read.unsupported;
  if (unsupported !== undefined) {
    throw new Unsupported(unsupported);
  }
  if (!create.requestBody) {
    throw new Unsupported(`${create.operationId} takes no body: nothing of what it makes is known`);
  }
  if ('202' in create.responses) {
    throw new Unsupported(`${create.operationId} may respond before the item is there (202)`);
  }
  return create.requestBody.pointer;
}

/** The shapes in which an item is read. @throws Unsupported if it may lack its id */
function shapesOfItem(
  contract: Contract,
  read: Operation,
  sent: Shape,
  member: string,
): [Shape, ...Shape[]] {
  const [first, ...others] = shapesOfSuccess(contract, read, sent, member);
  const all = first === undefined ? [] : [first, ...others];
  const isObject = all.some(({ types }) => types.has('object'));
  const hasId = all.every(({ properties }) => properties.has(member));
  if (first === undefined || !isObject || !hasId) {
    throw new Unsupported(`${read.operationId} does not document an object with \`${member}\``);
  }
  return [first, ...others];
}

/** Whether a path names one item; a removal of another path may empty a whole list. */
const isItemPath = (path: string) => path.endsWith('}');

const LAST_SEGMENT = /\/[^/]+\/?$/;

const TIME_OF_CREATION = /^(date_?)?(created|creation)(_?(at|on|date|time))?$/i;

export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

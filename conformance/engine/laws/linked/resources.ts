/**
 * Resources by the links of a contract, stated or inferred: a POST makes an item, and a GET of its
 * path reads it.
 */
import { isScalar } from '../../contract/json-numbers.ts';
import { type Contract } from '../../contract/load.ts';
import {
  documentedStatuses,
  type Operation,
  operationsOf,
  schemaOfSuccess,
  successOf,
} from '../../contract/operations.ts';
import type { Link } from '../../contract/links.ts';
import { possible } from '../../generate/filter.ts';
import { endOf, keyIn } from '../../http/response-keys.ts';
import {
  type Json,
  type Named,
  type NumberedPages,
  pick,
  type Place,
  type Resource,
  type WholeList,
} from '../resource.ts';
import {
  allLinks,
  branchesOf,
  envelopeOf,
  isRead,
  keyFor,
  kindsOf,
  LOCATION,
  SHOWN,
} from '../../contract/inferred.ts';
import { satisfies } from '../../contract/schemas.ts';
import { asRequest } from '../../contract/variants.ts';
import { parsePointer } from '../../contract/pointers.ts';
import { defaultOf, type Shape, shapeOf, strictest } from '../../contract/shape.ts';
import { supported, Unsupported } from '../../contract/keywords.ts';
import { mayConflict, refusalStatuses, validCall, withRequired } from '../../requirements/calls.ts';
import { bodiesOf, isExact, valuesFor } from './values.ts';

/**
 * A resource and, for each part of it that laws need, the reason why the contract does not promise
 * that part.
 */
export interface Linked {
  /**
   * The part of an id that names the kind, and the branch that describes its body, if there are
   * several kinds.
   */
  part: string;
  resource: Resource;
  /** The same, changed by PUT. */
  replaceable: Resource;
  missing: Partial<Record<Need, string>>;
  facts: Facts;
}

export type Need =
  | 'own id'
  | 'members'
  | 'echo'
  | 'defaults'
  | 'delete'
  | 'gone'
  | 'update'
  | 'replace'
  | 'list';

/** The POSTs that make what a GET reads, each with the first link that leads there. */
export function creationsOf(contract: Contract): Map<Operation, Link> {
  const creations = new Map<Operation, Link>();
  for (const link of allLinks(contract)) {
    if (isRead(link, contract) && !creations.has(link.from)) {
      creations.set(link.from, link);
    }
  }
  return creations;
}

/** A POST whose resource cannot be tried has a reason in its place. */
export function linkedResources(
  contract: Contract,
): (Linked | { create: Operation; part: string; reason: string })[] {
  return [...creationsOf(contract).values()].flatMap((link) => {
    const body = link.from.requestBody?.pointer;
    const kinds =
      body === undefined ? [] : possible(() => kindsOf(asRequest(contract), body)).flat();
    const all = kinds
      .slice(0, MOST_KINDS)
      .map((pointer) => ({ pointer, kind: nameOfKind(contract, pointer) }));
    return (kinds.length === 0 ? [undefined] : all).map((one) => {
      const part = one ? `items.${one.kind}` : 'items';
      const describe = (): Linked => {
        const facts = factsOf(contract, link, one?.pointer);
        const { update, put } = facts;
        const changedBy = (call: Operation | undefined) =>
          resourceOf(facts, call, one ? ` (${one.kind})` : '');
        const resource = changedBy(update);
        const replaceable = put === update ? resource : changedBy(put);
        return { part, resource, replaceable, missing: reasonsOf(facts), facts };
      };
      return supported(describe, (reason) => ({ create: link.from, part, reason }));
    });
  });
}

const COMPONENT = /^\/components\/schemas\/[^/]+$/;

/** The component that a branch refers to, or its place among the branches. */
function nameOfKind(contract: Contract, pointer: string): string {
  const component = shapeOf(contract, pointer).passed.find((one) => COMPONENT.test(one));
  return parsePointer(component ?? pointer).at(-1)!;
}

/** More kinds of one resource say little more. */
const MOST_KINDS = 4;

/** The expression of a link for a member of the response, or for a member of that. */
const MEMBER_OF_BODY = /^\$response\.body#((?:\/[^/]+){1,2})$/;

/** Media types of bodies that change an item as JSON. */
const JSON_CHANGE = /^application\/(json|merge-patch\+json|vnd\.[^;]*\+json)\s*(;|$)/i;

const CURSOR_WORD = /cursor|token|after|before|marker/i;

/** The name of a parameter that gives the beginning of a page as a number. */
const PAGE_NUMBER = /^(skip|offset|page|page_?(number|no|num))$/i;

/** The parts of a contract that describe a resource. */
export type Facts = ReturnType<typeof factsOf>;

/**
 * @param kind the pointer of the kind of the body, if there are several @throws Unsupported with
 * the reason why nothing can be tried
 */
function factsOf(contract: Contract, link: Link, kind?: string) {
  const { from: create, to: read } = link;
  const { member, ...id } = idOf(contract, link);
  const body = create.requestBody?.pointer;
  const unsupported = create.unsupported ?? read.unsupported;
  if (unsupported !== undefined) {
    throw new Unsupported(unsupported);
  }
  if (body === undefined) {
    throw new Unsupported(`${create.operationId} takes no body: nothing of what it makes is known`);
  }
  if ('202' in create.responses) {
    throw new Unsupported(`${create.operationId} may respond before the item is there (202)`);
  }
  const sentAs = kind === undefined ? [body] : [body, kind];
  const sent = shapeOf(asRequest(contract), ...sentAs);
  const shown = shapesOfSuccess(contract, read, sent, member);
  if (
    !shown.some((one) => one.types.has('object')) ||
    !shown.every(({ properties }) => properties.has(member))
  ) {
    throw new Unsupported(`${read.operationId} does not document an object with \`${member}\``);
  }
  const at = (method: string, path = read.path) =>
    operationsOf(contract).find(
      (one) => one.method === method && one.path === path && one.unsupported === undefined,
    );
  const put = changing(contract, at('PUT'), sent);
  // If there are both, the PATCH is the change.
  const update = changing(contract, at('PATCH'), sent) ?? put;
  // An id that a body must have is given by the body, and no change moves it.
  const isGiven = sent.required.has(member);
  const members = sharedMembersOf(contract, sent, shown).filter((name) => name !== member);
  // The time of creation.
  const fixed = [...shown[0]!.properties.keys()].filter(
    (name) => !sent.properties.has(name) && CREATED.test(name),
  );
  const list = at('GET', create.path);
  const removal = at('DELETE');
  const isWhole = ({ properties }: Shape) =>
    [...members, member].every((name) => properties.has(name));
  const shows = (operation: Operation | undefined) => {
    const shapes = operation ? shapesOfSuccess(contract, operation, sent, member) : [];
    return shapes.length > 0 && shapes.every(isWhole);
  };
  const page = list && schemaOfSuccess(list);
  const bodies = lazily(() => {
    const made = bodiesOf(asRequest(contract), sentAs, isGiven || mayConflict(create));
    if (!made) {
      throw new Unsupported(`the body of ${create.operationId} need not be an object`);
    }
    return made;
  });
  return {
    // `sentAs`, `sent`: a body; `shown`: each form in which it may be shown; `members`: those that
    // are alike in both.
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
    fixed,
    bodies,
    id: { ...id, member, givenBy: isGiven ? ('body' as const) : ('service' as const) },
    envelopes: [create, read, update, put].flatMap(
      (one) => (one && envelopeOf(contract, one)?.[0]) ?? [],
    ),
    /** Whether a call responds with the whole item. */
    shows,
    /** The shape of the items of the list. */
    listed: page === undefined ? undefined : listIn(shapeOf(contract, page))[1],
    /** The form of the list, or the reason why it cannot be used. */
    whole: listOf(contract, { create, list }, sent, isWhole),
    /** The statuses of a read once the item is removed, as far as the contract says. */
    gone: removal ? goneStatuses(read, removal) : [],
    isValid: (json: Json) => satisfies(asRequest(contract), sentAs, json),
  };
}

/** @param update the call that changes it */
function resourceOf(facts: Facts, update: Operation | undefined, kindInWords: string): Resource {
  const {
    contract,
    create,
    read,
    removal,
    list,
    whole,
    id,
    sentAs,
    sent,
    members,
    bodies,
    gone,
    fixed,
    shows,
  } = facts;
  const values = lazily(() =>
    valuesFor(asRequest(contract), bodies(), { members, sentAs, update }),
  );
  const changeOf: Resource['changeOf'] = ({ shown: was, path }, json) => ({
    ...bodies().bare(),
    ...setIn(was, members),
    ...(id.givenBy === 'body' ? { [id.member]: path[id.parameter] } : {}),
    ...json,
  });
  return {
    one: `an item of ${create.path}${kindInWords}`,
    many: `items of ${create.path}${kindInWords}`,
    calls: {
      create: create.operationId,
      read: read.operationId,
      update: update?.operationId ?? '',
      delete: removal?.operationId ?? '',
      ...(typeof whole === 'string' ? {} : { list: list!.operationId }),
    },
    id,
    envelopes: facts.envelopes,
    list: typeof whole === 'string' ? { kind: 'whole', items: undefined } : whole,
    view: (item) => viewOf(item, facts),
    fixed,
    order: 'any',
    silent: [
      ...(shows(create) ? [] : (['create'] as const)),
      ...(shows(update) ? [] : (['update'] as const)),
    ],
    missing: missingOf(update, gone),
    ...(update ? { invalid: refusalStatuses(update) } : {}),
    ...(update?.method === 'PUT' ? { changeOf } : {}),
    places: placesOf(create, bodies),
    shown: (json) => shownFor(json, sent, members),
    changed: (was, json) => ({ ...was, ...setIn(json, members) }),
    get values() {
      return values();
    },
  };
}

/** The reasons why laws cannot be tried, by the part of a resource that they need. */
function reasonsOf(facts: Facts): Linked['missing'] {
  const { create, read, update, put, removal, whole, id, shows, sent, members, gone } = facts;
  const isOwn = id.givenBy === 'body' || !sent.properties.has(id.member);
  const hasDefault = members.some((name) => defaultOf(sent.properties.get(name)!) !== undefined);
  const reasons: [Need, boolean, string][] = [
    ['own id', isOwn, `\`${id.member}\` may be sent: then two may have the same`],
    [
      'members',
      members.length > 0,
      'no property is both sent and shown with one spelling of its value',
    ],
    [
      'echo',
      shows(create),
      `${create.operationId} does not document that it responds with the item`,
    ],
    ['defaults', hasDefault, 'no property that is sent and shown has a default'],
    ['delete', removal !== undefined, `the contract has no DELETE of ${read.path}`],
    [
      'gone',
      gone.length > 0,
      `${read.operationId} does not document what it responds once the item is gone`,
    ],
    [
      'update',
      !!update,
      `the contract has no PATCH or PUT of ${read.path} with members of the item as JSON`,
    ],
    ['replace', !!put, `the contract has no PUT of ${read.path} with what a POST takes`],
    ['list', typeof whole !== 'string', String(whole)],
  ];
  return Object.fromEntries(
    reasons.filter(([, is]) => !is).map(([need, , reason]) => [need, reason]),
  );
}

/**
 * The path parameter that is the id, and the member of the response that has it; parents keep their
 * names.
 */
function idOf(contract: Contract, { from, to, parameters }: Link): Omit<Resource['id'], 'givenBy'> {
  const names = [...to.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const own = names.filter((name) => parameters[name] !== `$request.path.${name}`);
  const [parameter] = own;
  const given = parameters[parameter ?? ''];
  if (given === LOCATION || given === SHOWN) {
    const stated = to.parameters.find(({ name }) => name === parameter)!;
    const [shownAs] = keyFor(contract, to, stated, from);
    if (shownAs === undefined) {
      throw new Unsupported(
        `${to.operationId} does not document which member is the {${parameter}} of its path`,
      );
    }
    const of: Resource['id']['of'] = (one) =>
      given === SHOWN ? keyIn(one, shownAs, parameter!) : endOf(one);
    return { parameter: parameter!, member: shownAs, of };
  }
  const [, pointer] = MEMBER_OF_BODY.exec(String(given)) ?? [];
  if (own.length !== 1 || pointer === undefined) {
    throw new Unsupported(
      `the link from ${from.operationId} to ${to.operationId} does ` +
        'not lead by one member of the response alone',
    );
  }
  return { parameter: parameter!, member: parsePointer(pointer).at(-1)! };
}

/**
 * The shapes of its kinds that one of this kind may be shown as; empty if it is not JSON. @param id
 * a member of it
 */
export function shapesOfSuccess(
  contract: Contract,
  operation: Operation,
  sent: Shape,
  id?: string,
): Shape[] {
  const schema = schemaOfSuccess(operation);
  const shapes = schema === undefined ? [] : branchesOf(contract, schema);
  const isInside = id !== undefined && !shapes.every(({ properties }) => properties.has(id));
  const [, inside] = (isInside && envelopeOf(contract, operation)) || [];
  return ofKind(inside ? branchesOf(contract, ...inside.roots) : shapes, sent);
}

/** Those that do not contradict the sent body, such as by another `kind`. */
function ofKind(shapes: readonly Shape[], sent: Shape): Shape[] {
  const agrees = (one: Shape) =>
    [...sent.properties].every(([name, { choices }]) => {
      const others = one.properties.get(name)?.choices;
      return !choices || !others || choices.some((choice) => others.includes(choice));
    });
  return shapes.filter(agrees);
}

/** Those that are sent and shown alike: of the same types, and with one spelling of each value. */
export function sharedMembersOf(
  contract: Contract,
  sent: Shape,
  shown: readonly Shape[],
): string[] {
  const isAlike = (one: Shape, other: Shape | undefined) =>
    other !== undefined &&
    isExact(contract, other) &&
    [...one.types].every((type) => type === 'null' || other.types.has(type));
  const alike = [...sent.properties].filter(
    ([name, one]) =>
      isExact(contract, one) && shown.every(({ properties }) => isAlike(one, properties.get(name))),
  );
  return alike.map(([name]) => name);
}

/** A PATCH with members, or a PUT of what a POST takes, both of JSON objects. */
function changing(
  contract: Contract,
  operation: Operation | undefined,
  sent: Shape,
): Operation | undefined {
  const body = operation?.requestBody;
  if (!operation || !body || !JSON_CHANGE.test(body.mediaType)) {
    return undefined;
  }
  if ('202' in operation.responses) {
    return undefined;
  }
  const shapes = branchesOf(asRequest(contract), body.pointer);
  if (shapes.some(({ types }) => types.size !== 1 || !types.has('object'))) {
    return undefined;
  }
  const isTaken = ({ properties }: Shape) =>
    [...sent.properties.keys()].every((name) => properties.has(name));
  if (operation.method === 'PATCH' || shapes.some(isTaken)) {
    return operation;
  }
  return undefined;
}

const PAGED = new RegExp(
  'page|cursor|limit|offset|' +
    '^(skip|start|marker|after|before|next|size|count|take|top|first|per_.*|.*token)$',
  'i',
);

/** The list, or the reason why a new item need not be in it. */
function listOf(
  contract: Contract,
  { create, list }: { create: Operation; list: Operation | undefined },
  sent: Shape,
  isWhole: (shape: Shape) => boolean,
): WholeList | string {
  if (!list) {
    return `the contract has no GET of ${create.path}`;
  }
  const schema = schemaOfSuccess(list);
  const shape = schema === undefined ? undefined : shapeOf(contract, schema);
  if (shape === undefined) {
    return `${list.operationId} documents no JSON`;
  }
  const [name, items] = listIn(shape);
  const isListed =
    items !== undefined && ofKind(branchesOf(contract, ...items.roots), sent).every(isWhole);
  if (!isListed) {
    return `${list.operationId} does not document a list of items with all that reading one shows`;
  }
  // In a separate place, the items of a case are on the first page.
  const isOwn = create.path.includes('{');
  const words = [
    ...list.parameters.filter((one) => one.in !== 'path').map((parameter) => parameter.name),
    ...shape.properties.keys(),
    ...Object.keys(successOf(list).headers),
  ].filter((word) => word !== name);
  const isPaged = (word: string) =>
    /^(links|Link)$/.test(word) || word.split(/[-.[\]]/).some((one) => PAGED.test(one));
  const paged = words.filter(isPaged);
  const size = list.parameters.find((one) => paged.join() === one.name && SIZE.test(one.name));
  const room = Number(size && defaultOf(shapeOf(contract, size.schema)));
  const filter = defaultFilterOf(contract, list, sent, items);
  if (filter !== undefined) {
    return filter;
  }
  const pages = pagesOf(contract, list, shape);
  const isWalked = pages?.cursor !== undefined || !words.some((word) => CURSOR_WORD.test(word));
  if (pages && isWalked) {
    return { kind: 'whole', items: name, pages };
  }
  if (room > 0) {
    return { kind: 'whole', items: name, room };
  }
  if (paged.length > 0 && !isOwn) {
    return `${list.operationId} shows pages (${paged[0]}), and others may be on the first`;
  }
  return { kind: 'whole', items: name };
}

/**
 * The reason why the list need not have a new item: without a query, it is filtered by a member of
 * its items.
 */
function defaultFilterOf(
  contract: Contract,
  list: Operation,
  sent: Shape,
  items: Shape,
): string | undefined {
  for (const { name, in: place, schema } of list.parameters) {
    const value = defaultOf(shapeOf(contract, schema));
    const isMember = items.properties.has(name) || sent.properties.has(name);
    if (place === 'query' && isMember && value !== undefined && value !== null) {
      const filter = `${name}: ${JSON.stringify(value)}`;
      return `${list.operationId} has a filter by default (${filter})`;
    }
  }
  return undefined;
}

/**
 * The only list in the shape of a response, by its name, which is undefined if the response itself
 * is the list.
 */
export function listIn(shape: Shape): [name?: string | undefined, items?: Shape | undefined] {
  if (shape.types.has('array')) {
    return [undefined, shape.items];
  }
  const lists = [...shape.properties].filter(([, one]) => one.types.has('array'));
  return lists.length === 1 ? [lists[0]![0], lists[0]![1].items] : [];
}

/** A list is expected to end before this page. */
const FARTHEST = 10_000;

export const SIZE = new RegExp(
  '^(x-)?(limit|size|take|top|first|per[-_]?page|page[-_]?(size|limit)|' +
    'max[-_]?(results|items|page[-_]?size))$',
  'i',
);

/** A cursor that leads to the next page, as parameters and members of responses are named. */
const CURSOR = new RegExp(
  '^((page|next|next_?page|continuation)_?)?(cursor|token)$|' +
    '^(after|start|marker|starting_?after)$',
  'i',
);
const NEXT = /^((next|continuation)_?(page)?_?(cursor|token|marker)|next)$/i;

/**
 * Pages that are asked for by the number of the first item or of the page, or by a cursor;
 * undefined for others.
 */
function pagesOf(
  contract: Contract,
  { parameters }: Operation,
  page: Shape,
): NumberedPages | undefined {
  const named = (pattern: RegExp) =>
    parameters.find((one) => one.in === 'query' && pattern.test(one.name));
  const [cursor] =
    [...page.properties].find(([name, one]) => NEXT.test(name) && one.types.has('string')) ?? [];
  const at = cursor === undefined ? named(PAGE_NUMBER) : named(CURSOR);
  const size = named(SIZE);
  const shape = at && shapeOf(contract, at.schema);
  if (!shape || (strictest(shape, 'maximum') ?? FARTHEST) < FARTHEST) {
    return undefined;
  }
  const isPage = /page/i.test(at.name);
  const first = Number(strictest(shape, 'minimum') ?? defaultOf(shape) ?? (isPage ? 1 : 0));
  const bounds = size && shapeOf(contract, size.schema);
  const most = Math.min((bounds && strictest(bounds, 'maximum')) ?? 100, 100);
  const least = leastOf(bounds);
  return {
    at: at.name,
    isPage,
    first,
    most,
    least,
    ...(size && { size: size.name }),
    ...(cursor && { cursor }),
  };
}

/** The smallest page that may be asked for, and that has an item. */
export const leastOf = (size: Shape | undefined): number =>
  Math.max(1, (size && strictest(size, 'minimum')) ?? 1);

/**
 * The statuses of a read once the item is removed, as far as the contract says; empty if it may be
 * done later.
 */
function goneStatuses(read: Operation, removal: Operation): readonly number[] {
  if ('202' in removal.responses) {
    return [];
  }
  const named = [404, 410].filter((status) => String(status) in read.responses);
  // A removal whose response has a body may keep the item as a removed one.
  if (named.length > 0) {
    return named;
  }
  return '204' in removal.responses ? documentedStatuses(read, 4) : [];
}

/** The statuses of calls that name a removed item. A PUT may make it again if it documents 201. */
function missingOf(
  update: Operation | undefined,
  gone: readonly number[],
): Partial<Record<Named, readonly number[]>> {
  const isUpdate = update && '404' in update.responses && !('201' in update.responses);
  return { read: gone, ...(isUpdate ? { update: documentedStatuses(update, 4) } : {}) };
}

const CREATED = /^(date_?)?(created|creation)(_?(at|on|date|time))?$/i;

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

/** The members that are set. Null counts as omitted: responses may omit it. */
export function setIn(item: Json, members: readonly string[]): Json {
  const names = members.filter((name) => item[name] !== undefined && item[name] !== null);
  return pick(item, names);
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

export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

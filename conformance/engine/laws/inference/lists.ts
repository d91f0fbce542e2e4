/** The list of items, or why what was made need not be in it. */
import { spelt } from '../../contract/item-keys.ts';
import { allLinks } from '../../contract/item-links.ts';
import { stringifyJson } from '../../contract/json-numbers.ts';
import { branchesOf } from '../../contract/kinds.ts';
import type { Contract } from '../../contract/load.ts';
import {
  type Operation,
  type Parameter,
  schemaOfSuccess,
  successOf,
} from '../../contract/operations.ts';
import { objectAt } from '../../contract/pointers.ts';
import { defaultOf, type Shape, shapeOf, texts } from '../../contract/shape.ts';
import { ofKind } from './members.ts';
import { pageLinksOf, pageSizeOf, pagesOf, SIZE } from './pages.ts';
import type { EmbeddedList, List, PagedList, WholeList } from '../resource.ts';

/** The operations that may show a list of what `create` makes. */
interface ListedBy {
  create: Operation;
  list: Operation | undefined;
  /** The GET of the parent. */
  parent: Operation | undefined;
}

/** The list, or the reason why a new item need not be in it. */
export function listOf(
  contract: Contract,
  { create, list, parent }: ListedBy,
  sent: Shape,
  isWhole: (shape: Shape) => boolean,
): List | string {
  if (!list) {
    const isListOf = (items: Shape) =>
      ofKind(branchesOf(contract, ...items.roots), sent).every(isWhole);
    const embedded = parent && embeddedList(contract, create, parent, isListOf);
    return embedded ?? `the contract has no GET of ${create.path}`;
  }
  const schema = schemaOfSuccess(list);
  const shape = schema === undefined ? undefined : shapeOf(contract, schema);
  if (shape === undefined) {
    return `${list.operationId} documents no JSON`;
  }
  const place = listIn(shape);
  const { name, items } = place ?? {};
  const isListed =
    items !== undefined && ofKind(branchesOf(contract, ...items.roots), sent).every(isWhole);
  if (place === undefined || !isListed) {
    return `${list.operationId} does not document a list of items with all that reading one shows`;
  }
  // In a place that the case makes, its items are on the first page.
  const isOwn = isParentMade(contract, create);
  const words = wordsAround(list, shape).filter((word) => word !== name);
  const isPaged = (word: string) =>
    /^(links|Link)$/.test(word) || word.split(/[-.[\]]/).some((one) => PAGED.test(one));
  const paged = words.filter(isPaged);
  const size = list.parameters.find((one) => paged.join() === one.name && SIZE.test(one.name));
  const room = defaultSizeOf(contract, size);
  if (lagsBehind(contract, list)) {
    return `${list.operationId} says that it may lag behind`;
  }
  const filters = defaultFiltersOf(contract, list, sent, items);
  const whole = wholeList(place, filters);
  if (typeof whole === 'string') {
    return whole;
  }
  const walked = walkedList(contract, list, shape, { whole, place, words });
  const [first] = filters;
  if (walked?.kind === 'paged' && first) {
    return first.reason;
  }
  if (walked) {
    return walked;
  }
  if (room > 0) {
    return { ...whole, room };
  }
  if (paged.length > 0 && !isOwn) {
    return `${list.operationId} shows pages (${paged[0]}), and others may be on the first`;
  }
  return whole;
}

/** What is known of a list before its pages are. */
interface ListParts {
  whole: WholeList;
  place: ListPlace;
  /** The names that may be about pages. */
  words: readonly string[];
}

/** The list with the way from page to page; undefined if the contract shows none. */
function walkedList(
  contract: Contract,
  list: Operation,
  page: Shape,
  { whole, place, words }: ListParts,
): WholeList | PagedList | undefined {
  const walked = { ...whole };
  const links = pageLinksOf(contract, list);
  if (links) {
    walked.links = links;
  }
  const pages = pagesOf(contract, list, page);
  const isWalked = pages?.cursor !== undefined || !words.some((word) => CURSOR_WORD.test(word));
  if (pages && isWalked) {
    return { ...walked, pages };
  }
  const linked = linkedPages(contract, list, page, place);
  return linked ?? (links && walked);
}

/** Words with which descriptions say that a list shows changes later. */
const LATER = /eventual(ly)?[ -]consisten|lags? behind|may be (stale|delayed|outdated)/i;

/** Whether the contract says that the list does not show changes at once. */
function lagsBehind({ document }: Contract, list: Operation): boolean {
  const { summary, description } = objectAt(document, list.pointer);
  const success = objectAt(document, successOf(list).pointer);
  const words = [summary, description, success['description']].map(String).join(' ');
  return LATER.test(words);
}

/** The names that may be about pages: parameters, members of the response, and header fields. */
function wordsAround(list: Operation, { properties }: Shape): string[] {
  return [
    ...list.parameters.filter((one) => one.in !== 'path').map((parameter) => parameter.name),
    ...properties.keys(),
    ...Object.keys(successOf(list).headers),
  ];
}

/** The size of a page without a query; 0 if the contract does not say it. */
function defaultSizeOf(contract: Contract, size: Parameter | undefined): number {
  const stated = size && defaultOf(shapeOf(contract, size.schema));
  return typeof stated === 'number' ? stated : 0;
}

/** Whether each case can make a new parent. If not, others have items in the same one. */
function isParentMade(contract: Contract, create: Operation): boolean {
  return allLinks(contract).some(({ from, to }) => to === create && from.method === 'POST');
}

/** The member of the parent that has the name of the path of its items, if it shows each whole. */
function embeddedList(
  contract: Contract,
  create: Operation,
  parent: Operation,
  isListOf: (items: Shape) => boolean,
): EmbeddedList | undefined {
  const schema = schemaOfSuccess(parent);
  const [, segment = ''] = LAST_SEGMENT.exec(create.path) ?? [];
  const members = schema === undefined ? [] : [...shapeOf(contract, schema).properties];
  const found = members.find(
    ([name, { types, items }]) =>
      spelt(name) === spelt(segment) && types.has('array') && items && isListOf(items),
  );
  if (!found) {
    return undefined;
  }
  return { kind: 'embedded', read: parent.operationId, items: found[0], shared: true };
}

/** Pages of which each has the absolute URI of the next one. */
function linkedPages(
  contract: Contract,
  list: Operation,
  page: Shape,
  { within, name: items }: ListPlace,
): PagedList | undefined {
  const [next] =
    [...page.properties].find(
      ([name, shape]) => NEXT_URI.test(name) && texts(shape, 'format').includes('uri'),
    ) ?? [];
  if (next === undefined || items === undefined || within !== undefined) {
    return undefined;
  }
  const size = pageSizeOf(contract, list);
  return {
    kind: 'paged',
    items,
    next,
    size: size?.name,
    most: size?.most,
    shared: true,
    isSteady: false,
    ignoresFields: false,
  };
}

const LAST_SEGMENT = /\/([^/{}]+)\/?$/;

/** The name of the member with the URI of the next page. */
const NEXT_URI = /^next_?(page)?_?(ur[il]|link|href)?$/i;

/** A query parameter that hides items of a list unless another value is sent. */
interface DefaultFilter {
  name: string;
  /** The value that shows all items; undefined if the contract lists none. */
  all: unknown;
  /** The reason why the list need not have a new item. */
  reason: string;
}

/** The list with what its filters need to show all items; or why one of them hides some. */
function wholeList(
  { within, name: items }: ListPlace,
  filters: readonly DefaultFilter[],
): WholeList | string {
  const narrowing = filters.find(({ all }) => all === undefined);
  if (narrowing !== undefined) {
    return narrowing.reason;
  }
  const whole: WholeList = { kind: 'whole', items };
  if (within !== undefined) {
    whole.within = within;
  }
  if (filters.length > 0) {
    whole.query = filters.map(({ name, all }) => [name, String(all)]);
  }
  return whole;
}

const ALL_ITEMS = /^(all|any|both|every|everything|\*)$/i;

/** Whether a value of a filter shows all items, by its name. */
export const showsAll = (value: unknown): boolean =>
  typeof value === 'string' && ALL_ITEMS.test(value);

/** The members by which a list is filtered without a query. */
function defaultFiltersOf(
  contract: Contract,
  list: Operation,
  sent: Shape,
  items: Shape,
): DefaultFilter[] {
  const filters: DefaultFilter[] = [];
  for (const { name, in: place, schema } of list.parameters) {
    const shape = shapeOf(contract, schema);
    const value = defaultOf(shape);
    const isMember = items.properties.has(name) || sent.properties.has(name);
    if (
      place === 'query' &&
      isMember &&
      value !== undefined &&
      value !== null &&
      !showsAll(value)
    ) {
      const filter = `${name}: ${stringifyJson(value)}`;
      const reason = `${list.operationId} has a filter by default (${filter})`;
      const ofItems = items.property(name)?.choices ?? [];
      const all = shape.choices?.find((one) => showsAll(one) && !ofItems.includes(one));
      filters.push({ name, all, reason });
    }
  }
  return filters;
}

/** The place of a list in a response. */
export interface ListPlace {
  /** The member around the one that is the list, such as `_embedded` of HAL. */
  within?: string;
  /** The member that is the list; undefined if the response itself is. */
  name?: string;
  /** The shape of its items, if it is stated. */
  items: Shape | undefined;
}

/** The only list in the shape of a response, or in the only object there that has one. */
export function listIn(shape: Shape): ListPlace | undefined {
  if (shape.types.has('array')) {
    return { items: shape.items };
  }
  const lists = listsAmong(shape);
  const [own] = lists;
  if (own !== undefined) {
    return lists.length === 1 ? own : undefined;
  }
  const objects = [...shape.properties].filter(([, one]) => one.types.has('object'));
  const inside = objects.flatMap(([within, one]) =>
    listsAmong(one).map((place) => ({ ...place, within })),
  );
  return inside.length === 1 ? inside[0] : undefined;
}

function listsAmong({ properties }: Shape): ListPlace[] {
  const lists = [...properties].filter(([, one]) => one.types.has('array'));
  return lists.map(([name, { items }]) => ({ name, items }));
}

const PAGED = new RegExp(
  'page|cursor|limit|offset|' +
    '^(skip|start|marker|after|before|next|size|count|take|top|first|per_.*|.*token)$',
  'i',
);

const CURSOR_WORD = /cursor|token|after|before|marker/i;

/** The list of items, or why what was made need not be in it. */
import { branchesOf } from '../../contract/kinds.ts';
import type { Contract } from '../../contract/load.ts';
import { type Operation, schemaOfSuccess, successOf } from '../../contract/operations.ts';
import { defaultOf, type Shape, shapeOf } from '../../contract/shape.ts';
import { ofKind } from './members.ts';
import { pagesOf, SIZE } from './pages.ts';
import type { WholeList } from '../resource.ts';

/** The list, or the reason why a new item need not be in it. */
export function listOf(
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

const PAGED = new RegExp(
  'page|cursor|limit|offset|' +
    '^(skip|start|marker|after|before|next|size|count|take|top|first|per_.*|.*token)$',
  'i',
);

const CURSOR_WORD = /cursor|token|after|before|marker/i;

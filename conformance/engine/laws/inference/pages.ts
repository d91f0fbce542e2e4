/** The pages of a list, as its parameters and members suggest. */
import type { Contract } from '../../contract/load.ts';
import { type Operation, successOf } from '../../contract/operations.ts';
import { objectAt } from '../../contract/pointers.ts';
import { defaultOf, type Shape, shapeOf, strictest, texts } from '../../contract/shape.ts';
import { LINK } from '../../http/link-header.ts';
import type { CursorPlace, NumberedPages, PageLinks } from '../resource.ts';

/**
 * Pages that are asked for by the number of the first item or of the page, or by a cursor;
 * undefined for others.
 */
export function pagesOf(
  contract: Contract,
  operation: Operation,
  page: Shape,
): NumberedPages | undefined {
  const { parameters } = operation;
  const named = (pattern: RegExp) =>
    parameters.find((one) => one.in === 'query' && pattern.test(one.name));
  const cursor = cursorPlaceOf(contract, operation, page);
  const at = cursor === undefined ? named(PAGE_NUMBER) : named(CURSOR);
  const shape = at && shapeOf(contract, at.schema);
  if (!shape || (strictest(shape, 'maximum') ?? FARTHEST) < FARTHEST) {
    return undefined;
  }
  const isPage = /page/i.test(at.name);
  const first = Number(strictest(shape, 'minimum') ?? defaultOf(shape) ?? (isPage ? 1 : 0));
  const { name, least, most } = pageSizeOf(contract, operation) ?? ANY_SIZE;
  const pages: NumberedPages = { at: at.name, isPage, first, most, least };
  if (name !== undefined) {
    pages.size = name;
  }
  if (cursor !== undefined) {
    pages.cursor = cursor;
  }
  return pages;
}

/** The place of the cursor that leads to the next page; undefined if pages have none. */
function cursorPlaceOf(
  contract: Contract,
  operation: Operation,
  { properties }: Shape,
): CursorPlace | undefined {
  const [member, shape] =
    [...properties].find(([name, one]) => NEXT.test(name) && one.types.has('string')) ?? [];
  if (member !== undefined && shape !== undefined) {
    return {
      member,
      isNoneAtEnd: texts(shape, 'description').some((one) => NONE_AT_END.test(one)),
    };
  }
  const hasCursor = operation.parameters.some((one) => one.in === 'query' && CURSOR.test(one.name));
  const isInLink = hasCursor && pageLinksOf(contract, operation) !== undefined;
  return isInLink ? { inLink: true } : undefined;
}

/**
 * The links to other pages in the header field `Link`; undefined if the contract does not document
 * it, or does not suggest that it is about pages.
 */
export function pageLinksOf(contract: Contract, operation: Operation): PageLinks | undefined {
  const { headers } = successOf(operation);
  const [, header] = Object.entries(headers).find(([name]) => name.toLowerCase() === LINK) ?? [];
  if (header === undefined) {
    return undefined;
  }
  const hasPages = operation.parameters.some(
    ({ in: place, name }) => place === 'query' && PAGING.some((pattern) => pattern.test(name)),
  );
  const { description } = objectAt(contract.document, header.pointer);
  if (!hasPages && !ABOUT_PAGES.test(String(description))) {
    return undefined;
  }
  const { name, least, most } = pageSizeOf(contract, operation) ?? ANY_SIZE;
  const links: PageLinks = { least, most };
  if (name !== undefined) {
    links.size = name;
  }
  return links;
}

/** The number of items that a page may have. */
interface PageSize {
  /** The parameter that bounds it; undefined if no parameter does. */
  name?: string;
  /** The smallest one that may be asked for, and that has an item. */
  least: number;
  /** The one with which a whole list is read. */
  most: number;
}

const ANY_SIZE: PageSize = { least: 1, most: 100 };

/** The query parameter that bounds a page; undefined if no parameter does. */
export function pageSizeOf(
  contract: Contract,
  { parameters }: Operation,
): Required<PageSize> | undefined {
  const size = parameters.find((one) => one.in === 'query' && SIZE.test(one.name));
  if (size === undefined) {
    return undefined;
  }
  const bounds = shapeOf(contract, size.schema);
  const least = Math.max(ANY_SIZE.least, strictest(bounds, 'minimum') ?? ANY_SIZE.least);
  const most = Math.min(strictest(bounds, 'maximum') ?? ANY_SIZE.most, ANY_SIZE.most);
  return { name: size.name, least, most };
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

/** Whether a parameter of this name takes what a response gave, and nothing that is made up. */
export const isCursor = (parameter: string): boolean => CURSOR.test(parameter);

/** Words such as `null on the last page`. */
const NONE_AT_END = new RegExp(
  '^[^.]*\\b(null|absent|omitted|left out|missing)\\b[^.]*' +
    '\\b(last|no (more|next|further|other))\\b',
  'i',
);

/** Words of a header field that leads from page to page. */
const ABOUT_PAGES = /\bpages?\b|paginat|\bnext\b/i;

const NEXT = /^((next|continuation)_?(page)?_?(cursor|token|marker)|next)$/i;

/** The name of a parameter that gives the beginning of a page as a number. */
const PAGE_NUMBER = /^(skip|offset|page|page_?(number|no|num))$/i;

/** Parameters of lists that come in pages. */
const PAGING = [SIZE, CURSOR, PAGE_NUMBER];

/**
 * A resource as data: the calls that create, read, list, change and remove its items. Laws know
 * nothing else of an API.
 */
import { memberOf } from '../contract/by-name.ts';
import type fc from 'fast-check';
import type { Contract } from '../contract/load.ts';
import type { Level, Operation } from '../contract/operations.ts';
import type { Shape } from '../contract/shape.ts';
import type { Implementation } from '../http/implementation.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { elementAt, required } from './required.ts';

export type Json = Record<string, unknown>;

export type ResourceCall = 'create' | 'read' | 'update' | 'delete' | 'list';

/** Calls that name an item. */
export type Named = 'read' | 'update' | 'delete';

/** A place in which items are created: a parent; or the only place, if items have no parent. */
export interface Place {
  /** Path parameters that name the parent. */
  path: Record<string, string>;
  /**
   * Bodies of items that can exist beside each other here. They are not sorted by the ids that they
   * have.
   */
  bodies: Json[];
  /** The members of the bodies that name what exists, such as the book of a loan. */
  naming?: readonly string[];
  /** Ids that are listed here and that the case did not create. */
  foreign: readonly string[];
}

export interface Item {
  place: Place;
  /** Path parameters that name the item. */
  path: Record<string, string>;
  /** The item as the service showed it last. */
  shown: Json;
}

/** The places that a law asks for. */
export interface Wanted {
  /** The number of bodies of each place. */
  items: number;
  /**
   * The number of bodies that is enough if a service does not know enough names; default: `items`.
   */
  atLeast?: number;
  /** Whether the places must have no items; default: false. */
  empty?: boolean;
  /** The number of places; default: 1. */
  places?: number;
}

/** A list that a separate operation reads. */
export interface PagedList {
  kind: 'paged';
  /** The member of a page that has its items. */
  items: string;
  /** The member of a page that has the URI of the next one. */
  next: string;
  /**
   * Whether the list has items of other cases and of other clients. It is read only as far as a law
   * needs.
   */
  shared: boolean;
  /** The query parameter that bounds the items of a page; undefined if no parameter does. */
  size: string | undefined;
  /** The value of `size` with which a whole list is read; undefined: none is sent. */
  most: number | undefined;
  /**
   * Whether the contract says that what exists during the whole walk is listed exactly once. If
   * not, writes of others may move items from page to page.
   */
  isSteady: boolean;
  /**
   * Whether the contract says that header fields that it does not name change nothing, links
   * included.
   */
  ignoresFields: boolean;
}

/** A list that is a member of the parent. */
export interface EmbeddedList {
  kind: 'embedded';
  /** The id of the operation that reads the parent. */
  read: string;
  /** The member of the parent that is the list. */
  items: string;
  /** Whether other cases and other clients may create items in the same parent. */
  shared: boolean;
}

/**
 * A list in one response, or in pages with numbers or cursors. It has items of other cases and of
 * other clients.
 */
export interface WholeList {
  kind: 'whole';
  /** The member of the response that is the list; undefined: the response itself. */
  items: string | undefined;
  /** The member around that one, which a response may omit if the list is empty. */
  within?: string;
  pages?: NumberedPages;
  /** Given if the header field `Link` of a page leads to the next one. */
  links?: PageLinks;
  /** The largest number of items that a response has, if no other response has the rest. */
  room?: number;
  /** The query without which the list hides some items. */
  query?: readonly [name: string, value: string][];
}

export type List = PagedList | EmbeddedList | WholeList;

/** The query parameters that choose a page of a list. */
export interface NumberedPages {
  /**
   * The parameter that names the beginning of a page: its number, the number of its first item, or
   * a cursor.
   */
  at: string;
  /** Whether `at` is the number of a page, and not that of an item. */
  isPage: boolean;
  /** The number of the first page, or of the first item. */
  first: number;
  /** The place in a page of the cursor of the next one; undefined: `at` is a number. */
  cursor?: CursorPlace;
  /** The parameter that bounds the items of a page; undefined if no parameter does. */
  size?: string;
  /** The smallest value of `size`. */
  least: number;
  /** The value of `size` with which a whole list is read. */
  most: number;
}

/** The place of a cursor in a page: a member, or the link to the next page in a header field. */
export type CursorPlace = CursorMember | { inLink: true };

export interface CursorMember {
  member: string;
  /** Whether its description says that it is null, or missing, on the last page. */
  isNoneAtEnd: boolean;
}

/** Pages of which each has a link to the next one in its header field `Link` (RFC 8288). */
export interface PageLinks {
  /** The parameter that bounds the items of a page; undefined if no parameter does. */
  size?: string;
  /** The smallest value of `size`. */
  least: number;
  /** The value of `size` with which a whole list is read. */
  most: number;
}

export interface Resource {
  /** One item as sentences name it, such as `an edge`. */
  one: string;
  /** Several items as sentences name them, such as `edges`. */
  many: string;
  /** Ids of operations; without `list` if no operation lists items. */
  calls: Record<Exclude<ResourceCall, 'list'>, string> & { list?: string };
  id: ItemId;
  /** Members of responses that may hold the item, such as `data`. */
  envelopes?: readonly string[];
  /** The member that has the time of creation. */
  createdAt?: string;
  list: List;
  /**
   * The part of a shown item that laws compare; default: the members that the schema of a read
   * knows.
   */
  view?(shown: Json): Json;
  /** A member that may have any text. It tells items of a case from others in a shared list. */
  mark?: string;
  /** Members that the service sets once and that no change changes. */
  fixed: readonly string[];
  /** The number of items that one place can have. */
  most?: number;
  order: 'newest first' | 'oldest first' | 'by id' | 'any';
  unique?: UniqueValues;
  /** Calls whose responses do not show the whole item: it is read after them. */
  silent?: readonly ResourceCall[];
  /**
   * The statuses of a call that names no item. A call without statuses is not tried. Default: 404
   * for each.
   */
  missing?: Partial<Record<Named, readonly number[]>>;
  /** The statuses that refuse a body or a change that breaks the contract; default: 400. */
  invalid?: readonly number[];
  /** The body that makes this change of an item; default: the change itself. */
  changeOf?(item: Item, patch: Json): Json;
  /** The resource whose items are inside the items of this one. */
  children?: Children;
  /** Removes the parent of a place, if parents can be created and removed. */
  removeParent?(session: Session, place: Place): Promise<void>;
  /** @throws NotPossible if the service has no such places */
  places(session: Session, wanted: Wanted): Promise<Place[]>;
  /** The whole item that is shown after it was created from `body`. */
  shown(body: Json): Json;
  /** A body in the member around it; default: there is none around it. */
  wrapped?(body: Json): Json;
  /** The part of a shown item that was sent; default: `shown`. */
  sent?(body: Json, implementation: Implementation): Json;
  /** The item that is shown after `patch` has changed `shown`. */
  changed(shown: Json, patch: Json): Json;
  /** JSON Pointers of members that are maps: they have no other names than those that were sent. */
  maps?: readonly string[];
  values: ResourceValues;
  /** What the contract alone says of it; default: nothing more is known. */
  facts?: Facts;
}

/** The parts of a contract that describe a resource. */
export interface Facts {
  contract: Contract;
  create: Operation;
  read: Operation;
  /** A PATCH that changes an item, or else a PUT. */
  update: Operation | undefined;
  put: Operation | undefined;
  removal: Operation | undefined;
  list: Operation | undefined;
  /** The schema of a body, and that of its kind if there are several: it satisfies both. */
  sentAs: readonly string[];
  /** The shape of a body. */
  sent: Shape;
  /** Each shape that an item may be shown in. */
  shown: readonly Shape[];
  /** The member of a body around what is sent; undefined: there is none. */
  wrapper: string | undefined;
  /** Whether a PUT makes an item, with a name that the client chooses. */
  isNamed: boolean;
  /** The path of all items. */
  collection: string;
  /** Members that are sent and shown alike. */
  members: readonly string[];
  /** Members that say when an item was created. */
  fixed: readonly string[];
  /** Made when they are needed first. @throws Unsupported */
  bodies(): Bodies;
  id: ItemId;
  /** Members of responses that may hold the item. */
  envelopes: readonly string[];
  /** Whether a call responds with the whole item. */
  shows(operation: Operation | undefined): boolean;
  /** The shape of the items of the list. */
  listed: Shape | undefined;
  /** The form of the list, or the reason why it cannot be used. */
  listForm: List | string;
  /** The operation that removes the parent of an item. */
  parentRemoval: Operation | undefined;
  /** The statuses of a read after the item is removed, as far as the contract says. */
  gone: readonly number[];
  isValid(json: Json): boolean;
}

/** Bodies that a contract allows, with values that every service keeps as they are. */
export interface Bodies {
  /** With as many members as can be together. */
  full(): Json;
  /** With as few members as can be; a full body has all of them. */
  bare(): Json;
  /** Full ones that differ in more than their words. */
  several(count: number): Json[];
  any(implementation: Implementation): fc.Arbitrary<Json>;
  /**
   * Another value of a member, which full and bare bodies may have; undefined if none was found.
   */
  other(name: string): unknown;
}

/** @throws Error if the resource was described by hand */
export function factsOf({ facts, many }: Resource): Facts {
  return required(facts, `the contract alone says nothing of ${many}`);
}

/** The names of the id of an item. */
export interface ItemId {
  /** The path parameter. */
  parameter: string;
  /** The member of a response. */
  member: string;
  givenBy: 'service' | 'body';
  /** The id in the response to a creation, if it is not in `member` of the body. */
  of?: (response: Pick<HttpResponse, 'headers'> & { json?: unknown }) => string | undefined;
}

/** Members that no two items of one place may have the same values of. */
export interface UniqueValues {
  members: readonly string[];
  /** Values of these members that are worth trying; default: those of the bodies of the place. */
  samples?: readonly Json[];
  /** Another value of one of the members. */
  another(member: string, sample: Json, place: Place): unknown;
  /** The code of the error that reports a conflict. */
  code: string;
}

export interface Children {
  resource: Resource;
  /** A place for this number of children in an item. */
  placeIn(item: Item, items: number): Place;
}

/** The bodies to send. The service must accept all of them, except those of `invalid`. */
export interface ResourceValues {
  /** Any body; undefined if bodies have little more than the id. */
  bodies?(implementation: Implementation): fc.Arbitrary<Json>;
  /** Any change. */
  patches?(implementation: Implementation): fc.Arbitrary<Json>;
  /** A body with all members, none of which has its default. */
  full(implementation: Implementation): Json;
  /** A body without the members that can be omitted. */
  bare(implementation: Implementation): Json;
  /** More bodies, each tried once. */
  examples?(implementation: Implementation): Json[];
  /**
   * Bodies that have, between them, each member at each depth, with texts and numbers that have
   * several spellings; the first two have all members. Each is a valid change, too. Default: the
   * body with all members, and other values of all members.
   */
  wholes?(implementation: Implementation): Json[];
  /** Bodies, some with long values, whose items are read again after some seconds. */
  lasting?(implementation: Implementation): Json[];
  /** Bodies with members that are omitted or null. */
  defaults?(implementation: Implementation): Json[];
  /** Members that can be changed alone. */
  members: readonly string[];
  /** Another value of a member, which an item with all members accepts. */
  other(member: string, implementation: Implementation, place: Place): unknown;
  /** Changes of a bare item, each tried once. */
  changes?(implementation: Implementation): Json[];
  /** Members that null resets or removes. */
  nullable?: readonly string[];
  /** Changes whose values have less in them than the values that they replace. */
  lesser?(implementation: Implementation): Replacement[];
  replacements?(implementation: Implementation): fc.Arbitrary<Replacement>;
  /** Members that break the contract when they are added to a valid body or change. */
  invalid: { create: readonly Json[]; update: readonly Json[] };
  /**
   * A valid change with many members, to which `invalid` is added; default: the unique values of
   * another body.
   */
  good?(implementation: Implementation): Json;
  /** A change that contradicts other members of the item that `body` creates. */
  conflict?: Replacement;
  /** Changes of different members, which can be sent at once. */
  disjoint?: readonly Json[];
}

/** A body that creates an item, and a change of this item. */
export interface Replacement {
  body: Json;
  patch: Json;
}

/** The level of the operation that makes a call; undefined if there is no such operation. */
export function levelOf(
  { list, calls }: Resource,
  operations: readonly Operation[],
  call: ResourceCall,
): Level | undefined {
  const id = call === 'list' && list.kind === 'embedded' ? list.read : calls[call];
  return operations.find(({ operationId }) => operationId === id)?.level;
}

/** The id of the operation that makes a call. @throws Error if the resource has none */
export function operationIdOf({ calls, many }: Resource, call: ResourceCall): string {
  return required(calls[call], `the contract has no operation for ${call} of ${many}`);
}

/** Whether a list has items of other cases and of other clients. */
export function isShared({ list }: Resource): boolean {
  return list.kind === 'whole' || list.shared;
}

/** The list. @throws Error if it does not come in pages with links */
export function pagedListOf({ list, many }: Resource): PagedList {
  if (list.kind !== 'paged') {
    throw new Error(`the list of ${many} has no pages with links`);
  }
  return list;
}

/** @throws Error if items may be equal */
export function uniqueValuesOf({ unique, many }: Resource): UniqueValues {
  return required(unique, `${many} have no unique values`);
}

/** @throws Error if nothing is inside the items */
export function childrenOf({ children, many }: Resource): Children {
  return required(children, `${many} have no children`);
}

/** One of the bodies of a place. @throws Error if it has none at this index */
export function bodyOf({ bodies }: Place, index = 0): Json {
  return elementAt(bodies, index);
}

/** The body of a change: a whole item if the contract has no partial changes. */
export function changeBodyFor({ changeOf }: Resource, item: Item, patch: Json): Json {
  return changeOf?.(item, patch) ?? patch;
}

/** The members of an object that have these names; undefined for those that are missing. */
export function pick(json: Json, members: readonly string[]): Json {
  return Object.fromEntries(members.map((member) => [member, memberOf(json, member)]));
}

/** The text with its first letter in upper case. */
export function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

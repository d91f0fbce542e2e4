/** A resource as data: how it is made, read, listed, changed and removed. Laws know nothing else of an API. */
import type fc from 'fast-check';
import type { Level, Operation } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';

export type Json = Record<string, unknown>;

export type ResourceCall = 'create' | 'read' | 'update' | 'delete' | 'list';

/** Calls that name an item. */
export type Named = 'read' | 'update' | 'delete';

/** Where items are made: a parent, or the one place where there is no parent. */
export interface Place {
  /** Path parameters that name the parent. */
  path: Record<string, string>;
  /** Bodies that can be created beside each other here, in no order of their ids where the body has the id. */
  bodies: Json[];
  /** Ids that are listed and belong to others. */
  foreign: readonly string[];
}

export interface Item {
  place: Place;
  /** Path parameters that name the item. */
  path: Record<string, string>;
  /** As the service showed it last. */
  shown: Json;
}

/** The places that a law asks for. */
export interface Wanted {
  /** How many bodies each place needs. */
  items: number;
  /** How many bodies will do, where a service does not know enough names; default: `items`. */
  atLeast?: number;
  /** Whether nothing may be there before. */
  empty?: boolean;
  /** How many places; default 1. */
  places?: number;
}

/** A list with an operation of its own. */
export interface PagedList {
  kind: 'paged';
  /** Members of a page: the items, and the URI of the next page. */
  items: string;
  next: string;
  /** Others list their items in it, too: it is read only as far as it must. */
  shared: boolean;
  /** The contract says that a header field which it does not name changes nothing, and no link either. */
  ignoresFields: boolean;
}

/** A list that the parent shows in one of its members. */
export interface EmbeddedList {
  kind: 'embedded';
  /** The operation that reads the parent, and the member of its response that is the list. */
  read: string;
  items: string;
}

/** A list in one response, in which others list their items, too. */
export interface WholeList {
  kind: 'whole';
  /** The member of the response that is the list; undefined: the response is it. */
  items: string | undefined;
  pages?: Pages;
  /** Nothing leads beyond so many items: where there are fewer, they are all. */
  room?: number;
}

/** Query parameters of pages: where one begins, and how many items it has: from `least` on, and `most` are asked for. */
export interface Pages {
  /** The number of the page or of its first item, from `first` on; or the cursor that the page before has. */
  at: string;
  isPage: boolean;
  first: number;
  /** The member of a page with the cursor of the next one. */
  cursor?: string;
  size?: string;
  least: number;
  most: number;
}

export interface Resource {
  /** As sentences name it: `an edge`, `edges`. */
  one: string;
  many: string;
  /** Ids of operations; `list` only where there is such an operation. */
  calls: Record<Exclude<ResourceCall, 'list'>, string> & { list?: string };
  /** The path parameter, and the member of a response, that is the id. */
  id: {
    parameter: string;
    member: string;
    givenBy: 'service' | 'body';
    /** The id that the response to a creation has outside of its body, or in another member. */
    of?: (response: Pick<HttpResponse, 'headers'> & { json?: unknown }) => string | undefined;
  };
  /** Members of responses that may hold the item, such as `data`. */
  envelopes?: readonly string[];
  createdAt?: string;
  list: PagedList | EmbeddedList | WholeList;
  /** The part of a shown item that laws see; default: all of it. */
  view?(shown: Json): Json;
  /** A member that may hold any text, so that items of a case are known in a list that others share. */
  mark?: string;
  /** Members that the service sets once and that no change moves. */
  fixed: readonly string[];
  /** How many of them one place can have. */
  most?: number;
  order: 'newest first' | 'oldest first' | 'by id' | 'any';
  /** Members that two items of one place may not have the same values of. */
  unique?: {
    members: readonly string[];
    /** Values of these members worth trying; default: those of the bodies of the place. */
    samples?: readonly Json[];
    /** Another value of one of them. */
    another(member: string, sample: Json, place: Place): unknown;
    code: string;
  };
  /** Which calls respond with less than the item: it is read then. */
  silent?: readonly ResourceCall[];
  /** The statuses of a call that names no item; a call that is not here is not tried. Default: 404 for all. */
  missing?: Partial<Record<Named, readonly number[]>>;
  /** The statuses that refuse a body or a change that breaks the contract; default: 400. */
  invalid?: readonly number[];
  /** The body that changes an item so; default: the change alone. */
  changeOf?(item: Item, patch: Json): Json;
  /** The resource that is inside this one, and a place for it in an item of this one. */
  children?: { resource: Resource; placeIn(item: Item, items: number): Place };
  /** Removes the parent of a place, where the parent is itself made and removed. */
  removeParent?(session: Session, place: Place): Promise<void>;
  /** @throws NotPossible where the service has no such places */
  places(session: Session, wanted: Wanted): Promise<Place[]>;
  /** The whole item that creating one from `body` must show. */
  shown(body: Json): Json;
  /** The part of it that was sent; default: the whole. */
  sent?(body: Json, implementation: Implementation): Json;
  /** The item that must be shown once `patch` has changed `shown`. */
  changed(shown: Json, patch: Json): Json;
  /** JSON Pointers of members that are maps: what was sent is all that is in them. */
  maps?: readonly string[];
  values: ResourceValues;
}

/** The bodies to send. All functions give bodies that the service must accept, but for `invalid`. */
export interface ResourceValues {
  /** Any body; undefined where bodies hold little but the id. */
  bodies?(implementation: Implementation): fc.Arbitrary<Json>;
  patches?(implementation: Implementation): fc.Arbitrary<Json>;
  /** Every member set, none to its default; and none that can be omitted. */
  full(implementation: Implementation): Json;
  bare(implementation: Implementation): Json;
  /** More bodies, each tried once. */
  examples?(implementation: Implementation): Json[];
  /** Bodies with members that are omitted or null. */
  defaults?(implementation: Implementation): Json[];
  /** Members that can be changed one at a time, and another value of each, which a full item accepts. */
  members: readonly string[];
  other(member: string, implementation: Implementation, place: Place): unknown;
  /** Patches of a bare item, each tried once. */
  changes?(implementation: Implementation): Json[];
  /** Members that null resets or removes. */
  nullable?: readonly string[];
  /** Patches that say less than what they replace. */
  lesser?(implementation: Implementation): { body: Json; patch: Json }[];
  replacements?(implementation: Implementation): fc.Arbitrary<{ body: Json; patch: Json }>;
  /** Members that break the contract, added to a good body or patch. */
  invalid: { create: readonly Json[]; update: readonly Json[] };
  /** A good patch with as many members as possible, into which `invalid` is put; default: the first member changed. */
  good?(implementation: Implementation): Json;
  /** A patch that contradicts other settings of a bare item, where `unique` is not what stands in the way. */
  conflict?: { body: Json; patch: Json };
  /** Patches of different members, which can be sent at once, and what they add up to. */
  disjoint?: readonly Json[];
}

/** The level of the operation that makes a call; undefined where there is no such operation. */
export function levelOf(
  { list, calls }: Resource,
  operations: readonly Operation[],
  call: ResourceCall,
): Level | undefined {
  const id = call === 'list' && list.kind === 'embedded' ? list.read : calls[call];
  return operations.find(({ operationId }) => operationId === id)?.level;
}

/** Whether a list shows items of others, or of other cases. */
export function isShared({ list }: Resource): boolean {
  return list.kind === 'whole' || (list.kind === 'paged' && list.shared);
}

export function pick(json: Json, members: readonly string[]): Json {
  return Object.fromEntries(members.map((member) => [member, json[member]]));
}

export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

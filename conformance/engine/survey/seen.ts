/** Names and values that the calls of a survey sent and got, and that other calls may ask for. */
import { spelt } from '../contract/item-keys.ts';
import { isScalar } from '../contract/json-numbers.ts';
import { entry } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { isObject, joinPointer } from '../contract/pointers.ts';
import type { Source } from '../http/recipe.ts';
import { evaluate, type Exchange } from '../http/runtime-expressions.ts';
import { KEYS, nounBefore, nounOf, nameRank, resourceNamed, singular } from '../contract/nouns.ts';

/** A call that succeeded. */
export interface SeenCall extends Exchange {
  operation: Operation;
}

interface Member {
  name: string;
  expression: string;
  /** How many objects and lists are around it. */
  depth: number;
}

/** The member of a call that has the name of another member, or that it names. */
interface Found {
  expression: string;
  call: SeenCall;
  /** Whether the call is one of the resource that the name has in it. */
  isOfOwner: boolean;
}

/** The value of a member that names an item, and the call that made the item. */
export interface Reference {
  value: unknown;
  maker: Source;
}

const IS_NAME = /(id|name|key)$/;

const MOST_DEPTH = 4;
const MOST_MEMBERS = 400;

/** Ids in other objects name other things. */
const COST_OF_DEPTH = 3;

export class Seen {
  readonly #calls = new Map<string, SeenCall>();
  readonly #members = new Map<SeenCall, readonly Member[]>();

  note(call: SeenCall): void {
    this.#calls.set(call.operation.operationId, call);
  }

  get calls(): SeenCall[] {
    return [...this.#calls.values()];
  }

  callOf({ operationId }: Operation): SeenCall | undefined {
    return this.#calls.get(operationId);
  }

  /**
   * Expressions of the members of a call that may fit a path parameter, the likeliest first.
   * @param isLoose whether members of any other name count, too
   */
  findingsIn(call: SeenCall, path: string, parameter: string, isLoose: boolean): string[] {
    const noun = nounBefore(path, parameter) ?? '';
    // An `id` names an item of its own collection, and nothing else.
    const own = nounOf(call.operation);
    const isOfNoun = isLoose || (own !== undefined && singular(own) === singular(noun));
    // `/snapshots/{project_id}` asks for the id of a project.
    const isOwner = own !== undefined && singular(own) === resourceNamed(parameter);
    const ownerNoun = isOwner ? own : undefined;
    const strictNoun = ownerNoun ?? (isOfNoun ? noun : '');
    const findings: { expression: string; rank: number }[] = [];
    for (const { name, expression, depth } of this.#membersOf(call)) {
      const strict = nameRank(parameter, name, strictNoun);
      const rank = strict ?? (isLoose ? looseRank(name, noun) : undefined);
      if (rank !== undefined) {
        findings.push({ expression, rank: rank + depth * COST_OF_DEPTH });
      }
    }
    const ranked = findings.toSorted((one, other) => one.rank - other.rank);
    return ranked.map(({ expression }) => expression);
  }

  /** Expressions of the texts in the lists of a response: they may be names, such as of kinds. */
  textsIn({ response }: SeenCall): string[] {
    return textsBelow(response.json, '', 0).map((pointer) => `$response.body#${pointer}`);
  }

  /**
   * The value of a member of this name in any call, for members of bodies and for parameters.
   * @param noun the resource that has the member: the `type` of `tags` is a key of `tag-types`
   */
  valueOf(name: string, noun?: string): unknown {
    const found = this.#memberNamed(name, noun);
    return found && valueFrom(found.expression, found.call);
  }

  /** The call that made what a member of this name names; undefined if none did. */
  makerOf(name: string, noun?: string): Source | undefined {
    const found = this.#memberNamed(name, noun);
    if (found === undefined || found.call.operation.method !== 'POST') {
      return undefined;
    }
    const { operationId } = found.call.operation;
    // A title that two resources have names nothing.
    if (!found.isOfOwner && !IS_NAME.test(spelt(name))) {
      return undefined;
    }
    return { operationId, values: { [name]: found.expression } };
  }

  /**
   * The item that the run has made and that a member of this name names, such as the site of a
   * `siteId`; undefined if there is none.
   */
  referenceOf(name: string, noun?: string): Reference | undefined {
    const found = this.#memberNamed(name, noun);
    const maker = found?.isOfOwner ? this.makerOf(name, noun) : undefined;
    if (found === undefined || maker === undefined) {
      return undefined;
    }
    return { value: valueFrom(found.expression, found.call), maker };
  }

  #memberNamed(name: string, noun: string | undefined): Found | undefined {
    const isKey = KEYS.includes(spelt(name));
    const special =
      isKey || noun === undefined ? undefined : this.#keyOf(singular(noun) + spelt(name));
    if (special !== undefined) {
      return special;
    }
    const owner = resourceNamed(name);
    // What the run made comes before what a list shows, which others may need.
    const made = this.calls.filter(({ operation }) => operation.method === 'POST');
    for (const call of new Set([...made, ...this.calls])) {
      const last = nounOf(call.operation);
      const isOfOwner = owner !== undefined && last !== undefined && singular(last) === owner;
      const members = this.#membersOf(call);
      const same = isKey ? undefined : members.find((one) => spelt(one.name) === spelt(name));
      const found = same ?? (isOfOwner ? keyAmong(members, name) : undefined);
      if (found !== undefined && valueFrom(found.expression, call) !== undefined) {
        return { expression: found.expression, call, isOfOwner };
      }
    }
    return undefined;
  }

  /** The key of the first item of the collection that the name is about. */
  #keyOf(name: string): Found | undefined {
    const owner = resourceNamed(name);
    for (const call of this.#readsOf(owner)) {
      const found = keyAmong(this.#membersOf(call), name);
      if (found !== undefined) {
        return { expression: found.expression, call, isOfOwner: true };
      }
    }
    return undefined;
  }

  /** Items of the collections that the member may be about, for members that are objects. */
  itemsFor(name: string, noun?: string): Record<string, unknown>[] {
    const owners = [resourceNamed(name)];
    if (noun !== undefined) {
      owners.unshift(resourceNamed(singular(noun) + spelt(name)));
    }
    const calls = owners.flatMap((owner) => this.#readsOf(owner));
    const items = calls.map(({ response }) => firstItem(response.json));
    return items.filter((item) => item !== undefined);
  }

  #readsOf(owner: string | undefined): SeenCall[] {
    return this.calls.filter(({ operation }) => {
      const noun = nounOf(operation);
      return operation.method === 'GET' && noun !== undefined && singular(noun) === owner;
    });
  }

  #membersOf(call: SeenCall): readonly Member[] {
    return entry(this.#members, call, () => membersIn(call));
  }
}

/**
 * The member that is the key of an item: of the outermost ones, that with which the name ends, such
 * as the `id` of `siteId`, or the likeliest one.
 */
function keyAmong(members: readonly Member[], name: string): Member | undefined {
  const rank = (member: Member): number => {
    const key = KEYS.indexOf(spelt(member.name));
    const isNamed = spelt(name).endsWith(spelt(member.name));
    return member.depth * KEYS.length + (isNamed ? -1 : key);
  };
  const keys = members.filter((member) => KEYS.includes(spelt(member.name)));
  return keys.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** The first item of a list, or of the list in an envelope. */
function firstItem(json: unknown): Record<string, unknown> | undefined {
  const lists = isObject(json) ? Object.values(json) : [json];
  const items: unknown[] = lists.filter((list) => Array.isArray(list)).flat();
  return items.find(isObject);
}

/** The value of an expression as a body has it. */
export function valueFrom(expression: string | undefined, exchange: Exchange): unknown {
  const text = evaluate(expression, exchange);
  const number = Number(text);
  // Ids that are numbers are numbers in bodies, too, as long as none of their digits is lost.
  if (text !== undefined && String(number) === text) {
    return number;
  }
  return text;
}

/** A member that may be a key although its name does not fit: `id` of an item, or any other key. */
function looseRank(name: string, noun: string): number | undefined {
  const word = spelt(name);
  const key = KEYS.findIndex((one) => word === one || word === singular(noun) + one);
  if (key >= 0) {
    return 10 + key;
  }
  if (/(id|name)$/.test(word)) {
    return 30;
  }
  return undefined;
}

/** A whole response that is an id, and no word such as `created`. */
const IS_ID = /^(?=.*\d)[\w-]+$/;

/** The scalars of the response, then those of the request, and the `Location`. */
function membersIn({ operation, input, response }: SeenCall): Member[] {
  const members: Member[] = [];
  const location = response.headers['location'];
  if (location !== undefined) {
    members.push({ name: 'id', expression: '$response.header.location', depth: 0 });
  }
  collect(response.json, '$response.body#', members);
  if (isText(response.json)) {
    const depth = IS_ID.test(String(response.json)) ? 0 : 1;
    members.push({ name: 'id', expression: '$response.body#', depth });
  }
  if (operation.method !== 'GET') {
    collect(input.json, '$request.body#', members);
  }
  return members;
}

/** A longer list has values, and no names. */
const MOST_NAMES = 12;

/** Pointers of the texts in lists of texts. */
function textsBelow(json: unknown, pointer: string, depth: number): string[] {
  if (Array.isArray(json)) {
    const areNames = json.length <= MOST_NAMES && json.every((one) => typeof one === 'string');
    if (areNames) {
      return [...json.keys()].map((index) => joinPointer(pointer, index));
    }
    return [];
  }
  if (!isObject(json) || depth > MOST_DEPTH) {
    return [];
  }
  return Object.entries(json).flatMap(([name, member]) => {
    return textsBelow(member, joinPointer(pointer, name), depth + 1);
  });
}

const isText = (value: unknown): boolean => isScalar(value) && typeof value !== 'boolean';

/** Breadth first, so that the members of the whole come before those of its parts. */
function collect(json: unknown, root: string, members: Member[]): void {
  const open: { value: unknown; pointer: string; name: string; depth: number }[] = [
    { value: json, pointer: '', name: '', depth: 0 },
  ];
  // The list grows while it is read.
  for (const { value, pointer, name, depth } of open) {
    if (members.length >= MOST_MEMBERS) {
      return;
    }
    if (isText(value) && name !== '') {
      members.push({ name, expression: root + pointer, depth: Math.max(0, depth - 1) });
    } else if (Array.isArray(value) && value.length > 0 && depth < MOST_DEPTH) {
      // The first item stands for all; a list of texts is a list of names.
      const item: unknown = value[0];
      const called = isText(item) ? name || 'name' : name;
      open.push({ value: item, pointer: `${pointer}/0`, name: called, depth });
    } else if (isObject(value) && depth < MOST_DEPTH) {
      for (const [member, held] of Object.entries(value)) {
        const at = joinPointer(pointer, member);
        open.push({ value: held, pointer: at, name: member, depth: depth + 1 });
      }
    }
  }
}

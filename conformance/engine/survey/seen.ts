/** Names and values that the calls of a survey sent and got, and that other calls may ask for. */
import { spelt } from '../contract/item-keys.ts';
import { isScalar } from '../contract/json-numbers.ts';
import { entry } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { isObject, joinPointer } from '../contract/pointers.ts';
import { evaluate, type Exchange } from '../http/runtime-expressions.ts';
import { KEYS, nounBefore, rankOf, singular } from './names.ts';

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
    const findings: { expression: string; rank: number }[] = [];
    for (const { name, expression, depth } of this.#membersOf(call)) {
      const strict = rankOf(parameter, name, isOfNoun ? noun : '');
      const rank = strict ?? (isLoose ? looseRank(name, noun) : undefined);
      if (rank !== undefined) {
        findings.push({ expression, rank: rank + depth * COST_OF_DEPTH });
      }
    }
    const ranked = findings.toSorted((one, other) => one.rank - other.rank);
    return ranked.map(({ expression }) => expression);
  }

  /** The value of a member of this name in any call, for members of bodies and for parameters. */
  valueOf(name: string): unknown {
    const owner = resourceNamed(name);
    for (const call of this.calls) {
      const last = nounOf(call.operation);
      const isOfOwner = owner !== undefined && last !== undefined && singular(last) === owner;
      const found = this.#membersOf(call).find((member) => {
        const isSame = spelt(member.name) === spelt(name) && !KEYS.includes(spelt(name));
        return isSame || (isOfOwner && KEYS.includes(spelt(member.name)));
      });
      const value = found && rawValue(found.expression, call);
      if (value !== undefined) {
        return value;
      }
    }
    return undefined;
  }

  #membersOf(call: SeenCall): readonly Member[] {
    return entry(this.#members, call, () => membersIn(call));
  }
}

/** The subject of an operation: the last literal segment of its path. */
const nounOf = ({ path }: Operation): string | undefined =>
  path.split('/').findLast((one) => one !== '' && !one.includes('{'));

/** `project_id`, `projectId` and `project` name a project. */
function resourceNamed(name: string): string | undefined {
  const word = spelt(name);
  const ending = ['uuid', 'name', 'key', 'id'].find((one) => word.endsWith(one));
  const owner = ending === undefined ? word : word.slice(0, -ending.length);
  return owner === '' ? undefined : singular(owner);
}

function rawValue(expression: string, call: SeenCall): unknown {
  const text = evaluate(expression, call);
  const number = Number(text);
  // Ids that are numbers are numbers in bodies, too, as long as none of their digits is lost.
  return text !== undefined && String(number) === text ? number : text;
}

/** A member that may be a key although its name does not fit: `id` of an item, or any other key. */
function looseRank(name: string, noun: string): number | undefined {
  const word = spelt(name);
  const key = KEYS.findIndex((one) => word === one || word === singular(noun) + one);
  if (key >= 0) {
    return 10 + key;
  }
  return /(id|name)$/.test(word) ? 30 : undefined;
}

/** The scalars of the response, then those of the request, and the `Location`. */
function membersIn({ operation, input, response }: SeenCall): Member[] {
  const members: Member[] = [];
  const location = response.headers['location'];
  if (location !== undefined) {
    members.push({ name: 'id', expression: '$response.header.location', depth: 0 });
  }
  collect(response.json, '$response.body#', members);
  if (isText(response.json)) {
    members.push({ name: 'id', expression: '$response.body#', depth: 1 });
  }
  if (operation.method !== 'GET') {
    collect(input.json, '$request.body#', members);
  }
  return members;
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

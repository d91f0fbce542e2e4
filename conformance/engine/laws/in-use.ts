/**
 * The law of removals that a documented 409 refuses because other items use the item, such as the
 * bookings of a room: they may be inside of it, or name it in their bodies.
 */
import { memberOf } from '../contract/by-name.ts';
import { itemPathOf, withoutSlash } from '../contract/item-paths.ts';
import { branchesOf } from '../contract/kinds.ts';
import type { Contract } from '../contract/load.ts';
import {
  type Operation,
  operationOn,
  operationsOf,
  pathParameters,
} from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { asRequest } from '../contract/variants.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput } from '../http/call.ts';
import { expectRefusal } from '../http/expect-response.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from '../requirements/calls.ts';
import { once, type Requirement, requirementOf, statedIn } from '../requirements/requirement.ts';
import { membersSent, nounBefore, nounOf, resourceNamed, singular } from '../contract/nouns.ts';

/** A removal, and what makes the items that stand in its way. */
interface Use {
  removal: Operation;
  read: Operation;
  maker: Operation;
  /** The member of a body of the maker that names the item; undefined: its path does. */
  member: string | undefined;
  /** Whether that member is a text. */
  isText: boolean;
  /** The state in which they stand in its way, such as `confirmed`; undefined: any. */
  state: string | undefined;
}

export function inUseLaws(contract: Contract): Requirement[] {
  const requirements: Requirement[] = [];
  for (const removal of operationsOf(contract)) {
    const use = useOf(contract, removal);
    if (use !== undefined) {
      requirements.push(inUseLaw(use));
    }
  }
  return statedIn('engine/laws/in-use.ts', requirements);
}

function inUseLaw(use: Use): Requirement {
  const { removal, maker } = use;
  const requirement = requirementOf(removal, 'in-use', {
    stated: removal,
    sentence: `${removal.operationId} does not remove what is in use, as its documented 409 says.`,
    properties: () => [once('something in use', (session) => tryInUse(session, use))],
  });
  return { ...requirement, others: [maker.operationId] };
}

/** Undefined if the contract does not say that items of another operation prevent the removal. */
function useOf(contract: Contract, removal: Operation): Use | undefined {
  const { method, path, responses, unsupported } = removal;
  const conflict = responses['409'];
  const read = operationOn(contract, 'GET', path);
  const isOfItem = withoutSlash(path) === itemPathOf(removal);
  const isUsable = method === 'DELETE' && isOfItem && unsupported === undefined;
  if (!isUsable || conflict === undefined || read === undefined || '202' in responses) {
    return undefined;
  }
  const words = wordsAt(contract, conflict.pointer);
  for (const maker of operationsOf(contract)) {
    const isMaker = maker.method === 'POST' && maker.unsupported === undefined;
    const found = isMaker ? usersNamedIn(words, maker) : undefined;
    const way = found === undefined ? undefined : wayToName(contract, removal, maker);
    if (found !== undefined && way !== undefined) {
      return { removal, read, maker, ...way, ...found };
    }
  }
  return undefined;
}

const SOME = '(?:(?:any|some|other|existing|still)\\s+)*';

/**
 * Whether the words say that there are some: at the end of a clause, as in `The room has confirmed
 * bookings.`, or as in `There are devices at the site.` More words than one may be a condition that
 * a new one does not satisfy.
 */
function usersNamedIn(words: string, maker: Operation): Pick<Use, 'state'> | undefined {
  const noun = nounOf(maker)?.replace(/s$/, '') ?? '';
  if (!/^[A-Za-z]+$/.test(noun)) {
    return undefined;
  }
  const users = `${SOME}(?:([a-z]+)\\s+)?${noun}s?`;
  const has = '(?:has|have|contains?|holds?|used by|referenced by)';
  const itHas = `\\b${has}\\s+${users}\\s*(?:[.,;:)]|$)`;
  const thereAre = `\\bthere (?:are|is)\\s+${users}\\s+(?:at|in|on|of|for|under|inside)\\b`;
  const found = new RegExp(itHas, 'im').exec(words) ?? new RegExp(thereAre, 'i').exec(words);
  if (found === null) {
    return undefined;
  }
  const [, state] = found;
  return { state };
}

/** How what an operation makes names the item of a removal; undefined if it does not. */
function wayToName(
  contract: Contract,
  removal: Operation,
  maker: Operation,
): Pick<Use, 'member' | 'isText'> | undefined {
  const item = itemPathOf(removal);
  if (maker.path.startsWith(`${item}/`)) {
    return { member: undefined, isText: true };
  }
  const key = pathParameters(removal).at(-1);
  const noun = nounBefore(removal.path, key?.name ?? '');
  if (noun === undefined) {
    return undefined;
  }
  const names = membersSent(contract, maker);
  const member = names.find((name) => resourceNamed(name) === singular(noun));
  if (member === undefined) {
    return undefined;
  }
  return { member, isText: isText(contract, maker, member) };
}

function isText(contract: Contract, { requestBody }: Operation, member: string): boolean {
  const shapes = requestBody ? branchesOf(asRequest(contract), requestBody.pointer) : [];
  return shapes.some(({ properties }) => properties.get(member)?.types.has('string'));
}

async function tryInUse(session: Session, use: Use): Promise<void> {
  const { implementation } = session;
  const { removal, read } = use;
  const input = await validCall(session, removal.operationId);
  await expectUser(session, use, input);
  const why = 'It is in use.';
  const response = await session.call(removal.operationId, input);
  expectRefusal(implementation, removal, response, { statuses: [409], why, input });
  const reading = withRequired(implementation, read, { path: input.path ?? {} });
  const { status } = await session.call(read.operationId, reading);
  const what = 'A refused removal removed the item.';
  expectThat(status < 300, what, { expected: 'a success', got: status });
}

/** Makes an item that uses the one of the path. @throws NotPossible */
async function expectUser(session: Session, use: Use, { path = {} }: CallInput): Promise<void> {
  const { maker, member, state } = use;
  const call = await validCall(session, maker.operationId);
  const input = member === undefined ? { ...call, path } : namingIn(call, use, path);
  const response = await session.call(maker.operationId, input);
  if (response.status >= 300) {
    throw new NotPossible(`${maker.operationId} was not accepted (${response.status})`);
  }
  const isNamed = member === undefined || textAt(response, member) === lastOf(use.removal, path);
  const isInState = state === undefined || hasText(response, state);
  if (!isNamed || !isInState) {
    throw new NotPossible(`${maker.operationId} makes nothing that shows its use of the item`);
  }
}

type Path = NonNullable<CallInput['path']>;

function namingIn(call: CallInput, use: Use, path: Path): CallInput {
  const { removal, maker, member = '' } = use;
  const { json } = call;
  const name = lastOf(removal, path);
  if (!isObject(json) || name === undefined) {
    throw new NotPossible(`the body of ${maker.operationId} has no name of the item`);
  }
  const value = use.isText ? name : Number(name);
  return { ...call, json: { ...json, [member]: value } };
}

/** The name of the item in the path of its removal. */
function lastOf(removal: Operation, path: Path): string | undefined {
  const key = pathParameters(removal).at(-1);
  return memberOf(path, key?.name ?? '');
}

function textAt({ json }: HttpResponse, member: string): string | undefined {
  const value = isObject(json) ? memberOf(json, member) : undefined;
  return value === undefined ? undefined : String(value);
}

function hasText({ json }: HttpResponse, text: string): boolean {
  const values = isObject(json) ? Object.values(json) : [];
  return values.some((one) => typeof one === 'string' && one.toLowerCase() === text.toLowerCase());
}

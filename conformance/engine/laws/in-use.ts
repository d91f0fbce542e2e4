/**
 * The law of removals that a documented 409 refuses because other items use the item, such as the
 * bookings of a room: they may be inside of it, or name it in their bodies.
 */
import { itemPathOf, withoutSlash } from '../contract/item-paths.ts';
import type { Contract } from '../contract/load.ts';
import { nounOf } from '../contract/nouns.ts';
import { type Operation, operationOn, operationsOf } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput } from '../http/call.ts';
import { expectRefusal } from '../http/expect-response.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from '../requirements/calls.ts';
import { once, type Requirement, requirementOf, statedIn } from '../requirements/requirement.ts';
import { type Belonging, belongingTo, makeFor } from './belonging.ts';

/** A removal, and what makes the items that stand in its way. */
interface Use extends Belonging {
  removal: Operation;
  read: Operation;
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
    const belonging = found && belongingTo(contract, removal, maker);
    if (found !== undefined && belonging !== undefined) {
      return { ...belonging, removal, read, ...found };
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
async function expectUser(session: Session, use: Use, input: CallInput): Promise<void> {
  const { maker, state } = use;
  const response = await makeFor(session, use, input);
  if (state !== undefined && !hasText(response, state)) {
    throw new NotPossible(`${maker.operationId} makes nothing that is ${state}`);
  }
}

function hasText({ json }: HttpResponse, text: string): boolean {
  const values = isObject(json) ? Object.values(json) : [];
  return values.some((one) => typeof one === 'string' && one.toLowerCase() === text.toLowerCase());
}

/** Laws of the spelling of ids, and of the `Location` that ends with one. */
import { memberOf } from '../contract/by-name.ts';
import { scalarText } from '../contract/json-numbers.ts';
import type { Response } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { requestTargetOf } from '../http/call.ts';
import type { Implementation } from '../http/implementation.ts';
import { endOf } from '../http/response-keys.ts';
import { type Law, once } from './law.ts';
import { expectNotFound } from './places.ts';
import { areRandom } from './random-ids.ts';
import { changeBodyFor, type Item, type Json, type Place } from './resource.ts';
import type { Steps } from './steps.ts';

type Alteration = 'a letter behind' | 'a letter in it' | 'a digit behind' | 'a digit in it';

const ALTERATIONS: readonly Alteration[] = [
  'a letter behind',
  'a letter in it',
  'a digit behind',
  'a digit in it',
];

/** The spelling of an id, and where the response to a creation shows it. */
export const idLaws = {
  otherCase: {
    needs: ['create', 'read'],
    applies({ contract, read, id }) {
      const stated = read.parameters.find(({ name }) => name === id.parameter);
      return stated !== undefined && shapeOf(contract, stated.schema).types.has('string');
    },
    sentence: ({ one }) => `The id of ${one} is another one in another case.`,
    properties: once('other letters', tryOtherCase),
  },
  alteredId: {
    needs: ['create', 'read'],
    applies: ({ read }) => '404' in read.responses || '410' in read.responses,
    sentence: ({ one }) => `An id with a character more does not name ${one}.`,
    properties: once('a character more', tryAltered),
  },
  endOfLocation: {
    needs: ['create', 'read'],
    applies: ({ create, id }) =>
      id.of === undefined && Object.values(create.responses).some(hasLocation),
    sentence: ({ one }) => `The \`Location\` of ${one} that is created ends with its id.`,
    properties: once('new ones', tryLocations),
  },
} satisfies Record<string, Law>;

const hasLocation = ({ headers }: Response) =>
  Object.keys(headers).some((name) => /^location$/i.test(name));

/** An id with other letters names nothing, but for a UUID, whose letters may be of either case. */
async function tryOtherCase(steps: Steps): Promise<void> {
  const { items } = await steps.createSome({ items: 2 });
  const [item, other] = items as [Item, Item];
  const id = steps.idOf(item);
  const near = [id.toUpperCase(), id.toLowerCase()].filter((one) => one !== id);
  if (!areRandom(id, steps.idOf(other)) || /^[-0-9a-f]*$/i.test(id) || near.length === 0) {
    throw new NotPossible(
      `ids such as ${id} may mean the same in another case, or have no letters`,
    );
  }
  const { parameter } = steps.resource.id;
  for (const one of near) {
    await expectNotFound(
      steps,
      { ...item.path, [parameter]: one },
      'An id in another case names it, too.',
    );
  }
}

/**
 * The id with a character of a kind that it has: readers of numbers may stop at a letter, and
 * others may leave out what their names never have. Nothing is changed that may only be another
 * spelling, such as a case, white space, a zero before a number, or what `.`, `-` or `;` separate.
 */
function altered(id: string, alteration: Alteration): string | undefined {
  const isLetter = alteration.startsWith('a letter');
  if (!(isLetter ? /[a-z]/i : /\d/).test(id)) {
    return undefined;
  }
  const at = alteration.endsWith('behind') ? id.length : Math.ceil(id.length / 2);
  return `${id.slice(0, at)}${isLetter ? 'x' : '7'}${id.slice(at)}`;
}

/** What an altered id names, if anything, is not the item; writes at it leave the item as it is. */
async function tryAltered(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const { items } = await steps.createSome({ items: 2 });
  const [item, other] = items as [Item, Item];
  const id = steps.idOf(item);
  for (const alteration of ALTERATIONS) {
    const near = altered(id, alteration);
    if (near === undefined) {
      continue;
    }
    const path = { ...item.path, [resource.id.parameter]: near };
    const { status, json } = await session.call(resource.calls.read, { path });
    const shown = scalarText(memberOf(Object(steps.within(json)) as Json, resource.id.member));
    const isItem = status < 300 && shown === id;
    const got = `${status} with the id ${shown}`;
    const details = { expected: 'a refusal, or another item', got };
    expectThat(!isItem, 'An id with a character more names the item, too.', details);
    // Another id that is counted may name what others have.
    if (areRandom(id, steps.idOf(other))) {
      await tryWritesAt(path, item, steps);
    }
  }
}

async function tryWritesAt(path: Item['path'], item: Item, steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const { update, delete: remove } = resource.calls;
  const before = await steps.read(item);
  const what = 'A write at an id with a character more changed the item';
  const mayMake = update !== '' && '201' in session.operation(update).responses;
  if (update !== '' && !mayMake && resource.values.members.length > 0) {
    const json = changeBodyFor(resource, item, steps.otherOf(item.place));
    await session.call(update, { path, json });
    await steps.expectRead({ ...item, shown: before }, what);
  }
  if (remove !== '') {
    await session.call(remove, { path });
    await steps.expectRead({ ...item, shown: before }, what);
  }
}

const SEGMENT_BEFORE_LAST = /([^/?#]+)\/[^/?#]+\/?$/;

const SEGMENT_BEFORE_PARAMETER = /([^/{}]+)\/\{[^{}]+\}\/?$/;

/** Several: a service may err once in a while. */
const LOCATIONS = 8;

async function tryLocations(steps: Steps): Promise<void> {
  const place = await steps.place({ items: LOCATIONS, atLeast: 1 });
  for (const body of place.bodies) {
    await tryLocation(steps, place, body);
  }
}

/** Whether the address is the one that the contract has for an item. */
async function tryLocation(steps: Steps, place: Place, json: Json): Promise<void> {
  const response = await steps.succeed('create', { path: place.path, json });
  const kind = SEGMENT_BEFORE_PARAMETER.exec(
    steps.session.operation(steps.resource.calls.read).path,
  )?.[1];
  const [, shown] = SEGMENT_BEFORE_LAST.exec(response.headers['location'] ?? '') ?? [];
  if (kind === undefined || shown !== kind) {
    throw new NotPossible('`Location` has another form than the paths of the contract');
  }
  const item = steps.itemIn(place, response);
  const expected = steps.idOf(item);
  const got = endOf(response);
  expectThat(got === expected, '`Location` leads to something else.', { expected, got });
  await expectThere(steps, item, response.headers['location'] ?? '');
}

/** Something is at the address, also if it is not the path that the contract has for the item. */
async function expectThere(steps: Steps, item: Item, location: string): Promise<void> {
  const { session, implementation, resource } = steps;
  const target = ownTargetOf(implementation, location);
  const known = requestTargetOf(session.operation(resource.calls.read), { path: item.path });
  if (target === undefined || target === known) {
    return;
  }
  await steps.read(item);
  const { status } = await session.send({ method: 'GET', target });
  const isThere = status !== 404 && status !== 410;
  const details = { expected: 'what was created', got: `${status} at ${target}` };
  expectThat(isThere, '`Location` leads to nothing.', details);
}

/**
 * The target of an absolute path, or of a URL on the host of the service; undefined for another
 * host, and behind a base URL with a path, which the address may have or not.
 */
function ownTargetOf({ client }: Implementation, location: string): string | undefined {
  const { base } = client;
  const isPath = location.startsWith('/') && !location.startsWith('//');
  if (base.pathname !== '/' || (!isPath && !URL.canParse(location))) {
    return undefined;
  }
  const { host, pathname, search } = new URL(location, base);
  return host === base.host ? pathname + search : undefined;
}

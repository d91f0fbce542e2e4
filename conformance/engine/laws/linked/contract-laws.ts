/** Laws of what a contract says beside the calls of a resource: unusual values, null, conflicts, pages and filters. */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../contract/load.ts';
import type { Operation, Parameter, Response } from '../../contract/operations.ts';
import { objectAt } from '../../contract/pointers.ts';
import { schemasOf } from '../../contract/schemas.ts';
import { defaultOf, type Shape, shapeOf, strictest, texts } from '../../contract/shape.ts';
import { letters } from '../../generate/fresh.ts';
import { expectRefusal, expectSuccess } from '../../http/expect-response.ts';
import { queryOf, withParameter } from '../../http/call.ts';
import { endOf } from '../../http/implementation.ts';
import { expectSame, expectThat, NotPossible } from '../../http/nonconformity.ts';
import { type Call, type Item, type Json, type Place, type Resource, upper, type WholeList } from '../resource.ts';
import { forEach, type Law, once, type Steps } from '../steps.ts';
import { areRandom } from '../unknown.ts';
import { type Bodies, isFree } from './values.ts';

/** The parts of a contract that describe a resource. */
export interface Facts {
  contract: Contract;
  create: Operation;
  update: Operation | undefined;
  removal: Operation | undefined;
  read: Operation;
  list: Operation | undefined;
  /** The form of the list, or why it says nothing. */
  whole: WholeList | string;
  id: Resource['id'];
  /** The statuses of a read once the item is removed, as far as the contract says. */
  gone: readonly number[];
  /** Which calls respond with less than the item. */
  silent: readonly Call[];
  /** A body, and each form in which it may be shown. */
  sentAs: readonly string[];
  sent: Shape;
  shown: readonly Shape[];
  /** Those that are sent and shown alike. */
  members: readonly string[];
  bodies: () => Bodies;
  isValid(body: Json): boolean;
}

/** Sends a value that the service may refuse for its own reasons; if it takes it, it shows it. */
async function tryValue([name, value]: readonly [string, unknown], steps: Steps): Promise<void> {
  const { session, resource, implementation } = steps;
  const place = await steps.place();
  const json = { ...place.bodies[0], [name]: value };
  const response = await session.call(resource.calls.create, { path: place.path, json });
  if (response.status >= 400 && response.status < 500) return;
  expectSuccess(implementation, session.operation(resource.calls.create), response);
  const item = steps.itemIn(place, response);
  const due = { [name]: value };
  if (!resource.silent?.includes('create')) expectSame('The response is not what was sent', item.shown, due);
  expectSame('It reads otherwise than it was sent', await steps.read(item), due);
}

/** Values that a service tends to change, by member. */
function unusual({ sent, members, bodies, isValid }: Facts): (readonly [string, unknown])[] {
  const full = bodies().full();
  return members.flatMap((name) => {
    const shape = sent.properties.get(name)!;
    const fits = (value: unknown) => isValid({ ...full, [name]: value });
    return unusualOf(shape)
      .filter(fits)
      .map((value) => [name, value] as const);
  });
}

function unusualOf(shape: Shape): unknown[] {
  if (shape.choices !== undefined || shape.alternatives.length > 0) return [];
  if (isFree(shape) && shape.types.has('string')) {
    const most = strictest(shape, 'maxLength') ?? LONG;
    const isTrimmed = texts(shape, 'description').some((text) => /trim|strip|space/i.test(text));
    const spaced = isTrimmed ? [] : [` ${letters(2)} ${letters(2)} `];
    return [...spaced, `aB${letters(3)}Éß漢😀`, ...(most > LONG ? [] : ['😀'.repeat(most)]), '007', ''];
  }
  const isNumber = shape.types.has('number');
  if (isNumber || shape.types.has('integer')) {
    const bounds = [strictest(shape, 'minimum'), strictest(shape, 'maximum')].filter((one) => one !== undefined);
    const isShort = texts(shape, 'format').includes('float');
    const whole = [2 ** 31 + 11, -(2 ** 31) - 11, 2 ** 53 - 1, 2 ** 64, ...bounds.filter(Number.isSafeInteger)];
    return [...(isShort ? [] : whole), ...(isNumber ? [0.25, ...(isShort ? [] : [19.99, 1_234_567.89])] : [])];
  }
  if (shape.types.has('array') && shape.items && isFree(shape.items)) return [['b', 'a', 'c']];
  return [];
}

/** A text of so many characters is still worth sending. */
const LONG = 300;

/** Members that null takes away: both sides allow it. */
function removable({ contract, update, shown, sent, members, bodies }: Facts): string[] {
  const schema = update?.method === 'PATCH' ? update.requestBody?.pointer : undefined;
  if (schema === undefined) return [];
  const mayLack = ({ properties, required }: Shape, name: string) =>
    properties.get(name)!.types.has('null') || !required.has(name);
  return members.filter(
    (name) =>
      Object.hasOwn(bodies().full(), name) &&
      (defaultOf(sent.properties.get(name)!) ?? null) === null &&
      schemasOf(contract).isValid(schema, { [name]: null }) &&
      shown.every((one) => mayLack(one, name)),
  );
}

/** Whether the words of the contract leave no doubt that two equal items are a conflict. */
function isConflictSure({ contract, create }: Facts): boolean {
  const { description: why } = objectAt(contract.document, create.responses['409']!.pointer);
  const { summary, description } = objectAt(contract.document, create.pointer);
  return /already (exists?|registered|taken|used|in use)|duplicate|unique|is taken|is in use/i.test(
    [why, summary, description].join('\n'),
  );
}

async function tryConflict(facts: Facts, steps: Steps): Promise<void> {
  const { session, resource, implementation } = steps;
  const place = await steps.place();
  const input = { path: place.path, json: place.bodies[0]! };
  const item = await steps.create(place, input.json);
  const response = await session.call(resource.calls.create, input);
  const why = 'The same exists already.';
  if (response.status < 300 && !isConflictSure(facts))
    throw new NotPossible('two equal creations are no conflict here, and no words of the contract say what is one');
  const statuses = ['409', '400', '422'].filter((status) => status in facts.create.responses).map(Number);
  expectRefusal(implementation, facts.create, response, statuses, why);
  await steps.expectRead(item, 'A refused creation changed something');
}

/** A query parameter of a list that has the name and the values of a member, or takes some of its values. */
function filteredBy({ contract, sent, members }: Facts, { name, in: place, schema }: Parameter): string | undefined {
  const isList = shapeOf(contract, schema).types.has('array');
  const member = members.find((one) => one === name || (isList && `${one}s` === name));
  if (place !== 'query' || member === undefined || NO_FILTER.test(name)) return undefined;
  const { types } = sent.properties.get(member)!;
  return types.has('array') || types.has('object') ? undefined : member;
}

/** Parameters that order or shape a list, and switches that show more than without them. */
const NO_FILTER =
  /^(q|query|search|sort|order|fields?|include|expand|format|version|lang|locale|all|archived|deleted|hidden|expired)/i;

/** The list with a filter has what fits it, and nothing else. */
async function tryFilter(parameter: Parameter, facts: Facts, steps: Steps): Promise<void> {
  const { contract } = facts;
  const member = filteredBy(facts, parameter)!;
  const isList = shapeOf(contract, parameter.schema).types.has('array');
  const place = await steps.place({ items: 2 });
  const body = place.bodies[0]!;
  const other = steps.otherOf(place, [member]);
  // Each kind has one value of the member that names it.
  const bodies = other[member] === undefined ? [body] : [body, { ...steps.full(), ...other }];
  const items = await steps.createAll(place, bodies);
  for (const item of items) {
    const value = item.shown[member];
    const sent = isList ? [value] : value;
    // A switch that is off may be no filter.
    if (value === undefined || value === false || !schemasOf(contract).isValid(parameter.schema, sent)) continue;
    const call = withParameter({}, parameter, sent);
    if (!call) continue;
    const same = items.filter(({ shown }) => isDeepStrictEqual(shown[member], value));
    const query = Object.fromEntries(queryOf(call));
    let listing = await steps.list(place, same, { query });
    const wrong = () => listing.items.find((shown) => !isDeepStrictEqual(shown[member], value));
    // Others may change theirs between the choice of the service and its response, but not each time.
    for (let round = 0; round < 3 && wrong(); round++) listing = await steps.list(place, same, { query });
    expectSame(
      `The list has others than those with this \`${member}\``,
      wrong() ?? {},
      wrong() ? { [member]: value } : {},
    );
    steps.expectListed(listing, same);
  }
}

/** What is in one place is not in another one: it is neither read nor listed there. */
async function tryElsewhere(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const [here, there] = (await resource.places(session, { items: 1, places: 2 })) as [Place, Place];
  const [item, other] = [await steps.create(here, here.bodies[0]!), await steps.create(there, there.bodies[0]!)];
  if (steps.idOf(item) === steps.idOf(other)) throw new NotPossible('ids are those of each place alone');
  const path = { ...item.path, ...there.path };
  const { status } = await session.call(resource.calls.read, { path });
  expectThat(status >= 400, 'It is found in another place, too.', { expected: 'a refusal', got: status });
  if (resource.calls.list === undefined) return;
  steps.expectNotListed(await steps.list(there, [other]), [item], 'The list has one of another place.');
}

/** Small pages, between two looks at what they have together: what is compared was there all the time. */
async function tryPages(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 3 });
  const items = await steps.createAll(place);
  for (let round = 0; round < QUIET_TRIES; round++) {
    const whole = () => steps.page(place, 0, 6);
    const before = await whole();
    const parts = [];
    for (const number of [0, 1, 2]) parts.push(await steps.page(place, number, 2));
    const { ids } = await whole();
    if (before.ids.join(' ') !== ids.join(' ')) continue;
    const paged = parts.flatMap((part) => part.ids);
    expectSame('Pages of two items show something else than one of six', paged, ids);
    return;
  }
  throw new NotPossible(`others change the list all the time: pages with ${items.length} new items cannot be compared`);
}

const QUIET_TRIES = 25;

/** An id with other letters names nothing, but for a UUID, which has no case. */
async function tryOtherCase(steps: Steps): Promise<void> {
  const { items } = await steps.createSome({ items: 2 });
  const [item, other] = items as [Item, Item];
  const id = steps.idOf(item);
  const near = [id.toUpperCase(), id.toLowerCase()].filter((one) => one !== id);
  if (!areRandom(id, steps.idOf(other)) || /^[-0-9a-f]*$/i.test(id) || near.length === 0)
    throw new NotPossible(`ids such as ${id} have no case`);
  const { calls, id: named } = steps.resource;
  for (const one of near) {
    const { status } = await steps.session.call(calls.read, { path: { ...item.path, [named.parameter]: one } });
    expectThat(status >= 400, 'An id in another case names it, too.', { expected: 'a refusal', got: status });
  }
}

/** A law, the end of its id, the call that states it, and what it needs beyond items. */
type Told = readonly [law: Law, id: string, call: Call, needs: readonly ('update' | 'list')[]];

const READ: Pick<Law, 'needs'> = { needs: ['create', 'read'] };
const LIST: Pick<Law, 'needs'> = { needs: ['create', 'list'] };

/** Those of the laws that the contract tells of. */
export function contractLaws(facts: Facts): Told[] {
  const { contract, create, read, update, list, id, whole } = facts;
  const values: Law = {
    ...READ,
    sentence: ({ one }) => `${upper(one)} shows what it took: outer spaces, letters of any kind, large numbers.`,
    properties: () => forEach('an unusual value', unusual(facts), tryValue),
  };
  const cased: Law = {
    ...READ,
    sentence: ({ one }) => `The id of ${one} is another one in another case.`,
    properties: once('other letters', tryOtherCase),
  };
  const elsewhere: Law = {
    ...READ,
    sentence: ({ one }) => `${upper(one)} is in one place: not found in another one, nor listed there.`,
    properties: once('two places', tryElsewhere),
  };
  const location: Law = {
    ...READ,
    sentence: ({ one }) => `The \`Location\` of ${one} that is created ends with its id.`,
    properties: once('a new one', tryLocation),
  };
  const conflict: Law = {
    ...READ,
    sentence: ({ one }) => `Creating ${one} that is there already gets the documented 409, and changes nothing.`,
    properties: once('the same twice', (steps: Steps) => tryConflict(facts, steps)),
  };
  const nulls: Law = {
    sentence: ({ one }) => `Null in a change of ${one} takes a value away where that is allowed, and nothing else.`,
    properties: () => forEach('each of a full one', removable(facts), tryNull),
  };
  const filtered: Law = {
    ...LIST,
    sentence: ({ many }) => `The list of ${many} by the value of a member has those with this value alone.`,
    properties: () => forEach('by a member', filtersOf(), (one, steps) => tryFilter(one, facts, steps)),
  };
  const filtersOf = () => list!.parameters.filter((one) => filteredBy(facts, one) !== undefined);
  const pages: Law = {
    ...LIST,
    sentence: ({ many }) => `Pages of ${many} have what the whole list has, in its order, each once.`,
    properties: once('small pages', tryPages),
  };
  const isText = ({ name, schema }: Parameter) =>
    name === id.parameter && shapeOf(contract, schema).types.has('string');
  const told: [isTold: boolean | undefined, ...Told][] = [
    [true, values, 'values', 'create', []],
    [create.path.includes('{') && '404' in read.responses, elsewhere, 'elsewhere', 'read', []],
    [read.parameters.some(isText), cased, 'case', 'read', []],
    [id.of === undefined && Object.values(create.responses).some(hasLocation), location, 'location', 'create', []],
    ['409' in create.responses, conflict, 'conflict', 'create', []],
    [update?.method === 'PATCH', nulls, 'update.null', 'update', ['update']],
    [list?.parameters.some((one) => filteredBy(facts, one) !== undefined), filtered, 'filtered', 'list', ['list']],
    [typeof whole !== 'string' && whole.pages?.size !== undefined, pages, 'pages', 'list', ['list']],
  ];
  return told.flatMap(([isTold, ...rest]) => (isTold ? [rest] : []));
}

const hasLocation = ({ headers }: Response) => Object.keys(headers).some((name) => /^location$/i.test(name));

/** Where the address is the one that the contract has for an item. */
async function tryLocation(steps: Steps): Promise<void> {
  const { calls } = steps.resource;
  const place = await steps.place();
  const response = await steps.succeed('create', { path: place.path, json: place.bodies[0] });
  const kind = /([^/{}]+)\/\{[^{}]+\}\/?$/.exec(steps.session.operation(calls.read).path)?.[1];
  const [, shown] = /([^/?#]+)\/[^/?#]+\/?$/.exec(response.headers['location'] ?? '') ?? [];
  if (kind === undefined || shown !== kind)
    throw new NotPossible('`Location` has another form than the paths of the contract');
  const [expected, got] = [steps.idOf(steps.itemIn(place, response)), endOf(response)];
  expectThat(got === expected, '`Location` leads to something else.', { expected, got });
}

async function tryNull(name: string, steps: Steps): Promise<void> {
  const item = await steps.createOne(steps.full());
  const changed = await steps.update(item, { [name]: null });
  const { [name]: _, ...others } = item.shown;
  for (const shown of [changed.shown, await steps.read(item)]) {
    expectThat(shown[name] === undefined, `\`${name}\` is still there.`, { expected: 'null', got: shown[name] });
    expectSame('Something else changed', shown, others);
  }
}

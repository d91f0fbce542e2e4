/** Laws of what a contract says beside the calls of a resource: unusual values, null, conflicts, pages and filters. */
import { isDeepStrictEqual } from 'node:util';
import { type Operation, operationsOf, type Parameter, type Response } from '../../contract/operations.ts';
import { words } from '../../contract/keywords.ts';
import { objectAt } from '../../contract/pointers.ts';
import { schemasOf } from '../../contract/schemas.ts';
import { defaultOf, type Shape, shapeOf, strictest, texts } from '../../contract/shape.ts';
import { letters } from '../../generate/fresh.ts';
import { expectRefusal, expectSuccess } from '../../http/expect-response.ts';
import { queryOf, withParameter } from '../../http/call.ts';
import { endOf } from '../../http/implementation.ts';
import { expectSame, expectThat, NotPossible } from '../../http/nonconformity.ts';
import { type Call, type Item, type Pages, upper } from '../resource.ts';
import { type Cases, forEach, type Law, once, type Steps } from '../steps.ts';
import { areRandom } from '../unknown.ts';
import type { Facts, Need } from './resources.ts';
import { isFree } from './values.ts';

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
    const candidates = unusualOf(sent.properties.get(name)!);
    return candidates.filter((value) => isValid({ ...full, [name]: value })).map((value) => [name, value] as const);
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
    return [...(isShort ? [] : whole), ...(isNumber ? [0.25, 1.5, ...(isShort ? [] : [19.99, 1_234_567.89])] : [])];
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
      // A member that the change does not name may be ignored.
      shapeOf(contract, schema).properties.has(name) &&
      schemasOf(contract).isValid(schema, { [name]: null }) &&
      shown.every((one) => mayLack(one, name)),
  );
}

/** Whether the words of the contract leave no doubt that two equal items are a conflict. */
function isConflictSure({ contract, create }: Pick<Facts, 'contract' | 'create'>): boolean {
  const { description: why } = objectAt(contract.document, create.responses['409']!.pointer);
  const { summary, description } = objectAt(contract.document, create.pointer);
  return ALREADY.some((one) => one.test([why, summary, description].join('\n')));
}

/** A conflict with a state is another one. */
const ALREADY = [
  /already (been )?(exist|registered|taken|used|in use|present|added|created)|exists? already|duplicate|unique(?! id)/i,
  /with (this|that|the same|the given) [\w ]{1,40}\bexists?\b|another [\w ]{1,40} (has|have|uses?) (this|that|the same)/i,
  /conflict\w* with (an? )?existing (?!state)|^taken|\b(is|are|name|mail|address|number|id|code) (taken|in use)/im,
];

const tryConflict = (facts: Facts) => async (steps: Steps) => {
  const { session, resource, implementation } = steps;
  const place = await steps.place();
  const input = { path: place.path, json: place.bodies[0]! };
  const item = await steps.create(place, input.json);
  const response = await session.call(resource.calls.create, input);
  if (response.status < 300 && !isConflictSure(facts))
    throw new NotPossible('two equal creations are no conflict here, and no words of the contract say what is one');
  const statuses = ['409', '400', '422'].filter((status) => status in facts.create.responses).map(Number);
  expectRefusal(implementation, facts.create, response, statuses, 'The same exists already.');
  await steps.expectRead(item, 'A refused creation changed something');
};

/** Whether a change may have all that a creation has, and the contract gives both the same reason for a conflict. */
function mayTake({ contract, create, update, sent, id }: Facts): boolean {
  const [made, changed] = [create, update].map((one) => one?.responses['409']);
  if (!update || !made || !changed || id.givenBy === 'body') return false;
  const { properties } = shapeOf(contract, update.requestBody!.pointer);
  const [one, other] = [made, changed].map(({ pointer }) => objectAt(contract.document, pointer)['description']);
  const isSame = one === other || isConflictSure({ contract, create: update });
  return isSame && [...sent.properties.keys()].every((name) => properties.has(name));
}

/** What a creation may not have again, a change may not take either. */
async function tryTaken(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const place = await steps.place({ items: 2 });
  const [, item] = await steps.createAll(place);
  const taken = place.bodies[0]!;
  const again = await session.call(resource.calls.create, { path: place.path, json: taken });
  if (again.status !== 409) throw new NotPossible('two equal creations are no conflict here');
  const json = resource.changeOf?.(item!, taken) ?? taken;
  await steps.refuse('update', { path: item!.path, json }, [409], 'Another one has all this.');
  await steps.expectRead(item!, 'A refused change changed something');
}

/** A query parameter of a list that has the name and the values of a member, or takes some of its values. */
function filteredBy({ contract, sent, members }: Facts, { name, schema }: Parameter): string | undefined {
  const isList = shapeOf(contract, schema).types.has('array');
  const member = members.find((one) => one === name || (isList && `${one}s` === name));
  if (member === undefined) return undefined;
  const { types } = sent.properties.get(member)!;
  return types.has('array') || types.has('object') ? undefined : member;
}

/** The query for these values: one alone, by a range that begins and ends with it; undefined where there is none. */
function filterFor({ contract }: Facts, parameter: Parameter, ...values: unknown[]) {
  const [value] = values;
  const { types, properties } = shapeOf(contract, parameter.schema);
  const range = RANGES.find((ends) => ends.every((end) => properties.has(end)));
  const isRange = types.has('object') && range !== undefined;
  const sent = isRange ? Object.fromEntries(range.map((end) => [end, value])) : types.has('array') ? values : value;
  if (values.length > 1 && sent !== values) return undefined;
  const call = schemasOf(contract).isValid(parameter.schema, sent) && withParameter({}, parameter, sent);
  return call ? queryOf(call) : undefined;
}

/** Names of ends that belong to the range. */
const RANGES = ['min max', 'from to', 'gte lte', 'ge le'].map(words);

/** Parameters that order or shape a list, and switches that show more than without them. */
const NO_FILTER =
  /^(q$|query|search|sort|order|fields?|include|expand|format|version|lang|locale|all|archived|deleted|hidden|expired)/i;

/** The list with a filter has what fits it, and nothing else. */
const tryFilter = (facts: Facts) => async (parameter: Parameter, steps: Steps) => {
  const member = filteredBy(facts, parameter)!;
  const place = await steps.place({ items: 2 });
  const body = place.bodies[0]!;
  const changed = steps.otherOf(place, [member]);
  // Each kind has one value of the member that names it.
  const bodies = changed[member] === undefined ? [body] : [body, { ...steps.full(), ...changed }];
  const items = await steps.createAll(place, bodies);
  for (const item of items) {
    const value = item.shown[member];
    // A switch that is off may be no filter.
    const query = value === undefined || value === false ? undefined : filterFor(facts, parameter, value);
    if (!query) continue;
    const same = items.filter(({ shown }) => isDeepStrictEqual(shown[member], value));
    let listing = await steps.list(place, same, { query });
    const wrong = () => listing.items.find((shown) => !isDeepStrictEqual(shown[member], value));
    // Others may change theirs between the choice of the service and its response, but not each time.
    for (let round = 0; round < 3 && wrong(); round++) listing = await steps.list(place, same, { query });
    const other = wrong();
    if (other) expectSame(`The list has others than those with this \`${member}\``, other, { [member]: value });
    steps.expectListed(listing, same);
  }
  const values = [...new Set(items.map(({ shown }) => shown[member]))];
  for (const all of [values, values.toReversed()]) await trySeveral(facts, parameter, all, items, steps);
};

/** The list by several values has the items with any of them, whichever comes first. */
async function trySeveral(facts: Facts, parameter: Parameter, values: unknown[], items: Item[], steps: Steps) {
  const query = values.length > 1 ? filterFor(facts, parameter, ...values) : undefined;
  if (query) steps.expectListed(await steps.list(items[0]!.place, items, { query }), items);
}

/** The values of a filter by a member that the service sets. */
function choicesOf({ contract, sent, listed }: Facts, { name, schema }: Parameter): readonly unknown[] {
  return listed?.properties.has(name) && !sent.properties.has(name) ? choicesIn(shapeOf(contract, schema)) : [];
}

const choicesIn = (shape: Shape) =>
  ((shape.types.has('array') ? shape.items : shape)?.choices ?? []).filter((one) => one !== null);

/** Nothing that the list shows contradicts the filter; what else has this value is not known. */
const tryChoices = (facts: Facts) => async (parameter: Parameter, steps: Steps) => {
  const { name } = parameter;
  const item = await steps.createOne(steps.full());
  const choices = choicesOf(facts, parameter);
  let own: unknown;
  for (const value of choices) {
    const query = filterFor(facts, parameter, value);
    if (!query) continue;
    const { json } = await steps.succeed('list', { path: item.place.path, query });
    const other = steps.itemsIn(json).find((one) => !isDeepStrictEqual(one[name], value));
    if (other) expectSame(`The list has others than those with this \`${name}\``, other, { [name]: value });
    if ((await steps.list(item.place, [item], { query })).ids.includes(steps.idOf(item))) own = value;
  }
  for (const value of choices)
    if (own !== undefined && value !== own) await trySeveral(facts, parameter, [value, own], [item], steps);
};

/** Parameters that say by what a list is sorted, and those that only say in which direction. */
const SORT = /^(sort|order)([-_]?(by|key|field))?$/i;
const DIRECTION = /^(order|dir|direction|(sort|order)[-_]?(order|dir|direction))$/i;
const UP = /^\+|[^a-z]?asc(ending)?$/i;
const DOWN = /^-|[^a-z]?desc(ending)?$/i;

/** Each way to sort a list by a number or a text that is sent. `text`: where it ends in a direction, that is due. */
function ordersOf(facts: Facts) {
  const { contract, list, sent, members } = facts;
  const chosen = (pattern: RegExp) =>
    (list?.parameters.filter((one) => one.in === 'query' && pattern.test(one.name)) ?? []).flatMap((one) =>
      choicesIn(shapeOf(contract, one.schema)).map((choice) => ({
        text: String(choice),
        query: filterFor(facts, one, choice) ?? [],
      })),
    );
  const ways = chosen(DIRECTION).filter(({ text }) => UP.test(text) || DOWN.test(text));
  return chosen(SORT).flatMap(({ text, query }) => {
    const name = text.replace(UP, '').replace(DOWN, '').toLowerCase();
    const member = members.find((one) => one.toLowerCase() === name);
    const shape = member === undefined ? undefined : sent.properties.get(member);
    if (member === undefined || !shape || !(isFree(shape) || shape.types.has('integer'))) return [];
    if (ways.length === 0 || name.length < text.length) return [{ member, text, query }];
    return ways.map((way) => ({ member, text: way.text, query: [...query, ...way.query] }));
  });
}

/** Numbers in the list are neither in the order of their texts nor in that in which they are made. */
const trySorted = (facts: Facts) => async (order: ReturnType<typeof ordersOf>[number], steps: Steps) => {
  const { member, text, query } = order;
  // The order of small letters is the same in all languages.
  const ofTexts = ['m', 'a', 'z'].map((first) => first + letters(7));
  const bodiesOf = (values: unknown[]) => values.map((value) => ({ ...steps.full(), [member]: value }));
  const bodies = [[10, 9, 100], [2, 1, 3], ofTexts].map(bodiesOf).find((all) => all.every(facts.isValid));
  if (!bodies) throw new NotPossible(`no values of \`${member}\` are known that show an order`);
  const items = await steps.createAll(await steps.place(), bodies);
  const [middle, first, last] = items.map(({ shown }) => shown[member]);
  const due = [first, middle, last];
  const got = steps.ownIn(await steps.list(items[0]!.place, items, { query }), items).map((one) => one[member]);
  const allowed = UP.test(text) ? [due] : DOWN.test(text) ? [due.toReversed()] : [due, due.toReversed()];
  const isSorted = allowed.some((one) => isDeepStrictEqual(one, got));
  expectThat(isSorted, `The list is not sorted by \`${member}\`.`, { expected: allowed[0], got });
};

/** POSTs that need nothing but an item, such as `/orders/{id}/cancel`, each with a member that says in which state it is. */
function actionsOf({ contract, read, sent, shown }: Facts) {
  const states = [...shown[0]!.properties].filter(([name, { choices }]) => choices && !sent.properties.has(name));
  const start = `${read.path}/`;
  const isAction = ({ method, path, requestBody, responses, unsupported }: Operation) =>
    method === 'POST' &&
    path.startsWith(start) &&
    !/[/{]/.test(path.slice(start.length)) &&
    !(requestBody ?? unsupported ?? responses['202']);
  const actions = operationsOf(contract).filter(isAction);
  return actions.flatMap((action) => states.map(([member, { choices = [] }]) => ({ action, member, choices })));
}

/** To `cancel` makes it `cancelled`; and where it has been in each of its states, a documented 409 must have come. */
async function tryAction({ action, member, choices }: ReturnType<typeof actionsOf>[number], steps: Steps) {
  const { session, implementation } = steps;
  const { path } = await steps.createOne(steps.full());
  const look = async () => Object(steps.within((await steps.succeed('read', { path })).json))[member] as unknown;
  const was = await look();
  const act = () => session.call(action.operationId, { path });
  const response = await act();
  if (response.status >= 400) throw new NotPossible(`${action.operationId} refuses a new item (${response.status})`);
  expectSuccess(implementation, action, response);
  const now = await look();
  const verb = action.path.slice(action.path.lastIndexOf('/') + 1).toLowerCase();
  // `cancelled`; what `cancelled_by_seller` means is not known.
  const isNamed = (state: string) => state.startsWith(verb) && /^[a-z]{0,3}$/.test(state.slice(verb.length));
  const named = choices.filter((one) => verb.length > 2 && isNamed(String(one).toLowerCase()));
  const what = `${action.operationId} does not lead to the state that it names.`;
  expectThat(named.length !== 1 || now === named[0], what, { expected: named[0], got: now });
  if (!('409' in action.responses) || now === was || choices.some((one) => one !== was && one !== now)) return;
  const why = `It is ${String(now)} already: no other state of an item is left in which the documented 409 can come.`;
  expectRefusal(implementation, action, await act(), [409], why);
  expectSame('A refused action changed something', await look(), now);
}

/** What is in one place is not in another one: it is neither read nor listed there. @param isNamed by the path of an item */
const tryElsewhere = (isNamed: boolean) => async (steps: Steps) => {
  const [item, other] = await steps.createApart();
  if (steps.idOf(item) === steps.idOf(other)) throw new NotPossible('ids are those of each place alone');
  if (isNamed) await expectNotFound(steps, { ...item.path, ...other.place.path }, 'It is found in another place, too.');
  if (steps.resource.calls.list === undefined) return;
  steps.expectNotListed(await steps.list(other.place, [other]), [item], 'The list has one of another place.');
};

async function expectNotFound({ session, resource }: Steps, path: Item['path'], what: string): Promise<void> {
  const { status } = await session.call(resource.calls.read, { path });
  expectThat(status >= 400, what, { expected: 'a refusal', got: status });
}

/** Small pages, between two looks at what they have together: what is compared was there all the time. */
async function tryPages(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 3 });
  const items = await steps.createAll(place);
  const counts: number[] = [];
  let apart = 0;
  for (let round = 0; round < QUIET_TRIES; round++) {
    const whole = () => steps.page(place, 0, 6);
    const before = await whole();
    const parts = [];
    for (const number of [0, 1, 2]) parts.push(await steps.page(place, number, 2));
    const { ids, total } = await whole();
    counts.push(countOf(before), countOf({ total }));
    const shown = { ids: parts.flatMap((part) => part.ids), totals: parts.map(countOf) };
    const passing = shown.ids.filter((id) => !ids.includes(id));
    if (before.ids.join(' ') !== ids.join(' ') || (await isAnyGone(steps, items, passing))) continue;
    // Others add and remove items all the time: each count that has been seen may be right again.
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const due = { ids, totals: shown.totals.map((count) => Math.max(least, Math.min(count, most))) };
    // They may have made and removed an item in between, but not each time.
    if (!isDeepStrictEqual(shown, due) && ++apart < 5) continue;
    expectSame('Pages of two items show something else than one of six', shown, due);
    return;
  }
  throw new NotPossible(`others change the list all the time: pages with ${items.length} new items cannot be compared`);
}

const QUIET_TRIES = 25;
const FEW_PAGES = 300;
const ENOUGH = 8;

/** The last page, between two looks at it, once more in pages of one item fewer: what is compared was there all the time. */
async function tryCursors({ least, most }: Pages, steps: Steps): Promise<void> {
  const { place } = await steps.createSome({ items: least + 1 });
  const page = (items: number, from?: string) => steps.page(place, from === undefined ? 0 : 1, items, {}, from);
  let size = most;
  let start: string | undefined;
  let apart = 0;
  for (let read = 0, tries = 0; read < FEW_PAGES && tries < QUIET_TRIES; read++) {
    const { ids, cursor } = await page(size, start);
    if (cursor !== undefined || ids.length <= least) {
      // Pages of another size end with more items.
      if (cursor === undefined) size--;
      start = cursor;
      continue;
    }
    const shown: string[] = [];
    let next = start;
    for (let count = 0; count === 0 || (next !== undefined && count < ids.length); count++) {
      const part = await page(ids.length - 1, next);
      shown.push(...part.ids);
      next = part.cursor;
    }
    tries++;
    const again = await page(size, start);
    const isSame = (other: string[]) => isDeepStrictEqual(other.slice(0, ids.length), ids);
    // Others may have made and removed an item in between, but not each time.
    if (!isSame(again.ids) || (!isSame(shown) && ++apart < 3)) continue;
    expectSame('Following the cursor does not show each item once', shown.slice(0, ids.length), ids);
    // What others add at the end may hide that the last one is missing.
    if (again.ids.length === ids.length || tries > ENOUGH) return;
  }
  throw new NotPossible('the end of the list was not reached, or others change it all the time');
}

const countOf = ({ total }: Pick<Awaited<ReturnType<Steps['page']>>, 'total'>) => Number(total?.[1] ?? 0);

/** Whether any of these was there for a moment alone: then it is somebody else's. */
async function isAnyGone({ session, resource }: Steps, [own]: Item[], ids: readonly string[]): Promise<boolean> {
  const pathOf = (id: string) => ({ ...own!.path, [resource.id.parameter]: id });
  const reads = await Promise.all(ids.map((id) => session.call(resource.calls.read, { path: pathOf(id) })));
  return reads.some(({ status }) => status >= 400);
}

/** An id with other letters names nothing, but for a UUID, whose letters may be of either case. */
async function tryOtherCase(steps: Steps): Promise<void> {
  const { items } = await steps.createSome({ items: 2 });
  const [item, other] = items as [Item, Item];
  const id = steps.idOf(item);
  const near = [id.toUpperCase(), id.toLowerCase()].filter((one) => one !== id);
  if (!areRandom(id, steps.idOf(other)) || /^[-0-9a-f]*$/i.test(id) || near.length === 0)
    throw new NotPossible(`ids such as ${id} may mean the same in another case, or have no letters`);
  const { parameter } = steps.resource.id;
  for (const one of near)
    await expectNotFound(steps, { ...item.path, [parameter]: one }, 'An id in another case names it, too.');
}

/** A law, the end of its id, the call that states it, and what it needs beyond items. */
export type StatedLaw = readonly [law: Law, id: string, call: Call, needs: readonly Need[]];

const SENTENCES = {
  values: ({ one }) => `${upper(one)} shows what it took: outer spaces, letters of any kind, large numbers.`,
  elsewhere: ({ one }) => `${upper(one)} is in one place: not found in another one, nor listed there.`,
  case: ({ one }) => `The id of ${one} is another one in another case.`,
  location: ({ one }) => `The \`Location\` of ${one} that is created ends with its id.`,
  conflict: ({ one }) => `Creating ${one} that is there already gets the documented 409, and changes nothing.`,
  'update.conflict': ({ one }) =>
    `A change of ${one} to what another one has gets the documented 409, and is not made.`,
  'update.null': ({ one }) => `Null in a change of ${one} takes a value away where that is allowed, and nothing else.`,
  filtered: ({ many }) => `The list of ${many} by the value of a member has those with this value alone.`,
  sorted: ({ many }) => `A list of ${many} that is sorted by a member has them in its order: numbers as numbers.`,
  actions: ({ one }) => `An action on ${one} leads to the state that it names, and gets its documented 409 there.`,
  pages: ({ many }) => `Pages of ${many} have what the whole list has, in its order, each once.`,
} satisfies Record<string, Law['sentence']>;

/** Those of the laws that the contract states. */
export function contractLaws(facts: Facts): StatedLaw[] {
  const { contract, create, read, update, list, id, whole } = facts;
  const stated = read.parameters.find(({ name }) => name === id.parameter);
  const isText = stated !== undefined && shapeOf(contract, stated.schema).types.has('string');
  // A path such as `/tasks/{id}` says nothing of the place.
  const isNamed = read.parameters.some((one) => one.in === 'path' && one.name !== id.parameter);
  const hasPlaces = create.path.includes('{') && (isNamed ? '404' in read.responses : typeof whole !== 'string');
  const isLocated = id.of === undefined && Object.values(create.responses).some(hasLocation);
  const pages = typeof whole !== 'string' && whole.pages?.size !== undefined ? whole.pages : undefined;
  const tryAll = pages?.cursor === undefined ? tryPages : (steps: Steps) => tryCursors(pages, steps);
  const isPatched = update?.method === 'PATCH';
  const queries = list?.parameters.filter((one) => one.in === 'query' && !NO_FILTER.test(one.name)) ?? [];
  const filters = queries.filter((one) => filteredBy(facts, one) !== undefined);
  const others = queries.filter((one) => choicesOf(facts, one).length > 0);
  const actions = actionsOf(facts);
  const orders = ordersOf(facts);
  const candidates: [isStated: boolean, id: keyof typeof SENTENCES, call: Call, properties: () => Cases][] = [
    [true, 'values', 'create', () => forEach('an unusual value', unusual(facts), tryValue)],
    [hasPlaces, 'elsewhere', 'read', () => once('two places', tryElsewhere(isNamed))],
    [isText, 'case', 'read', () => once('other letters', tryOtherCase)],
    [isLocated, 'location', 'create', () => once('a new one', tryLocation)],
    ['409' in create.responses, 'conflict', 'create', () => once('the same twice', tryConflict(facts))],
    [mayTake(facts), 'update.conflict', 'update', () => once('what another one has', tryTaken)],
    [isPatched, 'update.null', 'update', () => forEach('each of a full one', removable(facts), tryNull)],
    [
      filters.length + others.length > 0,
      'filtered',
      'list',
      (): Cases => [
        forEach('by a member', filters, tryFilter(facts)),
        others.length > 0 ? forEach('by a member that the service sets', others, tryChoices(facts)) : [],
      ],
    ],
    [orders.length > 0, 'sorted', 'list', () => forEach('an order', orders, trySorted(facts))],
    [pages !== undefined, 'pages', 'list', () => once('small pages', tryAll)],
    [actions.length > 0, 'actions', 'read', () => forEach('an action', actions, tryAction)],
  ];
  return candidates.flatMap(([isStated, end, call, properties]): StatedLaw[] => {
    const more = call === 'update' || call === 'list' ? [call] : [];
    const needs: Law['needs'] = call === 'update' ? ['create', 'read', 'update'] : ['create', more[0] ?? 'read'];
    return isStated ? [[{ needs, sentence: SENTENCES[end], properties }, end, call, more]] : [];
  });
}

const hasLocation = ({ headers }: Response) => Object.keys(headers).some((name) => /^location$/i.test(name));

/** Where the address is the one that the contract has for an item. */
async function tryLocation(steps: Steps): Promise<void> {
  const place = await steps.place();
  const response = await steps.succeed('create', { path: place.path, json: place.bodies[0] });
  const kind = /([^/{}]+)\/\{[^{}]+\}\/?$/.exec(steps.session.operation(steps.resource.calls.read).path)?.[1];
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

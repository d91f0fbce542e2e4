/**
 * Laws of rules that a contract states beside the calls of a resource: unusual values, null,
 * conflicts, actions and lists.
 */
import { type Operation, operationsOf, type Response } from '../../contract/operations.ts';
import { objectAt } from '../../contract/pointers.ts';
import { schemasOf } from '../../contract/schemas.ts';
import { defaultOf, type Shape, shapeOf, strictest, texts } from '../../contract/shape.ts';
import { letters } from '../../generate/fresh.ts';
import { expectRefusal, expectSuccess } from '../../http/expect-response.ts';
import { endOf } from '../../http/response-keys.ts';
import { expectSame, expectThat, NotPossible } from '../../http/nonconformity.ts';
import { forEach, type Law, once } from '../law.ts';
import { areRandom } from '../random-ids.ts';
import { type Item, type ResourceCall, upper } from '../resource.ts';
import type { Steps } from '../steps.ts';
import { listCases } from './lists.ts';
import type { Facts, Need } from './resources.ts';
import { isFree } from './values.ts';

/** Sends a value that the service may refuse for its own reasons; if it takes it, it shows it. */
async function tryValue([name, value]: readonly [string, unknown], steps: Steps): Promise<void> {
  const { session, resource, implementation } = steps;
  const place = await steps.place();
  const json = { ...place.bodies[0], [name]: value };
  const response = await session.call(resource.calls.create, { path: place.path, json });
  if (response.status >= 400 && response.status < 500) {
    return;
  }
  expectSuccess(implementation, session.operation(resource.calls.create), response);
  const item = steps.itemIn(place, response);
  const due = { [name]: value };
  if (!resource.silent?.includes('create')) {
    expectSame('The response is not what was sent', item.shown, due);
  }
  expectSame('A read does not show the value that was sent', await steps.read(item), due);
}

/** Values that a service tends to change, by member. */
function unusual({ sent, members, bodies, isValid }: Facts): (readonly [string, unknown])[] {
  const full = bodies().full();
  return members.flatMap((name) => {
    const candidates = unusualOf(sent.properties.get(name)!);
    return candidates
      .filter((value) => isValid({ ...full, [name]: value }))
      .map((value) => [name, value] as const);
  });
}

function unusualOf(shape: Shape): unknown[] {
  if (shape.choices !== undefined || shape.alternatives.length > 0) {
    return [];
  }
  if (isFree(shape) && shape.types.has('string')) {
    const most = strictest(shape, 'maxLength') ?? LONG;
    const isTrimmed = texts(shape, 'description').some((text) => /trim|strip|space/i.test(text));
    const spaced = isTrimmed ? [] : [` ${letters(2)} ${letters(2)} `];
    return [
      ...spaced,
      `aB${letters(3)}Éß漢😀`,
      ...(most > LONG ? [] : ['😀'.repeat(most)]),
      '007',
      '',
    ];
  }
  const isNumber = shape.types.has('number');
  if (isNumber || shape.types.has('integer')) {
    const bounds = [strictest(shape, 'minimum'), strictest(shape, 'maximum')].filter(
      (one) => one !== undefined,
    );
    const isShort = texts(shape, 'format').includes('float');
    const whole = [
      2 ** 31 + 11,
      -(2 ** 31) - 11,
      2 ** 53 - 1,
      2 ** 64,
      ...bounds.filter(Number.isSafeInteger),
    ];
    return [
      ...(isShort ? [] : whole),
      ...(isNumber ? [0.25, 1.5, ...(isShort ? [] : [19.99, 1_234_567.89])] : []),
    ];
  }
  if (shape.types.has('array') && shape.items && isFree(shape.items)) {
    return [['b', 'a', 'c']];
  }
  return [];
}

/** The most characters of a text that is worth sending. */
const LONG = 300;

/** Members that null takes away: both sides allow it. */
function removable({ contract, update, shown, sent, members, bodies }: Facts): string[] {
  const schema = update?.method === 'PATCH' ? update.requestBody?.pointer : undefined;
  if (schema === undefined) {
    return [];
  }
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

const EXISTS_ALREADY =
  /already (been )?(exist|registered|taken|used|in use|present|added|created)|exists? already/i;
const IS_UNIQUE = /duplicate|unique(?! id)/i;
const WITH_THE_SAME = /with (this|that|the same|the given) [\w ]{1,40}\bexists?\b/i;
const ANOTHER_HAS = /another [\w ]{1,40} (has|have|uses?) (this|that|the same)/i;
const WITH_EXISTING = /conflict\w* with (an? )?existing (?!state)/i;
const IS_TAKEN = /^taken|\b(is|are|name|mail|address|number|id|code) (taken|in use)/im;

/** Words of other conflicts, such as one with a state, are not among these. */
const ALREADY = [EXISTS_ALREADY, IS_UNIQUE, WITH_THE_SAME, ANOTHER_HAS, WITH_EXISTING, IS_TAKEN];

const tryConflict = (facts: Facts) => async (steps: Steps) => {
  const { session, resource, implementation } = steps;
  const place = await steps.place();
  const input = { path: place.path, json: place.bodies[0]! };
  const item = await steps.create(place, input.json);
  const response = await session.call(resource.calls.create, input);
  if (response.status < 300 && !isConflictSure(facts)) {
    throw new NotPossible(
      'two equal creations are no conflict here, and no words of the contract say what is one',
    );
  }
  const statuses = ['409', '400', '422']
    .filter((status) => status in facts.create.responses)
    .map(Number);
  expectRefusal(implementation, facts.create, response, {
    statuses,
    why: 'The same exists already.',
  });
  await steps.expectRead(item, 'A refused creation changed something');
};

/**
 * Whether a change may have all that a creation has, and the contract gives both the same reason
 * for a conflict.
 */
function mayTake({ contract, create, update, sent, id }: Facts): boolean {
  const [made, changed] = [create, update].map((one) => one?.responses['409']);
  if (!update || !made || !changed || id.givenBy === 'body') {
    return false;
  }
  const { properties } = shapeOf(contract, update.requestBody!.pointer);
  const [one, other] = [made, changed].map(
    ({ pointer }) => objectAt(contract.document, pointer)['description'],
  );
  const isSame = one === other || isConflictSure({ contract, create: update });
  return isSame && [...sent.properties.keys()].every((name) => properties.has(name));
}

/** Values that a second creation may not have are refused in a change, too. */
async function tryTaken(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const place = await steps.place({ items: 2 });
  const [, item] = await steps.createAll(place);
  const taken = place.bodies[0]!;
  const again = await session.call(resource.calls.create, { path: place.path, json: taken });
  if (again.status !== 409) {
    throw new NotPossible('two equal creations are no conflict here');
  }
  const json = resource.changeOf?.(item!, taken) ?? taken;
  const input = { path: item!.path, json };
  await steps.refuse('update', input, { statuses: [409], why: 'Another item has all this.' });
  await steps.expectRead(item!, 'A refused change changed something');
}

/**
 * POSTs that need nothing but an item, such as `/orders/{id}/cancel`, each with the member that
 * shows the state of the item.
 */
function actionsOf({ contract, read, sent, shown }: Facts) {
  const states = [...shown[0]!.properties].filter(
    ([name, { choices }]) => choices && !sent.properties.has(name),
  );
  const start = `${read.path}/`;
  const isAction = ({ method, path, requestBody, responses, unsupported }: Operation) =>
    method === 'POST' &&
    path.startsWith(start) &&
    !/[/{]/.test(path.slice(start.length)) &&
    !(requestBody ?? unsupported ?? responses['202']);
  const actions = operationsOf(contract).filter(isAction);
  return actions.flatMap((action) =>
    states.map(([member, { choices = [] }]) => ({ action, member, choices })),
  );
}

/**
 * `cancel` makes it `cancelled`; and once it has been in each of its states, a documented 409 must
 * have come.
 */
async function tryAction(
  { action, member, choices }: ReturnType<typeof actionsOf>[number],
  steps: Steps,
) {
  const { session, implementation } = steps;
  const { path } = await steps.createOne(steps.full());
  const look = async () =>
    Object(steps.within((await steps.succeed('read', { path })).json))[member] as unknown;
  const was = await look();
  const act = () => session.call(action.operationId, { path });
  const response = await act();
  if (response.status >= 400) {
    throw new NotPossible(`${action.operationId} refuses a new item (${response.status})`);
  }
  expectSuccess(implementation, action, response);
  const now = await look();
  const verb = action.path.slice(action.path.lastIndexOf('/') + 1).toLowerCase();
  // `cancelled`; the meaning of `cancelled_by_seller` is not known.
  const isNamed = (state: string) =>
    state.startsWith(verb) && /^[a-z]{0,3}$/.test(state.slice(verb.length));
  const named = choices.filter((one) => verb.length > 2 && isNamed(String(one).toLowerCase()));
  const what = `${action.operationId} does not lead to the state that it names.`;
  expectThat(named.length !== 1 || now === named[0], what, { expected: named[0], got: now });
  if (
    !('409' in action.responses) ||
    now === was ||
    choices.some((one) => one !== was && one !== now)
  ) {
    return;
  }
  const why =
    `It is ${String(now)} already: no other state of an item is ` +
    'left in which the documented 409 can come.';
  expectRefusal(implementation, action, await act(), { statuses: [409], why });
  expectSame('A refused action changed something', await look(), now);
}

/**
 * An item of one place is not in another one: it is neither read nor listed there.
 * @param isNamed by the path of an item
 */
const tryElsewhere = (isNamed: boolean) => async (steps: Steps) => {
  const [item, other] = await steps.createApart();
  if (steps.idOf(item) === steps.idOf(other)) {
    throw new NotPossible('ids are those of each place alone');
  }
  if (isNamed) {
    await expectNotFound(
      steps,
      { ...item.path, ...other.place.path },
      'It is found in another place, too.',
    );
  }
  if (steps.resource.calls.list === undefined) {
    return;
  }
  steps.expectNotListed(
    await steps.list(other.place, [other]),
    [item],
    'The list has one of another place.',
  );
};

async function expectNotFound(
  { session, resource }: Steps,
  path: Item['path'],
  what: string,
): Promise<void> {
  const { status } = await session.call(resource.calls.read, { path });
  expectThat(status >= 400, what, { expected: 'a refusal', got: status });
}

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
 * A law, the end of its id, the call that states it, and the parts of a resource that it needs
 * beyond items.
 */
export type StatedLaw = readonly [law: Law, id: string, call: ResourceCall, needs: readonly Need[]];

const SENTENCES = {
  values: ({ one }) =>
    `${upper(one)} shows what it took: outer spaces, letters of any kind, large numbers.`,
  elsewhere: ({ one }) =>
    `${upper(one)} is in one place: not found in another one, nor listed there.`,
  case: ({ one }) => `The id of ${one} is another one in another case.`,
  location: ({ one }) => `The \`Location\` of ${one} that is created ends with its id.`,
  conflict: ({ one }) =>
    `Creating ${one} that is there already gets the documented 409, and changes nothing.`,
  'update.conflict': ({ one }) =>
    `A change of ${one} to what another one has gets the documented 409, and is not made.`,
  'update.null': ({ one }) =>
    `Null in a change of ${one} takes a value away if that is allowed, and nothing else.`,
  filtered: ({ many }) =>
    `The list of ${many} by the value of a member has those with this value alone.`,
  sorted: ({ many }) =>
    `A list of ${many} that is sorted by a member has them in its order: numbers as numbers.`,
  actions: ({ one }) =>
    `An action on ${one} leads to the state that it names, and gets its documented 409 there.`,
  pages: ({ many }) => `Pages of ${many} have what the whole list has, in its order, each once.`,
} satisfies Record<string, Law['sentence']>;

/** Those of the laws that the contract states. */
export function contractLaws(facts: Facts): StatedLaw[] {
  const { contract, create, read, update, id, whole } = facts;
  const stated = read.parameters.find(({ name }) => name === id.parameter);
  const isText = stated !== undefined && shapeOf(contract, stated.schema).types.has('string');
  // A path such as `/tasks/{id}` does not name the place.
  const isNamed = read.parameters.some((one) => one.in === 'path' && one.name !== id.parameter);
  const hasPlaces =
    create.path.includes('{') && (isNamed ? '404' in read.responses : typeof whole !== 'string');
  const isLocated = id.of === undefined && Object.values(create.responses).some(hasLocation);
  const isPatched = update?.method === 'PATCH';
  const actions = actionsOf(facts);
  const { filtered, sorted, pages } = listCases(facts);
  const candidates: [
    id: keyof typeof SENTENCES,
    call: ResourceCall,
    properties: Law['properties'] | false | undefined,
  ][] = [
    ['values', 'create', () => forEach('an unusual value', unusual(facts), tryValue)],
    ['elsewhere', 'read', hasPlaces && (() => once('two places', tryElsewhere(isNamed)))],
    ['case', 'read', isText && (() => once('other letters', tryOtherCase))],
    ['location', 'create', isLocated && (() => once('a new one', tryLocation))],
    [
      'conflict',
      'create',
      '409' in create.responses && (() => once('the same twice', tryConflict(facts))),
    ],
    ['update.conflict', 'update', mayTake(facts) && (() => once('what another one has', tryTaken))],
    [
      'update.null',
      'update',
      isPatched && (() => forEach('each of a full one', removable(facts), tryNull)),
    ],
    ['filtered', 'list', filtered],
    ['sorted', 'list', sorted],
    ['pages', 'list', pages],
    ['actions', 'read', actions.length > 0 && (() => forEach('an action', actions, tryAction))],
  ];
  return candidates.flatMap(([end, call, properties]): StatedLaw[] => {
    const more = call === 'update' || call === 'list' ? [call] : [];
    const needs: Law['needs'] =
      call === 'update' ? ['create', 'read', 'update'] : ['create', more[0] ?? 'read'];
    if (properties) {
      return [[{ needs, sentence: SENTENCES[end], properties }, end, call, more]];
    }
    return [];
  });
}

const hasLocation = ({ headers }: Response) =>
  Object.keys(headers).some((name) => /^location$/i.test(name));

const SEGMENT_BEFORE_LAST = /([^/?#]+)\/[^/?#]+\/?$/;
const SEGMENT_BEFORE_PARAMETER = /([^/{}]+)\/\{[^{}]+\}\/?$/;

/** Whether the address is the one that the contract has for an item. */
async function tryLocation(steps: Steps): Promise<void> {
  const place = await steps.place();
  const response = await steps.succeed('create', { path: place.path, json: place.bodies[0] });
  const kind = SEGMENT_BEFORE_PARAMETER.exec(
    steps.session.operation(steps.resource.calls.read).path,
  )?.[1];
  const [, shown] = SEGMENT_BEFORE_LAST.exec(response.headers['location'] ?? '') ?? [];
  if (kind === undefined || shown !== kind) {
    throw new NotPossible('`Location` has another form than the paths of the contract');
  }
  const expected = steps.idOf(steps.itemIn(place, response));
  const got = endOf(response);
  expectThat(got === expected, '`Location` leads to something else.', { expected, got });
}

async function tryNull(name: string, steps: Steps): Promise<void> {
  const item = await steps.createOne(steps.full());
  const changed = await steps.update(item, { [name]: null });
  const { [name]: _, ...others } = item.shown;
  for (const shown of [changed.shown, await steps.read(item)]) {
    expectThat(shown[name] === undefined, `\`${name}\` is still there.`, {
      expected: 'null',
      got: shown[name],
    });
    expectSame('Something else changed', shown, others);
  }
}

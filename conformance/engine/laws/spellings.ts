/** One JSON value can be written in several ways: a service takes them all for the same value. */
import { JSON_SPELLINGS, type JsonSpelling, TEXT_SPELLINGS } from '../generate/json-spellings.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectKept } from './echo.ts';
import { forEach, type Law, type LawProperty } from './law.ts';
import { changeBodyFor, type Item, type Json, type Resource } from './resource.ts';
import type { Steps } from './steps.ts';

const HOW = 'escapes, exponents, white space, another order of members';
const WHY = 'It breaks the contract, however it is written.';
const CHANGED = 'A refused request changed something';

export const spellingLaws = {
  createSpelled: {
    needs: ['create', 'read'],
    sentence: ({ one }) =>
      `However the JSON that creates ${one} is written (${HOW}), it makes the same.`,
    properties: ({ values }, implementation) => {
      const bodies = values.wholes?.(implementation) ?? [values.full(implementation)];
      const check = ({ body, spelling }: Spelled, steps: Steps) =>
        expectKept(body, steps.writing(spelling));
      return forEach('in another spelling', spelledEach(bodies, implementation), check);
    },
  },
  updateSpelled: {
    sentence: ({ one }) =>
      `However the JSON that changes ${one} is written (${HOW}), the change is the same.`,
    properties: ({ values }, implementation) => {
      const bodies = values.wholes?.(implementation) ?? [undefined];
      return forEach('in another spelling', spelledEach(bodies, implementation), tryChange);
    },
  },
  refusedSpelled: {
    sentence: ({ one }) =>
      `JSON that breaks the contract is refused for ${one} however it is written (${HOW}).`,
    properties: (resource, implementation) => refusals(resource, implementation),
  },
} satisfies Record<string, Law>;

interface Spelled<Body = Json> {
  body: Body;
  spelling: JsonSpelling;
}

const spellingsFor = ({ api }: Implementation): readonly JsonSpelling[] =>
  api.hasIntegersWithExponents ? JSON_SPELLINGS : TEXT_SPELLINGS;

/** So many bodies are tried in each spelling. */
const IN_EACH = 2;
/** In so many spellings the other bodies are tried, which hold texts. */
const OF_TEXTS = 2;

function spelledEach<Body>(
  bodies: readonly Body[],
  implementation: Implementation,
): Spelled<Body>[] {
  const spellings = spellingsFor(implementation);
  return bodies.flatMap((body, index) => {
    const chosen = index < IN_EACH ? spellings : spellings.slice(0, OF_TEXTS);
    return chosen.map((spelling) => ({ body, spelling }));
  });
}

/** @param body the change; undefined: other values of all members */
async function tryChange(
  { body, spelling }: Spelled<Json | undefined>,
  steps: Steps,
): Promise<void> {
  const { resource } = steps;
  // Each call may make another one.
  const bare = steps.bare();
  const item = await steps.createOne(bare, { items: 2 });
  const before = resource.shown(steps.bodyIn(item.place, bare));
  const patch = body ?? steps.otherOf(item.place, resource.values.members);
  await steps.writing(spelling).expectChanged(item, before, patch);
}

/** Each of the invalid members in one spelling. */
function refusals({ values }: Resource, implementation: Implementation): LawProperty[] {
  const spellings = spellingsFor(implementation);
  const spelled = (bodies: readonly Json[]): Spelled[] =>
    bodies.flatMap((body, index) => {
      const spelling = spellings[index % spellings.length];
      return spelling ? [{ body, spelling }] : [];
    });
  return [
    ...forEach('a creation', spelled(values.invalid.create), tryInvalidCreation),
    ...forEach('a change', spelled(values.invalid.update), tryInvalidChange),
  ];
}

async function tryInvalidCreation({ body, spelling }: Spelled, steps: Steps): Promise<void> {
  const place = await steps.place({ items: 2 });
  const kept = await steps.create(place, steps.bodyIn(place, steps.bare()));
  const json = { ...steps.bare(), ...place.bodies[1], ...body };
  const content = steps.writing(spelling).written('create', json);
  await steps.refuse('create', { path: place.path, ...content }, dueIn(steps));
  await expectUnchanged(steps, kept);
}

async function tryInvalidChange({ body, spelling }: Spelled, steps: Steps): Promise<void> {
  const { resource } = steps;
  const item = await steps.createOne(steps.bare(), { items: 2 });
  const good = resource.values.good?.(steps.implementation) ?? {};
  const patch = { ...good, ...body };
  const json = changeBodyFor(resource, item, patch);
  const content = steps.writing(spelling).written('update', json);
  await steps.refuse('update', { path: item.path, ...content }, dueIn(steps));
  await expectUnchanged(steps, item);
}

function dueIn({ resource }: Steps): { statuses: readonly number[]; why: string } {
  return { statuses: resource.invalid ?? [400], why: WHY };
}

async function expectUnchanged(steps: Steps, item: Item): Promise<void> {
  await steps.expectItems(item.place, [item], CHANGED);
}

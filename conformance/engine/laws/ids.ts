/** Laws of the spelling of ids, and of the `Location` that ends with one. */
import type { Response } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { endOf } from '../http/response-keys.ts';
import { type Law, once } from './law.ts';
import { expectNotFound } from './places.ts';
import { areRandom } from './random-ids.ts';
import type { Item } from './resource.ts';
import type { Steps } from './steps.ts';

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
  endOfLocation: {
    needs: ['create', 'read'],
    applies: ({ create, id }) =>
      id.of === undefined && Object.values(create.responses).some(hasLocation),
    sentence: ({ one }) => `The \`Location\` of ${one} that is created ends with its id.`,
    properties: once('a new one', tryLocation),
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

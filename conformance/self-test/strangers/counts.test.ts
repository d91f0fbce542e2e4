/** Boards that count their cards, which are inside of them or name them. */
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const content = (schema: string) =>
  `{application/json: {schema: {$ref: "#/components/schemas/${schema}"}}}`;

const itemPaths = (path: string, parameter: string, name: string, schema: string) => `
  ${path}:
    parameters: [{name: ${parameter}, in: path, required: true, schema: {type: string}}]
    get:
      operationId: ${name}
      responses:
        '200': {description: It., content: ${content(schema)}}
        '404': {description: There is none.}
    delete:
      operationId: ${name}Removal
      description: Removes it.
      responses:
        '204': {description: It is gone.}
        '404': {description: There is none.}`;

const creation = (path: string, name: string, schema: string, more = '') => `
  ${path}:
    ${more}
    post:
      operationId: ${name}
      requestBody: {required: true, content: ${content(schema)}}
      responses:
        '201': {description: It., content: ${content(schema)}}
        '400': {description: It is refused.}
        '404': {description: There is no such board.}`;

/** @param isInside whether cards are inside of boards; or else, they name their board */
const contractOf = (isInside: boolean, description = 'Number of cards on the board'): string => `
openapi: 3.1.0
info: {title: Boards, version: '1'}
paths:
  ${creation('/boards', 'addBoard', 'Board')}
  ${itemPaths('/boards/{id}', 'id', 'board', 'Board')}
  ${
    isInside
      ? creation(
          '/boards/{id}/cards',
          'addCard',
          'Card',
          'parameters: [{name: id, in: path, required: true, schema: {type: string}}]',
        )
      : creation('/cards', 'addCard', 'Card')
  }
  ${itemPaths('/cards/{cardId}', 'cardId', 'card', 'Card')}
components:
  schemas:
    Board:
      type: object
      required: [title]
      properties:
        id: {type: string, readOnly: true}
        title: {type: string, minLength: 1, maxLength: 40}
        cardCount: {type: integer, minimum: 0, readOnly: true, description: ${description}}
    Card:
      type: object
      required: [text${isInside ? '' : ', board_id'}]
      properties:
        id: {type: string, readOnly: true}
        text: {type: string, minLength: 1, maxLength: 40}
        ${isInside ? '' : 'board_id: {type: string}'}
`;

/** What a service does otherwise. */
interface Differences {
  /** How many reads of a board still show the count of before. */
  delay?: number;
  /** Whether removed cards count. */
  keepsRemoved?: boolean;
  countsNone?: boolean;
}

interface Card {
  board: string;
  text: string;
  isRemoved: boolean;
}

class Boards {
  readonly #boards = new Map<string, string>();
  readonly #cards = new Map<string, Card>();
  /** The counts that are shown, and for how many reads. */
  readonly #shown = new Map<string, { count: number; left: number }>();
  readonly #differences: Differences;
  #made = 0;

  constructor(differences: Differences = {}) {
    this.#differences = differences;
  }

  readonly handle: Handler = (call): Reply => {
    const [, kind, id = '', below] = call.path.split('/');
    if (call.method === 'POST') {
      return kind === 'boards' && id === '' ? this.#addBoard(call) : this.#addCard(call, id, below);
    }
    return kind === 'boards' ? this.#board(call, id) : this.#card(call, id);
  };

  #addBoard({ json }: Call): Reply {
    const { title } = Object(json);
    if (!isText(title)) {
      return [400];
    }
    const id = `board-${++this.#made}-${'x'.repeat(12)}`;
    this.#boards.set(id, title);
    return [201, { id, title, cardCount: 0 }];
  }

  #addCard({ json }: Call, id: string, below?: string): Reply {
    const { text, board_id } = Object(json);
    const board = below === undefined ? board_id : id;
    if (!isText(text) || typeof board !== 'string') {
      return [400];
    }
    if (!this.#boards.has(board)) {
      return [404];
    }
    const name = `card-${++this.#made}-${'x'.repeat(12)}`;
    this.#cards.set(name, { board, text, isRemoved: false });
    const more = below === undefined ? { board_id } : {};
    return [201, { id: name, text, ...more }];
  }

  #board({ method }: Call, id: string): Reply {
    const title = this.#boards.get(id);
    if (title === undefined) {
      return [404];
    }
    if (method === 'DELETE') {
      this.#boards.delete(id);
      return [204];
    }
    return [200, { id, title, cardCount: this.#countShown(id) }];
  }

  #card({ method }: Call, id: string): Reply {
    const card = this.#cards.get(id);
    if (card === undefined || card.isRemoved) {
      return [404];
    }
    if (method === 'DELETE') {
      card.isRemoved = true;
      return [204];
    }
    return [200, { id, text: card.text, board_id: card.board }];
  }

  #countShown(board: string): number {
    const count = this.#countNow(board);
    const before = this.#shown.get(board) ?? { count, left: 0 };
    if (before.count === count || before.left === 0) {
      this.#shown.set(board, { count, left: this.#differences.delay ?? 0 });
      return count;
    }
    before.left -= 1;
    return before.count;
  }

  #countNow(board: string): number {
    const { keepsRemoved = false, countsNone = false } = this.#differences;
    const own = [...this.#cards.values()].filter((card) => card.board === board);
    const counted = own.filter(({ isRemoved }) => keepsRemoved || !isRemoved);
    return countsNone ? 0 : counted.length;
  }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && /^.{1,40}$/su.test(value);

const ID = 'board.counts.cardCount';

async function statusOn(differences: Differences, contract: string): Promise<string | undefined> {
  const options = ['--only', 'board.'];
  const { report } = await runOn(new Boards(differences).handle, contract, options);
  return report.requirements.find(({ id }) => id === ID)?.status;
}

const INSIDE = contractOf(true);
const NAMING = contractOf(false);
const ARCHIVED = INSIDE.replaceAll('Removes it.', 'Archives it.');
const LISTS = (query: string): string => `
  /boards/{id}/notes/{noteId}:
    get:
      operationId: note
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: noteId, in: path, required: true, schema: {type: string}}
      responses:
        '404': {description: There is none.}
  /boards/{id}/notes:
    get:
      operationId: notes
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: ${query}, in: query, schema: {type: boolean}}
      responses:
        '404': {description: There is none.}
components:`;
const OTHERS_KEPT = INSIDE.replace('\ncomponents:', LISTS('include_deleted'));
const STATES = 'state: {type: string, readOnly: true, enum: [open, pending]}';
const WITHOUT_REMOVED = contractOf(
  false,
  'Number of cards on the board. Deleted cards do not count.',
)
  .replaceAll('Removes it.', 'It can be restored.')
  .replace('text: {type', `${STATES}\n        text: {type`);
const WITH_ARCHIVED = WITHOUT_REMOVED.replaceAll('It can be restored.', 'Archives it.');
const OTHER_NAME = INSIDE.replace('/boards/{id}/cards', '/boards/{boardId}/cards').replace(
  'parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n    post',
  'parameters: [{name: boardId, in: path, required: true, schema: {type: string}}]\n    post',
);

test.each<[string, Differences, string]>([
  ['inside', {}, INSIDE],
  ['named in bodies', {}, NAMING],
  ['inside, by another name of the parameter', {}, OTHER_NAME],
  ['of all', {}, contractOf(true, 'Total number of cards.')],
  ['some reads later', { delay: 2 }, INSIDE],
  ['beside lists of others that were removed', {}, OTHERS_KEPT],
  ['without those that were removed', {}, WITHOUT_REMOVED],
  ['with archived ones, which are not deleted', { keepsRemoved: true }, WITH_ARCHIVED],
  ['with those that were archived', { keepsRemoved: true }, ARCHIVED],
])('a count that is right passes: %s', async (_, differences, contract) => {
  expect(await statusOn(differences, contract)).toBe('pass');
});

test.each<[string, Differences, string]>([
  ['that stays zero', { countsNone: true }, INSIDE],
  ['that stays zero, with another name of the parameter', { countsNone: true }, OTHER_NAME],
  ['that stays zero, of cards that name their board', { countsNone: true }, NAMING],
  ['of those that were removed, too', { keepsRemoved: true }, NAMING],
  ['of removed ones, where others are kept', { keepsRemoved: true }, OTHERS_KEPT],
  ['of removed ones, which do not count', { keepsRemoved: true }, WITHOUT_REMOVED],
])('a count %s is found', async (_, differences, contract) => {
  expect(await statusOn(differences, contract)).toBe('fail');
});

test.each([
  'Number of open cards',
  'Number of cards with a due date',
  'Number of cards currently in use',
  'Number of cards. Refreshed each hour.',
  'Number of cards. Hidden cards do not count.',
  'Total of the cards in cents',
  'Some number',
])('a count of others, or of some, is left alone: %s', async (description) => {
  expect(await statusOn({ countsNone: true }, contractOf(true, description))).toBeUndefined();
});

test.each<[string, string]>([
  [
    'of what has to be approved',
    INSIDE.replace('text: {type', 'is_approved: {type: boolean}\n        text: {type'),
  ],
  [
    'of a cart, which has several of one kind',
    INSIDE.replace('text: {type', 'quantity: {type: integer}\n        text: {type'),
  ],
  ['that may be a sum', INSIDE.replaceAll('cardCount', 'cardTotal')],
])('a number %s is left alone', async (_, contract) => {
  expect(await statusOn({ countsNone: true }, contract)).toBeUndefined();
});

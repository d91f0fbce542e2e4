/**
 * The rules of this project, one by one; `check.e2e.test.ts` has the changes that break nothing.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDocument } from '../page/json.ts';
import { differencesOf } from './differences.ts';
import { changesByOwnRules, mayBreak } from './own-rules.ts';

// An edit of a place that the contract does not have throws.
type Edited = any;

const parsed = () =>
  readDocument(join(import.meta.dirname, '..', '..', '..', 'openapi.yaml')) as Edited;

const createEdge = ({ paths }: Edited) => paths['/edges/https'].post;
const schemas = ({ components }: Edited) => components.schemas;
const conflict = ({ components }: Edited) => components.responses.Conflict;

it.each<[string, (contract: Edited) => void]>([
  [
    'max-bytes-decreased /components/schemas/Description',
    (one) => {
      schemas(one).Description['x-max-bytes'] = 254;
    },
  ],
  [
    'max-bytes-decreased /components/schemas/Match',
    (one) => {
      schemas(one).Match['x-max-bytes'] = 9999;
    },
  ],
  [
    'problem-code-removed /components/responses/Conflict',
    (one) => conflict(one)['x-problem-codes'].pop(),
  ],
  [
    'level-raised /paths/~1edges~1https/post',
    (one) => {
      createEdge(one)['x-level'] = 'extended';
    },
  ],
  [
    'operation-id-changed /paths/~1edges~1https/post',
    (one) => {
      createEdge(one).operationId = 'makeEdge';
    },
  ],
  [
    'default-changed /components/schemas/Enabled',
    (one) => {
      schemas(one).Enabled.default = false;
    },
  ],
  [
    'status-removed /paths/~1edges~1https/post/responses/413',
    (one) => delete createEdge(one).responses['413'],
  ],
])('own rules find %s', (expected, edit) => {
  const edited = parsed();
  edit(edited);
  expect(changesByOwnRules(parsed(), edited).map(({ kind, place }) => `${kind} ${place}`)).toEqual([
    expected,
  ]);
});

it('all that differs is shown, sentence by sentence, wherever lines break', () => {
  const before = {
    info: { description: 'It is kept. It was\nnot clear.\n\n| a | b |\n| c | d |' },
    responses: { '404': {} },
  };
  const after = {
    info: { description: 'It is\nkept. It is clear.\n\n| a | b |\n| c | e |' },
    responses: { '404': {}, '406': { $ref: '#/a' } },
  };
  expect(differencesOf(before, after)).toEqual([
    { place: '/info/description', kind: 'removed', text: 'It was not clear.' },
    { place: '/info/description', kind: 'removed', text: '| c | d |' },
    { place: '/info/description', kind: 'added', text: 'It is clear.' },
    { place: '/info/description', kind: 'added', text: '| c | e |' },
    { place: '/responses/406', kind: 'added', text: '{"$ref":"#/a"}' },
  ]);
});

it.each([
  ['1.2.3', '1.3.0', false],
  ['1.2.3', '2.0.0', true],
  ['0.2.0', '0.2.1', false],
  ['0.2.0', '0.3.0', true],
  ['0.9.9', '1.0.0', true],
  ['0.2.0', '0.2.0', false],
])('version %s to %s may break: %s', (before, now, allowed) => {
  expect(mayBreak(before, now)).toBe(allowed);
});

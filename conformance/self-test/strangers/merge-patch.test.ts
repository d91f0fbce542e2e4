/** Labels of boxes, which a PATCH merges. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const content = (type: string, schema: string): string =>
  `{${type}: {schema: {$ref: "#/components/schemas/${schema}"}}}`;
const BOX = content('application/json', 'Box');

const contractWith = (type: string, words: string): string => `
openapi: 3.1.0
info: {title: Boxes, version: '1'}
paths:
  /boxes:
    post:
      operationId: add
      requestBody: {required: true, content: ${BOX}}
      responses:
        '201': {description: It., content: ${BOX}}
        '400': {description: It is refused.}
  /boxes/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    get:
      operationId: read
      responses:
        '200': {description: It., content: ${BOX}}
        '404': {description: There is none.}
    patch:
      operationId: change
      requestBody: {required: true, content: ${content(type, 'Change')}}
      responses:
        '200': {description: It., content: ${BOX}}
        '400': {description: It is refused.}
        '404': {description: There is none.}
components:
  schemas:
    Box:
      type: object
      required: [name]
      properties:
        id: {type: string, readOnly: true}
        name: {type: string, minLength: 1, maxLength: 40}
        labels: {type: object, additionalProperties: {type: string, maxLength: 40}}
    Change:
      type: object
      properties:
        name: {type: string, minLength: 1, maxLength: 40}
        labels:
          type: object
          description: ${words}
          additionalProperties: {type: [string, 'null'], maxLength: 40}
`;

type Labels = Record<string, unknown>;
type Merge = (before: Labels, change: Labels) => Labels;

const present = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== null));

const merged: Merge = (before, change) => present({ ...before, ...change });
const replaced: Merge = (_, change) => present(change);
const emptied: Merge = (before, change) => {
  const texts = Object.entries(change).map(([name, value]) => [name, value ?? '']);
  return { ...before, ...Object.fromEntries(texts) };
};

const isText = (value: unknown): boolean => typeof value === 'string' && [...value].length <= 40;

function boxes(merge: Merge): Handler {
  const all = new Map<string, { name: unknown; labels: Labels }>();
  return ({ method, path, json }): Reply => {
    const [, , id = `box-${all.size}-${'x'.repeat(12)}`] = path.split('/');
    const box = all.get(id);
    const isNew = path === '/boxes';
    if (!isNew && box === undefined) {
      return [404];
    }
    if (method === 'GET' && box) {
      return [200, { id, ...box }];
    }
    if (method !== (isNew ? 'POST' : 'PATCH')) {
      return [405];
    }
    const { name = box?.name, labels = {} } = isObject(json) ? json : {};
    const isRight = isObject(json) && isText(name) && name !== '' && isObject(labels);
    const areTexts = Object.values(labels ?? {}).every(
      (one) => isText(one) || (box && one === null),
    );
    if (!isRight || !areTexts) {
      return [400];
    }
    const made = { name, labels: merge(box?.labels ?? {}, labels as Labels) };
    all.set(id, made);
    return [isNew ? 201 : 200, { id, ...made }];
  };
}

const MERGE_PATCH = 'application/merge-patch+json';
const JSON_TYPE = 'application/json';

async function resultOf(merge: Merge, type: string, words: string): Promise<string | undefined> {
  const options = ['--only', 'add.items.update', '--only', 'change'];
  const { report } = await runOn(boxes(merge), contractWith(type, words), options);
  return report.requirements.find(({ id }) => id === 'add.items.update.merged')?.status;
}

test.each([
  [MERGE_PATCH, 'Free labels.'],
  [JSON_TYPE, 'Members are merged; null removes one.'],
])('%s, "%s": a map that is not merged is found', async (type, words) => {
  expect(await resultOf(merged, type, words)).toBe('pass');
  expect(await resultOf(replaced, type, words)).toBe('fail');
  expect(await resultOf(emptied, type, words)).toBe('fail');
});

test.each(['Free labels.', 'They are not merged.'])(
  'a map of JSON may be replaced: "%s"',
  async (words) => {
    expect(await resultOf(replaced, JSON_TYPE, words)).toBeUndefined();
  },
);

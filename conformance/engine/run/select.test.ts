/** The requirements that a run tries, by level, origin and filters. */
import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { allIds, select } from './select.ts';

const contract = parseContract(`
openapi: 3.1.0
info: {title: a, version: 1.0.0}
paths: {}
`);

const requirement = (id: string, level: 'core' | 'extended', origin: string): Requirement => {
  return { id, level, origin, clause: '', sentence: 'X.', properties: () => [] };
};
const all = [
  requirement('read.200', 'core', 'source §1'),
  requirement('read.404', 'core', 'D01'),
  requirement('make.201', 'extended', 'source §2'),
  requirement('make.409', 'extended', 'D02'),
];
const api = { laws: () => all };

const NONE = { only: [], within: [], skip: [], allow: [], replay: undefined };
const scope = { contract, level: 'extended', origin: 'all' } as const;
type Filters = Partial<Omit<Parameters<typeof select>[1], 'api'>>;

const idsOf = (filters: Filters = {}, more: Partial<Parameters<typeof select>[0]> = {}) =>
  select({ ...scope, ...more }, { api, ...NONE, ...filters }).map((one) => one.requirement.id);

test.each([
  ['extended', 'all', ['read.200', 'read.404', 'make.201', 'make.409']],
  ['extended', 'source', ['read.200', 'make.201']],
  ['core', 'all', ['read.200', 'read.404']],
  ['core', 'source', ['read.200']],
] as const)('the level %s and the origin %s have %j', (level, origin, ids) => {
  expect(idsOf({}, { level, origin })).toEqual(ids);
});

test('filters choose by the beginnings of ids', () => {
  expect(idsOf({ only: ['read.', 'make.4'] })).toEqual(['read.200', 'read.404', 'make.409']);
  expect(idsOf({ within: ['make.'] })).toEqual(['make.201', 'make.409']);
  expect(idsOf({ within: ['make.'], only: ['make.201', 'read.'] })).toEqual(['make.201']);
});

test('a requirement that is skipped is disabled, with the reason', () => {
  const skip = [{ pattern: 'read.4', reason: 'later' }];
  const selected = select(scope, { api, ...NONE, skip });
  expect(selected.filter(({ disabled }) => disabled !== undefined)).toEqual([
    { requirement: all[1], disabled: 'later' },
  ]);
});

test('a replay tries the requirement of the case alone', () => {
  expect(idsOf({ replay: 'make.201@0.1.2' })).toEqual(['make.201']);
});

test.each<[Filters, string]>([
  [{ only: ['other'] }, '--only other matches no requirement'],
  [{ skip: [{ pattern: 'other', reason: '' }] }, '--skip other matches no requirement'],
  [{ allow: ['other'] }, '--allow other matches no operation'],
  [{ only: ['read.'], within: ['make.'] }, '--only names nothing of what --path'],
  [{ replay: 'make.201' }, '--replay make.201 is not the name of a case'],
  [{ replay: 'other@0.1.2' }, '--replay other@0.1.2 names no requirement'],
])('the filters %j are refused: %s', (filters, message) => {
  expect(() => idsOf(filters)).toThrow(message);
});

test('all ids are those of any level and origin', () => {
  expect([...allIds(contract, api)]).toEqual(all.map(({ id }) => id));
});

import type { Log } from 'sarif';
import { expect, it } from 'vitest';
import { REPORT, REQUIREMENTS } from './sample.test.fixture.ts';
import { renderSarif } from './sarif.ts';

const { runs } = JSON.parse(renderSarif(REPORT)) as Log;
const [run] = runs;
const results = run?.results ?? [];
const rules = run?.tool.driver.rules ?? [];

it('there is a result for each requirement that is broken or in error', () => {
  const levels = results.map(({ level }) => level);
  expect(levels).toEqual(['error', 'error', 'error', 'error', 'warning']);
  const ids = results.map(({ ruleIndex = -1 }) => rules[ruleIndex]?.id);
  expect(ids).toEqual(REQUIREMENTS.slice(0, 5).map(({ id }) => id));
});

it('a result stands at its line of the contract', () => {
  const { artifactLocation, region } = results[1]?.locations?.[0]?.physicalLocation ?? {};
  expect([artifactLocation?.uri, region?.startLine]).toEqual(['openapi.yaml', 138]);
});

it('a message has the rule, what is wrong and the evidence', () => {
  const paragraphs = results[1]?.message.text?.split('\n\n');
  expect(paragraphs?.slice(0, 2)).toEqual([
    'The rule of the `sample` holds.',
    'The short message.\nexpected 400 of short\ngot 201 of short',
  ]);
});

it('known failures alone are suppressed', () => {
  const suppressed = results.filter(({ suppressions = [] }) => suppressions.length > 0);
  expect(suppressed.map(({ ruleId }) => ruleId)).toEqual(['createEdge.known']);
});

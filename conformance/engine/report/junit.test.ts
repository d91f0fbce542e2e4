/** JUnit XML, as programs of CI read it. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { expect, it } from 'vitest';
import type { Report } from '../run/result.ts';
import { renderJunit } from './junit.ts';
import {
  GREEN,
  hostileReport,
  NOTHING,
  REPORT,
  reportOf,
  requirement,
} from './sample.test.fixture.ts';

function elementsOf(report: Report): SaxesTagPlain[] {
  const elements: SaxesTagPlain[] = [];
  const parser = new SaxesParser({});
  parser.on('opentag', (tag) => elements.push(tag));
  // It throws if the text is not XML.
  parser.write(renderJunit(report)).close();
  return elements;
}

/** The element that each attribute of a suite counts. */
const COUNTED = {
  tests: 'testcase',
  failures: 'failure',
  errors: 'error',
  skipped: 'skipped',
};

it.each([
  ['the sample', REPORT, { tests: '8', failures: '4', errors: '1', skipped: '2' }],
  ['a run without requirements, which is red', NOTHING, { tests: '1', failures: '0', errors: '1' }],
  ['a conformant run', GREEN, { tests: '1', failures: '0', errors: '0' }],
  [
    'hostile text',
    hostileReport(`]]></failure>"'&amp;<img onerror=x>\r\n\uffff`),
    { tests: '8', failures: '4' },
  ],
])('suites count what is in them: %s', (_, report, counts) => {
  const [root, ...elements] = elementsOf(report);
  expect(root?.attributes).toMatchObject(counts);
  const suites = elements.filter(({ name }) => name === 'testsuite');
  for (const [counter, element] of Object.entries(COUNTED)) {
    let sum = 0;
    for (const { attributes } of suites) {
      sum += Number(attributes[counter]);
    }
    const found = elements.filter(({ name }) => name === element);
    expect(found, counter).toHaveLength(sum);
  }
});

const PASSED = requirement('getEdge.200');
const IN_ERROR = requirement('getEdge.refused');

it.each([
  ['a failure', reportOf([requirement('createEdge.short')]), false],
  ['an error', reportOf([PASSED, IN_ERROR]), false],
  ['passed requirements alone, such as a known failure that passes', reportOf([PASSED]), true],
  ['no verdict', reportOf([PASSED, IN_ERROR], { verdict: 'inconclusive' }), true],
  ['too little that succeeded', reportOf([PASSED], { verdict: 'incomplete' }), true],
  ['a conformant run', GREEN, false],
])('the verdict is a test case only if no requirement shows it: %s', (_, report, isShown) => {
  const names = elementsOf(report).map(({ attributes }) => attributes['name']);
  expect(names.includes('verdict')).toBe(isShown);
});

import { expect, test } from 'vitest';
import { A, contractWith } from '../../contract/synthetic.test.fixture.ts';
import { notOfFormat } from '../formats.ts';
import { violationsOf } from '../violations.ts';

test.each(['re2', 'uri', 'date-time', 'ipv4'])('each text that is no %s is a case', (format) => {
  const violations = violationsOf(contractWith({ type: 'string', format }), A);
  const labels = violations
    .filter(({ clause }) => clause.keyword === 'format')
    .map(({ label }) => label);
  const wrong = labels.filter((label) => label.startsWith('no '));
  expect(new Set(wrong).size).toBe(notOfFormat(format).length);
});

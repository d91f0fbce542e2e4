/** A line for each cause: a hundred failures of one cause are not a hundred lines. */
import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';
import { sampleReport } from './sample.ts';

const broken = sampleReport().requirements.find(({ failure }) => failure !== undefined)!;

test('on a terminal, a cause is told once, and from its beginning', () => {
  let written = '';
  const to = { isTTY: true, columns: 60, write: (text: string) => ((written += text), true) };
  const progress = createProgress({ to, colour: false, redact: (text) => text });
  progress.started(3);
  const of = (id: string, cause: string) => ({ ...broken, id, failure: { ...broken.failure!, cause } });
  const cause = 'Refused with 422, application/json in place of the documented status';
  progress.finished(of('edges.echo', cause), 1);
  progress.finished(of('edges.stable', cause), 2);
  progress.finished(of('edges.refs', 'Another cause'), 3);
  const lines = written.match(/✗ [^\n]*/gu);
  expect(lines).toEqual(['✗ edges.echo: Refused with 422, application/json in place …', '✗ edges.refs: Another cause']);
});

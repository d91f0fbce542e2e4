/** `command.test.ts` of the command line has whole runs. */
import { expect, it } from 'vitest';
import { displayWidth } from './columns.ts';
import { ProgressView } from './progress.ts';
import { failing, REQUIREMENTS } from './sample.test.fixture.ts';

interface Written {
  lines: string[];
}

function progressTo(written: Written, terminal?: { columns: number }): ProgressView {
  const write = (text: string) => written.lines.push(...text.split('\n').filter(Boolean));
  const options = { colour: false, redact: (text: string) => text, verbose: false };
  return new ProgressView({ write, isTTY: terminal !== undefined, ...terminal }, options);
}

const CLEAR = '\r\u001B[2K';

it.each([40, 80])(
  'a line fits into a terminal of %i columns, whose last one stays free',
  (columns) => {
    const written: Written = { lines: [] };
    const progress = progressTo(written, { columns });
    progress.started(2);
    progress.finished(failing({ cause: 'c'.repeat(100) }), 1);
    progress.trying('i'.repeat(100));
    const widths = written.lines.map((line) => displayWidth(line.replaceAll(CLEAR, '')));
    expect(Math.max(...widths)).toBe(columns - 1);
  },
);

it('a cause is shown once', () => {
  const written: Written = { lines: [] };
  const progress = progressTo(written, { columns: 80 });
  progress.started(2);
  progress.finished(failing(), 1);
  progress.finished(failing(), 2);
  expect(written.lines.filter((line) => line.includes('✗'))).toHaveLength(1);
});

it('without a terminal, few requirements are named one by one', () => {
  const written: Written = { lines: [] };
  const progress = progressTo(written);
  progress.started(REQUIREMENTS.length);
  for (const [index, result] of REQUIREMENTS.entries()) {
    progress.finished(result, index + 1);
  }
  const ids = written.lines.map((line) => line.split(/ +/)[1]);
  expect(ids).toEqual(REQUIREMENTS.map(({ id }) => id));
});

it('without a terminal, there is a line for each tenth of many requirements', () => {
  const written: Written = { lines: [] };
  const progress = progressTo(written);
  progress.started(60);
  for (let done = 1; done <= 60; done++) {
    progress.finished({ ...failing(), status: 'pass', cases: 2 }, done);
  }
  expect(written.lines).toHaveLength(10);
  expect(written.lines[0]).toBe('6/60 requirements, 12 cases, 0 broken');
});

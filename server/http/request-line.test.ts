/** Written by hand for speed, the line of a request is what pino would write. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type RequestLine, requestLines } from './request-line.ts';

const LINE: RequestLine = {
  request_id: 'req_1',
  method: 'GET',
  path: '/edges/"https"\\é',
  operation: 'getEdge',
  status: 200,
  duration_ms: 0.125,
};

/** Both lines, at the same time of day. */
function written(line: RequestLine, level = 'info'): string[] {
  const texts: string[] = [];
  const log = pino({ level }, { write: (text: string) => void texts.push(text.replace(/"time":\d+/, '"time":0')) });
  log.info(line, 'request');
  requestLines(log)(line);
  return texts;
}

test.each([LINE, { ...LINE, operation: undefined }, { ...LINE, path: '/\u0001\u2028', duration_ms: 1e-7 }])(
  'as pino writes it',
  (line) => {
    const [expected, own] = written(line);
    expect(own).toBe(expected);
  },
);

test('nothing where this level is not logged', () => {
  expect(written(LINE, 'warn')).toEqual([]);
});

/**
 * Times that follow each other: services refuse spans that end before they begin, whatever their
 * contract says.
 */
import { memberOf, setMember } from '../contract/by-name.ts';
import { type Shape, texts } from '../contract/shape.ts';

type Members = Record<string, unknown>;

/** Not the time of the run: the same seed sends the same bodies. */
const FIRST_TIME = Date.parse('2036-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

/** Long enough that each time can be a day later, and stay before the next one. */
const APART_MS = 3 * DAY_MS;

/**
 * Times in the future for the members that are times or days. They have the order of the contract,
 * which names the beginning of a span before its end.
 */
export function timesInOrder(shape: Shape, value: Members): Members {
  const times: Members = {};
  let next = FIRST_TIME;
  for (const name of timesIn(shape, value)) {
    setMember(times, name, written(shape.property(name), next));
    next += APART_MS;
  }
  return times;
}

/** Whether no time comes before, or equals, one that the contract names earlier. */
export function areInOrder(shape: Shape, value: Members): boolean {
  const times = timesIn(shape, value).map((name) => Date.parse(String(memberOf(value, name))));
  return times.every((time, index) => index === 0 || time > (times[index - 1] ?? -Infinity));
}

/** The time or day that is a day later; undefined if the text is neither. */
export function aDayLater(shape: Shape | undefined, text: string): string | undefined {
  const time = Date.parse(text);
  if (!isTime(shape) || Number.isNaN(time)) {
    return undefined;
  }
  return written(shape, time + DAY_MS);
}

function timesIn(shape: Shape, value: Members): string[] {
  return [...shape.properties.keys()].filter((name) => {
    return typeof memberOf(value, name) === 'string' && isTime(shape.property(name));
  });
}

function isTime(shape: Shape | undefined): boolean {
  if (shape === undefined) {
    return false;
  }
  const formats = texts(shape, 'format');
  return formats.includes('date') || formats.includes('date-time');
}

function written(shape: Shape | undefined, time: number): string {
  const text = new Date(time).toISOString();
  const isDay = shape !== undefined && texts(shape, 'format').includes('date');
  if (isDay) {
    return text.slice(0, text.indexOf('T'));
  }
  return text;
}

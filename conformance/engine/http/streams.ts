/** Operations whose response has no end, and begins when the service has something to send. */
import type { Contract } from '../contract/load.ts';
import { type Operation, successOf } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';

const OF_STREAMS = /event-stream|ndjson|jsonl|json-lines|json-seq|stream\+json/i;

/** As in "A successful response. (streaming responses)". */
const IN_WORDS = /\bstream(s|ed|ing)?\b/i;

/** Whether the contract says that a success of the operation is a stream. */
export function isStream({ document }: Contract, operation: Operation): boolean {
  const { pointer, content } = successOf(operation);
  const { description } = objectAt(document, pointer);
  const isOfType = Object.keys(content).some((type) => OF_STREAMS.test(type));
  return isOfType || (typeof description === 'string' && IN_WORDS.test(description));
}

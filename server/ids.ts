/** Ids that sort by the time they were made (D01), also within a millisecond. */
import { monotonicFactory } from 'ulid';

export function createIds(): (prefix: string) => string {
  const ulid = monotonicFactory();
  return (prefix) => `${prefix}_${ulid().toLowerCase()}`;
}

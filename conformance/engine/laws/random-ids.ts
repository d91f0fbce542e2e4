/** Whether ids are random. An id that is nearly a random one belongs to nobody. */

/** The shortest random part of an id, in characters. */
const MIN_LENGTH = 10;

/** The least number of different characters of a random part. */
const MIN_DIFFERENT = 6;

/** Whether two ids are random, except for a common beginning and a common end. */
export function areRandom(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  let begin = 0;
  while (begin < length && one[begin] === other[begin]) {
    begin++;
  }
  let end = 0;
  while (end < length - begin && one.at(-1 - end) === other.at(-1 - end)) {
    end++;
  }
  const middle = one.slice(begin, one.length - end);
  const hasLetter = /[a-z]/i.test(middle);
  return middle.length >= MIN_LENGTH && new Set(middle).size >= MIN_DIFFERENT && hasLetter;
}

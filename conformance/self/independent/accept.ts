/** Whether an Accept header leaves room for application/json (RFC 9110, 12.5.1). */
import { parseMediaType, splitList } from './media-type.ts';

/** From the broadest range to the narrowest, which decides. */
const RANGES = ['*/*', 'application/*', 'application/json'];
const QUALITY = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/** What cannot be read rules nothing out. */
export function acceptsJson(header: string | undefined): boolean {
  let narrowest = -1;
  let quality = 0;
  let readable = false;
  for (const element of splitList(header ?? '')) {
    const range = parseMediaType(element);
    const q = range?.parameters.find(([name]) => name === 'q')?.[1] ?? '1';
    if (range === undefined) continue;
    readable = true;
    const width = RANGES.indexOf(range.name);
    if (width < narrowest) continue;
    const wanted = QUALITY.test(q) ? Number(q) : 1;
    // Two ranges of one width differ by parameters, which JSON does not have: the better one counts.
    quality = width === narrowest ? Math.max(quality, wanted) : wanted;
    narrowest = width;
  }
  return !readable || (narrowest >= 0 && quality > 0);
}

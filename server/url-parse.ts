/**
 * A saving for express-openapi-validator, which calls `url.parse` for each request. From Node 24
 * on, each call looks at the stack, to warn of one outside of node_modules, until it has warned
 * once. After a warning that nobody hears, a read takes an eighth less CPU on Node 24 and 26.
 */
import { parse } from 'node:url';

/** Only for a separate program: nobody is warned of `url.parse` afterwards. */
export async function warnOfUrlParseUnheard(): Promise<void> {
  const { noDeprecation = false } = process;
  process.noDeprecation = true;
  await new Promise<void>((resolve) => {
    // Called by Node itself, and so not from node_modules, which may contain this file.
    process.nextTick(parse, '/');
    process.nextTick(resolve);
  });
  process.noDeprecation = noDeprecation;
}

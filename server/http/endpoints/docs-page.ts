/**
 * Serves the rendered docs under a policy that allows its own scripts and nothing else. The policy names each script by its
 * hash, so that an injected script would not run. Styles cannot be named like this: Redoc creates them at run time.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';
import { forEveryone } from '../security/browsers.ts';

/**
 * @param ready rejects when rendering the page failed; requests wait for it
 * @param connect where the page may send requests
 */
export function showDocs(
  file: string,
  ready: () => Promise<unknown> = async () => undefined,
  connect = "'none'",
): RequestHandler {
  let known: { version: string; policy: string } | undefined;
  return async (_req, res) => {
    await ready().catch(() => {
      throw new ApiError('internal_error', 'The docs could not be rendered. The log of the server has the reason.');
    });
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) throw new ApiError('not_found', 'The docs are not built. Run: npm run docs');
    // The page has some megabytes: it is searched for scripts once for each build.
    const version = `${found.mtimeMs} ${found.size}`;
    if (known?.version !== version) known = { version, policy: policyFor(await readFile(file, 'utf8'), connect) };
    forEveryone(res)
      .set('Content-Security-Policy', known.policy)
      .sendFile(file, { dotfiles: 'allow', cacheControl: false });
  };
}

/** @param html where a script ends at the first `</script`, as in every browser */
export function policyFor(html: string, connect = "'none'"): string {
  // Browsers convert every line end to \n, and hash that.
  const scripts = scriptsOf(html.replaceAll(/\r\n?/g, '\n')).filter((text) => text !== '');
  const hashes = new Set(scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`));
  return [
    "default-src 'none'",
    `script-src ${hashes.size === 0 ? "'none'" : [...hashes].join(' ')}`,
    `connect-src ${connect}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The text between the tags of each script. One pass, for any page: a regular expression would try each end anew. */
function scriptsOf(html: string): string[] {
  // ASCII alone, as browsers do it: other letters would change their length, and all places behind them.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const scripts: string[] = [];
  for (let tag = lower.indexOf('<script'); tag >= 0;) {
    const start = lower.indexOf('>', tag) + 1;
    const end = start === 0 ? -1 : lower.indexOf('</script', start);
    if (end < 0) break;
    if (/[\s>/]/.test(lower.charAt(tag + '<script'.length))) scripts.push(html.slice(start, end));
    tag = lower.indexOf('<script', end);
  }
  return scripts;
}

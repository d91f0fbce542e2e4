/**
 * Serves the rendered docs under a policy that lets its own scripts run and nothing else. Each is named by its hash, so that
 * a script that came in by way of the contract would not run. Styles cannot be named like this: Redoc makes them as it runs.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/api-error.ts';
import { forEveryone } from '../security/protective-headers.ts';

/** @param ready rejects when rendering the page failed; requests wait for it */
export function showDocs(file: string, ready: () => Promise<unknown> = async () => undefined): RequestHandler {
  let known: { version: string; policy: string } | undefined;
  return async (_req, res) => {
    await ready().catch(() => {
      throw new ApiError('internal_error', 'The docs could not be rendered. The log of the server has the reason.');
    });
    const version = await versionOf(file);
    if (version === undefined) throw new ApiError('not_found', 'The docs are not built. Run: npm run docs');
    // The page has some megabytes: it is looked through once, and again when it was built anew.
    if (known?.version !== version) known = { version, policy: policyFor(await readFile(file, 'utf8')) };
    forEveryone(res)
      .set('Content-Security-Policy', known.policy)
      .sendFile(file, { dotfiles: 'allow', cacheControl: false });
  };
}

/** Undefined where there is no such file. */
async function versionOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? `${found.mtimeMs} ${found.size}` : undefined;
}

/** @param html where a script ends at the first `</script`, as for every browser */
export function policyFor(html: string): string {
  // Browsers read every end of a line as \n, and hash that.
  const lines = html.replaceAll(/\r\n?/g, '\n');
  const hashes = new Set(
    scriptsOf(lines)
      .filter((text) => text !== '')
      .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`),
  );
  return [
    "default-src 'none'",
    `script-src ${hashes.size === 0 ? "'none'" : [...hashes].join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What stands between the tags of each script. One pass, whatever the page: an expression would try each end anew. */
function scriptsOf(html: string): string[] {
  // Of ASCII alone, as browsers do it: other letters change their length, and all places behind them.
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

/**
 * The rendered docs: pages in files, which may be missing, with a policy that allows only their own
 * scripts.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { ApiError } from '../domain/api-error.ts';
import { PublicContent } from './public-content.ts';

/** Rejects if rendering failed. */
export type DocsReady = () => Promise<unknown>;

/** One version of a page. */
interface KnownPage {
  version: string;
  policy: string;
  content: PublicContent;
}

/**
 * @param connect the servers to which scripts of the page may send requests, as sources of a
 * Content-Security-Policy
 */
export function showDocs(
  file: string,
  ready: DocsReady = async () => undefined,
  connect = "'none'",
): RequestHandler {
  let known: KnownPage | undefined;
  return async (req, res) => {
    await requireRendered(ready);
    const version = await versionOf(file);
    // The page has some megabytes: it is searched for scripts, and compressed, once for each build.
    if (known?.version !== version) {
      const html = await readFile(file, 'utf8');
      const content = new PublicContent('text/html; charset=utf-8', html);
      known = { version, policy: policyFor(html, connect), content };
    }
    res.set('Content-Security-Policy', known.policy);
    await known.content.send(req, res);
  };
}

/** The name of a Markdown file of the docs. */
const MARKDOWN_FILE = /^[\w-][\w.-]*\.md$/;

/**
 * The docs as text, for programs: `llms.txt`, or the page that the path names.
 * @param folder the one of the rendered docs
 */
export function showDocsAsText(
  folder: string,
  ready: DocsReady = async () => undefined,
): RequestHandler {
  return async (req, res, next) => {
    await requireRendered(ready);
    const name = req.params['file'];
    const file = name === undefined ? 'llms.txt' : join('pages', String(name));
    const isAllowed = name === undefined || MARKDOWN_FILE.test(String(name));
    const stats = isAllowed ? await stat(join(folder, file)).catch(() => undefined) : undefined;
    if (!stats?.isFile()) {
      next();
      return;
    }
    const type = name === undefined ? 'text/plain' : 'text/markdown';
    const text = await readFile(join(folder, file));
    await new PublicContent(`${type}; charset=utf-8`, text).send(req, res);
  };
}

/** @throws ApiError */
async function requireRendered(ready: DocsReady): Promise<void> {
  try {
    await ready();
  } catch {
    const detail = 'The docs could not be rendered. The log of the server has the reason.';
    throw new ApiError('internal_error', detail);
  }
}

/** Changes with the file. @throws ApiError if it is missing */
async function versionOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile()) {
    throw new ApiError('not_found', 'The docs are not built. Run: npm run docs');
  }
  return `${stats.mtimeMs} ${stats.size}`;
}

/** Allows the scripts of the page, each by its hash, and requests to `connect`. */
export function policyFor(html: string, connect = "'none'"): string {
  // Browsers convert every line end to \n, and hash that.
  const scripts = scriptsOf(html.replaceAll(/\r\n?/g, '\n'));
  const hashes = new Set(scripts.map(hashOf));
  const sources = hashes.size === 0 ? "'none'" : [...hashes].join(' ');
  // Redoc creates styles at run time: they have no hashes.
  return [
    `default-src 'none'; script-src ${sources}`,
    `connect-src ${connect}; style-src 'unsafe-inline'; img-src data:; font-src data:`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ');
}

function hashOf(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64');
  return `'sha256-${hash}'`;
}

const SCRIPT_TAG = /<script(?:[\s/][^<>]*)?>/i;

/** The texts of the scripts that are not empty. */
function scriptsOf(html: string): string[] {
  const scripts: string[] = [];
  // Each script ends a piece, and begins behind the first tag of it.
  const pieces = html.split(/<\/script/i).slice(0, -1);
  for (const piece of pieces) {
    const tag = SCRIPT_TAG.exec(piece);
    const text = tag === null ? '' : piece.slice(tag.index + tag[0].length);
    if (text !== '') {
      scripts.push(text);
    }
  }
  return scripts;
}

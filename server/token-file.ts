/**
 * A file of bearer tokens: one a line, with the word `read-only` behind those that permit no change. Empty lines and lines
 * that begin with `#` do not count.
 *
 *     # the deployment
 *     6f0c9f3c8d1b
 *     # the dashboard
 *     b2a771e05f44 read-only
 *
 * It is followed while the server runs, so that tokens are replaced without a restart.
 */
import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { ConfigError } from './config.ts';
import { type Token, TOKEN_FORM } from './http/security/tokens.ts';

/** How often a followed file is looked at: one `stat`, and nothing is read unless it shows a change. */
export const LOOK_EVERY_MS = 1000;

/** Far above any use; a file beyond it is another one. */
const MOST_TOKENS = 1000;

/**
 * The tokens of the file, at least one. A message names the file and the line, and never repeats what stands there.
 * @throws ConfigError when it cannot be read or has another form
 */
export function readTokenFile(path: string): Token[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`the token file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const tokens = new Map<string, Token>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const at = `line ${index + 1} of the token file ${path}`;
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    const [token, word, ...more] = words;
    if (token === undefined || token.startsWith('#')) continue;
    if (!TOKEN_FORM.test(token))
      throw new ConfigError(
        `${at} is no token: it must be made of A-Z a-z 0-9 . _ ~ + / - with = at its end only (RFC 6750)`,
      );
    if ((word !== undefined && word !== 'read-only') || more.length > 0)
      throw new ConfigError(`${at} has more than a token and the word read-only`);
    if (tokens.has(token)) throw new ConfigError(`${at} has a token that is there already`);
    tokens.set(token, { text: token, readOnly: word === 'read-only' });
  }
  if (tokens.size === 0) throw new ConfigError(`the token file ${path} has no token`);
  if (tokens.size > MOST_TOKENS) throw new ConfigError(`the token file ${path} has more than ${MOST_TOKENS} tokens`);
  return [...tokens.values()];
}

/**
 * Whether others than the owner and the group can read the file, or than the owner change it. That is told and not
 * refused: orchestrators mount secrets like this into containers, where there are no others.
 */
export function isTooOpen(path: string): boolean {
  // Windows has no such bits. A file that is not there is told of when it is read.
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== 'win32' && (mode & 0o026) !== 0;
}

export interface Following {
  /** The file has changed, and these are its tokens. */
  changed(tokens: Token[]): void;
  /** The file has changed and cannot be used; the message is one line. */
  broken(message: string): void;
}

/** Looks after the file until it is stopped, and keeps no process alive. */
export function followTokenFile(path: string, { changed, broken }: Following): { stop(): void } {
  const look = (): void => {
    let tokens: Token[];
    try {
      tokens = readTokenFile(path);
    } catch (error) {
      broken((error as Error).message);
      return;
    }
    changed(tokens);
  };
  watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, look);
  return { stop: () => unwatchFile(path, look) };
}

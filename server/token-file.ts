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
import { readFileSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ConfigError } from './config.ts';
import { type Token, TOKEN_FORM } from './http/security/tokens.ts';

/** How often a followed file is looked at: one `stat`, and nothing is read unless it shows a change. */
export const LOOK_EVERY_MS = 1000;

/** Far above any use; a file beyond it is another one. */
const MOST_TOKENS = 1000;

export interface Reserved {
  /** A token that opens something else, and must not stand in the file. */
  reserved?: string | undefined;
}

/**
 * The tokens of the file, at least one. A message names the file and the line, and never repeats what stands there.
 * @throws ConfigError when it cannot be read or has another form
 */
export function readTokenFile(path: string, { reserved }: Reserved = {}): Token[] {
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
        `${at} is no token: it must have only the characters A-Z a-z 0-9 . _ ~ + / -, and = at its end (RFC 6750)`,
      );
    if ((word !== undefined && word !== 'read-only') || more.length > 0)
      throw new ConfigError(`${at} must be a token, optionally followed by the word read-only`);
    if (token === reserved) throw new ConfigError(`${at} is the test token: clients could remove all data`);
    if (tokens.has(token)) throw new ConfigError(`${at} repeats a token`);
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

export interface Changes {
  /** The file has changed, and these are its tokens. */
  changed(tokens: Token[]): void;
  /** The file has changed and cannot be used; the message is one line. */
  broken(message: string): void;
}

/**
 * Reads the file, and again whenever it changes, until it is stopped. Keeps no process alive.
 * @throws ConfigError when it cannot be used at first
 */
export function followTokenFile(
  path: string,
  options: Reserved,
  { changed, broken }: Changes,
): { tokens: Token[]; stop(): void } {
  // Before it is read: a change between the two is then read twice, and not missed.
  let seen = versionOf(statSync(path, { throwIfNoEntry: false }));
  const tokens = readTokenFile(path, options);
  const look = async (): Promise<void> => {
    const version = versionOf(await stat(path).catch(() => undefined));
    if (version === seen) return;
    seen = version;
    let read: Token[];
    try {
      read = readTokenFile(path, options);
    } catch (error) {
      broken((error as Error).message);
      return;
    }
    changed(read);
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return { tokens, stop: () => clearInterval(timer) };
}

/** Differs after every change, also when another file was put in its place. */
function versionOf(stats: Stats | undefined): string | undefined {
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

/**
 * Bearer tokens, one a line, with `read-only` after those that permit no change; empty lines, and
 * `#` comments.
 */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Config, ConfigError } from './config.ts';
import {
  createTokens,
  type Token,
  TOKEN_CHARACTERS,
  TOKEN_FORM,
  type Tokens,
} from './http/security/tokens.ts';

/** How often the file is checked: one `stat`, and nothing is read unless it shows a change. */
const CHECK_EVERY_MS = 1000;

/** A shorter token can be guessed. */
const SHORT_TOKEN = 16;

/** Far above any use; a file beyond it is not a token file. */
const MOST_TOKENS = 1000;

const READ_ONLY = 'read-only';

/**
 * @param reserved a token that must not be in the file
 * @returns at least one token
 * @throws ConfigError, whose message repeats nothing of the file
 */
export function readTokenFile(path: string, reserved?: string): Token[] {
  const tokens = new Map<string, Token>();
  for (const [index, line] of readText(path).split(/\r?\n/).entries()) {
    const [text, ...words] = line.split(/[ \t]+/).filter((one) => one !== '');
    if (text === undefined || text.startsWith('#')) {
      continue;
    }
    const repeats = tokens.has(text) ? 'repeats a token' : undefined;
    const problem = problemOf(text, words, reserved) ?? repeats;
    if (problem !== undefined) {
      throw new ConfigError(`line ${index + 1} of the token file ${path} ${problem}`);
    }
    tokens.set(text, { text, readOnly: words.length > 0 });
  }
  if (tokens.size === 0) {
    throw new ConfigError(`the token file ${path} has no token`);
  }
  if (tokens.size > MOST_TOKENS) {
    throw new ConfigError(`the token file ${path} has more than ${MOST_TOKENS} tokens`);
  }
  return [...tokens.values()];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`the token file ${path} cannot be read (${code})`);
  }
}

/** @param words those after the token, in its line */
function problemOf(
  token: string,
  words: readonly string[],
  reserved: string | undefined,
): string | undefined {
  if (!TOKEN_FORM.test(token)) {
    return `is not a token: it must have only ${TOKEN_CHARACTERS}`;
  }
  const [word = READ_ONLY, ...more] = words;
  if (word !== READ_ONLY || more.length > 0) {
    return 'must be a token, optionally followed by the word read-only';
  }
  if (token === reserved) {
    return 'is the test token: clients could remove all data';
  }
  return undefined;
}

/** Read by others than owner and group, or write by others than the owner. */
const TOO_OPEN = 0o026;

/**
 * Whether users who should not can read or change the file. That is a warning: containers mount
 * secrets so.
 */
export function isTooOpen(path: string): boolean {
  // Windows has no such bits. A missing file is reported when it is read.
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== 'win32' && (mode & TOO_OPEN) !== 0;
}

export interface OpenTokens {
  /** Undefined: the API is open. */
  tokens?: Tokens;
  /** Ends the checks for changes of the file. */
  stop: () => void;
}

/**
 * The tokens of the settings. A file is read again after each change.
 *
 * @throws ConfigError at the first read
 */
export function openTokens({ token, tokenFile, testToken }: Config, log: Logger): OpenTokens {
  if (testToken !== undefined) {
    warnOfShort([testToken], 'test-token', log);
  }
  if (tokenFile !== undefined) {
    return watchTokenFile(tokenFile, testToken, log);
  }
  const stop = () => undefined;
  if (token === undefined) {
    return { stop };
  }
  warnOfShort([token], 'token', log);
  return { tokens: createTokens([{ text: token, readOnly: false }]), stop };
}

function warnOfShort(tokens: readonly string[], setting: string, log: Logger): void {
  const short = tokens.filter((text) => text.length < SHORT_TOKEN).length;
  if (short > 0) {
    const advice = `tokens of less than ${SHORT_TOKEN} characters can be guessed`;
    log.warn({ setting, short }, `${advice}: openssl rand -hex 24`);
  }
}

function watchTokenFile(file: string, testToken: string | undefined, log: Logger): OpenTokens {
  if (isTooOpen(file)) {
    const advice = 'others on this machine can read or change the token file: chmod 640 or 600';
    log.warn({ file }, advice);
  }
  const read = (): Token[] => {
    const list = readTokenFile(file, testToken);
    const texts = list.map(({ text }) => text);
    warnOfShort(texts, 'token-file', log);
    return list;
  };
  // Before the file is read: a change between the two is then read twice, and not missed.
  let seen = versionOf(statSync(file, { throwIfNoEntry: false }));
  const tokens = createTokens(read());
  const check = async (): Promise<void> => {
    const version = versionOf(await stat(file).catch(() => undefined));
    if (version === seen) {
      return;
    }
    seen = version;
    replaceTokens(tokens, read, { file, log });
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return { tokens, stop: () => clearInterval(timer) };
}

/** A file that cannot be used takes no token away. */
function replaceTokens(
  tokens: Tokens,
  read: () => Token[],
  { file, log }: { file: string; log: Logger },
): void {
  try {
    const list = read();
    tokens.replace(list);
    const fields = { file, tokens: list.length };
    log.info(fields, 'the token file has changed, and its tokens are those that count now');
  } catch (error) {
    const { message: reason } = error as Error;
    const message = 'the token file has changed and cannot be used: the previous tokens stay valid';
    log.error({ reason }, message);
  }
}

/** Differs after every change, also after another file was put in the place of the file. */
function versionOf(stats: Stats | undefined): string | undefined {
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

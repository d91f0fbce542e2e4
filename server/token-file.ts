/** Bearer tokens, one a line, with `read-only` after those that permit no change; empty lines, and `#` comments. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Config, ConfigError } from './config.ts';
import { createTokens, type Token, TOKEN_FORM, type Tokens } from './http/security/tokens.ts';

/** How often the file is checked: one `stat`, and nothing is read unless it shows a change. */
const CHECK_EVERY_MS = 1000;

/** A shorter token can be guessed. */
const SHORT_TOKEN = 16;

/** Far above any use; a file beyond it is not a token file. */
const MOST_TOKENS = 1000;

/** At least one. Messages never repeat the text. @param reserved must not be in the file @throws ConfigError */
export function readTokenFile(path: string, reserved?: string): Token[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `the token file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const tokens = new Map<string, Token>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const fail = (reason: string): never => {
      throw new ConfigError(`line ${index + 1} of the token file ${path} ${reason}`);
    };
    const [token, word, ...more] = line.split(/[ \t]+/).filter((one) => one !== '');
    if (token === undefined || token.startsWith('#')) {
      continue;
    }
    if (!TOKEN_FORM.test(token)) {
      fail(
        'is not a token: it must have only the characters A-Z a-z 0-9 . _ ~ + / -, and = at its end (RFC 6750)',
      );
    }
    if ((word ?? 'read-only') !== 'read-only' || more.length > 0) {
      fail('must be a token, optionally followed by the word read-only');
    }
    if (token === reserved) {
      fail('is the test token: clients could remove all data');
    }
    if (tokens.has(token)) {
      fail('repeats a token');
    }
    tokens.set(token, { text: token, readOnly: word !== undefined });
  }
  if (tokens.size === 0) {
    throw new ConfigError(`the token file ${path} has no token`);
  }
  if (tokens.size > MOST_TOKENS) {
    throw new ConfigError(`the token file ${path} has more than ${MOST_TOKENS} tokens`);
  }
  return [...tokens.values()];
}

/** Others than owner and group can read it, or others than the owner write. A warning: containers mount secrets so. */
export function isTooOpen(path: string): boolean {
  // Windows has no such bits. A missing file is reported when it is read.
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== 'win32' && (mode & 0o026) !== 0;
}

/** No tokens: the API is open. A file is read after each change until `stop`. @throws ConfigError at the first read */
export function openTokens(
  { token, tokenFile, testToken }: Config,
  log: Logger,
): { tokens?: Tokens; stop(): void } {
  const warnOfShort = (list: readonly { text: string }[], setting: string) => {
    const short = list.filter(({ text }) => text.length < SHORT_TOKEN).length;
    const advice = `tokens of less than ${SHORT_TOKEN} characters can be guessed: openssl rand -hex 24`;
    if (short > 0) {
      log.warn({ setting, short }, advice);
    }
  };
  if (testToken !== undefined) {
    warnOfShort([{ text: testToken }], 'test-token');
  }
  if (tokenFile === undefined) {
    const stop = () => undefined;
    if (token === undefined) {
      return { stop };
    }
    const only = [{ text: token, readOnly: false }];
    warnOfShort(only, 'token');
    return { tokens: createTokens(only), stop };
  }
  if (isTooOpen(tokenFile)) {
    log.warn(
      { file: tokenFile },
      'others on this machine can read or change the token file: chmod 640 or 600',
    );
  }
  const read = () => {
    const list = readTokenFile(tokenFile, testToken);
    warnOfShort(list, 'token-file');
    return list;
  };
  // Before it is read: a change between the two is then read twice, and not missed.
  let seen = versionOf(statSync(tokenFile, { throwIfNoEntry: false }));
  const tokens = createTokens(read());
  const check = async (): Promise<void> => {
    const version = versionOf(await stat(tokenFile).catch(() => undefined));
    if (version === seen) {
      return;
    }
    seen = version;
    try {
      const list = read();
      tokens.replace(list);
      const fields = { file: tokenFile, tokens: list.length };
      log.info(fields, 'the token file has changed, and its tokens are those that count now');
    } catch (error) {
      const reason = (error as Error).message;
      log.error(
        { reason },
        'the token file has changed and cannot be used: the previous tokens stay valid',
      );
    }
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return { tokens, stop: () => clearInterval(timer) };
}

/** Differs after every change, also when another file was put in its place. */
function versionOf(stats: Stats | undefined): string | undefined {
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

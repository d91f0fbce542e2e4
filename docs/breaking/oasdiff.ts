/**
 * The changes that oasdiff calls breaking. It is a Go program: `go install` builds the pinned version once, into the cache
 * below node_modules.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../page/json.ts';

const VERSION = 'v1.33.0';

/** A change that may break a client or a server of the old contract. */
export interface BreakingChange {
  /** A stable name of the kind of change, such as `request-property-max-length-decreased`. */
  kind: string;
  /** An operation or a JSON pointer. */
  place: string;
  text: string;
}

/**
 * The path of the program; `OASDIFF` in the environment names another one.
 * @throws Error that says what to install
 */
export function installOasdiff(root: string): string {
  const given = process.env['OASDIFF'];
  if (given) return given;
  const folder = join(root, 'node_modules', '.cache', `oasdiff-${VERSION}`);
  const program = join(folder, process.platform === 'win32' ? 'oasdiff.exe' : 'oasdiff');
  if (existsSync(program)) return program;
  process.stderr.write(`Building oasdiff ${VERSION}, once.\n`);
  const built = spawnSync('go', ['install', `github.com/oasdiff/oasdiff@${VERSION}`], {
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
    encoding: 'utf8',
  });
  if (built.error)
    throw new Error(
      'oasdiff needs Go to be built: install Go 1.26 or newer, or give the path of an oasdiff in OASDIFF',
    );
  if (built.status !== 0) throw new Error(`oasdiff could not be built: ${built.stderr.trim().split('\n').at(-1)}`);
  return program;
}

interface Finding {
  id: string;
  text: string;
  /** 2 is a warning: a change that breaks some clients. Here, both count. */
  level: number;
  operation?: string;
  path?: string;
}

/** @throws Error with what it printed, where it cannot read a contract */
export function changesByOasdiff(program: string, before: string, after: string): BreakingChange[] {
  const run = spawnSync(program, ['breaking', before, after, '--format', 'json', '--allow-external-refs=false'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.error) throw new Error(`oasdiff could not be started: ${run.error.message}`);
  if (run.status !== 0) throw new Error(`oasdiff: ${run.stderr.trim()}`);
  const findings = JSON.parse(run.stdout || '[]') as Finding[] | { changes: Finding[] };
  return (Array.isArray(findings) ? findings : findings.changes)
    .filter(({ level }) => level >= 2)
    .map(({ id, text, operation, path }) => ({
      kind: id,
      place: [operation, path].filter(Boolean).join(' ') || 'the contract',
      text,
    }));
}

/**
 * A copy in which patterns have one spelling: each escape of a character below U+0100 by its number is `\xHH`. `\0`,
 * `\u0000` and `\x00` are the same character, but oasdiff compares texts.
 */
export function inOneSpelling(document: Json): Json {
  return JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    name === 'pattern' && typeof value === 'string' ? spelled(value) : value,
  ) as Json;
}

/** An escaped backslash is skipped as a pair, so that what follows it is not taken for an escape. */
function spelled(pattern: string): string {
  return pattern.replaceAll(
    /\\(?:u00([0-9A-Fa-f]{2})|x([0-9A-Fa-f]{2})|0(?![0-9])|.)/gs,
    (escape, u?: string, x?: string) => {
      if (escape === '\\0') return '\\x00';
      const digits = u ?? x;
      return digits === undefined ? escape : `\\x${digits.toLowerCase()}`;
    },
  );
}

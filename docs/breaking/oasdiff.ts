/** The changes that oasdiff, a Go program, calls breaking. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { cached, run } from '../../tools/shell.ts';
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

/** The path of the program, which Go builds once. @throws {CommandError} when Go is not installed or cannot build it */
export async function installOasdiff(): Promise<string> {
  const module = `github.com/oasdiff/oasdiff@${VERSION}`;
  const folder = await cached(`oasdiff-${VERSION}`, (to) =>
    run({ command: 'go', args: ['install', module], env: { GOBIN: to, GOFLAGS: '-mod=mod' } }),
  );
  return join(folder, 'oasdiff');
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
export async function changesByOasdiff(before: Json, after: Json): Promise<BreakingChange[]> {
  const program = await installOasdiff();
  const folder = mkdtempSync(join(tmpdir(), 'edge-breaking-'));
  try {
    const files = Object.entries({ before, after }).map(([name, document]) => {
      const file = join(folder, `${name}.yaml`);
      writeFileSync(file, dump(inOneForm(document), { noRefs: true }));
      return file;
    });
    const args = ['breaking', ...files, '--format', 'json', '--allow-external-refs=false'];
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0) throw new Error(`oasdiff: ${stderr.trim()}`);
    return (JSON.parse(stdout || '[]') as Finding[])
      .filter(({ level }) => level >= 2)
      .map(({ id, text, operation, path }) => ({
        kind: id,
        place: [operation, path].filter(Boolean).join(' ') || 'the contract',
        text,
      }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A copy in one form, since oasdiff compares texts. In patterns, each escape of a character below U+0100 by its number
 * is `\xHH`: `\0`, `\u0000` and `\x00` are the same character. Error responses refer to the problem alone: the own
 * rules compare the codes that each can have.
 */
export function inOneForm(document: Json): Json {
  return JSON.parse(JSON.stringify(document), (name, value: any) => {
    if (name === 'pattern' && typeof value === 'string') return spelled(value);
    return value?.$ref && value.properties?.code ? { $ref: value.$ref } : value;
  }) as Json;
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

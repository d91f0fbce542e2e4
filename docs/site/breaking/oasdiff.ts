/** The changes that oasdiff, a Go program, calls breaking. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { cached, run } from '../../../tools/shell.ts';
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
 * The path of the program, which Go builds once.
 * @throws {CommandError} when Go is not installed or cannot build it
 */
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

/** @throws Error with the output of oasdiff if it cannot read a contract */
export async function changesByOasdiff(before: Json, after: Json): Promise<BreakingChange[]> {
  const program = await installOasdiff();
  const folder = mkdtempSync(join(tmpdir(), 'edge-breaking-'));
  try {
    const files = Object.entries({ before, after }).map(([name, document]) => {
      const file = join(folder, `${name}.yaml`);
      writeFileSync(file, dump(withoutCodes(document), { noRefs: true }));
      return file;
    });
    const args = ['breaking', ...files, '--format', 'json', '--allow-external-refs=false'];
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) {
      throw new Error(`oasdiff: ${stderr.trim()}`);
    }
    const findings = JSON.parse(stdout || '[]') as Finding[];
    return findings.filter(({ level }) => level >= 2).map(changeOf);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function changeOf({ id, text, operation, path }: Finding): BreakingChange {
  const place = [operation, path].filter(Boolean).join(' ');
  return { kind: id, place: place || 'the contract', text };
}

/**
 * Error responses of contract 0.4 list their codes beside `$ref`: own-rules.ts compares them,
 * oasdiff does not.
 */
function withoutCodes(document: Json): unknown {
  return JSON.parse(JSON.stringify(document), (_, value) => {
    if (value?.$ref && value.properties?.code) {
      return { $ref: value.$ref };
    }
    return value;
  });
}

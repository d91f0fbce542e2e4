/**
 * The changes that oasdiff knows to be breaking. It is a Go program: the pinned version is built once, by `go install`, into
 * the cache below node_modules.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BreakingChange } from './breaking-change.ts';

/** The newest one whose modules the Go proxy has. */
export const OASDIFF_VERSION = 'v1.33.0';

export class ToolMissing extends Error {
  override name = 'ToolMissing';
}

/**
 * The path of the program; `OASDIFF` in the environment names another one.
 * @throws ToolMissing that says what to install
 */
export function installOasdiff(root: string): string {
  const given = process.env['OASDIFF'];
  if (given !== undefined && given !== '') return given;
  const folder = join(root, 'node_modules', '.cache', `oasdiff-${OASDIFF_VERSION}`);
  const program = join(folder, process.platform === 'win32' ? 'oasdiff.exe' : 'oasdiff');
  if (existsSync(program)) return program;
  process.stderr.write(`Building oasdiff ${OASDIFF_VERSION}, once.\n`);
  const built = spawnSync('go', ['install', `github.com/oasdiff/oasdiff@${OASDIFF_VERSION}`], {
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
    encoding: 'utf8',
  });
  if (built.error)
    throw new ToolMissing(
      'oasdiff needs Go to be built: install Go 1.26 or newer, or give the path of an oasdiff in OASDIFF',
    );
  if (built.status !== 0)
    throw new ToolMissing(`oasdiff could not be built: ${built.stderr.trim().split('\n').at(-1)}`);
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
  if (run.error) throw new ToolMissing(`oasdiff could not be started: ${run.error.message}`);
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

/**
 * Compares the contract with the one that was released last. A breaking change needs a new major version.
 *
 *     node dist/docs/breaking/check.js [BEFORE [AFTER]]
 *
 * Exit codes: 0 nothing is broken, or the version allows it; 1 it is broken without a new major version; 2 could not compare.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORE_SCHEMA, dump, load } from 'js-yaml';
import type { Json } from '../page/json.ts';
import { type BreakingChange, changesByOasdiff, inOneSpelling, installOasdiff } from './oasdiff.ts';
import { changesByOwnRules, mayBreak } from './own-rules.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

function read(path: string): { document: Json; version: string } {
  const document = load(readFileSync(path, 'utf8'), { schema: CORE_SCHEMA }) as Json | null;
  const version = (document?.['info'] as { version?: unknown } | undefined)?.version;
  if (!document || typeof version !== 'string')
    throw new Error(`${path} is not an OpenAPI document: it has no info.version`);
  return { document, version };
}

function changesInOneSpelling(old: Json, current: Json): BreakingChange[] {
  const folder = mkdtempSync(join(tmpdir(), 'edge-breaking-'));
  try {
    const written = (name: string, document: Json) => {
      const path = join(folder, name);
      writeFileSync(path, dump(inOneSpelling(document), { noRefs: true }));
      return path;
    };
    return changesByOasdiff(installOasdiff(root), written('before.yaml', old), written('after.yaml', current));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function check(before: string, after: string): 0 | 1 {
  const [old, current] = [read(before), read(after)];
  const allowed = mayBreak(old.version, current.version);
  const changes: BreakingChange[] = [
    ...changesInOneSpelling(old.document, current.document),
    ...changesByOwnRules(old.document, current.document),
  ];
  for (const { kind, place, text } of changes) process.stdout.write(`${place}\n  ${text} [${kind}]\n`);
  const versions = old.version === current.version ? `version ${old.version}` : `${old.version} to ${current.version}`;
  if (changes.length === 0) process.stdout.write(`${versions}: nothing is broken\n`);
  else if (allowed) process.stdout.write(`${versions}: ${changes.length} breaking, which the new version allows\n`);
  else
    process.stdout.write(
      `${versions}: ${changes.length} breaking. Take them back, or raise the major version in info.version (below 1.0.0, the minor one)\n`,
    );
  return changes.length === 0 || allowed ? 0 : 1;
}

const [before = join(root, 'docs', 'released', 'openapi.yaml'), after = join(root, 'openapi.yaml')] =
  process.argv.slice(2);
try {
  process.exitCode = check(before, after);
} catch (error) {
  process.stderr.write(`check:breaking: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

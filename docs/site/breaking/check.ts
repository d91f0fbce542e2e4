/**
 * `node dist/docs/site/breaking/check.js [BEFORE [AFTER]]` compares the contract with the one that
 * was released last: it shows what is broken, and then all that differs. Exit codes: 0 nothing is
 * broken, or the version allows it; 1 broken without a
 * new major version; 2 could not compare.
 */
import { join } from 'node:path';
import { type Json, readDocument } from '../page/json.ts';
import { differencesOf } from './differences.ts';
import { changesByOasdiff } from './oasdiff.ts';
import { changesByOwnRules, mayBreak } from './own-rules.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

const ADVICE =
  'Take them back, or raise the major version in info.version (below 1.0.0, the minor one)';

function read(path: string): { document: Json; version: string } {
  const document = readDocument(path) as Json | null;
  const version = (document?.['info'] as { version?: unknown } | undefined)?.version;
  if (!document || typeof version !== 'string') {
    throw new Error(`${path} is not an OpenAPI document: it has no info.version`);
  }
  return { document, version };
}

async function check(before: string, after: string): Promise<0 | 1> {
  const old = read(before);
  const current = read(after);
  const allowed = mayBreak(old.version, current.version);
  const documents = [old.document, current.document] as const;
  const changes = [...(await changesByOasdiff(...documents)), ...changesByOwnRules(...documents)];
  for (const { kind, place, text } of changes) {
    process.stdout.write(`${place}\n  ${text} [${kind}]\n`);
  }
  const isSameVersion = old.version === current.version;
  const versions = isSameVersion
    ? `version ${old.version}`
    : `${old.version} to ${current.version}`;
  process.stdout.write(`${versions}: ${verdictOf(changes.length, allowed)}\n`);
  for (const { place, kind, text } of differencesOf(...documents)) {
    process.stdout.write(`${kind === 'added' ? '+' : '-'} ${place}: ${text}\n`);
  }
  return changes.length === 0 || allowed ? 0 : 1;
}

function verdictOf(count: number, allowed: boolean): string {
  if (count === 0) {
    return 'nothing is broken';
  }
  if (allowed) {
    return `${count} breaking, which the new version allows`;
  }
  return `${count} breaking. ${ADVICE}`;
}

const [before, after] = process.argv.slice(2);
const released = join(root, 'docs', 'released', 'openapi.yaml');
try {
  process.exitCode = await check(before ?? released, after ?? join(root, 'openapi.yaml'));
} catch (error) {
  process.stderr.write(`check:breaking: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

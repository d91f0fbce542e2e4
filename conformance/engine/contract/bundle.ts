/** Contracts at a URL, and those of several files: one document, in which every reference leads to a place of its own. */
import { createHash } from 'node:crypto';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { type Contract, contractOf, parseContract, parseYaml, readContract } from './load.ts';

/** A reference to something else than a place in the same document. */
const EXTERNAL = /["']?\$ref["']?\s*:\s*["']?(?![#"'\s])/;

/**
 * The contract at a path or a URL (http or https). References are followed below its folder, or at its host.
 * @throws Error that names what cannot be read or is not an OpenAPI document
 */
export async function loadAnyContract(location: string): Promise<Contract> {
  const isRemote = /^https?:/i.test(location);
  const text = isRemote ? await download(location) : readContract(location);
  if (!EXTERNAL.test(text)) return parseContract(text, location);
  const home = isRemote ? new URL(location).origin + '/' : dirname(location) + sep;
  const canRead = ({ url }: { url: string }) => (url.startsWith('file:') ? fileURLToPath(url) : url).startsWith(home);
  const resolve = isRemote
    ? { file: false, http: { canRead, safeUrlResolver: false } }
    : { file: { canRead }, http: false };
  let document: unknown;
  try {
    document = await new $RefParser().bundle(location, { resolve } as never);
  } catch (error) {
    const where = isRemote ? `at ${home}` : `below ${home}`;
    throw new Error(`${(error as Error).message} (references are followed ${where} only)`, { cause: error });
  }
  const sha256 = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  return contractOf(document, { path: location, sha256, lines: parseYaml(text).lineOf });
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch((error: Error) => {
    throw new Error(`cannot read the contract ${url}: ${error.message}`, { cause: error });
  });
  if (!response.ok) throw new Error(`cannot read the contract ${url}: HTTP ${response.status}`);
  return response.text();
}

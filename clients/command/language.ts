/** What the commands know of a language. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { Step } from '../../tools/shell.ts';

export interface Language {
  /** As on the command line. */
  name: string;
  generator: string;
  /** Pinned: a generator that changes makes another client. */
  version: string;
  /** What must be on the PATH to make a client. */
  toGenerate: readonly string[];
  /** What must be on the PATH to build and run the example beside it. */
  toRun: readonly string[];
  /** Makes the client in `out`, an empty folder; installs the generator on first use. */
  generate(out: string): Promise<unknown>;
  /** What to do with the client, in one line. */
  next: string;
  /** The example in `work`, a copy of clients/LANGUAGE with the client in `work/client`: the steps that build it... */
  build(work: string): readonly Step[];
  /** ...and the one that runs it, with EDGE_URL and EDGE_TOKEN in its environment. */
  example(work: string): Step;
  /** The one that runs the sample of that name, with API_TOKEN in its environment. Its address is the server's. */
  sample?(work: string, name: string): Step;
}

/** The folder of this package, from the sources as from dist/. */
export const packageFolder = ((folder) => join(folder, folder.split(/[\\/]/).at(-2) === 'dist' ? '../..' : '..'))(
  dirname(import.meta.dirname),
);
/** The contract, for generators that read OpenAPI 3.1. */
export const contract = join(packageFolder, 'openapi.yaml');
/** The same as OpenAPI 3.0. */
export const contract30 = join(packageFolder, 'generated', 'openapi-3.0.yaml');
/** The settings of a generator, and the example. */
export const clientFolder = (language: string) => join(packageFolder, 'clients', language);
/** Which the clients carry as theirs. */
export const contractVersion = () =>
  (load(readFileSync(contract, 'utf8'), { schema: CORE_SCHEMA }) as { info: { version: string } }).info.version;

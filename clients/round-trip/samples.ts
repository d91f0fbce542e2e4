/** Puts the samples of a generated client beside its example, so that they are compiled with it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { contract } from '../command/languages.ts';
import { type SampleLanguage, samplesOf } from '../samples/index.ts';
import type { Json } from '../samples/json.ts';
import { classOf } from '../samples/java.ts';

/** Where the build of a language looks for programs. */
const PLACES: Record<string, { samples: SampleLanguage; file: (name: string) => string }> = {
  typescript: { samples: 'TypeScript', file: (name) => join('client', 'samples', `${name}.ts`) },
  python: { samples: 'Python', file: (name) => join('samples', `${name}.py`) },
  go: { samples: 'Go', file: (name) => join('samples', name, 'main.go') },
  java: { samples: 'Java', file: (name) => join('samples', `${name}.java`) },
  rust: { samples: 'Rust', file: (name) => join('examples', `${name}.rs`) },
};

/**
 * @param language as on the command line; public clients have none to write
 * @param url of the server that they call
 * @returns their names
 */
export function writeSamples(language: string, folder: string, url: string): string[] {
  const place = PLACES[language];
  if (place === undefined) return [];
  const document = load(readFileSync(contract, 'utf8'), { schema: CORE_SCHEMA }) as Json;
  return samplesOf(document, place.samples).map(({ request, source }) => {
    const name = classOf(request);
    const file = join(folder, place.file(name));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source.replaceAll(request.base, url));
    return name;
  });
}

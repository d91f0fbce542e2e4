/**
 * The samples of a contract: a program per operation, example and language. `request.ts` finds the
 * requests, `value.ts` gives each value of a body the type that the contract declares, and a file
 * per language writes both as code. The round trip compiles all, and runs four in each generated
 * client; samples.e2e.test.ts runs those in curl and TypeScript.
 */
import { curl } from './curl.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import type { Json } from './json.ts';
import { python } from './python.ts';
import { requestsOf, type SampleRequest } from './request.ts';
import { rust } from './rust.ts';
import { typescript } from './typescript.ts';

/** By the name that people read, in the order of the page. */
export const LANGUAGES = {
  curl,
  TypeScript: typescript,
  Python: python,
  Go: go,
  Java: java,
  Rust: rust,
} satisfies Record<string, (request: SampleRequest) => string>;

export type SampleLanguage = keyof typeof LANGUAGES;

export interface Sample {
  request: SampleRequest;
  source: string;
}

export function samplesOf(document: Json, language: SampleLanguage): Sample[] {
  return requestsOf(document).map((request) => ({ request, source: LANGUAGES[language](request) }));
}

/** The samples of each operation: one a language and example. */
import { LANGUAGES, type SampleLanguage, samplesOf } from '../../clients/samples/index.ts';
import type { Json } from './json.ts';

/** By `METHOD /path`, label of the language and name of the example, which is empty where a request has no body. */
export type PageSamples = Record<string, Record<string, Record<string, string>>>;

/** Languages that Redoc highlights under another name. */
const HIGHLIGHT: Partial<Record<SampleLanguage, string>> = { curl: 'bash', TypeScript: 'JavaScript' };

export function pageSamples(document: Json): PageSamples {
  const found: PageSamples = {};
  for (const language of Object.keys(LANGUAGES) as SampleLanguage[]) {
    for (const { request, source } of samplesOf(document, language)) {
      const operation = (found[`${request.method} ${request.path}`] ??= {});
      (operation[language] ??= {})[request.body?.example ?? ''] = source;
    }
  }
  return found;
}

/** The first sample of each language, as Redoc takes it; the page's own script puts the one of another example in its place. */
export function withSamples(document: Json, samples: PageSamples): Json {
  const paths = Object.entries(document['paths'] as Record<string, Json>).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => {
        const own = samples[`${method.toUpperCase()} ${path}`];
        return [method, own === undefined ? operation : { ...(operation as Json), 'x-codeSamples': codeSamples(own) }];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function codeSamples(
  byLanguage: Record<string, Record<string, string>>,
): { lang: string; label: string; source: string }[] {
  return Object.entries(byLanguage).map(([label, byExample]) => ({
    lang: HIGHLIGHT[label as SampleLanguage] ?? label,
    label,
    source: Object.values(byExample)[0]!,
  }));
}

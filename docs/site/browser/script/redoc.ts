/** Functions that Redoc's script calls (docs/site/page/redoc.yaml). */
import { localized, samples } from './page-data.ts';

interface Operation {
  method: string;
  path: string;
}

interface Sample {
  label: string;
  source: string;
}

/** The parts that Redoc shows. */
function pageDefinition(definition: unknown): unknown {
  return JSON.parse(localized(JSON.stringify(definition)));
}

/**
 * @param first the sample of the first example in the chosen language
 * @param example the id of the chosen one
 */
function pageSample({ method, path }: Operation, first: Sample, example = ''): string {
  const found = samples[`${method.toUpperCase()} ${path}`]?.[first.label];
  const chosen = found?.[example.split('/').at(-1) ?? ''];
  return chosen === undefined ? first.source : localized(chosen);
}

export function serveRedoc(): void {
  const rendered = document.getElementById('redoc');
  if (rendered !== null) {
    rendered.innerHTML = localized(rendered.innerHTML);
  }
  Object.assign(globalThis, { pageDefinition, pageSample });
}

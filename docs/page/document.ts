/**
 * The contract as readers see it: the same rules, in words. What the page adds is derived from the contract, the guides and
 * the decision records; no rule is written here that is not there.
 */
import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { baseOf } from '../../clients/samples/request.ts';
import { showConstraints } from './constraints.ts';
import { type Decision, linkDecisions } from './decisions.ts';
import type { Guide } from './guides.ts';
import { introduction } from './introduction.ts';
import { isData, type Json, mapObjects } from './json.ts';
import { schemaSections, withMenu } from './menu.ts';
import { showNullable } from './nullable.ts';
import { showOrigins } from './origins.ts';
import { type PageSamples, pageSamples, withSamples } from './samples.ts';
import { withSchemaExamples } from './schema-examples.ts';
import { sectionsOf } from './sections.ts';
import { unwrapped } from './text.ts';

export interface PageContent {
  document: Json;
  samples: PageSamples;
  /** The address in all samples. */
  base: string;
}

/** @param contract its file */
export function pageContent(contract: string, decisions: readonly Decision[], guides: readonly Guide[]): PageContent {
  const text = readFileSync(contract, 'utf8');
  const plain = load(text, { schema: CORE_SCHEMA }) as Json;
  const samples = pageSamples(plain);
  const base = baseOf(plain);
  const info = plain['info'] as Json;
  const sections = sectionsOf(String(info['description']));
  let document: Json = {
    ...plain,
    info: { ...info, description: introduction(plain, sections.opening) },
    // Redoc puts a bare `{base_url}` behind the address of the page itself.
    servers: (plain['servers'] as Json[]).map(({ description }) => ({ url: base, description })),
  };
  document = withSamples(withSchemaExamples(document), samples);
  document = withMenu(document, {
    schemas: schemaSections(text),
    sections: sections.guide,
    guides,
    background: sections.background,
    decisions,
  });
  document = showNullable(document);
  document = showConstraints(document);
  document = showOrigins(document);
  const known = new Set(decisions.map(({ id }) => id));
  document = mapObjects(document, (object, path) => {
    const { description } = object;
    return typeof description !== 'string' || isData(path)
      ? undefined
      : { ...object, description: linkDecisions(unwrapped(description), known) };
  }) as Json;
  return { document, samples, base };
}

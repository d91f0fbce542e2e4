/**
 * The contract as readers see it: the same rules, in words. The page adds only what the contract, the guides and the
 * decision records say.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { baseOf } from '../../clients/samples/request.ts';
import { type PageSamples, pageSamples, withSamples, withSchemaExamples } from './examples.ts';
import { type Json, mapObjects } from './json.ts';
import { introduction, schemaSections, withMenu } from './menu.ts';
import { rulesInWords } from './rules.ts';
import { linkDecisions, readDecisions, readGuides, sectionsOf } from './texts.ts';

export interface PageContent {
  document: Json;
  samples: PageSamples;
  /** The address in all samples. */
  base: string;
  /** Tags of the sections on using the API, and of the guides. */
  sections: string[][];
}

/** @param root the folder of this repository */
export function pageContent(root: string): PageContent {
  const text = readFileSync(join(root, 'openapi.yaml'), 'utf8');
  const plain = load(text, { schema: CORE_SCHEMA }) as Json;
  const samples = pageSamples(plain);
  const base = baseOf(plain);
  const info = plain['info'] as Json;
  const { opening, guide, background } = sectionsOf(String(info['description']));
  const decisions = readDecisions(root);
  const guides = readGuides(root);
  const introduced: Json = {
    ...plain,
    info: { ...info, description: introduction(plain, opening) },
    // Redoc puts a bare `{base_url}` behind the address of the page itself.
    servers: (plain['servers'] as Json[]).map(({ description }) => ({ url: base, description })),
  };
  const groups = { sections: guide, guides, background: [...background, ...decisions] };
  const complete = withMenu(withSamples(withSchemaExamples(introduced), samples), schemaSections(text), groups);
  const known = new Set(decisions.map(({ tag }) => tag));
  const document = mapObjects(rulesInWords(complete), (object) => {
    const { description } = object;
    if (typeof description !== 'string') return undefined;
    return { ...object, description: linkDecisions(description, known) };
  });
  return { document, samples, base, sections: [guide, guides].map((group) => group.map(({ tag }) => tag)) };
}

/** The menu: operations by tag, then every schema, in the sections in which the contract has them, then the decision records. */
import { isMap, isScalar, type Document } from 'yaml';
import { type Decision, recordText, tagOf } from './decisions.ts';
import type { Json } from './json.ts';

/** A comment such as `# --- routes ---` begins a section. */
const SECTION = /-{2,} (.+?) -{2,}/;

/** Of each schema, its section. Throws an Error for one before the first section. */
export function sectionsOf(source: Document): Map<string, string> {
  const schemas = source.getIn(['components', 'schemas']);
  if (!isMap(schemas)) throw new Error('the contract has no schemas');
  const sections = new Map<string, string>();
  let current = SECTION.exec(schemas.commentBefore ?? '')?.[1];
  for (const { key } of schemas.items) {
    if (!isScalar(key)) continue;
    current = SECTION.exec(key.commentBefore ?? '')?.[1] ?? current;
    if (current === undefined) throw new Error(`the schema ${String(key.value)} stands before the first section`);
    sections.set(String(key.value), current);
  }
  return sections;
}

export function withMenu(document: Json, sections: ReadonlyMap<string, string>, decisions: readonly Decision[]): Json {
  const components = document['components'] as { schemas: Record<string, Json> };
  const names = [...new Set(sections.values())];
  const tags = document['tags'] as { name: string }[];
  const schemasTag = (section: string) => `schemas-${section}`;
  return {
    ...document,
    tags: [
      ...tags,
      ...names.map((name) => ({ name: schemasTag(name), 'x-displayName': `Schemas: ${name}` })),
      ...decisions.map((one) => ({
        name: tagOf(one),
        'x-displayName': `${one.id}: ${one.title.replaceAll('`', '')}`,
        'x-traitTag': true,
        description: recordText(one),
      })),
    ],
    'x-tagGroups': [
      { name: 'Operations', tags: tags.map(({ name }) => name) },
      { name: 'Schemas', tags: names.map(schemasTag) },
      { name: 'Decision records', tags: decisions.map(tagOf) },
    ],
    components: {
      ...components,
      schemas: Object.fromEntries(
        Object.entries(components.schemas).map(([name, schema]) => [
          name,
          { ...schema, 'x-tags': [schemasTag(sections.get(name)!)] },
        ]),
      ),
    },
  };
}

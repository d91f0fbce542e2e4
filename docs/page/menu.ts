/** The menu: operations by tag, then every schema, in the sections in which the contract has them, then the decision records. */
import { type Decision, recordText, tagOf } from './decisions.ts';
import type { Json } from './json.ts';

/** A comment such as `# --- routes ---` begins a section. */
const SECTION = /-{2,} (.+?) -{2,}/;

/** Of each schema of the contract, its section. Throws an Error for one before the first section. */
export function sectionsOf(contract: string): Map<string, string> {
  const [, schemas] = /^  schemas:\n((?: {4}.*\n|\n)*)/m.exec(contract) ?? [];
  if (schemas === undefined) throw new Error('the contract has no schemas');
  const sections = new Map<string, string>();
  let current: string | undefined;
  for (const [, comment, name] of schemas.matchAll(/^ {4}(?:# *(.*)|(\w+):.*)$/gm)) {
    current = SECTION.exec(comment ?? '')?.[1] ?? current;
    if (name === undefined) continue;
    if (current === undefined) throw new Error(`the schema ${name} stands before the first section`);
    sections.set(name, current);
  }
  return sections;
}

export function withMenu(document: Json, sections: ReadonlyMap<string, string>, decisions: readonly Decision[]): Json {
  const components = document['components'] as { schemas: Record<string, Json> };
  const names = [...new Set(sections.values())];
  const tags = document['tags'] as { name: string }[];
  const schemasTag = (section: string) => `schemas-${section}`;
  const sectionOf = (name: string): string => {
    const section = sections.get(name);
    if (section === undefined) throw new Error(`the schema ${name} is in no section`);
    return section;
  };
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
          { ...schema, 'x-tags': [schemasTag(sectionOf(name))] },
        ]),
      ),
    },
  };
}

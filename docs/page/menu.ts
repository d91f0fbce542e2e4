/**
 * The menu: what to know before a call, operations by tag, every schema in the sections in which the contract has them, the
 * guides, and at the end what is shown on demand: levels, origins, decision records.
 */
import { type Decision, recordText, tagOf } from './decisions.ts';
import type { Guide } from './guides.ts';
import type { Json } from './json.ts';
import type { Section } from './sections.ts';

/** A comment such as `# --- routes ---` begins a section. */
const SECTION = /-{2,} (.+?) -{2,}/;

/** Of each schema of the contract, its section. Throws an Error for one before the first section. */
export function schemaSections(contract: string): Map<string, string> {
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

export interface MenuContent {
  /** Of each schema, its section. */
  schemas: ReadonlyMap<string, string>;
  sections: readonly Section[];
  guides: readonly Guide[];
  background: readonly Section[];
  decisions: readonly Decision[];
}

/** A heading of the menu that shows a text and has no operations. */
interface Page {
  name: string;
  title: string;
  text: string;
}

const TOGGLE = `Each rule of this contract states where it comes from: a section of the source document, or a decision of this project.
Each operation has a level. The page shows them on demand.

<button type="button" class="toggle-origins" data-when="hidden">Show levels and origins</button>
<button type="button" class="toggle-origins" data-when="shown">Hide levels and origins</button>`;

export function withMenu(document: Json, { schemas, sections, guides, background, decisions }: MenuContent): Json {
  const components = document['components'] as { schemas: Record<string, Json> };
  const names = [...new Set(schemas.values())];
  const operations = document['tags'] as { name: string }[];
  const schemasTag = (section: string) => `schemas-${section}`;
  const sectionPages = sections.map(({ title, text }): Page => ({ name: slug(title), title, text }));
  const guidePages = guides.map(({ tag, title, text }): Page => ({ name: tag, title, text }));
  const backgroundPages: Page[] = [
    { name: 'origins', title: 'Levels and origins', text: TOGGLE },
    ...background.map(({ title, text }) => ({ name: `about-${slug(title)}`, title, text })),
    ...decisions.map((one) => ({ name: tagOf(one), title: `${one.id}: ${one.title}`, text: recordText(one) })),
  ];
  const sectionOf = (name: string): string => {
    const section = schemas.get(name);
    if (section === undefined) throw new Error(`the schema ${name} is in no section`);
    return section;
  };
  return {
    ...document,
    tags: [
      ...operations,
      ...names.map((name) => ({ name: schemasTag(name), 'x-displayName': `Schemas: ${name}` })),
      ...[...sectionPages, ...guidePages, ...backgroundPages].map(({ name, title, text }) => ({
        name,
        'x-displayName': title.replaceAll('`', ''),
        'x-traitTag': true,
        description: text,
      })),
    ],
    'x-tagGroups': [
      { name: 'Using the API', tags: sectionPages.map(({ name }) => name) },
      { name: 'Operations', tags: operations.map(({ name }) => name) },
      { name: 'Schemas', tags: names.map(schemasTag) },
      { name: 'Guides', tags: guidePages.map(({ name }) => name) },
      { name: 'About the contract', tags: backgroundPages.map(({ name }) => name) },
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

/** As it stands in the address. */
function slug(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, '-');
}

/** The contract as readers see it: the same rules in words, with the guides and the decision records. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { curl, json } from '../../../clients/samples/curl.ts';
import { resolve } from '../../../clients/samples/json.ts';
import { filled } from '../../../clients/samples/layout.ts';
import { baseOf, requestsOf } from '../../../clients/samples/request.ts';
import { pageSamples, withSamples, withSchemaExamples } from './examples.ts';
import { isObject, type Json, mapObjects, readDocument } from './json.ts';
import { rulesInWords } from './rules.ts';
import {
  GUIDES,
  linkDecisions,
  type Page,
  readDecisions,
  readGuides,
  sectionsOf,
} from './texts.ts';

export type PageContent = ReturnType<typeof pageContent>;

/** `base` is the address in all samples, `sections` has the tags of those on using the API, and of the guides. */
export function pageContent(root: string) {
  const contract = join(root, 'openapi.yaml');
  const plain = readDocument(contract);
  const samples = pageSamples(plain);
  const base = baseOf(plain);
  const info = plain['info'] as Json;
  const { opening, guide, background } = sectionsOf(String(info['description']));
  const decisions = readDecisions(root);
  const guides = readGuides(root);
  const introduced: Json = {
    ...plain,
    info: { ...info, description: introduction(root, plain, opening) },
    // Redoc puts a bare `{base_url}` behind the address of the page itself.
    servers: (plain['servers'] as Json[]).map(({ description }) => ({ url: base, description })),
  };
  const groups = { sections: guide, guides, background: [...background, ...decisions] };
  const sampled = withSamples(withSchemaExamples(introduced), samples);
  const complete = withMenu(sampled, schemaSections(readFileSync(contract, 'utf8')), groups);
  const known = new Set(decisions.map(({ tag }) => tag));
  const document = mapObjects(rulesInWords(complete), (object) => {
    const { description } = object;
    return typeof description === 'string'
      ? { ...object, description: linkDecisions(description, known) }
      : object;
  });
  return {
    document,
    samples,
    base,
    sections: [guide, guides].map((group) => group.map(({ tag }) => tag)),
  };
}

/** Beside the page, wherever it is: as files, and on the reference server. */
export const CONTRACT_FILES = { YAML: 'openapi.yaml', JSON: 'openapi.json' };

/** The `info.description` of the page: a first request with its response, and where the rest is. */
function introduction(root: string, document: Json, opening: string): string {
  const request = requestsOf(document).find(
    ({ method, body }) => method === 'POST' && body !== undefined,
  )!;
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  const [status, response] = successOf(
    document,
    paths[request.path]![request.method.toLowerCase()]!,
  );
  const contract = Object.values(CONTRACT_FILES).map((file) => `[${file}](${file})`);
  const guides = GUIDES.map(({ tag, title }) => `[${title}](#/${tag})`);
  return filled(
    readFileSync(join(root, 'docs', 'site', 'page', 'introduction.md'), 'utf8').trimEnd(),
    {
      opening,
      base: baseOf(document),
      contract: contract.join(', '),
      guides: guides.join(', '),
      request: curl(request).trimEnd(),
      status,
      response: json(response),
    },
  );
}

/** The status of the success, and its first example. @throws Error where there is none */
function successOf(document: Json, operation: Json): [string, unknown] {
  const found = Object.entries(operation['responses'] as Json).find(([status]) =>
    status.startsWith('2'),
  );
  const [media] = Object.values(
    (resolve(document, found![1])['content'] ?? {}) as Record<string, Json>,
  );
  const [example] = Object.values((media?.['examples'] ?? {}) as Json);
  if (!isObject(example)) {
    throw new Error('the first request of the page has no example of a response');
  }
  return [found![0], resolve(document, example)['value']];
}

/** The section of each schema; a comment such as `# --- routes ---` begins one. @throws Error for a schema before it */
function schemaSections(contract: string): Map<string, string> {
  const [, schemas] = /^  schemas:\n((?: {4}.*\n|\n)*)/m.exec(contract) ?? [];
  if (schemas === undefined) {
    throw new Error('the contract has no schemas');
  }
  const sections = new Map<string, string>();
  let current: string | undefined;
  for (const [, comment, name] of schemas.matchAll(/^ {4}(?:# *(.*)|(\w+):.*)$/gm)) {
    current = /-{2,} (.+?) -{2,}/.exec(comment ?? '')?.[1] ?? current;
    if (name === undefined) {
      continue;
    }
    if (current === undefined) {
      throw new Error(`the schema ${name} is before the first section`);
    }
    sections.set(name, current);
  }
  return sections;
}

const ON_DEMAND = {
  tag: 'origins',
  title: 'Levels and origins',
  text: `Each rule of this contract states where it comes from: a section of the source document, or a decision of this project.
Each operation has a level. The page shows them on demand.

<button type="button" class="toggle-origins" data-when="hidden">Show levels and origins</button>
<button type="button" class="toggle-origins" data-when="shown">Hide levels and origins</button>`,
};

type Groups = Record<'sections' | 'guides' | 'background', readonly Page[]>;

/** @param schemas the section of each @param groups `background` is shown on demand */
function withMenu(document: Json, schemas: ReadonlyMap<string, string>, groups: Groups): Json {
  const { sections, guides, background } = groups;
  const components = document['components'] as { schemas: Record<string, Json> };
  const operations = document['tags'] as { name: string }[];
  const names = [...new Set(schemas.values())];
  const schemasTag = (section: string | undefined) => `schemas-${section}`;
  const pages = [...sections, ...guides, ON_DEMAND, ...background];
  const tagged = Object.entries(components.schemas).map(([name, schema]) => {
    return [name, { ...schema, 'x-tags': [schemasTag(schemas.get(name))] }] as const;
  });
  const tagsOf = (group: readonly Page[]): string[] => group.map(({ tag }) => tag);
  return {
    ...document,
    tags: [
      ...operations,
      ...names.map((name) => ({ name: schemasTag(name), 'x-displayName': `Schemas: ${name}` })),
      ...pages.map(({ tag, title, text: description }) => {
        return {
          name: tag,
          'x-displayName': title.replaceAll('`', ''),
          'x-traitTag': true,
          description,
        };
      }),
    ],
    'x-tagGroups': [
      { name: 'Using the API', tags: tagsOf(sections) },
      { name: 'Operations', tags: operations.map(({ name }) => name) },
      { name: 'Schemas', tags: names.map(schemasTag) },
      { name: 'Guides', tags: tagsOf(guides) },
      { name: 'About the contract', tags: tagsOf([ON_DEMAND, ...background]) },
    ],
    components: { ...components, schemas: Object.fromEntries(tagged) },
  };
}

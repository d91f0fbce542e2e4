/**
 * The contract as readers see it: the same rules in words, with the guides and the decision
 * records.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { curl, json } from '../../../clients/samples/curl.ts';
import { resolve } from '../../../clients/samples/json.ts';
import { filled } from '../../../clients/samples/layout.ts';
import { baseOf, requestsOf, type SampleRequest } from '../../../clients/samples/request.ts';
import { pageSamples, withSamples, withSchemaExamples } from './examples.ts';
import { isObject, type Json, mapObjects, readDocument } from './json.ts';
import type { PageData } from './page-data.ts';
import { docsPages } from './pages.ts';
import { rulesInWords } from './rules.ts';
import {
  linkDecisions,
  type Page,
  readDecisions,
  readGuides,
  type Sections,
  sectionsOf,
} from './texts.ts';

export interface PageContent extends PageData {
  /** The contract as Redoc gets it. */
  document: Json;
  /** `info` of the contract. */
  info: Json;
}

export function pageContent(root: string): PageContent {
  const contract = join(root, 'openapi.yaml');
  const plain = readDocument(contract);
  const samples = pageSamples(plain);
  const base = baseOf(plain);
  const info = plain['info'] as Json;
  const { guide, background, ...beginning } = sectionsOf(String(info['description']));
  const decisions = readDecisions(root);
  const guides = readGuides(root);
  // The description says what the summary says: Redoc would show both.
  const { summary: _, ...shownInfo } = info;
  const introduced: Json = {
    ...plain,
    info: { ...shownInfo, description: introduction(root, plain, beginning) },
    // Redoc puts a bare `{base_url}` behind the address of the page itself.
    servers: (plain['servers'] as Json[]).map(({ description }) => ({ url: base, description })),
  };
  const groups = { sections: guide, guides, background: [...background, ...decisions] };
  const sampled = withSamples(withSchemaExamples(introduced), samples);
  const complete = withMenu(sampled, schemaSections(readFileSync(contract, 'utf8')), groups);
  const known = new Set(tagsOf(decisions));
  const document = mapObjects(rulesInWords(complete), (object) => {
    const { description } = object;
    if (typeof description !== 'string') {
      return object;
    }
    return { ...object, description: linkDecisions(description, known) };
  });
  return { document, samples, base, pages: docsPages(document), info };
}

function tagsOf(pages: readonly Page[]): string[] {
  return pages.map(({ tag }) => tag);
}

type Beginning = Pick<Sections, 'opening' | 'picture'>;

/** Beside the page, wherever it is: as files, and on the reference server. */
export const CONTRACT_FILES = { YAML: 'openapi.yaml', JSON: 'openapi.json' };

/**
 * The `info.description` of the page: what the API is, links to the rest, and a first request with
 * its response.
 */
function introduction(root: string, document: Json, { opening, picture }: Beginning): string {
  const request = requestsOf(document).find(
    ({ method, body }) => method === 'POST' && body !== undefined,
  );
  if (request === undefined) {
    throw new Error('the contract has no POST with an example, which the page begins with');
  }
  const { status, example } = successOf(document, request);
  const contract = Object.values(CONTRACT_FILES).map((file) => `[${file}](${file})`);
  const template = readFileSync(join(root, 'docs', 'site', 'page', 'introduction.md'), 'utf8');
  return filled(template.trimEnd(), {
    opening,
    picture,
    base: baseOf(document),
    contract: contract.join(', '),
    request: curl(request).trimEnd(),
    status,
    response: json(example),
  });
}

interface Success {
  status: string;
  example: unknown;
}

/** The status of the success, and its first example. @throws Error if there is no example */
function successOf(document: Json, { path, method }: SampleRequest): Success {
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  const operation = paths[path]?.[method.toLowerCase()] ?? {};
  for (const [status, response] of Object.entries(operation['responses'] as Json)) {
    if (!status.startsWith('2')) {
      continue;
    }
    const content = (resolve(document, response)['content'] ?? {}) as Record<string, Json>;
    const [media] = Object.values(content);
    const [example] = Object.values((media?.['examples'] ?? {}) as Json);
    if (isObject(example)) {
      return { status, example: resolve(document, example)['value'] };
    }
  }
  throw new Error('the first request of the page has no example of a response');
}

/** The lines below `schemas:` of `components`. */
const SCHEMAS = /^  schemas:\n((?: {4}.*\n|\n)*)/m;
/** A comment between two schemas, or the name of a schema. */
const COMMENT_OR_NAME = /^ {4}(?:# *(.*)|(\w+):.*)$/gm;
const SECTION = /-{2,} (.+?) -{2,}/;

/**
 * The section of each schema. A comment such as `# --- routes ---` begins a section.
 * @throws Error for a schema before it
 */
function schemaSections(contract: string): Map<string, string> {
  const [, schemas] = SCHEMAS.exec(contract) ?? [];
  if (schemas === undefined) {
    throw new Error('the contract has no schemas');
  }
  const sections = new Map<string, string>();
  let current: string | undefined;
  for (const [, comment, name] of schemas.matchAll(COMMENT_OR_NAME)) {
    current = SECTION.exec(comment ?? '')?.[1] ?? current;
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
  text: `Each rule of this contract states where it comes from: a section of the source document,
or a decision of this project. Each operation has a level. The page shows them on demand.

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
  const tagged: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(components.schemas)) {
    tagged[name] = { ...schema, 'x-tags': [schemasTag(schemas.get(name))] };
  }
  const tagsOfSchemas = names.map((name) => {
    return { name: schemasTag(name), 'x-displayName': name.replace(/^./, capital) };
  });
  return {
    ...document,
    tags: [...operations, ...tagsOfSchemas, ...pages.map(tagOfPage)],
    'x-tagGroups': [
      { name: 'Using the API', tags: tagsOf(sections) },
      { name: 'Operations', tags: operations.map(({ name }) => name) },
      { name: 'Schemas', tags: names.map(schemasTag) },
      { name: 'Guides', tags: tagsOf(guides) },
      { name: 'About the contract', tags: tagsOf([ON_DEMAND, ...background]) },
    ],
    components: { ...components, schemas: tagged },
  };
}

function capital(letter: string): string {
  return letter.toUpperCase();
}

function tagOfPage({ tag, title, text }: Page): Json {
  const shown = title.replaceAll('`', '');
  return { name: tag, 'x-displayName': shown, 'x-traitTag': true, description: text };
}

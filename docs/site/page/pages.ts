/**
 * The content of the page as Markdown: one file for each section, guide, operation, schema and
 * decision record. The page copies them, and programs read them without a browser.
 */
import { json } from '../../../clients/samples/curl.ts';
import { resolve } from '../../../clients/samples/json.ts';
import { isObject, type Json } from './json.ts';
import type { DocsPage, Kind, Name } from './page-data.ts';
import { type Field, fieldsOf, fieldsWithin, limitsInWords, typeInWords } from './schema-words.ts';

/** The folder of Markdown files, beside the page wherever it is. */
export const PAGES_FOLDER = 'pages';
export const BEGINNING = 'index.md';

const KINDS: Record<string, Kind> = {
  'Using the API': 'section',
  Operations: 'section',
  Schemas: 'section',
  Guides: 'guide',
};

/** It says how rules came about, as the records do: a search shows what holds now first. */
const CHANGELOG = 'changelog';

interface Tag {
  name: string;
  'x-displayName'?: string;
  description?: string;
}

/** All pages in the order of the menu. @throws Error if two have the same file */
export function docsPages(document: Json): DocsPage[] {
  const info = document['info'] as Record<'title' | 'description', string>;
  const tags = new Map((document['tags'] as Tag[]).map((tag) => [tag.name, tag]));
  const pages: DocsPage[] = [
    {
      place: '',
      file: BEGINNING,
      title: info.title,
      kind: 'section',
      group: '',
      text: plainMarkdown(info.description),
      names: [],
    },
  ];
  for (const { name: group, tags: names } of document['x-tagGroups'] as Group[]) {
    for (const name of names) {
      const tag = tags.get(name);
      if (tag !== undefined) {
        pages.push(...pagesOfTag(document, group, tag));
      }
    }
  }
  requireOneFileEach(pages);
  return pages;
}

interface Group {
  name: string;
  tags: string[];
}

/** Systems that ignore case must keep the files apart, too. */
function requireOneFileEach(pages: readonly DocsPage[]): void {
  const seen = new Set<string>();
  for (const { file } of pages) {
    const key = file.toLowerCase();
    if (seen.has(key)) {
      throw new Error(`two pages of the docs have the file ${file}`);
    }
    seen.add(key);
  }
}

function pagesOfTag(document: Json, group: string, tag: Tag): DocsPage[] {
  const { name, 'x-displayName': title = name, description = '' } = tag;
  const place = placeOf(name);
  const inner = [...operationPages(document, group, name), ...schemaPages(document, group, name)];
  const links = inner.map((page) => `- [${page.title}](${page.file})`).join('\n');
  // In Redoc's page, the title has level 2.
  const own = plainMarkdown(description).replaceAll(/^### /gm, '## ');
  const text = [own, links].filter((part) => part !== '').join('\n\n');
  const isHistory = name === CHANGELOG;
  const kind = isHistory ? 'record' : (KINDS[group] ?? 'record');
  const page: DocsPage = { place, file: `${place}.md`, title, kind, group, text, names: [] };
  return [page].concat(inner);
}

/** As Redoc makes it of the name of a tag. */
function placeOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

function operationPages(document: Json, group: string, tag: string): DocsPage[] {
  const pages: DocsPage[] = [];
  for (const [path, item] of Object.entries(document['paths'] as Record<string, Json>)) {
    for (const [method, operation] of Object.entries(item)) {
      const isOfTag = isObject(operation) && (operation['tags'] as string[]).includes(tag);
      if (!isOfTag) {
        continue;
      }
      const { operationId, summary } = operation as Record<'operationId' | 'summary', string>;
      pages.push({
        place: `${placeOf(tag)}/${operationId.toLowerCase()}`,
        file: `${operationId}.md`,
        title: summary,
        kind: 'operation',
        group,
        text: operationText(document, { path, method, item, operation }),
        names: namesOfOperation(document, item, operation),
      });
    }
  }
  return pages;
}

interface Operation {
  path: string;
  method: string;
  item: Json;
  operation: Json;
}

function parametersOf(item: Json, operation: Json): Json[] {
  const lists = [item['parameters'], operation['parameters']] as (Json[] | undefined)[];
  return lists.flatMap((list) => list ?? []);
}

/** Its id, its parameters, and every property of its body, at any depth. */
function namesOfOperation(document: Json, item: Json, operation: Json): Name[] {
  const operationId = String(operation['operationId']);
  const names = [{ name: operationId, path: operationId, description: 'operationId' }];
  for (const parameter of parametersOf(item, operation)) {
    const { name, description } = resolve(document, parameter);
    const text = plainMarkdown(String(description));
    names.push({ name: String(name), path: String(name), description: text });
  }
  const { requestBody } = operation;
  const fields = isObject(requestBody) ? fieldsWithin(document, schemaOf(requestBody)) : [];
  return names.concat(fields.map(nameOf));
}

function nameOf({ path, description }: Field): Name {
  return { name: path.split('.').at(-1) ?? path, path, description: plainMarkdown(description) };
}

function operationText(document: Json, { path, method, item, operation }: Operation): string {
  const parameters = parametersOf(item, operation).map((one) => resolve(document, one));
  const { requestBody, responses } = operation as Record<string, Json | undefined>;
  const base = String((document['servers'] as Json[])[0]?.['url']);
  const parts = [
    `\`${method.toUpperCase()} ${base}${path}\`, operation \`${operation['operationId']}\``,
    plainMarkdown(String(operation['description'])),
  ];
  if (parameters.length > 0) {
    parts.push('## Parameters', parameterTable(document, parameters));
  }
  if (requestBody !== undefined) {
    const schema = schemaOf(requestBody);
    parts.push(
      '## Request body',
      `[${typeInWords(schema)}](${typeInWords(schema)}.md) as \`application/json\``,
      fieldTable(document, schema),
    );
  }
  parts.push('## Responses', responseTable(document, responses ?? {}));
  const samples = operation['x-codeSamples'] as { label: string; source: string }[];
  const sample = samples.find(({ label }) => label === 'curl');
  if (sample !== undefined) {
    parts.push('## Sample', `\`\`\`bash\n${sample.source.trimEnd()}\n\`\`\``);
  }
  const example = successExample(document, responses ?? {});
  if (example !== undefined) {
    parts.push('Response:', `\`\`\`json\n${json(example)}\n\`\`\``);
  }
  return parts.join('\n\n');
}

/** The schema of the only media type. */
function schemaOf({ content }: Json): Json {
  const [media] = Object.values((content ?? {}) as Record<string, Json>);
  return (media?.['schema'] ?? {}) as Json;
}

function successExample(document: Json, responses: Json): unknown {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const { content } = resolve(document, success?.[1] ?? {});
  const [media] = Object.values((content ?? {}) as Record<string, Json>);
  const [example] = Object.values((media?.['examples'] ?? {}) as Json);
  if (example === undefined) {
    return undefined;
  }
  return resolve(document, example)['value'];
}

function parameterTable(document: Json, parameters: readonly Json[]): string {
  const rows = parameters.map(({ name, in: place, required, schema, description }) => [
    `\`${name}\``,
    String(place),
    typeCell(document, schema as Json),
    required === true ? 'yes' : 'no',
    plainMarkdown(String(description)),
  ]);
  return table(['name', 'in', 'type', 'required', 'description'], rows);
}

function fieldTable(document: Json, schema: Json): string {
  const rows = fieldsOf(document, schema).map((field) => fieldRow(document, field));
  if (rows.length === 0) {
    return '';
  }
  return table(['property', 'type', 'required', 'description'], rows);
}

function fieldRow(document: Json, { path, isRequired, schema, description }: Field): string[] {
  return [
    `\`${path}\``,
    typeCell(document, schema),
    isRequired ? 'yes' : 'no',
    plainMarkdown(description),
  ];
}

/** `[NumBuckets](NumBuckets.md): integer, at least 1, at most 128, default 10`. */
function typeCell(document: Json, schema: Json): string {
  const link = (name: string): string => `[${name}](${name}.md)`;
  const type = typeInWords(schema, link);
  const resolved = resolve(document, schema);
  const limits = limitsInWords({ ...resolved, ...schema });
  const isSimple = '$ref' in schema && !isObject(resolved['properties']);
  const referred = isSimple ? `: ${typeInWords(resolved, link)}` : '';
  if (limits === '') {
    return type + referred;
  }
  return `${type}${referred}, ${limits}`;
}

function responseTable(document: Json, responses: Json): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const resolved = resolve(document, response);
    const schema = schemaOf(resolved);
    const name = typeInWords(schema);
    const body = resolved['content'] === undefined ? '' : `[${name}](${name}.md)`;
    return [status, body, plainMarkdown(String(resolved['description']))];
  });
  return table(['status', 'body', 'description'], rows);
}

function schemaPages(document: Json, group: string, tag: string): DocsPage[] {
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const own = Object.entries(schemas).filter(([, schema]) =>
    (schema['x-tags'] as string[]).includes(tag),
  );
  return own.map(([name, schema]) => ({
    place: `${placeOf(tag)}/${name.toLowerCase()}`,
    file: `${name}.md`,
    title: name,
    kind: 'schema',
    group,
    text: schemaText(document, schema),
    names: fieldsOf(document, schema).map(nameOf),
  }));
}

function schemaText(document: Json, schema: Json): string {
  const { description, examples } = schema;
  const parts = [
    `Type: ${typeCell(document, schema)}`,
    plainMarkdown(String(description ?? '')),
    fieldTable(document, schema),
  ];
  const [example] = Array.isArray(examples) ? examples : [];
  if (example !== undefined) {
    parts.push('Example:', `\`\`\`json\n${json(example)}\n\`\`\``);
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const cellText = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');

const ON_DEMAND = /\s*<span class="origin">[^]*?<\/span>/g;
/** At the beginning of a line, which begins with the next word then. */
const CONSOLE_LINK = /^\[Try it[^\]]*\]\(try\.html[^)]*\)(?:\. )?/gm;
const BUTTON = /\s*<button[^]*?<\/button>/g;
const PLACE_LINK = /\]\(#\/([\w-]+)\)/g;
const FILE_LINK = /\]\((openapi\.\w+|llms\.txt)\)/g;

/** Without what the page shows on demand and with links to the other Markdown files. */
function plainMarkdown(text: string): string {
  const plain = text.replaceAll(ON_DEMAND, '').replaceAll(CONSOLE_LINK, '').replaceAll(BUTTON, '');
  return plain.replaceAll(PLACE_LINK, ']($1.md)').replaceAll(FILE_LINK, '](../$1)').trim();
}

/** A page as a file. */
export const fileText = ({ title, text }: DocsPage): string => `# ${title}\n\n${text}\n`;

const OPTIONAL = 'Optional';

/**
 * The list of all pages, as https://llmstxt.org has it.
 * @param info the one of the contract
 */
export function llmsText(info: Json, pages: readonly DocsPage[]): string {
  const { title, summary } = info as Record<'title' | 'summary', string>;
  const contract = '- [The contract](openapi.yaml): OpenAPI 3.1, all of it';
  const parts = [`# ${title}`, `> ${summary}`];
  const groups = new Set(pages.map(groupOf));
  for (const group of groups) {
    const lines = pages
      .filter((page) => groupOf(page) === group)
      .map((page) => `- [${page.title}](${PAGES_FOLDER}/${page.file})${synopsis(page)}`);
    if (group === '') {
      lines.unshift(contract);
    } else {
      parts.push(`## ${group}`);
    }
    parts.push(lines.join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

function groupOf({ group, kind }: DocsPage): string {
  return kind === 'record' ? OPTIONAL : group;
}

/** The first sentence of the page of a schema, in a few words. */
function synopsis({ kind, text }: DocsPage): string {
  const [, paragraph = ''] = text.split('\n\n');
  const [sentence] = /^[A-Z][^.]*\./.exec(paragraph) ?? [];
  const hasSentence = sentence !== undefined && (kind === 'operation' || kind === 'schema');
  if (!hasSentence) {
    return '';
  }
  return `: ${sentence.replaceAll(/\s+/g, ' ')}`;
}

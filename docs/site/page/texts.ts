/**
 * The texts that the page holds beside the rules: sections of `info.description`, guides and
 * decision records, as Markdown.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onDemand } from './rules.ts';

/** A heading of the menu with its text. */
export interface Page {
  /**
   * Its place in the address; without words that may change where it can be, so that links last.
   */
  tag: string;
  title: string;
  /** Markdown below the title. */
  text: string;
}

/** Changes a text except for the parts that the one group of the pattern matches. */
function outsideOf(pattern: RegExp, markdown: string, change: (text: string) => string): string {
  const parts = markdown.split(pattern);
  return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join('');
}

/** Guides that the page holds, so that it needs no network. */
export const GUIDES = [
  { tag: 'clients', title: 'Clients', file: 'docs/generate-a-client.md' },
  { tag: 'typescript', title: 'TypeScript client', file: 'clients/typescript/README.md' },
  { tag: 'existing-clients', title: 'Existing clients', file: 'docs/existing-clients.md' },
  { tag: 'reference-server', title: 'Reference server', file: 'docs/run-the-server.md' },
  { tag: 'testing', title: 'Test a client', file: 'docs/test-a-client.md' },
  { tag: 'protect', title: 'Protect the server', file: 'docs/protect-the-server.md' },
  { tag: 'proxy', title: 'Behind a proxy', file: 'docs/behind-a-proxy.md' },
  { tag: 'postgresql', title: 'PostgreSQL', file: 'docs/use-postgresql.md' },
  { tag: 'express', title: 'In an Express application', file: 'docs/use-in-express.md' },
  { tag: 'write-a-server', title: 'Write a server', file: 'docs/write-a-server.md' },
  { tag: 'changelog', title: 'Changelog', file: 'CHANGELOG.md' },
];

const FENCED_BLOCK = /(^```[^]*?^```$)/m;
const CODE_OR_LINK = /(```[^]*?```|`[^`\n]*`|\[[^\]]*\]\([^)]*\))/;
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;
const RECORD_FILE = /^D\d+-.*\.md$/;
const RECORD = /^# (D\d+): (.+)\n([^]*)$/;
/**
 * Ids of decisions that only say where a rule comes from: all of a parenthesis, or the end of one.
 */
const IDS_OF_ORIGINS = /\s\(D\d\d(?:,\sD\d\d)*\)|(?:,\sD\d\d)+(?=\))/g;
const DECISION_ID = /(?<![A-Za-z0-9])D\d\d(?!\d)/g;
const PICTURE = /^```text\n([^]*?)^```$/m;
const FOR_SERVERS = /^## For those who write a server$/m;

/** The guides without their titles. */
export function readGuides(root: string): Page[] {
  return GUIDES.map(({ tag, title, file }) => {
    const markdown = readFileSync(join(root, file), 'utf8');
    const linked = outsideOf(FENCED_BLOCK, markdown, (part) =>
      withLinks(part.replace(/^# .+\n/m, ''), dirname(file)),
    );
    const text = linked.replaceAll(/^### (.+)$/gm, '**$1**').replaceAll(/^## (.+)$/gm, '### $1');
    return { tag, title, text: text.trim() };
  });
}

/**
 * A link to another guide stays within the page; of one to another file, the text remains. Links
 * start at `folder`.
 */
function withLinks(text: string, folder: string): string {
  return text.replaceAll(LINK, (link, words: string, to: string) => {
    if (/^https?:/.test(to)) {
      return link;
    }
    const path = join(folder, to.replace(/#.*/, ''));
    const guide = GUIDES.find(({ file }) => file === path);
    return guide === undefined ? words : `[${words}](#/${guide.tag})`;
  });
}

const decisionTag = (id: string): string => `decision-${id.toLowerCase()}`;

const RECORDS = 'docs/decisions';

/** All records. @throws Error for one without the usual heading */
export function readDecisions(root: string): Page[] {
  const names = readdirSync(join(root, RECORDS)).filter((name) => RECORD_FILE.test(name));
  return names.toSorted().map((name) => readDecision(root, name));
}

function readDecision(root: string, name: string): Page {
  const record = readFileSync(join(root, RECORDS, name), 'utf8');
  const [, id, title, text = ''] = RECORD.exec(record) ?? [];
  if (id === undefined) {
    throw new Error(`${name} does not begin with \`# D00: title\``);
  }
  // Headings would become entries of the menu.
  const shown = withLinks(text, RECORDS).replaceAll(/^## (.+)$/gm, '**$1.**');
  return { tag: decisionTag(id), title: `${id}: ${title}`, text: shown.trim() };
}

/**
 * Each id of a decision in a text becomes a link to its record, if that is known, except in code
 * and links. Ids in parentheses only say where a rule comes from: they are shown on demand, as
 * origins are.
 */
export function linkDecisions(text: string, known: ReadonlySet<string>): string {
  const link = (id: string): string => {
    if (known.has(decisionTag(id))) {
      return `[${id}](#/${decisionTag(id)})`;
    }
    return id;
  };
  return outsideOf(CODE_OR_LINK, text, (part) =>
    part.replaceAll(IDS_OF_ORIGINS, onDemand).replaceAll(DECISION_ID, link),
  );
}

/**
 * The parts of `info.description`: what the API is, with a picture; the sections for those who call
 * the API; and, from its last section, those for people who write a server. The text between the
 * picture and the first heading is a section, too.
 * @throws Error if there is no picture
 */
export function sectionsOf(description: string): Sections {
  const [forCallers = '', forServers = ''] = description.split(FOR_SERVERS);
  const [preamble = '', ...guide] = forCallers.split(/^## /m);
  const [, ...background] = forServers.split(/^### /m);
  const [opening = '', picture, conventions = ''] = preamble.split(PICTURE);
  if (picture === undefined) {
    throw new Error('info.description has no picture, which the page begins with');
  }
  guide.unshift(`Conventions\n${conventions.trim()}`);
  return {
    opening: opening.trim(),
    picture: picture.trimEnd(),
    guide: guide.map((text) => pageOf(text, '')),
    background: background.map((text) => pageOf(text, 'about-')),
  };
}

/** The parts of `info.description`. */
export interface Sections {
  opening: string;
  /** The parts of an edge, as text. */
  picture: string;
  guide: Page[];
  background: Page[];
}

/** @param text its first line is the title */
function pageOf(text: string, prefix: string): Page {
  const end = text.indexOf('\n');
  const title = text.slice(0, end).trim();
  return {
    tag: prefix + title.toLowerCase().replaceAll(/\W+/g, '-'),
    title,
    text: text.slice(end + 1).trim(),
  };
}

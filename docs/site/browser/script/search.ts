/** Finds sections, operations, schemas and their properties by words. */
import type { DocsPage, Name } from '../../page/page-data.ts';

/** A page, or a part of one below a heading, as plain text. */
export interface Entry extends Pick<DocsPage, 'place' | 'title' | 'kind' | 'names'> {
  text: string;
}

export interface Hit {
  entry: Entry;
  /** The property, parameter or operationId that was found. */
  name?: Name;
  /** The piece of the text that was found; empty if the title or the name says it. */
  snippet: string;
}

export interface Found {
  hits: Hit[];
  /** Words of the docs that were found: those to highlight. */
  words: string[];
}

export interface Index {
  entries: IndexedEntry[];
  vocabulary: string[];
}

interface IndexedEntry {
  entry: Entry;
  title: Set<string>;
  names: Map<string, Name>;
  /** Parts of names, such as `buckets` of `num_buckets`. */
  parts: Map<string, Name>;
  /** By their parts with blanks between: `request id` is `request_id`. */
  phrases: Map<string, Name>;
  /** How often each word occurs. */
  text: Map<string, number>;
  /** Title and text, in lower case. */
  plain: string;
}

export function indexOf(pages: readonly DocsPage[]): Index {
  const entries = pages.flatMap(entriesOf).map(indexed);
  const vocabulary = new Set<string>();
  for (const { title, names, parts, text } of entries) {
    for (const words of [title, names.keys(), parts.keys(), text.keys()]) {
      for (const word of words) {
        vocabulary.add(word);
      }
    }
  }
  return { entries, vocabulary: [...vocabulary] };
}

const HEADING = /^## (.+)\n/m;
const RESPONSES = /^## Responses$/m;
/** Redoc makes the address of such a heading from its words. */
const SIMPLE_HEADING = /^[\w. -]+$/;

/** The text before the first heading, and one for each heading. */
function entriesOf({ place, title, kind, names, text }: DocsPage): Entry[] {
  const isSplit = kind !== 'operation' && kind !== 'schema';
  if (!isSplit) {
    // The statuses are the same everywhere: they would be found in each operation.
    const [own = ''] = text.split(RESPONSES);
    return [{ place, title, kind, names, text: plainText(own) }];
  }
  const [opening = '', ...rest] = text.split(HEADING);
  const entries: Entry[] = [{ place, title, kind, names, text: plainText(opening) }];
  for (let at = 0; at < rest.length; at += 2) {
    const [heading = '', below = ''] = rest.slice(at, at + 2);
    entries.push({
      place: placeOfHeading(place, heading),
      title: place === '' ? heading : `${title}: ${plainText(heading)}`,
      kind,
      names: [],
      text: plainText(below),
    });
  }
  return entries;
}

function placeOfHeading(place: string, heading: string): string {
  if (!SIMPLE_HEADING.test(heading)) {
    return place;
  }
  const parent = place === '' ? 'section' : place;
  return `${parent}/${heading.toLowerCase().replaceAll(' ', '-')}`;
}

/** Without the signs of Markdown. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/^\|(?: --- \|)+$/gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^(?:#+|-|\d+\.) +/gm, '')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/^\| | \|$/gm, '')
    .replaceAll(' | ', ' · ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const WORD = /[\p{L}\p{N}_]+/gu;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** `num_buckets` and `createEdge` have two parts. */
function partsOf(name: string): string[] {
  return wordsOf(name.replaceAll('_', ' ').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '));
}

function indexed(entry: Entry): IndexedEntry {
  const text = new Map<string, number>();
  for (const word of wordsOf(entry.text)) {
    text.set(word, (text.get(word) ?? 0) + 1);
  }
  const names = new Map<string, Name>();
  const parts = new Map<string, Name>();
  const phrases = new Map<string, Name>();
  for (const name of entry.names) {
    const partsOfName = partsOf(name.name);
    setFirst(names, name.name.toLowerCase(), name);
    setFirst(phrases, partsOfName.join(' '), name);
    for (const part of partsOfName) {
      setFirst(parts, part, name);
    }
  }
  const title = new Set([...wordsOf(entry.title), ...partsOf(entry.title)]);
  const parted = partsOf(entry.title).join(' ');
  const plain = `${entry.title} ${parted} ${entry.text}`.toLowerCase();
  return { entry, title, names, parts, phrases, text, plain };
}

function setFirst(map: Map<string, Name>, key: string, name: Name): void {
  if (!map.has(key)) {
    map.set(key, name);
  }
}

/** Words of the docs, by the words that readers use for the same thing. */
const SYNONYMS = new Map([
  ['page', ['pagination']],
  ['pages', ['pagination']],
  ['paging', ['pagination']],
  ['size', ['limit', 'limits']],
  ['rate', ['429']],
  ['limit', ['429']],
  ['limits', ['429']],
  ['throttling', ['429']],
  ['auth', ['authentication']],
  ['idempotent', ['idempotency']],
  ['null', ['updating']],
  ['bearer', ['authentication']],
  ['cors', ['origins']],
  ['concurrency', ['atomic', 'etag']],
]);

/** Where a word is found, and how much that counts. */
const PLACES = { title: 10, name: 9, part: 5, text: 1 };
/** How a word of the docs is like a word of the query, and how much that counts. */
const LIKENESS = { same: 1, form: 0.9, beginning: 0.6, synonym: 0.8, misspelt: 0.4 };
/** Records say why a rule is as it is: what the rule says comes first. */
const KINDS = { section: 1.6, schema: 1.2, operation: 1.15, guide: 1, record: 0.05 };
/** For words that are beside each other. */
const PHRASE = 3;
/** For each word that is missing. */
const MISSING = 0.2;

/** An ending that other forms of a word do not have. */
const SUFFIX = /(?<=...)(?:ies|ing|ed|es|[esy])$/;

/** Words of the docs that are like a word, with their likeness. */
function likeWords(word: string, vocabulary: readonly string[]): Map<string, number> {
  const found = formsOf(word, vocabulary);
  const isMisspelt = found.size === 0 && word.length > 3;
  if (!isMisspelt) {
    return found;
  }
  for (const meant of vocabulary.filter((known) => isOneEditAway(word, known))) {
    for (const [known, likeness] of formsOf(meant, vocabulary)) {
      found.set(known, Math.max(likeness * LIKENESS.misspelt, found.get(known) ?? 0));
    }
  }
  return found;
}

function formsOf(word: string, vocabulary: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const stem = word.replace(SUFFIX, '');
  for (const known of vocabulary) {
    if (known === word) {
      found.set(known, LIKENESS.same);
    } else if (known.replace(SUFFIX, '') === stem) {
      found.set(known, LIKENESS.form);
    } else if (word.length > 1 && known.startsWith(word)) {
      found.set(known, LIKENESS.beginning);
    }
  }
  for (const synonym of SYNONYMS.get(word) ?? []) {
    if (!found.has(synonym)) {
      found.set(synonym, LIKENESS.synonym);
    }
  }
  return found;
}

/** One letter is missing, too many or another one, or two are exchanged. */
export function isOneEditAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) {
    return false;
  }
  let start = 0;
  while (start < one.length && one[start] === other[start]) {
    start++;
  }
  const rest = one.slice(start);
  const otherRest = other.slice(start);
  const isExchange =
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  const isOther = rest.slice(1) === otherRest.slice(1);
  return isExchange || isOther || rest.slice(1) === otherRest || rest === otherRest.slice(1);
}

/** How much an entry has of one word of the query. */
interface Score {
  score: number;
  name?: Name | undefined;
  word?: string;
}

function scoreOf(one: IndexedEntry, words: ReadonlyMap<string, number>): Score {
  let best: Score = { score: 0 };
  for (const [word, likeness] of words) {
    const name = one.names.get(word);
    const part = one.parts.get(word);
    const count = one.text.get(word) ?? 0;
    const options: Score[] = [];
    if (one.title.has(word)) {
      options.push({ score: PLACES.title * likeness });
    }
    if (name) {
      options.push({ score: PLACES.name * likeness, name });
    }
    if (part) {
      options.push({ score: PLACES.part * likeness, name: part });
    }
    if (count > 0) {
      options.push({ score: (PLACES.text + Math.log(count) / 4) * likeness });
    }
    for (const option of options) {
      if (option.score > best.score) {
        best = { ...option, word };
      }
    }
  }
  return best;
}

/** At most so many hits are shown. */
const MOST_HITS = 40;

export function find({ entries, vocabulary }: Index, query: string): Found {
  const words = wordsOf(query);
  const liked = words.map((word) => likeWords(word, vocabulary));
  const phrase = words.join(' ');
  const ranked: { hit: Hit; rank: number; missing: number }[] = [];
  for (const one of entries) {
    const name = words.length > 1 ? one.phrases.get(phrase) : undefined;
    let scores = liked.map((like) => scoreOf(one, like));
    if (name) {
      scores = words.map(() => ({ score: PLACES.name, name }));
    }
    const sum = scores.reduce((total, { score }) => total + score, 0);
    if (sum === 0) {
      continue;
    }
    const missing = scores.filter(({ score }) => score === 0).length;
    const isBeside = words.length > 1 && one.plain.includes(phrase);
    const bonus = isBeside ? PHRASE : 0;
    const rank = (sum + bonus) * KINDS[one.entry.kind] * MISSING ** missing;
    ranked.push({ hit: hitOf(one.entry, scores), rank, missing });
  }
  // A part of the words is enough only if no entry has them all.
  const fewest = Math.min(...ranked.map(({ missing }) => missing));
  const complete = ranked.filter(({ missing }) => missing === fewest);
  complete.sort((one, other) => other.rank - one.rank);
  return {
    hits: complete.slice(0, MOST_HITS).map(({ hit }) => hit),
    words: liked.flatMap((like) => [...like.keys()]),
  };
}

function hitOf(entry: Entry, scores: readonly Score[]): Hit {
  const name = scores.find((score) => score.name !== undefined)?.name;
  const found = scores.flatMap(({ word }) => word ?? []);
  const snippet = name === undefined ? snippetOf(entry.text, found) : name.description;
  if (name === undefined) {
    return { entry, snippet };
  }
  return { entry, name, snippet };
}

const BEFORE = 60;
const SNIPPET = 180;

/** The text around the first of the words; its beginning if it has none of them. */
function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const start = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const end = text.length <= start + SNIPPET ? text.length : text.lastIndexOf(' ', start + SNIPPET);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

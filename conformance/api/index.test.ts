/** The requirements cover the contract and its sentences, and their ids stay what they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clausesOf } from '../engine/contract/clauses.ts';
import { reasonOf } from '../engine/contract/implied.ts';
import { impliedParameterClauses, parameterClauses } from '../engine/contract/parameter-clauses.ts';
import { loadContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { wronglyReplaced } from '../engine/requirements/requirements-of.ts';
import type { ApiRequirement } from './define.ts';
import { apiLaws, EDGE_API, edgeApiRequirements } from './index.ts';
import { MODULE_NAMES } from './modules.ts';

const contract = loadContract();
const operations = operationsOf(contract);
const requirements: ApiRequirement[] = edgeApiRequirements(contract);
const ids = requirements.map(({ id }) => id);

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');

test('ids are unique, and those of each release stay, or a table names the replacement', () => {
  expect(new Set(ids).size).toBe(ids.length);
  const folder = join(import.meta.dirname, '../../docs/released');
  const readReleased = (name: string) => readFileSync(join(folder, name), 'utf8');
  const lists = readdirSync(folder).filter((name) => /^requirement-ids-[\d.]+\.txt$/.test(name));
  const released = [
    ...new Set(lists.flatMap((name) => readReleased(name).trim().split('\n'))),
  ].toSorted();
  const rows = [
    ...readReleased('requirement-ids.md').matchAll(
      /^\| `(\S+)` \| (?:`(\S+)`|gone) \| .*\w+ \w+.* \|$/gm,
    ),
  ];
  // Each id that is gone has one row, and no other id has one.
  expect(rows.map(([, id]) => id).toSorted()).toEqual(released.filter((id) => !ids.includes(id)));
  expect(rows.filter(([, , now]) => now !== undefined && !ids.includes(now))).toEqual([]);
});

test('each requirement listed as replaced follows from the contract, and is a law here', () => {
  expect(wronglyReplaced(contract, EDGE_API)).toEqual([]);
});

test('each requirement names the file that states it, and the file has the id of each law', () => {
  const texts = new Map(
    [...new Set(requirements.map(({ file }) => file!))].map((file) => [file, textOf(file)]),
  );
  // The id begins with an operation of the contract, or ends with a module, if it follows from the
  // two.
  const derived = new Set([
    ...operations.map(({ operationId }) => operationId),
    ...MODULE_NAMES,
  ] as string[]);
  const own = apiLaws(contract).filter(
    ({ id }) => !id.split('.').some((part) => derived.has(part)),
  );
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ id, file }) => !texts.get(file!)!.includes(`'${id}'`))).toEqual([]);
});

test('each requirement is one sentence about a rule of the contract, and has an origin', () => {
  const wrong = requirements.filter(
    ({ clause, words, origin, sentence }) =>
      !(contract.lineOf(clause) > 0) ||
      (clause === '/info/description' && words === undefined) ||
      !/^(source( §\d+(\.\d+)?)?|D\d\d)$/.test(origin) ||
      !/^\S.*\.$/.test(sentence),
  );
  expect(wrong).toEqual([]);
});

describe.each(operations.map((one) => [one.operationId, one] as const))(
  '%s',
  (operationId, operation) => {
    test('is tried with a read-only token', () => {
      const reads = operation.method === 'GET';
      expect(Object.hasOwn(operation.responses, '403')).toBe(!reads);
      expect(ids).toContain(`${operationId}.${reads ? 'read-only-token' : '403'}`);
    });

    test('each clause of its body and parameters has a requirement, or a reason why not', () => {
      const { requestBody, parameters } = operation;
      const body = requestBody?.pointer;
      const clauses = body === undefined ? [] : clausesOf(contract, body);
      const due = [
        ...clauses
          .filter((one) => reasonOf(contract, body!, one) === undefined)
          .map(({ id }) => `body.${id}`),
        ...parameters.flatMap((one) => {
          const implied = impliedParameterClauses(contract, one.pointer).map(
            ({ clause }) => clause.id,
          );
          const others = parameterClauses(contract, one.pointer).filter(
            ({ id }) => !implied.includes(id),
          );
          return others.map(({ id }) => `${one.in}.${id}`);
        }),
      ];
      expect(due.filter((id) => !ids.includes(`${operationId}.${id}`))).toEqual([]);
    });
  },
);

/** Sentences that no service can break in a way that a client sees, by the reason. */
const NOT_TESTABLE: Record<string, string[]> = {
  'It names what the contract is about.': [
    'This API manages',
    '**HTTPS edges.**',
    'An edge serves a set of hostports',
    'It has optional edge modules',
    'A route selects traffic',
    '**Event sources.**',
    'An event source is one event type',
    'It may verify client',
    'The event types for which',
    'Where the source document is silent',
  ],
  'It is advice to clients.': [
    'Ids are opaque',
    'Program against `code`',
    'A request that was refused with 429',
    '| `PATCH` of an event source',
    '| `POST`',
    'A cursor belongs',
  ],
  'It leads out of this API, perhaps to a host that the suite cannot reach.': [
    'The `uri` of a Ref',
  ],
  'It permits something that a client cannot bring about.': [
    'A service may run open',
    'A page may have fewer items',
    'After 500',
    'A service should list',
    'A service that sends `ETag`',
    'One may compress',
  ],
  'It binds those who change the contract.': ['A minor version may add values'],
  'No client can ask for this response.': [
    '| 429 |',
    '| 500 |',
    '| 503 |',
    '`Retry-After` always comes',
  ],
};

/**
 * Requirements that the engine derives from schemas and responses name no sentence: these ids test
 * them.
 */
const DERIVED: Record<string, RegExp> = {
  'Send `Authorization': /^createEdge\.201$/,
  'Timestamps are RFC 3339': /^createEdge\.201$/,
  '| 400 | `invalid_request`': /\.body\..+\.type$/,
  'Values are not converted': /\.body\..+\.type$/,
  'A number in a query': /\.query\.limit\.type$/,
  'In a query, a number': /\.query\.limit\.type$/,
  'A service sends `Date`': /^edges\.created-at$/,
  'Without it, `created_at` lies': /^edges\.created-at$/,
  'Excepted are the fields': /\.header-fields$/,
  'A number of thousands': /\.body\..+\.maximum$/,
  '`description` holds 255': /\.body\.description\.x-max-bytes$/,
};

/** A full stop, possibly before a closing mark, and then the beginning of a sentence. */
const END = /(?<=\.[)`*"]{0,3})\s+(?=[*`"A-Z0-9])/;

/**
 * Those of `info.description` and of the tags, without code; an item of a list or a row of a table
 * is one sentence.
 */
function sentences(): { heading: string; text: string }[] {
  const { info, tags } = contract.document as {
    info: { description: string };
    tags: { description: string }[];
  };
  return [info, ...tags].flatMap(({ description }) =>
    `\n${description.replaceAll(/^```[^]*?^```$/gm, '')}`.split(/^#+ /m).flatMap((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const blocks = lines.join('\n').split(/\n{2,}|\n(?=- )/);
      return blocks.flatMap((block) =>
        sentencesIn(block.trim()).map((text) => ({ heading, text })),
      );
    }),
  );
}

function sentencesIn(block: string): string[] {
  if (block === '') {
    return [];
  }
  if (block.startsWith('|')) {
    return block.split('\n').slice(2);
  }
  return block.replaceAll(/\s+/g, ' ').replace(/^- /, '').split(END);
}

/**
 * The keywords of a row of the table of field errors: the contract need not use all of them in a
 * body.
 */
function keywordsIn(row: string): RegExp[] {
  const [, cell = ''] = /^\| (.+?) \| .+ \| .+ \|$/.exec(row) ?? [];
  const keywords = [...cell.matchAll(/`([\w-]+)`/g)].map(([, keyword]) => keyword!);
  return keywords.map((keyword) => new RegExp(String.raw`\.body\..*\b${keyword}\b`));
}

test('each sentence of the rules in `info.description` has a requirement, or a reason', () => {
  const rules = sentences().filter(
    ({ heading }) => !/^(Versioning|Levels|Where the rules come)/.test(heading),
  );
  const named = requirements.flatMap(({ words = [], tests = [] }) => [...[words].flat(), ...tests]);
  const begins = [...named, ...Object.values(NOT_TESTABLE).flat(), ...Object.keys(DERIVED)];
  const untested = rules.filter(({ heading, text }) => {
    const keywords = keywordsIn(text);
    const one = Object.keys(DERIVED).find((words) => text.startsWith(words));
    if (heading === 'Field errors' && keywords.length > 0) {
      return !keywords.some((pattern) => ids.some((known) => pattern.test(known)));
    }
    if (one !== undefined) {
      return !ids.some((known) => DERIVED[one]!.test(known));
    }
    return !begins.some((words) => text.startsWith(words));
  });
  expect(untested).toEqual([]);
  expect(begins.filter((words) => !rules.some(({ text }) => text.startsWith(words)))).toEqual([]);
});

/** That the requirements cover the contract, and that their ids stay what they are. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { impliedClauses, impliedParameterClauses, parameterClauses } from '../engine/contract/implied.ts';
import { clausesOf } from '../engine/contract/clauses.ts';
import { loadContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { requirementsOf } from './index.ts';
import { apiLaws } from './laws/index.ts';
import { LOOKS } from './laws/read-only.ts';

const contract = loadContract();
const operations = operationsOf(contract);
const requirements = requirementsOf(contract);
const ids = requirements.map(({ id }) => id);

test('ids are unique, and those of the last release stay, or a table says what takes their place, and why', () => {
  expect(new Set(ids).size).toBe(ids.length);
  const readReleased = (name: string) => readFileSync(join(import.meta.dirname, '../../docs/released', name), 'utf8');
  const released = readReleased('requirement-ids-0.3.0.txt').trim().split('\n');
  const rows = [...readReleased('requirement-ids.md').matchAll(/^\| `(\S+)` \| (?:`(\S+)`|gone) \| .*\w+ \w+.* \|$/gm)];
  // Each id that is gone has one row, and no other id has one.
  expect(rows.map(([, id]) => id)).toEqual(released.filter((id) => !ids.includes(id)));
  expect(rows.filter(([, , now]) => now !== undefined && !ids.includes(now))).toEqual([]);
});

test('each requirement names the file that states it, and each law stands there under its whole id', () => {
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    const text = texts.get(file) ?? readFileSync(join(import.meta.dirname, '..', file), 'utf8');
    texts.set(file, text);
    return text;
  };
  expect(requirements.filter(({ file = 'none' }) => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([]);
  // Those that follow from the operations of the contract begin with the name of one.
  const own = apiLaws(operations).filter(({ id }) => !operations.some((one) => id.startsWith(`${one.operationId}.`)));
  expect(own.length).toBeGreaterThan(150);
  expect(own.filter(({ id, file }) => !textOf(file!).includes(`'${id}'`)).map(({ id }) => id)).toEqual([]);
});

describe('each requirement', () => {
  const wrong = (holds: (one: (typeof requirements)[number]) => boolean) =>
    requirements.filter((one) => !holds(one)).map(({ id }) => id);

  test('is of a clause that stands in the contract, and says where it comes from', () => {
    expect(wrong(({ clause }) => contract.lineOf(clause) > 0)).toEqual([]);
    expect(wrong(({ origin }) => /^(source( §\d+(\.\d+)?)?|D\d\d)$/.test(origin))).toEqual([]);
  });

  test('is of a rule, and not of a text as a whole', () => {
    expect(wrong(({ clause, words }) => clause !== '/info/description' || words !== undefined)).toEqual([]);
  });

  test('is one sentence', () => {
    expect(wrong(({ sentence }) => /^\S.*\.$/.test(sentence) && !sentence.includes('\n'))).toEqual([]);
  });
});

describe('each operation of the contract', () => {
  test.for(operations.map((one) => [one.operationId, one] as const))(
    '%s can be called, and its response is checked',
    ([operationId, operation]) => {
      const success = Object.keys(operation.responses).find((status) => status.startsWith('2'));
      expect(ids).toContain(`${operationId}.${success}`);
    },
  );

  test.for(operations.map((one) => [one.operationId, one] as const))(
    '%s is tried with a token that may only read',
    ([operationId, { method, responses }]) => {
      const reads = method === 'GET';
      expect(Object.hasOwn(responses, '403')).toBe(!reads);
      expect(ids).toContain(reads ? `${operationId}.read-only-token` : `${operationId}.403`);
      if (reads) expect(LOOKS).toHaveProperty(operationId);
    },
  );

  test.for(operations.filter((one) => one.requestBody).map((one) => [one.operationId, one] as const))(
    'each clause of the body of %s has a requirement, or a reason why not',
    ([operationId, { requestBody }]) => {
      const implied = new Map(
        impliedClauses(contract, requestBody!.pointer).map(({ clause, reason }) => [clause.id, reason]),
      );
      for (const { id } of clausesOf(contract, requestBody!.pointer)) {
        expect(ids.includes(`${operationId}.body.${id}`) || implied.get(id), id).toBeTruthy();
      }
    },
  );

  test.for(
    operations.flatMap((one) =>
      one.parameters.map((parameter) => [one.operationId, parameter.name, parameter] as const),
    ),
  )('each clause of the parameter of %s %s has a requirement, or a reason why not', ([operationId, , parameter]) => {
    const implied = new Map(
      impliedParameterClauses(contract, parameter.pointer).map(({ clause, reason }) => [clause.id, reason]),
    );
    for (const { id } of parameterClauses(contract, parameter.pointer)) {
      expect(ids.includes(`${operationId}.${parameter.in}.${id}`) || implied.get(id), id).toBeTruthy();
    }
  });
});

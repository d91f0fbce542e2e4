/**
 * Every clause of the contract with its origin, in a file that a reader can go through. `npx vitest run -u` on this file
 * writes it anew.
 */
import { expect, test } from 'vitest';
import { loadContract } from './load.ts';
import { operationsOf } from './operations.ts';
import { originOf, UNSTATED } from './origins.ts';
import { isObject, joinPointer, objectAt, valueAt } from './pointers.ts';

const contract = loadContract();
const { document } = contract;

const RULES = [
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'x-max-bytes',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'additionalProperties',
  'default',
];
/** Keywords with one schema in them, and with several. */
const ONE = ['items', 'additionalProperties', 'propertyNames', 'if', 'then', 'else'];
const LISTS = ['oneOf', 'allOf'];

function* clausesBelow(pointer: string, label: string): Generator<string> {
  const schema = valueAt(document, pointer);
  if (!isObject(schema)) return;
  for (const keyword of RULES) {
    const value = schema[keyword];
    if (value === undefined || isObject(value)) continue;
    const sent = originOf(contract, pointer, keyword, 'request');
    const shown = originOf(contract, pointer, keyword, 'response');
    expect([sent, shown], `${label} ${keyword}`).not.toContain(UNSTATED);
    yield `${label} ${keyword} ${JSON.stringify(value)}: ${sent === shown ? sent : `request ${sent}, response ${shown}`}`;
  }
  // What a condition looks for is no rule.
  for (const keyword of ONE.filter((one) => one !== 'if'))
    yield* clausesBelow(joinPointer(pointer, keyword), `${label} ${keyword}`);
  for (const name of Object.keys((schema['properties'] ?? {}) as object))
    yield* clausesBelow(joinPointer(pointer, 'properties', name), `${label}.${name}`);
  for (const keyword of LISTS)
    for (const index of ((schema[keyword] ?? []) as unknown[]).keys())
      yield* clausesBelow(joinPointer(pointer, keyword, index), `${label} ${keyword} ${index + 1}`);
}

function* lines(): Generator<string> {
  for (const { operationId, pointer, origin, responses } of operationsOf(contract)) {
    yield `${operationId}: ${origin}`;
    for (const [status, response] of Object.entries(responses))
      if (response.pointer.startsWith(pointer)) yield `${operationId} ${status}: ${response.origin}`;
  }
  for (const name of Object.keys(objectAt(document, '/components/responses')))
    yield `response ${name}: ${originOf(contract, `/components/responses/${name}`)}`;
  for (const kind of ['parameters', 'headers'])
    for (const name of Object.keys(objectAt(document, `/components/${kind}`))) {
      yield `${kind.slice(0, -1)} ${name}: ${originOf(contract, `/components/${kind}/${name}`)}`;
      yield* clausesBelow(`/components/${kind}/${name}/schema`, `${kind.slice(0, -1)} ${name}`);
    }
  for (const name of Object.keys(objectAt(document, '/components/schemas')))
    yield* clausesBelow(`/components/schemas/${name}`, name);
}

test('every clause has an origin, and generated/clauses.txt lists them', async () => {
  await expect(`${[...lines()].join('\n')}\n`).toMatchFileSnapshot('../../../generated/clauses.txt');
});

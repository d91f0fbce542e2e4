/**
 * `unevaluatedProperties` and `unevaluatedItems` for Ajv, whose own keywords are wrong if the value
 * decides which properties are evaluated: with `contains`, `if` and the branches of `anyOf`.
 */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, joinPointer, referenced, valueAt } from './pointers.ts';
import { patternsFor, type Schema } from './schema-parts.ts';

/** Validates values against schemas of one document. */
export interface Validator {
  document: unknown;
  isValid(pointer: string, value: unknown): boolean;
}

type Keyword = 'unevaluatedProperties' | 'unevaluatedItems';

const KEYWORDS: readonly { keyword: Keyword; type: 'object' | 'array' }[] = [
  { keyword: 'unevaluatedProperties', type: 'object' },
  { keyword: 'unevaluatedItems', type: 'array' },
];

/** The keyword beside each of them that leaves nothing for it. */
const EVALUATES_ALL: Readonly<Record<Keyword, string>> = {
  unevaluatedProperties: 'additionalProperties',
  unevaluatedItems: 'items',
};

/** @param places the pointer of each object of the document */
export function addUnevaluated(
  ajv: Ajv2020,
  validator: Validator,
  places: ReadonlyMap<object, string>,
): void {
  for (const { keyword, type } of KEYWORDS) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type,
      schemaType: ['boolean', 'object'],
      errors: false,
      error: { message: `must have ${keyword} that its schema allows` },
      validate: (_: unknown, value: Record<string, unknown>, holder?: object) => {
        const pointer = places.get(holder as object) ?? '';
        const left = unevaluated(validator, pointer, keyword, value);
        return left.every((name) => validator.isValid(joinPointer(pointer, keyword), value[name]));
      },
    });
  }
}

/**
 * The names (or positions of items) in `value` that the schema at `pointer` leaves to its own
 * `keyword`.
 */
function unevaluated(
  validator: Validator,
  pointer: string,
  keyword: Keyword,
  value: object,
): string[] {
  const rest = new Map(Object.entries(value));
  const seen = new Set<string>();
  const visit = (at: string): void => {
    const schema = valueAt(validator.document, at);
    if (seen.has(at) || !isObject(schema)) {
      return;
    }
    seen.add(at);
    const isOfAnother = at !== pointer && keyword in schema;
    if (isOfAnother || EVALUATES_ALL[keyword] in schema) {
      rest.clear();
    }
    const evaluates = EVALUATORS[keyword](validator, schema, at);
    for (const [name, inner] of rest) {
      if (evaluates(name, inner)) {
        rest.delete(name);
      }
    }
    for (const applied of appliedInPlace(validator, schema, at, value)) {
      visit(applied);
    }
  };
  visit(pointer);
  return [...rest.keys()];
}

/** Whether a schema evaluates a property or the item at a position. */
type Evaluator = (name: string, value: unknown) => boolean;

const EVALUATORS = {
  unevaluatedProperties: evaluatorOfProperties,
  unevaluatedItems: evaluatorOfItems,
};

function evaluatorOfItems({ isValid }: Validator, schema: Schema, at: string): Evaluator {
  const prefix = (schema['prefixItems'] ?? []) as unknown[];
  const contains = joinPointer(at, 'contains');
  return (position, item) => {
    const isFirst = Number(position) < prefix.length;
    return isFirst || ('contains' in schema && isValid(contains, item));
  };
}

function evaluatorOfProperties(_: Validator, schema: Schema): Evaluator {
  const properties = schema['properties'] ?? {};
  return (name) => Object.hasOwn(properties, name) || patternsFor(schema, name).length > 0;
}

/** The schemas that apply to the value itself, as far as it satisfies them. */
function appliedInPlace(
  { isValid }: Validator,
  schema: Schema,
  at: string,
  value: object,
): string[] {
  const applied: string[] = [];
  if (typeof schema['$ref'] === 'string') {
    applied.push(referenced(schema['$ref']));
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const branches = (schema[keyword] ?? []) as unknown[];
    for (const index of branches.keys()) {
      applied.push(joinPointer(at, keyword, index));
    }
  }
  for (const name of Object.keys(schema['dependentSchemas'] ?? {})) {
    if (Object.hasOwn(value, name)) {
      applied.push(joinPointer(at, 'dependentSchemas', name));
    }
  }
  if ('if' in schema) {
    const isMet = isValid(joinPointer(at, 'if'), value);
    const branches = isMet ? ['if', 'then'] : ['else'];
    for (const word of branches.filter((one) => one in schema)) {
      applied.push(joinPointer(at, word));
    }
  }
  return applied.filter((one) => isValid(one, value));
}

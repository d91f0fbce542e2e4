/**
 * Keywords of schemas whose values no rule can have, such as `required: true` in a property. Such a
 * keyword is taken out with a warning: "the value of this keyword MUST be …" (JSON Schema 2020-12,
 * Validation, 6, and Core, 10), and one wrong word is no reason not to read the others.
 */
import { words } from './keywords.ts';
import { firstInWords, isObject, joinPointer } from './pointers.ts';

type Schema = Record<string, unknown>;

type Test = (value: unknown) => boolean;

const isNumber: Test = (value) => typeof value === 'number' && Number.isFinite(value);
const isStep: Test = (value) => isNumber(value) && Number(value) > 0;
const isSize: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
const isText: Test = (value) => typeof value === 'string';
const isFlag: Test = (value) => typeof value === 'boolean';
const isSchema: Test = (value) => isObject(value) || typeof value === 'boolean';
const isList: Test = (value) => Array.isArray(value);
const isListOfTexts: Test = (value) => Array.isArray(value) && value.every(isText);
const isListOfSchemas: Test = (value) =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);

const TYPES = new Set(words('array boolean integer null number object string'));

const isType: Test = (value) => {
  const types: unknown[] = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((type) => typeof type === 'string' && TYPES.has(type));
};

const isMapOf =
  (isMember: Test): Test =>
  (value) =>
    isObject(value) && Object.values(value).every(isMember);

/** What the value of a keyword must be. */
const TESTS: readonly (readonly [isRight: Test, keywords: readonly string[]])[] = [
  [isType, ['type']],
  [isNumber, words('minimum maximum exclusiveMinimum exclusiveMaximum')],
  [isStep, ['multipleOf']],
  [
    isSize,
    words(`minLength maxLength minItems maxItems minProperties maxProperties
      minContains maxContains`),
  ],
  [isText, words('pattern format $ref')],
  [isFlag, words('uniqueItems readOnly writeOnly')],
  [isList, ['enum']],
  [isListOfTexts, ['required']],
  [isMapOf(isListOfTexts), ['dependentRequired']],
  [isListOfSchemas, words('allOf anyOf oneOf prefixItems')],
  [isMapOf(() => true), words('properties patternProperties dependentSchemas $defs')],
  [
    isSchema,
    words(`items contains not if then else additionalProperties propertyNames
      unevaluatedItems unevaluatedProperties`),
  ],
];

const TEST_OF = new Map<string, Test>();
for (const [isRight, keywords] of TESTS) {
  for (const keyword of keywords) {
    TEST_OF.set(keyword, isRight);
  }
}

/** Maps of schemas, in which a name without a value, such as `name:`, is a schema without rules. */
const MAPS_OF_SCHEMAS = words('properties patternProperties dependentSchemas $defs');

/**
 * Takes the malformed keywords out of a schema.
 * @returns their pointers
 */
export function dropMalformed(schema: Schema, pointer: string): string[] {
  const dropped: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const isRight = TEST_OF.get(keyword);
    if (isRight && !isRight(value)) {
      dropped.push(joinPointer(pointer, keyword));
      delete schema[keyword];
    }
  }
  for (const keyword of MAPS_OF_SCHEMAS) {
    const members = Object.entries(Object(schema[keyword]) as Schema);
    for (const [name, member] of members) {
      if (!isSchema(member)) {
        dropped.push(joinPointer(pointer, keyword, name));
        // The name may be `__proto__`.
        Object.defineProperty(schema[keyword], name, { value: {}, enumerable: true });
      }
    }
  }
  return dropped;
}

/** The warning about malformed keywords; undefined if there are none. */
export function warningOfMalformed(pointers: readonly string[]): string | undefined {
  if (pointers.length === 0) {
    return undefined;
  }
  const named = firstInWords(pointers);
  return `Parts of schemas that are missing or cannot be read are ignored: ${named}.`;
}

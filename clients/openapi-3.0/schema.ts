/** One schema of 2020-12 as one of OpenAPI 3.0. */
import { isObject, type Json, type Lost, resolve } from './json.ts';

/** Left as they are: both versions mean the same by them. */
const SAME = new Set([
  'type',
  'description',
  'title',
  'format',
  'enum',
  'default',
  'required',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'nullable',
  'readOnly',
  'writeOnly',
  'deprecated',
  'x-max-bytes',
  'x-pattern-description',
]);
/** Left out and reported: 3.0 has no word for them. `then` and `else` go with their `if`. */
const LOST = ['if', 'dependentRequired', 'propertyNames'];

export function downgradeSchema(schema: Json, pointer: string, contract: Json, lost: Lost[]): Json {
  const down = (child: unknown, path: string) => downgradeSchema(child as Json, `${pointer}/${path}`, contract, lost);
  const lose = (keyword: string, rule: unknown) => lost.push({ pointer, keyword, rule });

  // Names in capitals suit some languages; in Rust they are warnings. Here, the settings of a generator name the values.
  const { 'x-origin': _, 'x-enum-varnames': __, examples, ...rest } = schema;
  if ('$ref' in rest && 'properties' in rest) {
    // A narrower value of a property, such as the codes of one response: a copy of the object would have no name.
    lose('properties', rest['properties']);
    delete rest['properties'];
  }
  if ('$ref' in rest)
    return reference(rest as { $ref: string }, (ref) => downgradeSchema(resolve(contract, ref), ref, contract, []));
  const result: Json = {};
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'properties')
      result[key] = Object.fromEntries(
        Object.entries(value as Json).map(([name, child]) => [name, down(child, `properties/${name}`)]),
      );
    else if (key === 'items') result[key] = down(value, key);
    else if (key === 'additionalProperties') result[key] = isObject(value) ? down(value, key) : value;
    else if (key === 'oneOf') Object.assign(result, orNull(value as Json[], pointer, contract));
    else if (key === 'allOf') conditions(value as Json[]);
    else if (LOST.includes(key)) lose(key, key === 'if' ? conditional(schema) : value);
    else if (key === 'then' || key === 'else') continue;
    else if (SAME.has(key)) result[key] = value;
    else throw new Error(`${pointer}/${key}: this keyword has no known form in OpenAPI 3.0`);
  }
  if (Array.isArray(result['type'])) Object.assign(result, nullableType(result['type'] as string[], pointer));
  // `default: null` would be sent by clients that fill defaults in; omitted means the same.
  if (result['default'] === null) {
    delete result['default'];
    lose('default', null);
  }
  if (Array.isArray(examples)) result['example'] = examples[0];
  return result;

  /** Every member of an `allOf` in this contract is a condition. */
  function conditions(members: Json[]): void {
    for (const [index, member] of members.entries()) {
      if (!('if' in member)) throw new Error(`${pointer}/allOf/${index}: only conditions are known here`);
      lost.push({ pointer: `${pointer}/allOf/${index}`, keyword: 'if', rule: conditional(member) });
    }
  }
}

function conditional(schema: Json): Json {
  return Object.fromEntries(['if', 'then', 'else'].filter((key) => key in schema).map((key) => [key, schema[key]]));
}

/**
 * 3.0 ignores what stands beside a `$ref`. A reference with words of its own becomes `allOf` with one member, the idiom
 * of 3.0; but a plain value, a list or a map, which has no name in a client, is copied in:
 * generators stumble over its `default`.
 */
function reference({ $ref, ...beside }: { $ref: string }, follow: (ref: string) => Json): Json {
  if (Object.keys(beside).length === 0) return { $ref };
  const target = follow($ref);
  if ('properties' in target || 'enum' in target) return { ...beside, allOf: [{ $ref }] };
  return { ...target, ...beside };
}

/** `oneOf: [{$ref}, {type: 'null'}]`. */
function orNull(members: Json[], pointer: string, contract: Json): Json {
  const [value, empty] = members;
  if (members.length !== 2 || typeof value?.['$ref'] !== 'string' || empty?.['type'] !== 'null') {
    throw new Error(`${pointer}/oneOf: only a reference or null is known here`);
  }
  return { type: typeOf(value['$ref'], contract), nullable: true, allOf: [{ $ref: value['$ref'] }] };
}

/** The type of a component, which may be another name for a component. */
function typeOf(ref: string, contract: Json): unknown {
  const { $ref, type } = resolve(contract, ref);
  return typeof $ref === 'string' ? typeOf($ref, contract) : type;
}

function nullableType(types: string[], pointer: string): Json {
  const [type, ...more] = types.filter((one) => one !== 'null');
  if (type === undefined || more.length > 0 || types.length !== 2)
    throw new Error(`${pointer}/type: only one type or null is known here`);
  return { type, nullable: true };
}

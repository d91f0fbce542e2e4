/** The client of OpenAPI Generator (`rust`, `reqwest`): `Some(None)` is null, `None` is omitted. */
import { bracketed, indent, pascal, program, snake, subjectOf } from './layout.ts';
import type { SampleRequest } from './request.ts';
import { type Member, schemasIn, type Value, valuesIn, type Write, writeBy } from './value.ts';

const KEYWORDS = new Set(['type', 'match']);

export function rust(request: SampleRequest): string {
  return program('rust', {
    imports: importsOf(request).join('\n'),
    base: JSON.stringify(request.base),
    use: indent(request.isList ? loop(request) : statements(request), '    '),
  });
}

/** All pages of a list. */
function loop({ operationId, parameters }: SampleRequest): string {
  const args = ['&api', ...parameters.map(({ value }) => JSON.stringify(value)), 'None'];
  const items = `${bracketed(`${snake(subjectOf(operationId))}(`, args, ')')}.await?`;
  return `for item in ${items} {\n    println!("{item:#?}");\n}`;
}

function statements({ operationId, parameters, body, returns }: SampleRequest): string {
  const args = ['&api', ...parameters.map(({ value }) => JSON.stringify(value))];
  if (body !== undefined) {
    const typed = written(body.typed);
    args.push(body.required ? typed : `Some(${typed})`);
  }
  const call = `${bracketed(`${snake(operationId)}(`, args, ')')}.await?`;
  if (returns) {
    return `let response = ${call};\nprintln!("{response:#?}");`;
  }
  return `${call};`;
}

function importsOf({ operationId, tag, body, isList }: SampleRequest): string[] {
  const imports = isList
    ? [`use edge_client::calls::{connect, ${snake(subjectOf(operationId))}};`]
    : [
        `use edge_client::apis::${snake(tag)}_api::${snake(operationId)};`,
        'use edge_client::calls::connect;',
      ];
  const maps = mapSchemasIn(body?.typed);
  const models = schemasIn(body?.typed)
    .filter((name) => !maps.has(name))
    .map(named);
  const [first, ...others] = models;
  if (first !== undefined) {
    const listed = others.length === 0 ? first : bracketed('{', models, '}');
    imports.push(`use edge_client::models::${listed};`);
  }
  if (maps.size > 0) {
    imports.push('use std::collections::HashMap;');
  }
  return imports;
}

/** The names of the schemas of maps, which are not separate types in Rust. */
function mapSchemasIn(value: Value | undefined): Set<string> {
  const names = new Set<string>();
  for (const inner of valuesIn(value)) {
    if (inner.kind === 'map' && inner.schema !== undefined) {
      names.add(inner.schema);
    }
  }
  return names;
}

function member({ name, value, required, nullable }: Member): string {
  const field = KEYWORDS.has(name) ? `r#${name}` : name;
  const inner = value.kind === 'object' ? `Box::new(${written(value)})` : written(value);
  const present = nullable && value.kind !== 'null' ? `Some(${inner})` : inner;
  return `${field}: ${required ? present : `Some(${present})`}`;
}

const written: Write = writeBy({
  null: () => 'None',
  boolean: ({ value }) => String(value),
  number: ({ value, integer }) => {
    if (integer || !Number.isInteger(value)) {
      return String(value);
    }
    return `${value}.0`;
  },
  text: ({ value }) => `${text(value)}.into()`,
  // Names that the contract gives (`x-enum-varnames`) are taken as they are.
  enum: ({ schema, name, value }) => `${named(schema)}::${name === value ? pascal(name) : name}`,
  list: ({ items }) => bracketed('vec![', items.map(written), ']'),
  map: ({ entries }) => {
    const members = entries.map(([name, one]) => `(${text(name)}.into(), ${text(one)}.into())`);
    return `HashMap::from(${bracketed('[', members, ']')})`;
  },
  object: ({ schema, members }) => {
    if (members.length === 0) {
      return `${named(schema)}::default()`;
    }
    const fields = [...members.map(member), '..Default::default()'];
    return bracketed(`${named(schema)} {`, fields, '}', { space: ' ', trailing: '' });
  },
});

/** The capitals of an abbreviation after its first one: `TTPS` of `HTTPSEdge`. */
const REST_OF_ABBREVIATION = /(?<=[A-Z])[A-Z]+(?=[A-Z][a-z]|$)/g;

/** `HTTPSEdgeCreate` -> `HttpsEdgeCreate` */
function named(schema: string): string {
  return schema.replaceAll(REST_OF_ABBREVIATION, (rest) => rest.toLowerCase());
}

function text(value: string): string {
  if (/["\\]/.test(value) && !value.includes('"#')) {
    return `r#"${value}"#`;
  }
  return JSON.stringify(value);
}

/** The client of OpenAPI Generator (`rust`, `reqwest`): `Some(None)` is null, `None` is omitted. */
import { bracketed, indent, pascal, program, snake } from './layout.ts';
import type { SampleRequest } from './request.ts';
import { type Member, schemasIn, valuesIn, type Write, writeBy } from './value.ts';

const KEYWORDS = new Set(['type', 'match']);

export function rust({
  operationId,
  tag,
  parameters,
  query,
  body,
  returns,
  base,
}: SampleRequest): string {
  const operation = snake(operationId);
  const typed = body?.typed;
  const maps = new Set(
    [...valuesIn(typed)].flatMap((value) => (value.kind === 'map' ? (value.schema ?? []) : [])),
  );
  const models = schemasIn(typed).flatMap((name) => (maps.has(name) ? [] : named(name)));
  const args = [
    '&api',
    ...parameters.map(({ value }) => JSON.stringify(value)),
    ...(typed === undefined ? [] : [body!.required ? written(typed) : `Some(${written(typed)})`]),
    ...query.map(() => 'None'),
  ];
  const call = `${bracketed(`${operation}(`, args, ')')}.await?`;
  const listed = models.length === 1 ? models[0] : bracketed('{', models, '}');
  const imports = [
    `use edge_client::apis::configuration::Configuration;`,
    `use edge_client::apis::${snake(tag)}_api::${operation};`,
    ...(models.length === 0 ? [] : [`use edge_client::models::${listed};`]),
    ...(maps.size === 0 ? [] : ['use std::collections::HashMap;']),
  ];
  return program('rust', {
    imports: imports.join('\n'),
    base: JSON.stringify(base),
    use: indent(
      returns ? `let response = ${call};\nprintln!("{response:#?}");` : `${call};`,
      '    ',
    ),
  });
}

function member({ name, value, required, nullable }: Member): string {
  const field = KEYWORDS.has(name) ? `r#${name}` : name;
  const inner =
    value.kind === 'null'
      ? 'None'
      : value.kind === 'object'
        ? `Box::new(${written(value)})`
        : written(value);
  const present = nullable && value.kind !== 'null' ? `Some(${inner})` : inner;
  return `${field}: ${required ? present : `Some(${present})`}`;
}

const written: Write = writeBy({
  null: () => 'None',
  boolean: ({ value }) => String(value),
  number: ({ value, integer }) =>
    integer || !Number.isInteger(value) ? String(value) : `${value}.0`,
  text: ({ value }) => `${text(value)}.into()`,
  // Names of the contract's own (`x-enum-varnames`) are taken as they are.
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

/** `HTTPSEdgeCreate` -> `HttpsEdgeCreate` */
function named(schema: string): string {
  return schema.replaceAll(/(?<=[A-Z])[A-Z]+(?=[A-Z][a-z]|$)/g, (rest) => rest.toLowerCase());
}

function text(value: string): string {
  return /["\\]/.test(value) && !value.includes('"#') ? `r#"${value}"#` : JSON.stringify(value);
}

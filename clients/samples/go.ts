/**
 * The client of oapi-codegen: optional values are pointers, and `nullable` tells null from what is
 * omitted.
 */
import { bracketed, indent, pascal, program } from './layout.ts';
import type { SampleRequest } from './request.ts';
import { type Member, type Write, writeBy } from './value.ts';

const TABS = { by: '\t' };

export function go({ operationId, parameters, query, body, base }: SampleRequest): string {
  const args = ['context.Background()', ...parameters.map(({ value }) => text(value))];
  if (query.length > 0) {
    args.push('nil');
  }
  if (body !== undefined) {
    args.push(written(body.typed));
  }
  const call = bracketed(`api.${pascal(operationId)}WithResponse(`, args, ')', TABS);
  const nullable = call.includes('nullable.') ? '\n\t"github.com/oapi-codegen/nullable"\n' : '';
  const pointer = call.includes('ptr(') ? '\nfunc ptr[T any](value T) *T { return &value }\n' : '';
  return program('go', { nullable, base: text(base), call: indent(call, '\t'), pointer });
}

const member = (one: Member): string => `${pascal(one.name)}: ${field(one)}`;

function field({ value, of, required, nullable }: Member): string {
  if (value.kind === 'null') {
    return `nullable.NewNullNullable[${type(of)}]()`;
  }
  if (nullable) {
    return `nullable.NewNullableWithValue(${written(value)})`;
  }
  if (required) {
    return written(value);
  }
  const isComposite = ['object', 'list', 'map'].includes(value.kind);
  return isComposite ? `&${written(value)}` : `ptr(${written(value)})`;
}

const written: Write = writeBy({
  null: () => 'nil',
  boolean: ({ value }) => String(value),
  number: ({ value, integer, format }) => {
    if (integer) {
      return `${format === 'int32' ? 'int32' : 'int64'}(${value})`;
    }
    return Number.isInteger(value) ? `${value}.0` : `${value}`;
  },
  text: ({ value }) => text(value),
  enum: ({ schema, name }) => `edge.${schema}${pascal(name)}`,
  list: ({ items, of }) => bracketed(`[]${type(of)}{`, items.map(written), '}', TABS),
  map: ({ entries, schema }) => {
    const members = entries.map(([name, one]) => `${text(name)}: ${text(one)}`);
    return bracketed(`edge.${schema}{`, members, '}', TABS);
  },
  object: ({ schema, members }) => bracketed(`edge.${schema}{`, members.map(member), '}', TABS),
});

function type(of: string): string {
  const own: Record<string, string> = {
    text: 'string',
    boolean: 'bool',
    number: 'int64',
    list: '[]string',
  };
  return own[of] ?? `edge.${of}`;
}

function text(value: string): string {
  if (value.includes('"') && !value.includes('`')) {
    return `\`${value}\``;
  }
  return JSON.stringify(value);
}

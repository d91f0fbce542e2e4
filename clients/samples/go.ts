/**
 * The client of oapi-codegen: optional values are pointers, and `nullable` tells null from what is
 * omitted.
 */
import { bracketed, indent, pascal, program, subjectOf } from './layout.ts';
import type { SampleRequest } from './request.ts';
import { type Member, type Write, writeBy } from './value.ts';

const TABS = { by: '\t' };

export function go(request: SampleRequest): string {
  const use = request.isList ? loop(request) : statements(request);
  const nullable = use.includes('nullable.') ? '\n\t"github.com/oapi-codegen/nullable"\n' : '';
  const pointer = use.includes('ptr(') ? '\nfunc ptr[T any](value T) *T { return &value }\n' : '';
  const base = text(request.base);
  return program('go', { nullable, base, use: indent(use, '\t'), pointer });
}

const STOP_AT_ERROR = ['if err != nil {', '\tlog.Fatal(err)', '}'];

/** All pages of a list, one after the other. */
function loop({ operationId, parameters }: SampleRequest): string {
  const args = ['ctx', 'api', ...parameters.map(({ value }) => text(value)), 'nil'];
  const items = bracketed(`edge.${pascal(subjectOf(operationId))}(`, args, ')', TABS);
  const body = [...STOP_AT_ERROR, String.raw`fmt.Printf("%+v\n", item)`];
  const lines = body.map((line) => `\t${line}`);
  return `for item, err := range ${items} {\n${lines.join('\n')}\n}`;
}

function statements({ operationId, method, parameters, body, returns }: SampleRequest): string {
  const args = ['ctx', ...parameters.map(({ value }) => text(value))];
  if (body !== undefined) {
    args.push(written(body.typed));
  }
  const call = bracketed(`api.${pascal(operationId)}WithResponse(`, args, ')', TABS);
  const success = method === 'POST' ? 'JSON201' : 'JSON200';
  const print = returns
    ? String.raw`fmt.Printf("%+v\n", *response.${success})`
    : 'fmt.Println("deleted")';
  const result = returns ? 'response, err :=' : '_, err =';
  return [`${result} ${call}`, ...STOP_AT_ERROR, print].join('\n');
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

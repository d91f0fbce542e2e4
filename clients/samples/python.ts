/** The client of openapi-python-client: `None` is null, and what is not given is omitted. */
import { bracketed, program, snake, subjectOf } from './layout.ts';
import type { SampleRequest } from './request.ts';
import { schemasIn, type Write, writeBy } from './value.ts';

/** Names of properties that Python has in use: the generator appends an underscore. */
const TAKEN = new Set([
  'type',
  'format',
  'filter',
  'hash',
  'list',
  'map',
  'max',
  'min',
  'next',
  'range',
  'set',
]);

export function python(request: SampleRequest): string {
  const { base, body, isList, operationId, tag } = request;
  const models = schemasIn(body?.typed);
  const operation = snake(operationId);
  const imports = isList
    ? [`from edge_client.calls import ${snake(subjectOf(operationId))}`]
    : [
        `from edge_client.api.${snake(tag)} import ${operation}`,
        'from edge_client.calls import call',
      ];
  if (models.length > 0) {
    imports.push(`from edge_client.models import ${imported(models)}`);
  }
  const use = isList ? loop(request) : statements(request);
  return program('python', { imports: imports.join('\n'), base: text(base), use });
}

/** All pages of a list, one after the other. */
function loop({ operationId, parameters }: SampleRequest): string {
  const items = snake(subjectOf(operationId));
  const args = ['client', ...parameters.map(({ value }) => text(value))];
  return `for item in ${bracketed(`${items}(`, args, ')')}:\n    print(item)`;
}

function statements({ operationId, parameters, body, returns }: SampleRequest): string {
  const args = [`${snake(operationId)}.sync`, ...parameters.map(({ value }) => text(value))];
  args.push('client=client');
  if (body !== undefined) {
    args.push(`body=${written(body.typed)}`);
  }
  const call = bracketed('call(', args, ')');
  const subject = snake(subjectOf(operationId));
  return returns ? `${subject} = ${call}\nprint(${subject})` : call;
}

function imported(models: readonly string[]): string {
  const line = models.join(', ');
  return line.length <= 60 ? line : bracketed('(', models, ')');
}

const written: Write = writeBy({
  null: () => 'None',
  boolean: ({ value }) => (value ? 'True' : 'False'),
  number: ({ value }) => String(value),
  text: ({ value }) => text(value),
  enum: ({ schema, name }) => `${schema}.${snake(name).toUpperCase()}`,
  list: ({ items }) => bracketed('[', items.map(written), ']'),
  map: ({ entries, schema }) => {
    const members = entries.map(([name, one]) => `${text(name)}: ${text(one)}`);
    return `${schema}.from_dict(${bracketed('{', members, '}')})`;
  },
  object: ({ schema, members }) => {
    const args = members.map(({ name, value }) => {
      const attribute = TAKEN.has(name) ? `${name}_` : name;
      return `${attribute}=${written(value)}`;
    });
    return bracketed(`${schema}(`, args, ')');
  },
});

function text(value: string): string {
  if (value.includes('"') && !/['\\\n]/.test(value)) {
    return `'${value}'`;
  }
  return JSON.stringify(value);
}

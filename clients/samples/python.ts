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
  const { operationId, tag, parameters, body, returns, base } = request;
  const operation = snake(operationId);
  const args = parameters.map(({ value }) => text(value));
  args.push('client=client');
  if (body !== undefined) {
    args.push(`body=${written(body.typed)}`);
  }
  const argumentList = bracketed('(', args, ')');
  const subject = snake(subjectOf(operationId));
  const use = returns
    ? `${subject} = ${operation}.sync${argumentList}\nprint(${subject})`
    : `response = ${operation}.sync_detailed${argumentList}\nprint(response.status_code)`;
  const models = schemasIn(body?.typed);
  return program('python', {
    tag: snake(tag),
    operation,
    base: text(base),
    models: models.length === 0 ? '' : `from edge_client.models import ${imported(models)}\n`,
    use,
  });
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

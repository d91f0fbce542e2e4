/**
 * The client of OpenAPI Generator (`java`, `native`): each property has a setter, which takes null,
 * too.
 */
import { bracketed, camel, indent, pascal, program, subjectOf } from './layout.ts';
import type { SampleRequest } from './request.ts';
import { schemasIn, type Write, writeBy } from './value.ts';

/** The name of the class, and so of its file: no two samples have the same. */
export const classOf = ({ operationId, body }: SampleRequest): string =>
  pascal(operationId) + pascal(body?.example ?? '');

export function java(request: SampleRequest): string {
  const api = `${request.tag.split(' ').map(pascal).join('')}Api`;
  const use = request.isList ? loop(request) : statements(request, api);
  return program('java', {
    imports: importsOf(
      request.isList ? 'Calls' : `api.${api}`,
      schemasIn(request.body?.typed),
      use,
    ),
    name: classOf(request),
    base: text(request.base),
    use: indent(use, '    '),
  });
}

/** All pages of a list. */
function loop({ operationId, parameters }: SampleRequest): string {
  const args = ['client', ...parameters.map(({ value }) => text(value)), 'null'];
  const items = call(`Calls.${camel(subjectOf(operationId))}`, args);
  return `for (var item : ${items}) {\n  System.out.println(item);\n}`;
}

function statements(
  { operationId, parameters, body, returns }: SampleRequest,
  api: string,
): string {
  const args = parameters.map(({ value }) => text(value));
  if (body !== undefined) {
    args.push(written(body.typed));
  }
  const sent = call(`new ${api}(client).${operationId}`, args);
  if (returns) {
    return `var response = ${sent};\nSystem.out.println(response);`;
  }
  return `${sent};`;
}

const STANDARD_CLASSES = [
  'java.net.URI',
  'java.util.LinkedHashSet',
  'java.util.List',
  'java.util.Map',
];

/** The import statements of the classes that the code names. */
function importsOf(used: string, schemas: readonly string[], code: string): string {
  const models = schemas
    .filter((name) => new RegExp(String.raw`\b${name}\b`).test(code))
    .map((name) => `edge.client.model.${name}`);
  const standard = STANDARD_CLASSES.filter((name) => {
    const simpleName = name.split('.').at(-1);
    return new RegExp(String.raw`\b${simpleName}[.<]`).test(code);
  });
  const classes = ['edge.client.ApiClient', `edge.client.${used}`, ...models, ...standard];
  return classes.map((name) => `import ${name};`).join('\n');
}

const written: Write = writeBy({
  null: () => 'null',
  boolean: ({ value }) => String(value),
  number: ({ value, integer, format }) => {
    if (!integer) {
      return `${value}d`;
    }
    return format === 'int32' ? `${value}` : `${value}L`;
  },
  text: ({ value, format }) => (format === 'uri' ? `URI.create(${text(value)})` : text(value)),
  enum: ({ schema, name }) => `${schema}.${name.toUpperCase()}`,
  list: ({ items, unique }) => {
    const list = call('List.of', items.map(written));
    // `Set.of` would lose the order.
    return unique ? `new LinkedHashSet<>(${list})` : list;
  },
  map: ({ entries }) => {
    const members = entries.map(([name, one]) => `${text(name)}, ${text(one)}`);
    return call('Map.of', members);
  },
  object: ({ schema, members }) => {
    const setters = members.map(({ name, value }) => `.${camel(name)}(${written(value)})`);
    const line = `new ${schema}()${setters.join('')}`;
    if (line.length <= 72 && !line.includes('\n')) {
      return line;
    }
    return `new ${schema}()${setters.map((one) => `\n    ${indent(one, '    ')}`).join('')}`;
  },
});

const call = (name: string, args: readonly string[]): string =>
  bracketed(`${name}(`, args, ')', { trailing: '' });

const text = (value: string): string => JSON.stringify(value);

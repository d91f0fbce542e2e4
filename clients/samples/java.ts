/** The client of OpenAPI Generator (`java`, `native`): each property has a setter, which takes null, too. */
import { bracketed, camel, indent, pascal, program } from './layout.ts';
import type { SampleRequest } from './request.ts';
import { schemasIn, type Write, writeBy } from './value.ts';

/** The name of the class, and so of its file: no two samples have the same. */
export const classOf = ({ operationId, body }: SampleRequest): string =>
  pascal(operationId) + pascal(body?.example ?? '');

export function java(request: SampleRequest): string {
  const { operationId, tag, parameters, query, body, returns, base } = request;
  const api = `${tag.split(' ').map(pascal).join('')}Api`;
  const args = [
    ...parameters.map(({ value }) => text(value)),
    ...(body === undefined ? [] : [written(body.typed)]),
    ...query.map(() => 'null'),
  ];
  const sent = call(`new ${api}(client).${operationId}`, args);
  const own = schemasIn(body?.typed).filter((name) =>
    new RegExp(String.raw`\b${name}\b`).test(sent),
  );
  const standard = [
    'java.net.URI',
    'java.util.LinkedHashSet',
    'java.util.List',
    'java.util.Map',
  ].filter((name) => new RegExp(String.raw`\b${name.split('.').at(-1)}[.<]`).test(sent));
  const models = own.map((name) => `edge.client.model.${name}`);
  const imports = ['edge.client.ApiClient', `edge.client.api.${api}`, ...models, ...standard];
  return program('java', {
    imports: imports.map((name) => `import ${name};`).join('\n'),
    name: classOf(request),
    base: text(base),
    use: indent(
      returns ? `var response = ${sent};\nSystem.out.println(response);` : `${sent};`,
      '    ',
    ),
  });
}

const written: Write = writeBy({
  null: () => 'null',
  boolean: ({ value }) => String(value),
  number: ({ value, integer, format }) =>
    `${value}${integer ? (format === 'int32' ? '' : 'L') : 'd'}`,
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

/** The client of OpenAPI Generator (`java`, `native`): each property has a setter, which takes null, too. */
import { bracketed, camel, indent, pascal } from './layout.ts';
import type { SampleRequest } from './request.ts';
import { schemasIn, type Value } from './value.ts';

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
  const call = bracketed(args, { open: `new ${api}(client).${operationId}(`, close: ')', by: '    ', trailing: '' });
  const own = schemasIn(body?.typed).filter((name) => new RegExp(String.raw`\b${name}\b`).test(call));
  const standard = [
    'java.net.URI',
    'java.util.LinkedHashSet',
    'java.util.List',
    'java.util.Map',
    'java.util.Set',
  ].filter((name) => new RegExp(String.raw`\b${name.split('.').at(-1)}[.<]`).test(call));
  const imports = [
    'edge.client.ApiClient',
    `edge.client.api.${api}`,
    ...own.map((name) => `edge.client.model.${name}`),
    ...standard,
  ];
  return `${imports.map((name) => `import ${name};`).join('\n')}

class ${classOf(request)} {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(${text(base)});
    client.setRequestInterceptor(request ->
        request.header("Authorization", "Bearer " + System.getenv("API_TOKEN")));
    ${indent(returns ? `var response = ${call};\nSystem.out.println(response);` : `${call};`, '    ')}
  }
}
`;
}

function written(value: Value): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(value.value);
    case 'number':
      if (!value.integer) return `${value.value}d`;
      return value.format === 'int32' ? String(value.value) : `${value.value}L`;
    case 'text':
      return value.format === 'uri' ? `URI.create(${text(value.value)})` : text(value.value);
    case 'enum':
      return `${value.schema}.${value.name.toUpperCase()}`;
    case 'list': {
      const list = bracketed(value.items.map(written), { open: 'List.of(', close: ')', by: '    ', trailing: '' });
      // `Set.of` would lose the order.
      return value.unique ? `new LinkedHashSet<>(${list})` : list;
    }
    case 'map': {
      const entries = value.entries.map(([name, one]) => `${text(name)}, ${text(one)}`);
      return bracketed(entries, { open: 'Map.of(', close: ')', by: '    ', trailing: '' });
    }
    case 'object': {
      const setters = value.members.map(({ name, value: one }) => `.${camel(name)}(${written(one)})`);
      const line = `new ${value.schema}()${setters.join('')}`;
      return line.length <= 72 && !line.includes('\n')
        ? line
        : `new ${value.schema}()${setters.map((one) => `\n    ${indent(one, '    ')}`).join('')}`;
    }
  }
}

const text = (value: string): string => JSON.stringify(value);

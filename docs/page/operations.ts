/** What each operation shows beside its description: its level as a badge, and the same request in curl and TypeScript. */
import { isObject, type Json } from './json.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const BASE = 'http://127.0.0.1:4010';

export function withSamples(document: Json): Json {
  const components = document['components'] as {
    examples: Record<string, { value: unknown }>;
    parameters: Record<string, Json>;
  };
  const resolve = (one: Json): Json =>
    typeof one['$ref'] === 'string'
      ? (one['$ref']
          .split('/')
          .slice(2)
          .reduce<unknown>((at, name) => (at as Json)[name], components) as Json)
      : one;
  const paths = Object.entries(document['paths'] as Record<string, Json>).map(([path, item]) => {
    const shared = (item['parameters'] ?? []) as Json[];
    const operations = Object.entries(item).map(([method, operation]) => {
      if (!METHODS.includes(method) || !isObject(operation)) return [method, operation];
      const parameters = [...shared, ...((operation['parameters'] ?? []) as Json[])]
        .map(resolve)
        .filter((one) => one['in'] === 'path');
      const request = {
        method: method.toUpperCase(),
        path,
        parameters: Object.fromEntries(parameters.map((one) => [one['name'], valueOf(one, resolve)])),
      };
      const bodies = bodiesOf(operation, resolve);
      return [
        method,
        {
          ...operation,
          'x-badges': [{ name: operation['x-level'], color: operation['x-level'] === 'core' ? 'green' : 'blue' }],
          'x-codeSamples': [
            { lang: 'curl', label: 'curl', source: curl(request, bodies) },
            { lang: 'JavaScript', label: 'TypeScript', source: typescript(request, bodies) },
          ],
        },
      ];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

interface Request {
  method: string;
  path: string;
  parameters: Record<string, string>;
}

interface Body {
  /** What it is an example of. */
  summary: string;
  value: unknown;
}

function valueOf(parameter: Json, resolve: (one: Json) => Json): string {
  const own =
    parameter['example'] ??
    Object.values((parameter['examples'] ?? {}) as Record<string, Json>).map((one) => resolve(one)['value'])[0];
  const schema = resolve(parameter['schema'] as Json);
  return String(own ?? (schema['examples'] as unknown[] | undefined)?.[0] ?? parameter['name']);
}

/** All examples: the page offers them in a menu that changes no sample, so that each sample shows them all. */
function bodiesOf(operation: Json, resolve: (one: Json) => Json): Body[] {
  const content = (operation['requestBody'] as { content?: Record<string, Json> } | undefined)?.content;
  const examples = Object.values((Object.values(content ?? {})[0]?.['examples'] ?? {}) as Record<string, Json>);
  return examples.map((one) => resolve(one) as unknown as Body);
}

function curl({ method, path, parameters }: Request, bodies: readonly Body[]): string {
  const url = `"$BASE${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name]!))}"`;
  const call = (...more: string[]): string =>
    [`curl ${method === 'GET' ? '' : `-X ${method} `}\\\n  ${url}`, '-H "Authorization: Bearer $TOKEN"', ...more]
      .join(' \\\n  ')
      .replace(/ +\\\n/, ' \\\n');
  const samples = bodies.map(
    ({ summary, value }) =>
      `# ${summary}\n${call("-H 'Content-Type: application/json'", `-d '${JSON.stringify(value, null, 2).replaceAll("'", String.raw`'\''`)}'`)}`,
  );
  return [`BASE=${BASE}`, ...(samples.length > 0 ? samples : [call()])].join('\n\n');
}

/** openapi-fetch, with the types that are generated from the contract. */
function typescript({ method, path, parameters }: Request, bodies: readonly Body[]): string {
  const call = (body: string[]): string => {
    const options = [
      ...(Object.keys(parameters).length > 0 ? [`params: { path: ${literal(parameters)} }`] : []),
      ...body,
    ];
    return `api.${method}('${path}'${options.length === 0 ? '' : `, {\n${options.map((one) => `  ${one},\n`).join('')}}`})`;
  };
  const [first, ...rest] = bodies.map(({ summary, value }) => ({
    summary,
    text: call([`body: ${literal(value).replaceAll('\n', '\n  ')}`]),
  }));
  return `// npx openapi-typescript ${BASE}/openapi.yaml -o openapi.ts
import createClient from 'openapi-fetch';
import type { paths } from './openapi.ts';

const api = createClient<paths>({
  baseUrl: '${BASE}',
  headers: { Authorization: \`Bearer \${process.env.TOKEN}\` },
});

${first ? `// ${first.summary}\n` : ''}const { data, error } = await ${first?.text ?? call([])};
if (error) throw new Error(error.detail);
${method === 'DELETE' ? '' : 'console.log(data);\n'}${rest.map(({ summary, text }) => `\n// ${summary}\nawait ${text};\n`).join('')}`;
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
}

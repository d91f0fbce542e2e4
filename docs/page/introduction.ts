/** How the page begins: what the API is, a first request with its response, and where the rest is. */
import { curl, json } from '../../clients/samples/curl.ts';
import { baseOf, requestsOf } from '../../clients/samples/request.ts';
import { isObject, type Json, resolve } from '../../clients/samples/json.ts';
import { GUIDES } from './guides.ts';

/** Beside the page, wherever it is: as files, and on the reference server. */
export const CONTRACT_FILES = { YAML: 'openapi.yaml', JSON: 'openapi.json', 'OpenAPI 3.0': 'openapi-3.0.yaml' };

/** @returns the whole `info.description` of the page; Redoc shows `info.summary` above it */
export function introduction(document: Json, opening: string): string {
  return [...(opening === '' ? [] : [opening]), firstRequest(document)].join('\n\n');
}

function firstRequest(document: Json): string {
  const request = requestsOf(document).find(({ method, body }) => method === 'POST' && body !== undefined);
  const operation = (document['paths'] as Record<string, Record<string, Json>>)[request!.path]![
    request!.method.toLowerCase()
  ]!;
  const [status, response] = successOf(document, operation);
  return `Base URL: \`${baseOf(document)}\`. Send a bearer token; a service that runs open ignores it.

${links()}

## First request

\`\`\`bash
API_TOKEN=your-token
${curl(request!).trimEnd()}
\`\`\`

The response is ${status}:

\`\`\`json
${json(response)}
\`\`\``;
}

/** The status of the success, and its first example. */
function successOf(document: Json, operation: Json): [string, unknown] {
  const found = Object.entries(operation['responses'] as Json).find(([status]) => status.startsWith('2'));
  const [media] = Object.values((resolve(document, found![1])['content'] ?? {}) as Record<string, Json>);
  const [example] = Object.values((media?.['examples'] ?? {}) as Json);
  if (!isObject(example)) throw new Error('the first request of the page has no example of a response');
  return [found![0], resolve(document, example)['value']];
}

function links(): string {
  const contract = Object.entries(CONTRACT_FILES).map(([name, file]) => `[${name}](${file})`);
  const guides = GUIDES.map(({ tag, title }) => `[${title}](#/${tag})`);
  return `**Contract:** ${contract.join(', ')}. **More:** ${guides.join(', ')}, [Levels and origins](#/origins).`;
}

/** What was read cannot be sent again, `created_at` is another time, and other rules that contract 0.4 states. */
import { type Mutant, mutantsOf, TOKEN } from '../mutant.ts';
import { done, instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { type Json, isObject, jsonIn } from '../mutate/request.ts';
import { answering, invalid, jsonOf, problem, showing } from '../mutate/response.ts';
import { refusingRoutes, showingField } from '../mutate/route.ts';

const mutant = mutantsOf('strictness');

const LONG_AGO = '1999-12-31T23:59:59.000Z';
const dated = (operation: 'createEdge' | 'createRoute') =>
  done(operation, (response) => showing(response, { ...jsonOf(response), created_at: LONG_AGO }));

/** Refuses a body, by what its text looks like. */
const refusingText = (pattern: RegExp): Mutate =>
  instead(['createRoute', 'updateRoute'], async (next, request) =>
    pattern.test(request.body.toString()) ? invalid('/circuit_breaker/num_buckets', 'type') : next(request),
  );

const names = (headers: unknown): [string[], string[]] => {
  const { add = {}, remove = [] } = isObject(headers) ? (headers as { add?: Json; remove?: string[] }) : {};
  const lower = (all: string[]) => all.map((name) => name.toLowerCase());
  return [lower(Object.keys(add)), lower(remove)];
};

const NULLABLE = ['description', 'metadata', 'hostports'];

export const contract04: Mutant[] = [
  ...NULLABLE.map((name) =>
    mutant(
      `null-${name}`,
      'edges.defaults',
      `A ${name} of null is refused where an edge is created.`,
      instead('createEdge', async (next, request) => {
        const body = jsonIn(request);
        return isObject(body) && body[name] === null ? invalid(`/${name}`, 'type') : next(request);
      }),
    ),
  ),
  mutant(
    'null-values-of-an-edge',
    'edges.sent-again',
    'TLS termination with a `min_version` that is null is refused where an edge is created.',
    instead('createEdge', async (next, request) => {
      const { tls_termination: termination } = (jsonIn(request) ?? {}) as { tls_termination?: Json | null };
      return termination?.['min_version'] === null ? invalid('/tls_termination/min_version', 'type') : next(request);
    }),
  ),
  mutant('edge-of-1999', 'edges.created-at', 'A new edge was created in 1999.', dated('createEdge')),
  mutant('route-of-1999', 'routes.created-at', 'A new route was created in 1999.', dated('createRoute')),
  mutant(
    'uri-of-the-list',
    'edges.list.uri',
    'The `uri` of each page of edges is that of the first page.',
    done('listEdges', (response) => {
      const shown = jsonOf(response);
      return showing(response, { ...shown, uri: String(shown.uri).replace(/\?.*/, '') });
    }),
  ),
  mutant(
    'prefix-without-period',
    'routes.defaults.cookie-prefix',
    'A cookie prefix that is omitted does not end in a period.',
    showingField('oidc', 'cookie_prefix', (prefix: string) => prefix.replace(/\.$/, '')),
  ),
  mutant(
    'add-or-remove',
    'routes.headers.add-and-remove',
    'A header name in `add` and in `remove` is refused.',
    refusingRoutes(
      (body) =>
        ['request_headers', 'response_headers'].some((module) => {
          const [add, remove] = names(body[module]);
          return add.some((name) => remove.includes(name));
        }),
      '/request_headers/add',
    ),
  ),
  mutant(
    'null-provider',
    'routes.null-values',
    'An OAuth provider that is null is refused.',
    refusingRoutes((body) => {
      const provider = isObject(body['oauth']) ? body['oauth']['provider'] : undefined;
      return isObject(provider) && Object.values(provider).includes(null);
    }, '/oauth/provider'),
  ),
  mutant(
    'empty-scopes',
    'routes.sent-again',
    'An empty list of scopes is refused without an OAuth app of one’s own.',
    instead('updateRoute', async (next, request) =>
      /"scopes":\[\]/.test(request.body.toString()) ? invalid('/oauth/provider', 'not_allowed_here') : next(request),
    ),
  ),
  mutant('digits-alone', 'routes.integers', '`5.0` and `1e1` are no integers.', refusingText(/:\s*[0-9]+(\.|e)/i)),
  mutant(
    'edge-of-1-mib',
    'routes.size',
    'An edge with its routes may have 1 MiB.',
    remembering(() => {
      const bytes = new Map<string, number>();
      return instead('createRoute', async (next, request) => {
        const size = (bytes.get(request.target) ?? 0) + request.body.length;
        bytes.set(request.target, size);
        return size > 2 ** 20 ? problem(409, 'conflict') : next(request);
      });
    }),
  ),
  mutant(
    'metadata-as-text',
    'routes.saml.metadata-url.type',
    'The metadata of a service provider come as XML of no kind.',
    (next) => async (request) => {
      const response = await next(request);
      const type = response.headers['content-type'] ?? '';
      return type.startsWith('application/samlmetadata+xml')
        ? answering(response, { 'content-type': 'text/xml' })
        : response;
    },
  ),
  {
    ...mutant(
      'options-for-token',
      'protocol.options.without-token',
      'OPTIONS needs a token.',
      (next) => async (request) =>
        request.method === 'OPTIONS' && request.headers['authorization'] !== `Bearer ${TOKEN}`
          ? problem(401, 'unauthorized')
          : next(request),
    ),
    needsToken: true,
  },
];

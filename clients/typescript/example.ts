/**
 * A round through the API, as a user would write it. Every language prints the same lines:
 * clients/round-trip/expected.txt.
 */
import { createClient, ProblemError } from '@edge-contract/client';

const api = createClient({
  baseUrl: process.env['EDGE_URL'] ?? 'http://127.0.0.1:4010',
  token: process.env['EDGE_TOKEN'],
});
const subscription_id = 'sub_orders';

const edge = await api.createEdge({
  description: 'Public storefront',
  metadata: '{"team":"web"}',
  hostports: ['shop.example.com:443'],
  tls_termination: { min_version: '1.3' },
});
const { min_version } = edge.tls_termination ?? {};
console.log(`created edge: ${edge.description} [${edge.hostports.join(', ')}], TLS ${min_version}`);

const route = await api.createRoute(
  { edge_id: edge.id },
  {
    match_type: 'path_prefix',
    match: '/',
    oauth: { provider: { github: { organizations: ['acme'] } } },
  },
);
const organizations = route.oauth?.provider.github?.organizations.join(', ');
console.log(`created route: ${route.match_type} ${route.match}, oauth github [${organizations}]`);

for (const type of ['ip_policy_created.v0', 'http_request_complete.v0', 'ip_policy_updated.v0']) {
  await api.createEventSource({ subscription_id }, { type });
}
for await (const source of api.listEventSources({ subscription_id }, { limit: 1 })) {
  console.log(`source: ${source.type}`);
}

const updated = await api.updateEdge({ edge_id: edge.id }, { description: null });
console.log(`updated edge: description "${updated.description}", metadata ${updated.metadata}`);
const swapped = await api.updateRoute(
  { edge_id: edge.id, route_id: route.id },
  {
    oauth: null,
    oidc: { issuer: 'https://id.example.com', client_id: 'storefront', client_secret: 's3cret' },
  },
);
console.log(`updated route: oauth ${swapped.oauth}, oidc ${swapped.oidc?.issuer}`);

await refused(api.createEdge({ description: 'é'.repeat(200), hostports: ['no-port'] }));
await refused(api.getEdge({ edge_id: 'edghts_unknown' }));
await refused(api.createEventSource({ subscription_id }, { type: 'ip_policy_created.v0' }));

await api.deleteEventSource({ subscription_id, type: 'ip_policy_created.v0' });
await api.deleteRoute({ edge_id: edge.id, route_id: route.id });
await api.deleteEdge({ edge_id: edge.id });
console.log('deleted');
await refused(api.getEdge({ edge_id: edge.id }));

async function refused(call: Promise<unknown>): Promise<void> {
  const problem: unknown = await call.catch((error: unknown) => error);
  if (!(problem instanceof ProblemError)) {
    throw problem;
  }
  const faults = problem.errors.map(({ pointer, code }) => ` ${pointer} ${code}`).toSorted();
  console.log(
    `${problem.status} ${problem.code}${faults.length > 0 ? ':' : ''}${faults.join(',')}`,
  );
}

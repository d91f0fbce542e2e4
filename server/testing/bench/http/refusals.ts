/** Requests that a server which keeps every rule refuses: none of them may be skipped to be fast. */
import type { Connection, Reply } from './connection.ts';
import { EDGE, ROUTE, wire } from './scenarios.ts';

const post = (body: unknown) => wire('POST', '/edges/https', body);
const headers = (add: unknown) => ({ ...ROUTE, request_headers: { add } });

/** Each with the status of the only right answer. */
const REFUSALS: readonly (readonly [name: string, request: (edge: string) => Buffer, status: number])[] = [
  ['an unknown property', () => post({ ...EDGE, colour: 'red' }), 400],
  ['a wrong type', () => post({ ...EDGE, hostports: 'shop.example.com:443' }), 400],
  ['a broken pattern', () => post({ ...EDGE, hostports: ['shop.example.com'] }), 400],
  ['too many bytes, though not characters', () => post({ ...EDGE, description: 'é'.repeat(128) }), 400],
  ['a lone surrogate', () => post({ ...EDGE, description: '\ud800' }), 400],
  ['a rule between two fields', () => post({ tls_termination: { terminate_at: 'upstream', min_version: '1.2' } }), 400],
  [
    'JSON that breaks off',
    () => Buffer.from(wire('POST', '/edges/https', EDGE).toString().replace('"description":', '"description"!')),
    400,
  ],
  [
    'no token',
    () =>
      Buffer.from(
        post(EDGE)
          .toString()
          .replace(/Authorization: .*\r\n/, ''),
      ),
    401,
  ],
  ['an edge that is not there', () => wire('GET', '/edges/https/edghts_none'), 404],
  ['another method', () => wire('PUT', '/edges/https'), 405],
  ['another media type', () => Buffer.from(post(EDGE).toString().replace('application/json', 'text/plain')), 415],
  ['a limit of 0', () => wire('GET', '/edges/https?limit=0'), 400],
  ['an unknown parameter', () => wire('GET', '/edges/https?colour=red'), 400],
  [
    'two ways to authenticate',
    (edge) => wire('POST', `/edges/https/${edge}/routes`, { ...ROUTE, oidc: { ...ROUTE.oidc, enabled: true } }),
    400,
  ],
  [
    'two headers that differ in case',
    (edge) => wire('POST', `/edges/https/${edge}/routes`, headers({ 'X-A': '1', 'x-a': '2' })),
    400,
  ],
  [
    'XML with a DTD',
    (edge) =>
      wire('POST', `/edges/https/${edge}/routes`, {
        ...ROUTE,
        saml: { idp_metadata: '<!DOCTYPE x><EntityDescriptor/>' },
      }),
    400,
  ],
];

/** The names of those that were answered otherwise, with the answers. */
export async function notRefused(connect: () => Promise<Connection>): Promise<string[]> {
  const { text } = await send(connect, post(EDGE));
  const edge = /"id":"([^"]+)"/.exec(text)?.[1] ?? 'none';
  const wrong: string[] = [];
  for (const [name, request, wanted] of REFUSALS) {
    const { status } = await send(connect, request(edge));
    if (status !== wanted) wrong.push(`${name}: ${status}, not ${wanted}`);
  }
  return wrong;
}

/** On a connection of its own: the rest of a refused request may be in the way of the next one. */
async function send(connect: () => Promise<Connection>, request: Buffer): Promise<Reply> {
  const connection = await connect();
  try {
    return await connection.send(request);
  } finally {
    connection.close();
  }
}

export const REFUSAL_COUNT = REFUSALS.length;

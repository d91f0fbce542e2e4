/** What is asked of every server. */
import { send } from '../send.ts';

export const TOKEN = 'bench-token-0123456789';

export const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** 600 bytes of JSON. */
export const EDGE = {
  description: 'Storefront of the shop, behind the edge in two regions',
  metadata: `{"team":"storefront","tier":"gold","note":"${'n'.repeat(115)}"}`,
  hostports: ['shop.example.com:443', 'www.shop.example.com:443', '*.eu.shop.example.com:8443'],
  mutual_tls: {
    enabled: true,
    certificate_authority_ids: ['ca_01hq3v5t8w9x2y4z6a7b8c9d0e', 'ca_01hq3v5t8w9x2y4z6a7b8c9d0f'],
  },
  tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' },
};

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

export const SCENARIOS = ['read', 'create'] as const;

export type Scenario = (typeof SCENARIOS)[number];

/** The request that is sent again and again. */
export async function requestOf(scenario: Scenario, url: string): Promise<Request> {
  const create: Request = { method: 'POST', path: '/edges/https', body: JSON.stringify(EDGE) };
  if (scenario === 'create') return create;
  const { json } = await send(url, { ...create, headers: HEADERS });
  return { method: 'GET', path: `/edges/https/${json.id}` };
}

/** What a client may say about an edge, and what stands for the rest. */
import { apply, type Changes } from './changes.ts';
import { boolean, type Check, formed, list, nullable, oneOf, resettable, text } from './check.ts';
import { type Fields, object } from './fields.ts';
import { HOSTPORT } from './hostport.ts';
import { RESOURCE_ID } from './names.ts';

export interface MutualTls {
  enabled: boolean;
  authorityIds: string[];
}

export interface TlsTermination {
  enabled: boolean;
  terminateAt: 'edge' | 'upstream';
  minVersion: '1.2' | '1.3' | null;
}

export interface EdgeInput {
  description: string;
  metadata: string;
  hostports: string[];
  mutualTls: MutualTls | null;
  tlsTermination: TlsTermination | null;
}

const NOTHING_SAID: EdgeInput = { description: '', metadata: '', hostports: [], mutualTls: null, tlsTermination: null };

const mutualTls: Check<MutualTls> = object(['enabled', 'certificate_authority_ids'], (fields) => ({
  enabled: fields.read('enabled', true, boolean),
  authorityIds: fields.read('certificate_authority_ids', [], list(formed(RESOURCE_ID), { most: 100 })),
}));

const tlsTermination: Check<TlsTermination> = object(['enabled', 'terminate_at', 'min_version'], (fields) => {
  const terminateAt = fields.read('terminate_at', 'edge', oneOf('edge', 'upstream'));
  const chosen = fields.read('min_version', null, nullable(oneOf('1.2', '1.3')));
  if (terminateAt === 'upstream') fields.forbid('min_version', 'TLS that ends upstream has its versions set there.');
  const minVersion = terminateAt === 'upstream' ? null : (chosen ?? '1.3');
  return { enabled: fields.read('enabled', true, boolean), terminateAt, minVersion };
});

const MEMBERS = ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'];
const hostports = list(formed(HOSTPORT), { most: 100, identity: (sent) => sent });

function values(fields: Fields) {
  return {
    description: fields.maybe('description', resettable(text(255), '')),
    metadata: fields.maybe('metadata', resettable(text(4096), '')),
    hostports: fields.maybe('hostports', resettable(hostports, [])),
  };
}

function modules(fields: Fields) {
  const termination = fields.maybe('tls_termination', nullable(tlsTermination));
  if (termination?.terminateAt === 'upstream') {
    fields.forbid('mutual_tls', 'Client certificates cannot be seen when TLS ends upstream.');
  }
  return { tlsTermination: termination, mutualTls: fields.maybe('mutual_tls', nullable(mutualTls)) };
}

export const newEdge: Check<EdgeInput> = object(MEMBERS, (fields) =>
  apply(NOTHING_SAID, {
    ...values(fields),
    ...modules(fields),
  }),
);

export const changedEdge: Check<Changes<EdgeInput>> = object(MEMBERS, (fields) => ({
  ...values(fields),
  ...modules(fields),
}));

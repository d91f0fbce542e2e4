/** What a client may say about an edge, and what stands for the rest. */
import { boolean, type Check, formed, list, nullable, oneOf, text } from './check.ts';
import { Fields } from './fields.ts';
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

const mutualTls: Check<MutualTls> = (value, place, faults) => {
  const fields = new Fields(value, place, faults, ['enabled', 'certificate_authority_ids']);
  return {
    enabled: fields.read('enabled', true, boolean),
    authorityIds: fields.read('certificate_authority_ids', [], list(formed(RESOURCE_ID), { most: 100 })),
  };
};

const tlsTermination: Check<TlsTermination> = (value, place, faults) => {
  const fields = new Fields(value, place, faults, ['enabled', 'terminate_at', 'min_version']);
  const terminateAt = fields.read('terminate_at', 'edge', oneOf('edge', 'upstream'));
  const chosen = fields.read('min_version', null, nullable(oneOf('1.2', '1.3')));
  if (terminateAt === 'upstream') fields.forbid('min_version', 'TLS that ends upstream has its versions set there.');
  const minVersion = terminateAt === 'upstream' ? null : (chosen ?? '1.2');
  return { enabled: fields.read('enabled', true, boolean), terminateAt, minVersion };
};

export const edgeInput: Check<EdgeInput> = (value, place, faults) => {
  const known = ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'];
  const fields = new Fields(value, place, faults, known);
  const termination = fields.read('tls_termination', null, nullable(tlsTermination));
  if (termination?.terminateAt === 'upstream') {
    fields.forbid('mutual_tls', 'Client certificates cannot be seen when TLS ends upstream.');
  }
  return {
    description: fields.read('description', '', text(255)),
    metadata: fields.read('metadata', '', text(4096)),
    hostports: fields.read('hostports', [], list(formed(HOSTPORT), { most: 100, unique: true })),
    mutualTls: fields.read('mutual_tls', null, nullable(mutualTls)),
    tlsTermination: termination,
  };
};

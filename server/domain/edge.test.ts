import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEdge, type NewEdge, showEdge } from './edge.ts';
import { Links } from './links.ts';
import type { EdgeCreate } from './types.ts';
import { readContract } from '../contract.ts';
import { compileDefaults } from '../http/validation/defaults.ts';

const links = new Links('https://api.example');
const identity = { id: 'edghts_1', created_at: '2026-01-15T09:30:00.000Z' };
const fill = compileDefaults(readContract().document, { $ref: '#/components/schemas/HTTPSEdgeCreate' });
const show = (input: EdgeCreate) => showEdge(createEdge(fill(structuredClone(input)) as NewEdge, identity), links);

const inputs: fc.Arbitrary<EdgeCreate> = fc.record(
  {
    description: fc.string(),
    metadata: fc.string(),
    hostports: fc.array(fc.constantFrom('a:1', 'b:2', '*.c:3')),
    mutual_tls: fc.option(
      fc.record(
        { enabled: fc.boolean(), certificate_authority_ids: fc.array(fc.constantFrom('ca_1', 'ca_2', 'ca_3')) },
        { requiredKeys: [] },
      ),
    ),
    tls_termination: fc.option(
      fc.oneof(
        fc.record(
          {
            enabled: fc.boolean(),
            terminate_at: fc.constant('edge' as const),
            min_version: fc.option(fc.constantFrom('1.2' as const, '1.3' as const)),
          },
          { requiredKeys: [] },
        ),
        fc.record(
          { enabled: fc.boolean(), terminate_at: fc.constant('upstream' as const), min_version: fc.constant(null) },
          { requiredKeys: ['terminate_at'] },
        ),
      ),
    ),
  },
  { requiredKeys: [] },
);

describe('an edge', () => {
  test('of nothing has every default (D04, D05)', () => {
    expect(show({})).toEqual({
      ...identity,
      uri: 'https://api.example/edges/https/edghts_1',
      description: '',
      metadata: '',
      hostports: [],
      mutual_tls: null,
      tls_termination: null,
      routes: [],
    });
  });

  test('shows what was sent, and defaults for the rest', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const edge = show(input);
        expect(edge.description).toBe(input.description ?? '');
        expect(edge.metadata).toBe(input.metadata ?? '');
        expect(edge.hostports).toEqual(input.hostports ?? []);
        expect(edge.mutual_tls === null).toBe(input.mutual_tls == null);
        expect(edge.tls_termination === null).toBe(input.tls_termination == null);
        expect(edge.mutual_tls?.enabled).toBe(input.mutual_tls ? (input.mutual_tls.enabled ?? true) : undefined);
        expect(edge.tls_termination?.enabled).toBe(
          input.tls_termination ? (input.tls_termination.enabled ?? true) : undefined,
        );
      }),
    );
  });

  test('refers to the certificate authorities in the order sent (D03)', () => {
    expect(show({ mutual_tls: { certificate_authority_ids: ['b', 'a'] } }).mutual_tls?.certificate_authorities).toEqual(
      [
        { id: 'b', uri: 'https://api.example/certificate_authorities/b' },
        { id: 'a', uri: 'https://api.example/certificate_authorities/a' },
      ],
    );
  });

  test('has a TLS version unless TLS passes through (D07, D08)', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const tls = show(input).tls_termination;
        if (!tls) return;
        if (tls.terminate_at === 'upstream') expect(tls.min_version).toBeNull();
        else expect(tls.min_version).toBe(input.tls_termination?.min_version ?? '1.2');
      }),
    );
    expect(show({ tls_termination: {} }).tls_termination).toEqual({
      enabled: true,
      terminate_at: 'edge',
      min_version: '1.2',
    });
  });
});

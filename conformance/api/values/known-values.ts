/** Keeps generated values to what the target knows, where it knows only some: the rest it may refuse for its own reasons. */
import type fc from 'fast-check';
import { accepted, exists } from '../../engine/generate/filter.ts';
import type { TestData } from '../../engine/http/implementation.ts';

interface Body {
  type?: unknown;
  hostports?: unknown;
  mutual_tls?: { certificate_authority_ids?: unknown } | null;
}

/** Undefined when the target knows none of them. */
export function knownValues(values: fc.Arbitrary<unknown>, testData: TestData): fc.Arbitrary<unknown> | undefined {
  const { eventTypes, hostportDomain, certificateAuthorityIds } = testData;
  if (eventTypes.length === 0 && hostportDomain === undefined && certificateAuthorityIds.length === 0) return values;
  const known = accepted(values, 'value that the target knows', (value) => isKnown(value, testData));
  return exists(known) ? known : undefined;
}

export function isKnown(value: unknown, { eventTypes, hostportDomain, certificateAuthorityIds }: TestData): boolean {
  const { type, hostports, mutual_tls } = (value ?? {}) as Body;
  const authorities = mutual_tls?.certificate_authority_ids;
  return (
    (eventTypes.length === 0 || texts([type]).every((one) => eventTypes.includes(one))) &&
    (hostportDomain === undefined ||
      texts(hostports).every((one) =>
        one.replace(/:\d*$/, '').toLowerCase().endsWith(`.${hostportDomain.toLowerCase()}`),
      )) &&
    (certificateAuthorityIds.length === 0 || texts(authorities).every((one) => certificateAuthorityIds.includes(one)))
  );
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

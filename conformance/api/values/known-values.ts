/** Which bodies name only what an implementation knows, where it knows only some: the rest it may refuse for its own reasons. */
import type { Implementation } from '../../engine/http/implementation.ts';
import type { TestData } from '../implementation.ts';

interface Body {
  type?: unknown;
  hostports?: unknown;
  mutual_tls?: { certificate_authority_ids?: unknown } | null;
}

/** Undefined where it knows any. */
export function knownBodies({ testData }: Implementation): ((body: unknown) => boolean) | undefined {
  const { eventTypes, hostportDomain, certificateAuthorityIds } = testData;
  if (eventTypes.length === 0 && hostportDomain === undefined && certificateAuthorityIds.length === 0) return undefined;
  return (body) => isKnown(body, testData);
}

function isKnown(value: unknown, { eventTypes, hostportDomain, certificateAuthorityIds }: TestData): boolean {
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

/** Values that the user names for a service that does not know any value. */
import type { Contract } from '../engine/contract/load.ts';
import { schemasOf } from '../engine/contract/schemas.ts';

/** Each is empty or undefined if any value will do. */
export interface TestData {
  /** Subscriptions that exist. */
  subscriptionIds: string[];
  /** Event types that the service knows. */
  eventTypes: string[];
  /** The domain that hostports must be in. */
  hostportDomain: string | undefined;
  /** Certificate authorities that exist. */
  certificateAuthorityIds: string[];
}

/** A hostport that the implementation accepts. */
export function hostportFor(
  { hostportDomain = 'example.com' }: Partial<TestData>,
  name = 'conformance',
): string {
  return `${name}.${hostportDomain}:443`;
}

/** The options whose values the contract does not allow, each in one line. */
export function invalidTestData(testData: TestData, contract: Contract): string[] {
  const { subscriptionIds, eventTypes, hostportDomain, certificateAuthorityIds } = testData;
  const wrong = (
    option: string,
    schema: string,
    values: string[],
    spell = (value: string) => value,
  ) =>
    values
      .filter(
        (value) => !schemasOf(contract).isValid(`/components/schemas/${schema}`, spell(value)),
      )
      .map(
        (value) =>
          `--${option} ${JSON.stringify(value)} breaks the contract (${schema} in openapi.yaml)`,
      );
  const domains = hostportDomain === undefined ? [] : [hostportDomain];
  return [
    ...wrong('subscription-id', 'ResourceId', subscriptionIds),
    ...wrong('event-type', 'EventType', eventTypes),
    ...wrong('certificate-authority-id', 'ResourceId', certificateAuthorityIds),
    ...wrong('hostport-domain', 'Hostport', domains, (domain) =>
      hostportFor({ hostportDomain: domain }),
    ),
  ];
}

/** The list of providers is the service's own (D19). The contract names these two. */
export const WEBHOOK_PROVIDERS: readonly string[] = ['github', 'sns'];

/** Whether a body names only what the implementation knows: others may be refused. */
export function knownBodies(testData: TestData): (body: unknown) => boolean {
  const { eventTypes, hostportDomain, certificateAuthorityIds } = testData;
  const end = `.${hostportDomain?.toLowerCase()}`;
  const isKnown = (known: readonly string[], values: unknown) =>
    known.length === 0 || texts(values).every((one) => known.includes(one));
  return (body) => {
    const { type, hostports, mutual_tls, webhook_verification } = (body ?? {}) as Record<
      string,
      Record<string, unknown> | null
    >;
    const inDomain = (one: string) => one.replace(/:\d*$/, '').toLowerCase().endsWith(end);
    return (
      isKnown(WEBHOOK_PROVIDERS, [webhook_verification?.['provider']]) &&
      isKnown(eventTypes, [type]) &&
      isKnown(certificateAuthorityIds, mutual_tls?.['certificate_authority_ids']) &&
      (hostportDomain === undefined || texts(hostports).every(inDomain))
    );
  };
}

const texts = (value: unknown): string[] => {
  if (Array.isArray(value)) {
    return value.filter((one) => typeof one === 'string');
  }
  return [];
};

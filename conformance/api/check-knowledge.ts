/** Checks what the user says that the service knows, before anything is generated from it. */
import type { Contract } from '../engine/contract/load.ts';
import { schemasOf } from '../engine/contract/schemas.ts';
import { OptionError, type Options } from '../options.ts';
import { hostportFor } from './values/edge-values.ts';

/** @throws OptionError where the contract allows no such value */
export function checkKnowledge(
  { subscriptionIds, eventTypes, hostportDomain, certificateAuthorityIds }: Options,
  contract: Contract,
): void {
  const check = (option: string, schema: string, values: string[], spell = (value: string) => value) => {
    const wrong = values.find((value) => !schemasOf(contract).isValid(`/components/schemas/${schema}`, spell(value)));
    if (wrong !== undefined)
      throw new OptionError(`--${option} ${JSON.stringify(wrong)} breaks the contract (${schema} in openapi.yaml)`);
  };
  check('subscription-id', 'ResourceId', subscriptionIds);
  check('event-type', 'EventType', eventTypes);
  check('certificate-authority-id', 'ResourceId', certificateAuthorityIds);
  const domains = hostportDomain === undefined ? [] : [hostportDomain];
  check('hostport-domain', 'Hostport', domains, (domain) => hostportFor({ hostportDomain: domain }));
}

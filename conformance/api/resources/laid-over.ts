/** Resources of this API: those that the engine infers from its contract, with overlays. */
import { type Contract, perContract } from '../../engine/contract/load.ts';
import { inferredResources } from '../../engine/laws/inference/inferred-resources.ts';
import type { Overlays } from '../../engine/laws/inference/overlay.ts';
import type { Resource } from '../../engine/laws/resource.ts';

/** Finds a resource in a contract, of whichever version. */
export type ResourceIn = (contract: Contract) => Resource;

/**
 * The resource whose items an operation creates.
 * @param overlays of this resource, and of those inside of it
 */
export function laidOver(create: string, overlays: Overlays): ResourceIn {
  return perContract((contract) => {
    for (const found of inferredResources(contract, overlays)) {
      if ('reason' in found && found.create.operationId === create) {
        throw new Error(`the contract does not describe what ${create} makes: ${found.reason}`);
      }
      if ('resource' in found && found.resource.calls.create === create) {
        return found.resource;
      }
    }
    throw new Error(`the contract does not say how to read what ${create} makes`);
  });
}

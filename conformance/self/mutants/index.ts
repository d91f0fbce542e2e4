/** Every mutant. */
import type { Contract } from '../../engine/contract/load.ts';
import type { Mutant } from '../mutant.ts';
import { atomic } from './atomic.ts';
import { authentication } from './authentication.ts';
import { clauseMutants } from './clauses.ts';
import { contract04 } from './contract-0.4.ts';
import { defaults } from './defaults.ts';
import { echo } from './echo.ts';
import { edgeDeletes } from './edge-deletes.ts';
import { edgePages } from './edge-pages.ts';
import { edgeRaces } from './edge-races.ts';
import { edgeUpdates } from './edge-updates.ts';
import { exclusion } from './exclusion.ts';
import { formats } from './formats.ts';
import { headers } from './headers.ts';
import { idpMetadata } from './idp-metadata.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { matches } from './matches.ts';
import { metadataUrl } from './metadata-url.ts';
import { moduleDefaults } from './module-defaults.ts';
import { modules } from './modules.ts';
import { problemMutants } from './problems.ts';
import { protocol } from './protocol.ts';
import { races } from './races.ts';
import { readOnly } from './read-only.ts';
import { reads } from './reads.ts';
import { refused } from './refused.ts';
import { resourceLaws } from './resource-laws.ts';
import { replaced } from './replaced.ts';
import { routeLives } from './route-lives.ts';
import { routeModel } from './route-model.ts';
import { routePlaces } from './route-places.ts';
import { routeRaces } from './route-races.ts';
import { routeUpdates } from './route-updates.ts';
import { routes } from './routes.ts';
import { saml } from './saml.ts';
import { schema } from './schema.ts';
import { secrets } from './secrets.ts';
import { sets } from './sets.ts';
import { signIn } from './sign-in.ts';
import { strictness } from './strictness.ts';
import { success } from './success.ts';
import { tls } from './tls.ts';
import { upstream } from './upstream.ts';
import { uri } from './uri.ts';

/** Those that are written by hand, and those that follow from the clauses of the contract. */
export function mutantsFor(contract: Contract): Mutant[] {
  return [
    ...success,
    ...schema,
    ...echo,
    ...defaults,
    ...tls,
    ...limits,
    ...strictness,
    ...formats,
    ...reads,
    ...sets,
    ...lists,
    ...races,
    ...refused,
    ...protocol,
    ...problemMutants,
    ...authentication,
    ...contract04,
    ...readOnly,
    ...uri,
    ...edgeUpdates,
    ...edgeDeletes,
    ...edgePages,
    ...edgeRaces,
    ...routes,
    ...routePlaces,
    ...routeLives,
    ...matches,
    ...upstream,
    ...routeRaces,
    ...routeModel,
    ...modules,
    ...headers,
    ...moduleDefaults,
    ...signIn,
    ...secrets,
    ...saml,
    ...metadataUrl,
    ...idpMetadata,
    ...routeUpdates,
    ...replaced,
    ...atomic,
    ...exclusion,
    ...resourceLaws,
    ...clauseMutants(contract),
  ];
}

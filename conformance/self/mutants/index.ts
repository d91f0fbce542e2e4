/** The mutants that no operator makes: how rules meet, what SAML asks for, races of several operations. */
import type { Mutant } from '../mutant.ts';
import { atomic } from './atomic.ts';
import { echo } from './echo.ts';
import { edgeDeletes } from './edge-deletes.ts';
import { edgePages } from './edge-pages.ts';
import { edgeRaces } from './edge-races.ts';
import { exclusion } from './exclusion.ts';
import { formats } from './formats.ts';
import { headers } from './headers.ts';
import { idpMetadata } from './idp-metadata.ts';
import { matches } from './matches.ts';
import { metadataUrl } from './metadata-url.ts';
import { routeModel } from './route-model.ts';
import { routeRaces } from './route-races.ts';
import { saml } from './saml.ts';
import { secrets } from './secrets.ts';
import { sets } from './sets.ts';
import { strictness } from './strictness.ts';
import { upstream } from './upstream.ts';

export const handWritten: Mutant[] = [
  ...atomic,
  ...echo,
  ...edgeDeletes,
  ...edgePages,
  ...edgeRaces,
  ...exclusion,
  ...formats,
  ...headers,
  ...idpMetadata,
  ...matches,
  ...metadataUrl,
  ...routeModel,
  ...routeRaces,
  ...saml,
  ...secrets,
  ...sets,
  ...strictness,
  ...upstream,
];

/** What an identity provider finds at `metadata_url` is of no use to it. */
import { type Mutant, TOKEN } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { ServiceResponse } from '../service.ts';
import { json, problem } from '../mutate/response.ts';
import type { Mutate } from '../mutate/mutate.ts';

const mutant = mutantsOf('metadata-url', 'extended');

/** Changes the document of the service provider. */
function served(change: (response: ServiceResponse, authorization: string | undefined) => ServiceResponse): Mutate {
  return (next) => async (request) => {
    const response = await next(request);
    return request.method === 'GET' && /xml/.test(response.headers['content-type'] ?? '')
      ? change(response, request.headers['authorization'])
      : response;
  };
}

const text = (change: (xml: string) => string): Mutate =>
  served((response) => ({ ...response, body: change(response.body.toString()) }));

export const metadataUrl: Mutant[] = [
  mutant(
    'metadata-missing',
    'Nothing is found at `metadata_url`.',
    served(() => problem(404, 'not_found')),
  ),
  {
    ...mutant(
      'metadata-for-token',
      'Whoever reads `metadata_url` is asked for a token.',
      served((response, authorization) =>
        authorization === `Bearer ${TOKEN}` ? response : problem(401, 'unauthorized'),
      ),
    ),
    needsToken: true,
  },
  mutant(
    'metadata-json',
    'The metadata are JSON.',
    served((response) => json(200, { metadata: response.body.toString() })),
  ),
  mutant(
    'metadata-cut',
    'The metadata end before their end.',
    text((xml) => xml.trimEnd().slice(0, -3)),
  ),
  mutant(
    'metadata-other-root',
    'The metadata are inside another element.',
    text((xml) => `<EntitiesDescriptor>${xml.replace(/^<\?.*?\?>/, '')}</EntitiesDescriptor>`),
  ),
  mutant(
    'metadata-other-entity',
    'The metadata have another `entityID` than `entity_id`.',
    text((xml) => xml.replace(/entityID=(["'])/, 'entityID=$1https://sp.example/')),
  ),
  mutant(
    'metadata-no-entity',
    'The metadata have no `entityID`.',
    text((xml) => xml.replace(/ entityID=/, ' name=')),
  ),
];

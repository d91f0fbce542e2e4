/** What an identity provider finds at `metadata_url` is of no use to it. */
import { type Mutant, mutantsOf, TOKEN } from '../mutant.ts';
import type { ServiceResponse } from '../service.ts';
import { json, problem } from '../mutate/response.ts';
import type { Mutate } from '../mutate/mutate.ts';

const mutant = mutantsOf('saml');

const LAW = 'routes.saml.metadata-url';

/** Changes the document of the service provider. */
function served(change: (answer: ServiceResponse, authorization: string | undefined) => ServiceResponse): Mutate {
  return (next) => async (request) => {
    const answer = await next(request);
    return request.method === 'GET' && /xml/.test(answer.headers['content-type'] ?? '')
      ? change(answer, request.headers['authorization'])
      : answer;
  };
}

const text = (change: (xml: string) => string): Mutate =>
  served((answer) => ({ ...answer, body: change(answer.body.toString()) }));

export const metadataUrl: Mutant[] = [
  mutant(
    'metadata-missing',
    LAW,
    'Nothing is found at `metadata_url`.',
    served(() => problem(404, 'not_found')),
  ),
  {
    ...mutant(
      'metadata-for-token',
      LAW,
      'Whoever reads `metadata_url` is asked for a token.',
      served((answer, authorization) => (authorization === `Bearer ${TOKEN}` ? answer : problem(401, 'unauthorized'))),
    ),
    needsToken: true,
  },
  mutant(
    'metadata-json',
    LAW,
    'The metadata are JSON.',
    served((answer) => json(200, { metadata: answer.body.toString() })),
  ),
  mutant(
    'metadata-escaped',
    LAW,
    'The metadata are a text in JSON.',
    text((xml) => JSON.stringify(xml)),
  ),
  mutant(
    'metadata-empty',
    LAW,
    'The metadata are empty.',
    text(() => ''),
  ),
  mutant(
    'metadata-cut',
    LAW,
    'The metadata end before their end.',
    text((xml) => xml.trimEnd().slice(0, -3)),
  ),
  mutant(
    'metadata-other-root',
    LAW,
    'The metadata are inside another element.',
    text((xml) => `<EntitiesDescriptor>${xml.replace(/^<\?.*?\?>/, '')}</EntitiesDescriptor>`),
  ),
  mutant(
    'metadata-other-entity',
    LAW,
    'The metadata have another `entityID` than `entity_id`.',
    text((xml) => xml.replace(/entityID=(["'])/, 'entityID=$1https://sp.example/')),
  ),
  mutant(
    'metadata-no-entity',
    LAW,
    'The metadata have no `entityID`.',
    text((xml) => xml.replace(/ entityID=/, ' name=')),
  ),
];

/** What an identity provider finds at `metadata_url` is of no use to it. */
import { type Fault, faultsOf, TOKEN } from '../fault.ts';
import type { ServiceResponse } from '../service.ts';
import { json, problem } from '../plant/answer.ts';
import type { Plant } from '../plant/plant.ts';

const fault = faultsOf('saml');

const LAW = 'routes.saml.metadata-url';

/** Changes the document of the service provider. */
function served(change: (answer: ServiceResponse, authorization: string | undefined) => ServiceResponse): Plant {
  return (next) => async (request) => {
    const answer = await next(request);
    return request.method === 'GET' && /xml/.test(answer.headers['content-type'] ?? '')
      ? change(answer, request.headers['authorization'])
      : answer;
  };
}

const text = (change: (xml: string) => string): Plant =>
  served((answer) => ({ ...answer, body: change(answer.body.toString()) }));

export const metadataUrl: Fault[] = [
  fault(
    'metadata-missing',
    LAW,
    'Nothing is found at `metadata_url`.',
    served(() => problem(404, 'not_found')),
  ),
  {
    ...fault(
      'metadata-for-token',
      LAW,
      'Whoever reads `metadata_url` is asked for a token.',
      served((answer, authorization) => (authorization === `Bearer ${TOKEN}` ? answer : problem(401, 'unauthorized'))),
    ),
    needsToken: true,
  },
  fault(
    'metadata-json',
    LAW,
    'The metadata are JSON.',
    served((answer) => json(200, { metadata: answer.body.toString() })),
  ),
  fault(
    'metadata-escaped',
    LAW,
    'The metadata are a text in JSON.',
    text((xml) => JSON.stringify(xml)),
  ),
  fault(
    'metadata-empty',
    LAW,
    'The metadata are empty.',
    text(() => ''),
  ),
  fault(
    'metadata-cut',
    LAW,
    'The metadata end before their end.',
    text((xml) => xml.trimEnd().slice(0, -3)),
  ),
  fault(
    'metadata-other-root',
    LAW,
    'The metadata are inside another element.',
    text((xml) => `<EntitiesDescriptor>${xml.replace(/^<\?.*?\?>/, '')}</EntitiesDescriptor>`),
  ),
  fault(
    'metadata-other-entity',
    LAW,
    'The metadata have another `entityID` than `entity_id`.',
    text((xml) => xml.replace(/entityID=(["'])/, 'entityID=$1https://sp.example/')),
  ),
  fault(
    'metadata-no-entity',
    LAW,
    'The metadata have no `entityID`.',
    text((xml) => xml.replace(/ entityID=/, ' name=')),
  ),
];

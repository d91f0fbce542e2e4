/** Laws of SAML: what an identity provider is given must work there, and its own description must be XML (D26). */
import { X509Certificate } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { expectStatus } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { expectKept } from '../../engine/laws/echo.ts';
import { forAll, forEach, once, type Steps } from '../../engine/laws/steps.ts';
import { AT, on, refuseChange, refuseCreation } from '../define.ts';
import { type Json, MODULES } from '../modules.ts';
import { routes } from '../resources/routes.ts';
import { BARE } from '../values/bodies.ts';
import { DOCUMENT_TYPES, entityDescriptors, MALFORMED, OTHER_ROOT, PLAIN_BUT_FOR_ONE } from '../values/xml.ts';

const law = on(routes, 'extended');
const SAML = `${AT.schemas}/EndpointSAML`;
const METADATA = `${AT.schemas}/IdpMetadata`;
const { full, minimal } = MODULES.saml;

/** The values that the service supplies itself. */
const URLS = ['entity_id', 'assertion_consumer_service_url', 'single_logout_url', 'metadata_url'];
const SUPPLIED = [...URLS, 'request_signing_certificate_pem'];

function supplied({ saml }: Json): Json {
  return Object.fromEntries(SUPPLIED.map((name) => [name, (saml as Json | null)?.[name]]));
}

async function newSaml(steps: Steps, saml: Json): Promise<Json> {
  return (await steps.createOne({ saml })).shown['saml'] as Json;
}

/** The metadata of a service provider, as an identity provider fetches it: without a token. @throws NotPossible */
async function fetchMetadata(session: Session, { metadata_url }: Json): Promise<HttpResponse> {
  const target = String(metadata_url);
  if (new URL(target).host !== session.implementation.client.base.host)
    throw new NotPossible('needs a `metadata_url` on the host of the base URL');
  const accept = 'application/samlmetadata+xml, application/xml, */*;q=0.1';
  const response = await session.send({ method: 'GET', target, headers: { authorization: '', accept } });
  expectStatus(response, [200], 'An identity provider fetches the metadata.');
  return response;
}

const keeps = (idp_metadata: string, steps: Steps) => expectKept({ saml: { idp_metadata } }, steps);

function refused(name: string, sentence: string, documents: readonly string[]) {
  return law(
    [`routes.saml.metadata.${name}`, 'D26', METADATA, 'Six errors have no keyword'],
    sentence,
    forEach('such documents, also in a change', documents, async (idp_metadata, steps) => {
      await refuseCreation(steps, { saml: { idp_metadata } }, sentence);
      await refuseChange(steps, await steps.createOne({ saml: minimal }), { saml: { idp_metadata } }, sentence);
    }),
  );
}

export const samlLaws = [
  law(
    ['routes.saml.supplied', 'D26', SAML],
    'The values that the service supplies for SAML are real: absolute URLs, and an X.509 certificate in PEM that can be parsed.',
    forEach('in full and bare', [full, minimal], async (saml, steps) => {
      const shown = await newSaml(steps, saml);
      for (const name of URLS) {
        const got = String(shown[name]);
        const isAbsolute = URL.canParse(got) && /^https?:/.test(got);
        expectThat(isAbsolute, `\`${name}\` is an absolute URL.`, { expected: 'a URL of HTTP', got });
      }
      const got = String(shown['request_signing_certificate_pem']);
      const expected = '-----BEGIN CERTIFICATE----- …';
      expectThat(isCertificate(got), 'The certificate is X.509 in PEM.', { expected, got });
    }),
  ),
  law(
    ['routes.saml.entity-id', 'source §2.9', `${SAML}/properties/entity_id`],
    '`entity_id` equals `metadata_url`.',
    ({ origin }) =>
      forEach('in full and bare', origin === 'source' ? [full] : [full, minimal], async (saml, steps) => {
        const { entity_id, metadata_url } = await newSaml(steps, saml);
        expectSame('`entity_id` is not `metadata_url`', entity_id, metadata_url);
      }),
  ),
  law(
    ['routes.saml.metadata-url', 'D26', `${SAML}/properties/metadata_url`],
    '`metadata_url` returns, to a GET without a token, an EntityDescriptor in XML that has the `entity_id`.',
    forEach('in full and bare', [full, minimal], async (saml, steps) => {
      const shown = await newSaml(steps, saml);
      const { text } = await fetchMetadata(steps.session, shown);
      const expected = `EntityDescriptor with entityID="${String(shown['entity_id'])}"`;
      const got = rootOf(text);
      const what = 'The metadata is not that of the service provider.';
      expectThat(got === expected, what, { expected, got: got ?? text });
    }),
  ),
  law(
    ['routes.saml.metadata-url.type', 'D26', `${SAML}/properties/metadata_url`],
    '`metadata_url` responds with the media type `application/samlmetadata+xml`.',
    once('fetched without a token', async (steps) => {
      const { mediaType } = await fetchMetadata(steps.session, await newSaml(steps, minimal));
      expectSame('The metadata has another media type', mediaType, 'application/samlmetadata+xml');
    }),
  ),
  law(
    ['routes.saml.supplied.stable', 'D26', SAML],
    'The values that the service supplies for SAML stay as they are, over reads and over changes of something else.',
    forEach('changes', [{ description: 'a' }, { compression: {} }, { match: '/a' }], async (change, steps) => {
      const route = await steps.createOne({ saml: minimal });
      const due = supplied(route.shown);
      const seen = [await steps.read(route), (await steps.update(route, change)).shown, await steps.read(route)];
      for (const shown of seen) expectSame('They are other ones', supplied(shown), due);
    }),
  ),
  law(
    ['routes.saml.metadata.xml', 'D26', METADATA],
    '`idp_metadata` that is well-formed XML with the root EntityDescriptor is taken, and kept to the character.',
    forEach('documents with one of all shapes', PLAIN_BUT_FOR_ONE, keeps),
    forAll('documents with several of them', entityDescriptors, keeps),
  ),
  refused('malformed', '`idp_metadata` that is not well-formed XML is refused.', MALFORMED),
  refused('root', '`idp_metadata` with another root than EntityDescriptor is refused.', OTHER_ROOT),
  law(
    ['routes.saml.metadata.entities', 'D26', METADATA],
    'No DTD is read and no entity expanded: such a document is refused, or kept as it was sent.',
    forEach('document types', DOCUMENT_TYPES, async (idp_metadata, steps) => {
      const { path } = await steps.place();
      const response = await steps.session.call('createRoute', { path, json: { ...BARE, saml: { idp_metadata } } });
      steps.expectOutcome('create', response, 400, 'The document has a DTD.');
      if (response.status < 300)
        expectSame('The document is not what was sent', (response.json as Json)['saml'], { idp_metadata });
    }),
  ),
];

/** Undefined for a text that is not XML. */
function rootOf(xml: string): string | undefined {
  let root: string | undefined;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    root ??= `${name.replace(/^.*:/, '')} with entityID="${attributes['entityID'] ?? ''}"`;
  });
  try {
    parser.write(xml).close();
    return root;
  } catch {
    return undefined;
  }
}

function isCertificate(pem: string): boolean {
  try {
    return /-----BEGIN CERTIFICATE-----/.test(pem) && new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

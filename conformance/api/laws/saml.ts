/** SAML (D26): the values that the service supplies, and the metadata of the identity provider. */
import { X509Certificate } from 'node:crypto';
import { expectStatus, expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { expectKept } from '../../engine/laws/echo.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import { ROWS } from '../../engine/requirements/header-field-rows.ts';
import { fieldsOfRow } from '../../engine/requirements/header-fields.ts';
import { type ApiRequirement, AT, INFO, on } from '../define.ts';
import { type Json, MODULES } from '../modules.ts';
import { expectHeadLikeGet } from '../protocol/head.ts';
import { routesOf } from '../resources/routes.ts';
import { BARE } from '../values/bodies.ts';
import {
  DOCUMENT_TYPES,
  entityDescriptors,
  MALFORMED,
  OTHER_ROOT,
  PLAIN_BUT_FOR_ONE,
} from '../values/xml.ts';
import { refuseChange, refuseCreation } from './refusals.ts';

const law = on(routesOf, 'extended');

const SAML = `${AT.schemas}/EndpointSAML`;
const METADATA = `${AT.schemas}/IdpMetadata`;
const { full: FULL, minimal: MINIMAL } = MODULES.saml;

const URLS = ['entity_id', 'assertion_consumer_service_url', 'single_logout_url', 'metadata_url'];
const CERTIFICATE = 'request_signing_certificate_pem';

/** The module that a new route with this one shows. */
async function newSaml(steps: Steps, saml: Json): Promise<Json> {
  const { shown } = await steps.createOne({ saml });
  return shown['saml'] as Json;
}

const suppliedValues = law(
  {
    id: 'routes.saml.supplied',
    origin: 'D26',
    clause: SAML,
    sentence:
      'The values that the service supplies for SAML are real: absolute URLs, and an X.509 ' +
      'certificate in PEM that can be parsed.',
  },
  forEach('in full and bare', [FULL, MINIMAL], async (saml, steps) => {
    const shown = await newSaml(steps, saml);
    for (const name of URLS) {
      const got = String(shown[name]);
      const isAbsolute = URL.canParse(got) && /^https?:/.test(got);
      expectThat(isAbsolute, `\`${name}\` is not an absolute URL.`, {
        expected: 'a URL of HTTP',
        got,
      });
    }
    const got = String(shown[CERTIFICATE]);
    const expected = '-----BEGIN CERTIFICATE----- …';
    expectThat(isCertificate(got), 'The certificate is not X.509 in PEM.', { expected, got });
  }),
);

function isCertificate(pem: string): boolean {
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    return false;
  }
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

const entityId = law(
  {
    id: 'routes.saml.entity-id',
    origin: 'source §2.9',
    clause: `${SAML}/properties/entity_id`,
    sentence: '`entity_id` equals `metadata_url`.',
  },
  ({ origin }) => {
    // By the source alone, nothing may be omitted.
    const forms = origin === 'source' ? [FULL] : [FULL, MINIMAL];
    return forEach('in full and bare', forms, async (saml, steps) => {
      const { entity_id, metadata_url } = await newSaml(steps, saml);
      expectSame('`entity_id` is not `metadata_url`', entity_id, metadata_url);
    });
  },
);

/** Changes of something else than SAML. */
const OTHER_CHANGES: Json[] = [{ description: 'a' }, { compression: {} }, { match: '/a' }];

const SAML_METADATA_TYPE = 'application/samlmetadata+xml';

/**
 * The metadata of a service provider, as an identity provider fetches it: without a token.
 * @throws NotPossible
 */
async function fetchMetadata(session: Session, { metadata_url }: Json): Promise<HttpResponse> {
  const target = String(metadata_url);
  if (new URL(target).host !== session.implementation.client.base.host) {
    throw new NotPossible('needs a `metadata_url` on the host of the base URL');
  }
  const accept = `${SAML_METADATA_TYPE}, application/xml, */*;q=0.1`;
  const headers = { authorization: '', accept };
  const response = await session.send({ method: 'GET', target, headers });
  expectStatus(response, [200], 'An identity provider fetches the metadata.');
  return response;
}

const metadataUrl = law(
  {
    id: 'routes.saml.metadata-url',
    origin: 'D26',
    clause: `${SAML}/properties/metadata_url`,
    sentence:
      '`metadata_url` returns, to a GET without a token, an EntityDescriptor in XML that has the ' +
      '`entity_id`.',
  },
  forEach('in full and bare', [FULL, MINIMAL], async (saml, steps) => {
    await expectMetadata(steps, await newSaml(steps, saml));
  }),
  forEach('after a change', [...OTHER_CHANGES, { saml: FULL }], async (change, steps) => {
    const { shown } = await steps.update(await steps.createOne({ saml: MINIMAL }), change);
    await expectMetadata(steps, shown['saml'] as Json);
  }),
  forEach('removed and set again', [FULL, MINIMAL], async (saml, steps) => {
    const route = await steps.createOne({ saml });
    await expectMetadata(steps, route.shown['saml'] as Json);
    const without = await steps.update(route, { saml: null });
    const { shown } = await steps.update(without, { saml });
    await expectMetadata(steps, shown['saml'] as Json);
  }),
  once('set again by another change, and read', async (steps) => {
    const route = await steps.createOne();
    await steps.update(route, { saml: MINIMAL });
    await steps.update(route, { saml: null });
    await steps.update(route, { saml: FULL });
    const { saml } = await steps.read(route);
    await expectMetadata(steps, saml as Json);
  }),
);

/** The metadata under `metadata_url` are those of the service provider that a route shows. */
async function expectMetadata({ session }: Steps, shown: Json): Promise<void> {
  const { text } = await fetchMetadata(session, shown);
  const expected = `EntityDescriptor with entityID="${String(shown['entity_id'])}"`;
  const root = await rootOf(text);
  const what = 'The metadata is not that of the service provider.';
  expectThat(root === expected, what, { expected, got: root ?? text });
}

/**
 * The name of the root element without its prefix, and its `entityID`; undefined for a text that is
 * not XML.
 */
async function rootOf(xml: string): Promise<string | undefined> {
  // It is loaded only if it is needed: `--list` parses no XML.
  const { SaxesParser } = await import('saxes');
  let root: string | undefined;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const entityID = attributes['entityID'] ?? '';
    root ??= `${name.replace(/^.*:/, '')} with entityID="${entityID}"`;
  });
  try {
    parser.write(xml).close();
    return root;
  } catch {
    return undefined;
  }
}

const metadataType = law(
  {
    id: 'routes.saml.metadata-url.type',
    origin: 'D26',
    clause: `${SAML}/properties/metadata_url`,
    sentence: '`metadata_url` responds with the media type `application/samlmetadata+xml`.',
  },
  once('fetched without a token', async (steps) => {
    const { mediaType } = await fetchMetadata(steps.session, await newSaml(steps, MINIMAL));
    expectSame('The metadata has another media type', mediaType, SAML_METADATA_TYPE);
  }),
);

const metadataHead = law(
  {
    id: 'routes.saml.metadata-url.head',
    origin: 'D26',
    clause: INFO,
    quotes: ['`HEAD` works wherever `GET` does'],
    sentence: 'HEAD has the status and the header fields of GET at a `metadata_url`.',
  },
  once('without a token', async (steps) => {
    const shown = await newSaml(steps, MINIMAL);
    await fetchMetadata(steps.session, shown);
    const target = String(shown['metadata_url']);
    await expectHeadLikeGet(steps.session, { target, headers: { authorization: '' } });
  }),
);

/** The values of a route that the service supplied. */
function suppliedIn({ saml }: Json): Json {
  const module = (saml ?? {}) as Json;
  return Object.fromEntries([...URLS, CERTIFICATE].map((name) => [name, module[name]]));
}

const stableValues = law(
  {
    id: 'routes.saml.supplied.stable',
    origin: 'D26',
    clause: SAML,
    sentence:
      'The values that the service supplies for SAML stay as they are, over reads, also with ' +
      'header fields of a proxy, and over changes of something else.',
  },
  forEach('reads with header fields', [...ROWS.keys()], async (row, steps) => {
    const { session, implementation } = steps;
    const { path, shown } = await steps.createOne({ saml: MINIMAL });
    const read = session.operation('getRoute');
    const headers = fieldsOfRow(read, implementation, row);
    const response = await session.call('getRoute', { path, headers });
    expectSuccess(implementation, read, response, 'Header fields change nothing.');
    const supplied = suppliedIn(response.json as Json);
    expectSame('With header fields, other values are supplied', supplied, suppliedIn(shown));
  }),
  forEach('changes', OTHER_CHANGES, async (change, steps) => {
    const route = await steps.createOne({ saml: MINIMAL });
    const due = suppliedIn(route.shown);
    const before = await steps.read(route);
    const changed = await steps.update(route, change);
    const after = await steps.read(route);
    for (const shown of [before, changed.shown, after]) {
      expectSame('The service supplies other values', suppliedIn(shown), due);
    }
  }),
);

function expectMetadataKept(idp_metadata: string, steps: Steps): Promise<void> {
  return expectKept({ saml: { idp_metadata } }, steps);
}

const rightXml = law(
  {
    id: 'routes.saml.metadata.xml',
    origin: 'D26',
    clause: METADATA,
    sentence:
      '`idp_metadata` that is well-formed XML with the root EntityDescriptor is accepted, and ' +
      'kept to the character.',
  },
  forEach('documents with one of all shapes', PLAIN_BUT_FOR_ONE, expectMetadataKept),
  forAll('documents with several of them', entityDescriptors, expectMetadataKept),
);

/** A law of documents that are refused. @param part the end of its id */
function refusedMetadata(
  part: string,
  sentence: string,
  documents: readonly string[],
): ApiRequirement {
  return law(
    {
      id: `routes.saml.metadata.${part}`,
      origin: 'D26',
      clause: METADATA,
      quotes: ['Six errors have no keyword'],
      sentence,
    },
    forEach('such documents, also in a change', documents, async (idp_metadata, steps) => {
      const body = { saml: { idp_metadata } };
      await refuseCreation(steps, body, sentence);
      const route = await steps.createOne({ saml: MINIMAL });
      await refuseChange(steps, route, body, sentence);
    }),
  );
}

const malformedXml = refusedMetadata(
  'malformed',
  '`idp_metadata` that is not well-formed XML is refused.',
  MALFORMED,
);

const otherRoot = refusedMetadata(
  'root',
  '`idp_metadata` with another root than EntityDescriptor is refused.',
  OTHER_ROOT,
);

const entities = law(
  {
    id: 'routes.saml.metadata.entities',
    origin: 'D26',
    clause: METADATA,
    sentence:
      'A document with a DTD is refused, or kept as it was sent: no DTD is read and no entity ' +
      'expanded.',
  },
  forEach('document types', DOCUMENT_TYPES, async (idp_metadata, steps) => {
    const { path } = await steps.place();
    const json = { ...BARE, saml: { idp_metadata } };
    const response = await steps.session.call('createRoute', { path, json });
    steps.expectOutcome('create', response, 400, 'The document has a DTD.');
    if (response.status < 300) {
      const { saml } = response.json as Json;
      expectSame('The document is not what was sent', saml, { idp_metadata });
    }
  }),
);

export const samlLaws = [
  suppliedValues,
  entityId,
  metadataUrl,
  metadataType,
  metadataHead,
  stableValues,
  rightXml,
  malformedXml,
  otherRoot,
  entities,
];

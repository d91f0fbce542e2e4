/** Laws of SAML: what an identity provider is given must work there, and its own description must be XML (D26). */
import { X509Certificate } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { expectSame, expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import { entityDescriptors, PLAIN_BUT_FOR_ONE, SMALLEST } from '../values/xml.ts';
import type { Session } from '../../engine/http/session.ts';
import type { Json } from '../model/route.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { expectRoutes, getRoute, newEdge, newRoute, patchRoute } from '../route-steps.ts';
import { BARE } from '../values/route-values.ts';
import { expectRefusal, expectStatus, expectSuccess, refuse } from '../../engine/http/expect-response.ts';
import { extended } from './law.ts';
import { MODULES } from '../modules.ts';

const SAML = '/components/schemas/EndpointSAML';
const METADATA = '/components/schemas/IdpMetadata';

/** What the service supplies itself. */
const URLS = ['entity_id', 'assertion_consumer_service_url', 'single_logout_url', 'metadata_url'];
const SUPPLIED = [...URLS, 'request_signing_certificate_pem'];

export function samlLaws(): Requirement[] {
  return [
    extended(
      'routes.saml.supplied',
      'D26',
      SAML,
      'What the service supplies for SAML is real: absolute URLs, and an X.509 certificate in PEM that can be parsed.',
      [
        forEach('in full and bare', [MODULES.saml.full, MODULES.saml.minimal], async (saml, session) => {
          const shown = (await newRoute(session, { saml }))['saml'] as Json;
          for (const name of URLS) {
            const url = String(shown[name]);
            expectThat(URL.canParse(url) && /^https?:/.test(url), `\`${name}\` is an absolute URL.`, {
              expected: 'a URL of HTTP',
              got: shown[name],
            });
          }
          const pem = String(shown['request_signing_certificate_pem']);
          expectThat(isCertificate(pem), 'The certificate is X.509 in PEM.', {
            expected: '-----BEGIN CERTIFICATE----- …',
            got: pem,
          });
        }),
      ],
    ),
    extended(
      'routes.saml.entity-id',
      'source §2.9',
      `${SAML}/properties/entity_id`,
      '`entity_id` equals `metadata_url`.',
      ({ origin }) => [
        forEach(
          'in full and bare',
          origin === 'source' ? [MODULES.saml.full] : [MODULES.saml.full, MODULES.saml.minimal],
          async (saml, session) => {
            const { entity_id, metadata_url } = (await newRoute(session, { saml }))['saml'] as Json;
            expectThat(entity_id === metadata_url, '`entity_id` is not `metadata_url`.', {
              expected: metadata_url,
              got: entity_id,
            });
          },
        ),
      ],
    ),
    extended(
      'routes.saml.metadata-url',
      'D26',
      `${SAML}/properties/metadata_url`,
      '`metadata_url` returns, to a GET without a token, an EntityDescriptor in XML that has the `entity_id`.',
      [
        forEach('in full and bare', [MODULES.saml.full, MODULES.saml.minimal], async (saml, session) => {
          const { entity_id, metadata_url } = (await newRoute(session, { saml }))['saml'] as {
            entity_id: string;
            metadata_url: string;
          };
          if (new URL(metadata_url).host !== session.implementation.client.base.host)
            throw new NotPossible('needs a `metadata_url` on the host of the base URL');
          const response = await session.send({
            method: 'GET',
            target: metadata_url,
            headers: { authorization: '', accept: 'application/samlmetadata+xml, application/xml, */*;q=0.1' },
          });
          expectStatus(response, [200], 'An identity provider fetches the metadata.');
          const expected = `EntityDescriptor with entityID="${entity_id}"`;
          expectThat(rootOf(response.text) === expected, 'The metadata is not that of the service provider.', {
            expected,
            got: rootOf(response.text) ?? response.text,
          });
        }),
      ],
    ),
    extended(
      'routes.saml.metadata-url.type',
      'D26',
      `${SAML}/properties/metadata_url`,
      '`metadata_url` responds with the media type `application/samlmetadata+xml`.',
      [
        once('fetched without a token', async (session) => {
          const { metadata_url } = (await newRoute(session, { saml: MODULES.saml.minimal }))['saml'] as {
            metadata_url: string;
          };
          if (new URL(metadata_url).host !== session.implementation.client.base.host)
            throw new NotPossible('needs a `metadata_url` on the host of the base URL');
          const response = await session.send({ method: 'GET', target: metadata_url, headers: { authorization: '' } });
          expectStatus(response, [200], 'An identity provider fetches the metadata.');
          expectThat(response.mediaType === 'application/samlmetadata+xml', 'The metadata has another media type.', {
            expected: 'application/samlmetadata+xml',
            got: response.headers['content-type'] ?? 'none',
          });
        }),
      ],
    ),
    extended(
      'routes.saml.supplied.stable',
      'D26',
      SAML,
      'What the service supplies for SAML stays as it is, over reads and over changes of something else.',
      [
        forEach(
          'changes',
          [{ description: 'changed' }, { compression: {} }, { match: '/changed' }],
          async (change, session) => {
            const route = await newRoute(session, { saml: MODULES.saml.minimal });
            const supplied = pick(route['saml']);
            expectSame('A read shows other values', pick((await getRoute(session, route))['saml']), supplied);
            expectSame(
              'A change of something else changed them',
              pick((await patchRoute(session, route, change))['saml']),
              supplied,
            );
            expectSame('A read shows other values', pick((await getRoute(session, route))['saml']), supplied);
          },
        ),
      ],
    ),
    extended(
      'routes.saml.metadata.xml',
      'D26',
      METADATA,
      '`idp_metadata` that is well-formed XML with the root EntityDescriptor is taken, and kept to the character.',
      [
        forEach('documents with one of all shapes', PLAIN_BUT_FOR_ONE, expectKept),
        forAll('documents with several of them', entityDescriptors, expectKept),
      ],
    ),
    refused('routes.saml.metadata.malformed', `\`idp_metadata\` that is not well-formed XML is refused.`, MALFORMED),
    refused(
      'routes.saml.metadata.root',
      '`idp_metadata` with another root than EntityDescriptor is refused.',
      OTHER_ROOT,
    ),
    extended(
      'routes.saml.metadata.entities',
      'D26',
      METADATA,
      'No DTD is read and no entity expanded: such a document is refused, or kept as it was sent.',
      [
        forEach('document types', DOCUMENT_TYPES, async (idp_metadata, session) => {
          const { id: edge_id } = await newEdge(session);
          const operation = session.operation('createRoute');
          const response = await session.call('createRoute', {
            path: { edge_id },
            json: { ...BARE, saml: { idp_metadata } },
          });
          if (response.status >= 400) {
            expectRefusal(session.implementation, operation, response, [400], 'The document has a DTD.');
          } else {
            expectSuccess(session.implementation, operation, response);
            expectSame('The document is not what was sent', (response.json as Json)['saml'], { idp_metadata });
          }
        }),
      ],
    ),
  ];
}

async function expectKept(idp_metadata: string, session: Session): Promise<void> {
  const route = await newRoute(session, { saml: { idp_metadata } });
  expectSame('The document is not what was sent', (await getRoute(session, route))['saml'], { idp_metadata });
}

function refused(id: string, sentence: string, documents: readonly string[]): Requirement {
  return extended(id, 'D26', METADATA, sentence, [
    forEach('such documents', documents, async (idp_metadata, session) => {
      const { id: edge_id } = await newEdge(session);
      const json = { ...BARE, saml: { idp_metadata } };
      await refuse(session, 'createRoute', { path: { edge_id }, json }, [400], sentence);
      await expectRoutes(session, edge_id, [], 'A refused route is there');
    }),
    forEach('such documents in a change', documents, async (idp_metadata, session) => {
      const route = await newRoute(session, { saml: MODULES.saml.minimal });
      const path = { edge_id: route.edge_id, id: route.id };
      await refuse(session, 'updateRoute', { path, json: { saml: { idp_metadata } } }, [400], sentence);
      await expectRoutes(session, route.edge_id, [route], 'A refused change changed something');
    }),
  ]);
}

/** Undefined for a text that is no XML. */
function rootOf(xml: string): string | undefined {
  try {
    let root: string | undefined;
    const parser = new SaxesParser();
    parser.on(
      'opentag',
      ({ name, attributes }) =>
        (root ??= `${name.replace(/^.*:/, '')} with entityID="${attributes['entityID'] ?? ''}"`),
    );
    parser.write(xml).close();
    return root;
  } catch {
    return undefined;
  }
}

function pick(saml: unknown): Json {
  return Object.fromEntries(SUPPLIED.map((name) => [name, (saml as Json | null)?.[name]]));
}

function isCertificate(pem: string): boolean {
  try {
    return /-----BEGIN CERTIFICATE-----/.test(pem) && new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

const NAMESPACE = 'xmlns="urn:oasis:names:tc:SAML:2.0:metadata"';
const START = `<EntityDescriptor ${NAMESPACE} entityID="urn:a"`;

export const MALFORMED: readonly string[] = [
  'metadata',
  '{}',
  ' ',
  'https://idp.example.com/metadata',
  `${START}`,
  `${START}>`,
  `${START}></entitydescriptor>`,
  `${START}><a></EntityDescriptor>`,
  `${START}><a></b></EntityDescriptor>`,
  `${START}/>${START}/>`,
  `${START}/>text`,
  `text${START}/>`,
  `${START}>a & b</EntityDescriptor>`,
  `${START}>&undefined;</EntityDescriptor>`,
  `${START}>&#0;</EntityDescriptor>`,
  `${START} ID=a/>`,
  `${START} ID/>`,
  `${START} ID="a" ID="b"/>`,
  `${START} ID="<"/>`,
  `${START}><!-- a -- b --></EntityDescriptor>`,
  `${START}><!-- </EntityDescriptor>`,
  `${START}><![CDATA[ </EntityDescriptor>`,
  `${START}><?note </EntityDescriptor>`,
  `${START}>\u0001</EntityDescriptor>`,
  ` <?xml version="1.0"?>${START}/>`,
];

export const OTHER_ROOT: readonly string[] = [
  '<html/>',
  `<EntitiesDescriptor ${NAMESPACE}>${SMALLEST}</EntitiesDescriptor>`,
  `<entityDescriptor ${NAMESPACE}/>`,
  `<EntityDescriptors ${NAMESPACE}/>`,
  `<!-- ${SMALLEST} --><root/>`,
  `<root><![CDATA[${SMALLEST}]]></root>`,
  `<root>${SMALLEST}</root>`,
  '<EntityDescriptor:root xmlns:EntityDescriptor="urn:a"/>',
];

const DOCUMENT_TYPES: readonly string[] = [
  `<!DOCTYPE EntityDescriptor>${SMALLEST}`,
  `<!DOCTYPE EntityDescriptor SYSTEM "http://127.0.0.1:9/conformance.dtd">${SMALLEST}`,
  `<!DOCTYPE EntityDescriptor [<!ENTITY a "b">]>${START}>&a;</EntityDescriptor>`,
  `<!DOCTYPE EntityDescriptor [<!ENTITY a SYSTEM "file:///etc/hostname">]>${START}>&a;</EntityDescriptor>`,
  `<!DOCTYPE EntityDescriptor [<!ENTITY a0 "aaaaaaaaaa">${bombs(9)}]>${START}>&a9;</EntityDescriptor>`,
];

/** Entities of which each stands for ten of the one before. */
function bombs(count: number): string {
  return Array.from({ length: count }, (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`).join('');
}

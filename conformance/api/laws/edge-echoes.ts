/** What services tend to change on its way to the store and back: generated values meet it too seldom. */
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { sentOf } from '../model/edge.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { acceptable, EDGE_CREATE, type EdgeBody } from '../values/edge-values.ts';
import { each, type Requirement } from '../../engine/requirements/requirement.ts';
import { createEdge, getEdge } from '../steps.ts';

/** Each at most 255 bytes, so that a description can hold it. */
export const TEXTS: Record<string, string> = {
  'white space': ' \t a  b \r\n c\rd\n ',
  'white space alone': '  ',
  'syntax of HTML': '<b class="x">&amp;&lt;&#39;</b> \'a\' & "b"',
  'syntax of SQL, shells and templates': "O'Brien''s; -- $(x) `y` ${z} {{z}} %s *",
  escapes: '\\n \\u0041 \\\\ %41+%2B \\',
  cases: 'ABC abc ß ẞ İ ı ǅ',
  'control characters': 'a\u0001\u001f\u007f\u0085b\u0000c',
  'combining marks, and the same composed': 'e\u0301 \u00e9 \u212b \u00c5 \ufb01 ｶﾞ \u1100\u1161',
  'direction, joiners and marks without width': '\ufeffא\u202eb\u200d\u200b\u2028\u2029',
  'characters of two, three and four bytes': 'é漢😀👩\u200d👩\u200d👧🏳\ufe0f\u200d🌈\u{10ffff}',
  'non-characters': '\ufffd\uffff\ufdd0',
  'the word null': 'null',
  'the word false': 'false',
  zero: '0',
  JSON: '{"b": 1.0,"a" :[ ],"a":"\\u00e9"}',
  'a number': '1e3',
};

export function edgeEchoes(): Requirement[] {
  return [
    {
      id: 'edges.echo.texts',
      level: 'core',
      origin: 'source §4.1',
      clause: EDGE_CREATE,
      sentence: 'Description and metadata are kept and read to the byte, whatever they hold.',
      properties: () => each(TEXTS, (text, session) => expectEcho(session, { description: text, metadata: text })),
    },
    {
      id: 'edges.echo.lists',
      level: 'core',
      origin: 'source §4.1',
      clause: EDGE_CREATE,
      sentence:
        'Lists are kept and read in their order and with all that they hold, and so are modules beside each other.',
      properties: (implementation) => each(bodiesFor(implementation), (body, session) => expectEcho(session, body)),
    },
  ];
}

/** Lists and modules that services tend to change, as they are sent. */
export function bodiesFor({ testData: knowledge }: Implementation): Record<string, EdgeBody> {
  const domain = knowledge.hostportDomain ?? 'conformance.example';
  const hostports = [`z.${domain}:443`, `*.a.${domain}:1`, `Ab.${domain}:80`, `z.${domain}:8443`, `b.${domain}:65535`];
  const known = knowledge.certificateAuthorityIds;
  // The same twice, and out of order: nothing forbids that (D03).
  const ids = known.length > 0 ? [...known.toReversed(), known.at(-1)] : ['b', 'Ca_Partners', 'a', 'b', '-', '_0'];
  const mutual = { enabled: false, certificate_authority_ids: ids };
  return {
    'hostports in no order': { hostports },
    'one hostport': { hostports: hostports.slice(2, 3) },
    'certificate authorities in no order': { mutual_tls: mutual },
    'modules that are empty': {
      mutual_tls: { enabled: true, certificate_authority_ids: [] },
      tls_termination: { enabled: false },
    },
    'both modules': {
      mutual_tls: mutual,
      tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' },
    },
    'TLS that passes through': { hostports, tls_termination: { enabled: false, terminate_at: 'upstream' } },
  };
}

async function expectEcho(session: Session, json: EdgeBody): Promise<void> {
  const { implementation } = session;
  const body = acceptable(implementation, json);
  const created = await createEdge(session, body);
  expectSame('The response is not what was sent', created, sentOf(body, implementation.origin));
  expectSame('The edge reads otherwise than it was created', await getEdge(session, created.id), created);
}

/** Bodies for edges: any that the service must accept, and what services tend to change on its way to the store and back. */
import type fc from 'fast-check';
import { type Hints, validValues } from '../../engine/generate/valid.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import type { Json } from '../modules.ts';
import { hostportFor } from '../test-data.ts';
import { longEdges } from './long.ts';

export const EDGE_CREATE = '/components/schemas/HTTPSEdgeCreate';

export function edgeBodies(implementation: Implementation, hints: Hints = implementation.hints): fc.Arbitrary<Json> {
  return validValues(implementation.contract, EDGE_CREATE, hints).map((body) =>
    acceptable(implementation, body as Json),
  );
}

/**
 * Checked by the source document alone, nothing may be left out (which fields are required is not shown, §4.1) and nothing
 * sent whose form it does not show: TLS versions, `terminate_at` in requests, ids of certificate authorities.
 */
export function acceptable(implementation: Implementation, body: Json): Json {
  const { origin, testData } = implementation;
  if (origin === 'all') return body;
  const { description, metadata, hostports, mutual_tls, tls_termination } = body;
  const enabledOf = (module: unknown) => (module as { enabled?: unknown } | null | undefined)?.enabled ?? true;
  return {
    description: description ?? 'conformance',
    metadata: metadata ?? '{}',
    hostports: Array.isArray(hostports) && hostports.length > 0 ? hostports : [hostportFor(testData)],
    mutual_tls: {
      enabled: enabledOf(mutual_tls),
      certificate_authority_ids: testData.certificateAuthorityIds.slice(0, 1),
    },
    tls_termination: { enabled: enabledOf(tls_termination) },
  };
}

/** The body that creates an edge like this one, without its routes (D04): Refs go as their ids. */
export function sentAgain({ description, metadata, hostports, mutual_tls, tls_termination }: Json): Json {
  const { enabled, certificate_authorities: refs } = (mutual_tls ?? {}) as Json;
  const { enabled: terminates, terminate_at, min_version } = (tls_termination ?? {}) as Json;
  return {
    ...{ description, metadata, hostports },
    mutual_tls: mutual_tls && { enabled, certificate_authority_ids: (refs as Json[]).map(({ id }) => id) },
    tls_termination: tls_termination && { enabled: terminates, terminate_at, min_version },
  };
}

/** Generated values meet these too seldom. Each has at most 255 bytes, so that a description can hold it. */
export const TEXTS: readonly string[] = [
  // White space, and nothing else.
  ' \t a  b \r\n c\rd\n ',
  '  ',
  // The syntax of HTML, SQL, shells and templates, and escapes.
  '<b class="x">&amp;&lt;&#39;</b> \'a\' & "b"',
  "O'Brien''s; -- $(x) `y` ${z} {{z}} %s *",
  '\\n \\u0041 \\\\ %41+%2B \\',
  'ABC abc ß ẞ İ ı ǅ',
  'a\u0001\u001f\u007f\u0085b\u0000c',
  // Combining marks, and the same composed.
  'e\u0301 \u00e9 \u212b \u00c5 \ufb01 ｶﾞ \u1100\u1161',
  // Direction, joiners and marks without width.
  '\ufeffא\u202eb\u200d\u200b\u2028\u2029',
  // Characters of two, three and four bytes, and non-characters.
  'é漢😀👩\u200d👩\u200d👧🏳\ufe0f\u200d🌈\u{10ffff}',
  '\ufffd\uffff\ufdd0',
  ...['null', 'false', '0', '1e3', '{"b": 1.0,"a" :[ ],"a":"\\u00e9"}'],
];

/** Whichever of these changes a service makes, this text shows it. */
export const ODD_TEXT = '  A  e\u0301 %41 &lt;<b>\u0000\r\n\u00a0漢😀 ';

/** Lists and modules that services tend to change, as they are sent. */
export function oddLists(implementation: Implementation): Json[] {
  const { testData } = implementation;
  const { certificateAuthorityIds: known, hostportDomain: domain = 'conformance.example' } = testData;
  const hostports = [`z.${domain}:443`, `*.a.${domain}:1`, `Ab.${domain}:80`, `z.${domain}:8443`, `b.${domain}:65535`];
  // The same twice, and out of order: nothing forbids that (D03).
  const ids = known.length > 0 ? [...known.toReversed(), known.at(-1)] : ['b', 'Ca_Partners', 'a', 'b', '-', '_0'];
  const mutual_tls = { enabled: false, certificate_authority_ids: ids };
  return [
    { hostports },
    { hostports: [`ab.${domain}:80`, `Ab.${domain}:80`] },
    { hostports: hostports.slice(2, 3) },
    { mutual_tls },
    ...longEdges(implementation),
    { mutual_tls: { enabled: true, certificate_authority_ids: [] }, tls_termination: { enabled: false } },
    { mutual_tls, tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' } },
    { hostports, tls_termination: { enabled: false, terminate_at: 'upstream' } },
  ];
}
